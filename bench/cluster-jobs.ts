// Jobs shared by two workers: webhook deliveries and assessment batches. None may be lost or done twice.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Store } from '../src/bin/open-store.ts'
import { sealerOf } from '../src/secrets/seal.ts'
import { openQueue } from '../src/store/engine/queue.ts'
import { insertKey } from '../src/store/keys/keys.ts'
import { recordEvents } from '../src/store/webhooks/events.ts'
import { registerEndpoint } from '../src/store/webhooks/webhooks.ts'
import type { Cluster } from './cluster-processes.ts'
import type { Context } from './context.ts'
import { atLeast, atMost, type Figure, figureOf } from './figure.ts'
import { cpuMs, startService } from './service.ts'

export const sharedJobs = async (context: Context, cluster: Cluster, store: Store): Promise<Figure[]> => {
  const queue = await openQueue(store.address)
  const receiver = await openReceiver()
  try {
    const endpoints = 10
    const sealer = sealerOf(Buffer.from(cluster.secretKey, 'hex'))
    for (let i = 0; i < endpoints; i++) {
      const { id } = await insertKey(store.db, { plan: 'pro', email: 'bench@example.com' })
      const sealedSecret = sealer.seal('webhook-secret', `whsec_${randomBytes(32).toString('base64')}`)
      const url = `http://127.0.0.1:${receiver.port}/${i}`
      const endpoint = { keyId: id, url, events: ['permit.created'], sealedSecret, most: 10 }
      await registerEndpoint(store.db, endpoint, new Date())
    }
    const send = async (events: number) => {
      for (let sent = 0; sent < events; sent += 10) {
        const some = Array.from({ length: 10 }, (_, n) => permitEvent(sent + n))
        await recordEvents(store.db, queue, some, new Date())
        await wait(20)
      }
    }
    const events = context.quick ? 100 : 500
    await send(events)
    const deliveries = events * endpoints
    await receiver.all(deliveries, 60_000)
    const byWorker = await receiver.byProcess(cluster.workers.map(({ process: { pid } }) => pid!))
    const calm = { twice: receiver.twice(), lost: deliveries - receiver.distinct() }

    // Halfway, one worker gets SIGKILL and the other SIGTERM; each is replaced.
    receiver.forget()
    const sending = send(events)
    for (const [at, signal] of (['SIGKILL', 'SIGTERM'] as const).entries()) {
      await wait(300)
      const { process: gone } = cluster.workers[at]!
      gone.kill(signal)
      await once(gone, 'exit')
      cluster.workers[at] = await startService(cluster.environment, 'worker')
    }
    await sending
    await receiver.all(deliveries, 90_000)
    const shares = byWorker.map((each) => each / deliveries)
    return [
      figureOf({
        name: 'cluster: deliveries by the worker that did fewer',
        unit: 'share',
        ours: [Math.min(...shares)],
        target: atLeast(0.2, 'ours'),
        note: `${byWorker.join(' and ')} of ${deliveries} deliveries, counted by the connections of each worker`,
      }),
      figureOf({
        name: 'cluster: deliveries lost or made twice',
        unit: 'deliveries',
        ours: [calm.lost + calm.twice],
        target: atMost(0, 'ours'),
        note: `${deliveries} by two workers`,
      }),
      figureOf({
        name: 'cluster: deliveries lost while workers were killed',
        unit: 'deliveries',
        ours: [deliveries - receiver.distinct()],
        target: atMost(0, 'ours'),
        note: `one by SIGKILL, one by SIGTERM, each replaced; ${receiver.twice()} of ${deliveries} came twice, under the same webhook-id`,
      }),
      ...(await sharedAssessment(cluster, store, queue)),
    ]
  } finally {
    receiver.close()
    await queue.close()
  }
}

const ours = 'bench-'
const permitEvent = (n: number) => ({
  type: 'permit.created' as const,
  market: 'sf-peninsula',
  data: { permitId: `${ours}${n}`, type: 'Building', address: '1 Oak St', estimatedValue: 900_000, status: 'issued' },
})

