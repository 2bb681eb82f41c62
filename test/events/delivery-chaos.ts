// Events flow while the delivery worker is killed (kill -9) again and again. None may be lost, and what
// arrives twice must bear the same webhook-id and the same bytes.
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sealerOf } from '../../src/secrets/seal.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { recordEvents } from '../../src/store/webhooks/events.ts'
import { registerEndpoint } from '../../src/store/webhooks/webhooks.ts'
import type { WorkerProcess } from './worker-process.ts'

export interface Chaos {
  events: number
  endpoints: number
  kills: number
  /** How long the jobs of a killed worker stay locked. */
  leaseSeconds?: number
  /** Longest to wait for the last delivery. */
  patienceMs: number
}

export interface ChaosResult {
  expected: number
  arrived: number
  lost: number
  duplicates: number
  /** Repeated deliveries with different bytes. */
  altered: number
  kills: number
  seconds: number
}

export const runChaos = async (
  address: { socketDir: string; database: string },
  chaos: Chaos,
): Promise<ChaosResult> => {
  const started = performance.now()
  const sandbox = await openSandbox(address)
  if (chaos.leaseSeconds !== undefined)
    await sandbox.queue.boss.updateQueue('webhook-delivery', { expireInSeconds: chaos.leaseSeconds })
  const seen = new Map<string, string>()
  let requests = 0
  let altered = 0
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests++
      const body = Buffer.concat(chunks).toString()
      const key = `${request.url} ${request.headers['webhook-id']}`
      if ((seen.get(key) ?? body) !== body) altered++
      seen.set(key, body)
      response.end()
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  try {
    await sandbox.register(
      Array.from({ length: chaos.endpoints }, (_, i) => `http://127.0.0.1:${port}/${i}`),
      ['permit.created'],
    )

    const ids: string[] = []
    const emit = async (count: number) => {
      for (let left = count; left > 0; left -= 100) {
        const events = Array.from({ length: Math.min(left, 100) }, (_, i) => ({
          type: 'permit.created' as const,
          market: 'sf-peninsula',
          data: { permitId: `B-${ids.length + i}` },
        }))
        ids.push(...(await recordEvents(sandbox.db, sandbox.queue, events, new Date())))
      }
    }

    let worker = await sandbox.startWorker()
    const share = Math.floor(chaos.events / (chaos.kills + 1))
    for (let kill = 0; kill < chaos.kills; kill++) {
      await emit(share)
      // Somewhere in the middle of the work, which takes some hundred milliseconds.
      await wait(Math.random() * 400)
      const gone = once(worker, 'exit')
      worker.kill('SIGKILL')
      await gone
      worker = await sandbox.startWorker()
    }
    await emit(chaos.events - share * chaos.kills)

    const expected = chaos.events * chaos.endpoints
    const deadline = Date.now() + chaos.patienceMs
    while (seen.size < expected && Date.now() < deadline) await wait(100)
    const missing = ids.flatMap((id) =>
      Array.from({ length: chaos.endpoints }, (_, i) => `/${i} ${id}`).filter((key) => !seen.has(key)),
    )
    const end = once(worker, 'exit')
    worker.kill('SIGTERM')
    await end
    return {
      expected,
      arrived: seen.size,
      lost: missing.length,
      duplicates: requests - seen.size,
      altered,
      kills: chaos.kills,
      seconds: Math.round((performance.now() - started) / 100) / 10,
    }
  } finally {
    receiver.closeAllConnections()
    receiver.close()
    await sandbox.close()
  }
}

const openSandbox = async (address: { socketDir: string; database: string }) => {
  const database = openDatabase(address)
  const queue = await openQueue(address)
  const secretKey = randomBytes(32)
  const sealer = sealerOf(secretKey)
  const workers = new Set<ChildProcess>()
  const settings: WorkerProcess = { ...address, secretKey: secretKey.toString('hex') }
  return {
    db: database.db,
    queue,
    /** Registers any number of endpoints, each of a key of its own. */
    register: async (urls: readonly string[], events: readonly string[]) => {
      for (const url of urls) {
        const { id } = await insertKey(database.db, { plan: 'pro', email: 'bench@example.com' })
        const sealedSecret = sealer.seal('webhook-secret', `whsec_${randomBytes(32).toString('base64')}`)
        await registerEndpoint(database.db, { keyId: id, url, events, sealedSecret, most: 10 }, new Date())
      }
    },
    startWorker: async (): Promise<ChildProcess> => {
      const child = fork(join(import.meta.dirname, 'worker-process.ts'), [JSON.stringify(settings)], {
        execArgv: ['--disable-warning=ExperimentalWarning'],
        // With our own output it would keep the pipe of a test process open, which is then never seen to end.
        silent: true,
      })
      child.stderr!.pipe(process.stderr, { end: false })
      workers.add(child)
      await once(child, 'message')
      return child
    },
    close: async () => {
      // Those that a failed run has left.
      for (const worker of workers) worker.kill('SIGKILL')
      await queue.close()
      await database.close()
    },
  }
}
