// A thousand deliveries a second for a minute to healthy receivers, while 500 other endpoints never respond: how long
// from commit to receipt. `node bench/webhooks.ts [perSecond] [seconds] [hanging] [healthy]` prints JSON; each figure
// stands with its limit and its share of it.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { recordEvents } from '../src/store/webhooks/events.ts'
import { openSandbox, openServer } from './sandbox.ts'

const [perSecond = 1_000, seconds = 60, hanging = 500, healthy = 5] = process.argv.slice(2).map(Number)
const limits = { p99Ms: 1_000, deliveriesPerSecond: perSecond, rssGrowthMb: 20 }

const server = await openServer()
const sandbox = await openSandbox(server.address)
const receiver = fork(join(import.meta.dirname, 'webhook-receiver.ts'))
const [{ port }] = (await once(receiver, 'message')) as [{ port: number }]
const at = (path: string) => `http://127.0.0.1:${port}${path}`
// Healthy endpoints get permit.created, the hanging ones property.score_updated, so that each has its own rate.
await sandbox.register(
  Array.from({ length: healthy }, (_, i) => at(`/ok/${i}`)),
  ['permit.created'],
)
await sandbox.register(
  Array.from({ length: hanging }, (_, i) => at(`/hang/${i}`)),
  ['property.score_updated'],
)
const worker = await sandbox.startWorker()
const figuresOf = async () => {
  worker.send('figures')
  const [figures] = (await once(worker, 'message')) as [{ rssMb: number; cpu: NodeJS.CpuUsage }]
  return figures
}

const permit = (n: number) => ({
  type: 'permit.created' as const,
  market: 'sf-peninsula',
  data: { permitId: `B-${n}`, type: 'Building', address: '1 Oak St', estimatedValue: 900_000, status: 'issued' },
})
const scoreUpdate = () => ({
  type: 'property.score_updated' as const,
  market: 'sf-peninsula',
  data: { propertyId: 'p' },
})

// Warm connections and code: what a first delivery costs is not the hanging ones' doing.
await recordEvents(
  sandbox.db,
  sandbox.queue,
  Array.from({ length: 50 }, (_, i) => permit(-i)),
  new Date(),
)
await wait(2_000)

// Hanging endpoints alone: what they cost in memory while their attempts are under way.
const empty = await figuresOf()
if (hanging > 0) for (let i = 0; i < 2; i++) await recordEvents(sandbox.db, sandbox.queue, [scoreUpdate()], new Date())
await wait(6_000)
const whileHanging = await figuresOf()

const before = { worker: await figuresOf(), own: process.cpuUsage(), postgres: await server.cpuSeconds() }

/** Commits of a twentieth of a second's events each, at their own times, whether or not the last is through. */
const commitsPerSecond = 20
const committed = new Map<string, number>()
const started = performance.now()
const pending: Promise<void>[] = []
let late = 0
for (let i = 0; i < seconds * commitsPerSecond; i++) {
  const due = started + (i * 1000) / commitsPerSecond
  const ahead = due - performance.now()
  if (ahead > 0) await wait(ahead)
  else late = Math.max(late, -ahead)
  const events = Array.from({ length: perSecond / healthy / commitsPerSecond }, (_, n) => permit(i * 1_000 + n))
  // The hanging ones get an event every five seconds, each: a backlog they never work off.
  if (i % (5 * commitsPerSecond) === 0 && hanging > 0)
    pending.push(recordEvents(sandbox.db, sandbox.queue, [scoreUpdate()], new Date()).then(() => {}))
  pending.push(
    recordEvents(sandbox.db, sandbox.queue, events, new Date()).then((ids) => {
      const now = Date.now()
      for (const id of ids) committed.set(id, now)
    }),
  )
}
await Promise.all(pending)
const committing = (performance.now() - started) / 1000
const expected = committed.size * healthy

interface Report {
  arrivals: [string, number][]
  hung: number
  cpu: NodeJS.CpuUsage
}
let report: Report = { arrivals: [], hung: 0, cpu: { user: 0, system: 0 } }
for (const deadline = Date.now() + 60_000; Date.now() < deadline; await wait(1_000)) {
  receiver.send('report')
  report = ((await once(receiver, 'message')) as [Report])[0]
  if (report.arrivals.filter(([id]) => committed.has(id)).length >= expected) break
}
const after = { worker: await figuresOf(), own: process.cpuUsage(), postgres: await server.cpuSeconds() }
const delays = report.arrivals
  .filter(([id]) => committed.has(id))
  .map(([id, arrived]) => Math.max(0, arrived - committed.get(id)!))
  .sort((a, b) => a - b)
const quantile = (share: number) => delays[Math.min(delays.length - 1, Math.floor(share * delays.length))] ?? Number.NaN
const last = Math.max(...report.arrivals.map(([, arrived]) => arrived))
const first = Math.min(...report.arrivals.filter(([id]) => committed.has(id)).map(([, arrived]) => arrived))

const p99 = quantile(0.99)
const rate = delays.length / ((last - first) / 1000)
const growth = whileHanging.rssMb - empty.rssMb
const cpu = (later: NodeJS.CpuUsage, earlier: NodeJS.CpuUsage = { user: 0, system: 0 }) =>
  Math.round(((later.user + later.system - earlier.user - earlier.system) / 1e6 / delays.length) * 1e6) / 1e3
const result = {
  machine: { cores: cpus().length, loadBefore: loadavg().map((each) => Math.round(each * 10) / 10) },
  perSecond,
  seconds,
  hangingEndpoints: hanging,
  healthyEndpoints: healthy,
  expected,
  arrived: delays.length,
  hangingAttempts: report.hung,
  committingSeconds: Math.round(committing * 10) / 10,
  generatorLateMs: Math.round(late),
  p50Ms: quantile(0.5),
  p90Ms: quantile(0.9),
  p99Ms: { value: p99, limit: limits.p99Ms, ratio: p99 / limits.p99Ms },
  maxMs: delays.at(-1),
  deliveriesPerSecond: {
    value: Math.round(rate),
    limit: limits.deliveriesPerSecond,
    ratio: Math.round((rate / limits.deliveriesPerSecond) * 1000) / 1000,
  },
  hangingRssGrowthMb: {
    value: Math.round(growth),
    limit: limits.rssGrowthMb,
    ratio: Math.round((growth / limits.rssGrowthMb) * 100) / 100,
  },
  // What the machine must have to spare: on a busy one the waiting times above say more about it than about us.
  cpuMsPerDelivery: {
    worker: cpu(after.worker.cpu, before.worker.cpu),
    postgres:
      after.postgres === undefined || before.postgres === undefined
        ? undefined
        : Math.round(((after.postgres - before.postgres) / delays.length) * 1e6) / 1e3,
    receiver: cpu(report.cpu),
    generator: cpu(after.own, before.own),
  },
}
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
const end = once(worker, 'exit')
worker.kill('SIGTERM')
await end
receiver.kill()
await sandbox.close()
await server.close()