/** Assesses both markets completely; each batch is a queue job. */
const sharedAssessment = async (
  { workers }: Cluster,
  store: Store,
  queue: Awaited<ReturnType<typeof openQueue>>,
): Promise<Figure[]> => {
  const spent = () => Promise.all(workers.map(({ process: { pid } }) => cpuMs(pid!)))
  const before = await spent()
  const { rows: first } = await store.pool.query('select coalesce(max(id), 0) as id from assess_run')
  for (const market of ['sf-peninsula', 'nantucket']) await queue.send(store.db, 'assess', { market })
  const runs = async () =>
    (
      await store.pool.query(
        `select r.state, r.batches, r.considered, (select count(*) from assess_batch b where b.run_id = r.id) as ended,
          (select count(*) from property p where p.market = r.market) as properties
        from assess_run r where r.id > $1 and r.scope = 'market'`,
        [first[0].id],
      )
    ).rows as Record<'state' | 'batches' | 'considered' | 'ended' | 'properties', unknown>[]
  const done = (all: Awaited<ReturnType<typeof runs>>) =>
    all.length >= 2 && all.every(({ state }) => state !== 'running')
  for (const until = Date.now() + 120_000; Date.now() < until && !done(await runs()); ) await wait(500)
  const ended = await runs()
  const used = (await spent()).map((each, at) => each - before[at]!)
  const off = ended.reduce((sum, each) => sum + Math.abs(Number(each.properties) - Number(each.considered)), 0)
  const batches = ended.reduce((sum, each) => sum + Number(each.ended), 0)
  return [
    figureOf({
      name: 'cluster: properties left out or assessed twice',
      unit: 'properties',
      ours: [done(ended) ? off : Number.POSITIVE_INFINITY],
      target: atMost(0, 'ours'),
      note: `${batches} batches of ${ended.length} markets by two workers, which used ${used.map((ms) => (ms / 1000).toFixed(1)).join(' and ')} s of processor time`,
    }),
  ]
}

/** Counts deliveries, and finds the sending process by the connection. */
const openReceiver = async () => {
  const seen = new Map<string, number>()
  const byPort = new Map<number, number>()
  const server = createServer(async (request, response) => {
    const body = await text(request)
    response.writeHead(204).end()
    // The sample may advance by a day during the measurement; its permits are not counted.
    if (!body.includes(`"permitId":"${ours}`)) return
    const id = `${request.url} ${request.headers['webhook-id']}`
    seen.set(id, (seen.get(id) ?? 0) + 1)
    const port = request.socket.remotePort!
    byPort.set(port, (byPort.get(port) ?? 0) + 1)
  })
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    distinct: () => seen.size,
    twice: () => [...seen.values()].filter((times) => times > 1).length,
    forget: () => {
      seen.clear()
      byPort.clear()
    },
    all: async (count: number, mostMs: number) => {
      for (const until = Date.now() + mostMs; seen.size < count && Date.now() < until; ) await wait(200)
    },
    byProcess: async (pids: readonly number[]): Promise<number[]> => {
      const inodes = await socketInodes()
      return Promise.all(
        pids.map(async (pid) => {
          const own = new Set(await openSockets(pid))
          return [...byPort].reduce((sum, [port, count]) => sum + (own.has(inodes.get(port) ?? '') ? count : 0), 0)
        }),
      )
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Linux's table of connections: the inode of the socket behind each local port. */
const socketInodes = async (): Promise<Map<number, string>> => {
  const lines = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n').slice(1)
  const fields = lines.map((line) => line.trim().split(/\s+/))
  return new Map(fields.map((each) => [Number.parseInt(each[1]!.split(':')[1]!, 16), each[9]!]))
}

const openSockets = async (pid: number): Promise<string[]> => {
  const dir = `/proc/${pid}/fd`
  const links = await Promise.all((await readdir(dir)).map((fd) => readlink(`${dir}/${fd}`).catch(() => '')))
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [])
}
