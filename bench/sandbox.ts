// A database, a queue and a Pro key's endpoints to measure against, apart from everything else.
import './packs.ts'
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../src/embedded/server.ts'
import { sealerOf } from '../src/secrets/seal.ts'
import { openDatabase } from '../src/store/engine/database.ts'
import { migrate } from '../src/store/engine/migrate.ts'
import { openQueue } from '../src/store/engine/queue.ts'
import { insertKey } from '../src/store/keys/keys.ts'
import { registerEndpoint } from '../src/store/webhooks/webhooks.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A server of its own under the temporary folder, gone with `close`; in a folder that is given it is kept. */
export const openServer = async (kept?: string) => {
  const dir = kept ?? (await mkdtemp(join(tmpdir(), 'lotline-bench-')))
  if (kept) await mkdir(kept, { recursive: true })
  else await chmod(dir, 0o755)
  const server = await startEmbedded(dir)
  const template = openDatabase({ socketDir: server.socketDir })
  await migrate(template)
  await template.close()
  return {
    address: { socketDir: server.socketDir, database: 'lotline' },
    /** Processor seconds its processes have used so far; undefined where the system does not tell. */
    cpuSeconds: () => postgresCpuSeconds(join(dir, 'postgres/postmaster.pid')),
    close: async () => {
      await server.stop()
      if (!kept) await rm(dir, { recursive: true, force: true })
    },
  }
}

export const openSandbox = async (address: { socketDir: string; database: string }) => {
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

/** Of the server and its children, ended ones included, from Linux's process table. */
const postgresCpuSeconds = async (pidFile: string): Promise<number | undefined> => {
  try {
    const server = (await readFile(pidFile, 'utf8')).split('\n')[0]!
    let ticks = 0
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (pid === server) ticks += Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])
      else if (fields[1] === server) ticks += Number(fields[11]) + Number(fields[12])
    }
    return ticks / 100
  } catch {
    return undefined
  }
}
