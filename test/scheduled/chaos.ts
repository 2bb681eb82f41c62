// `npm run chaos -- --minutes 10`: launchers, API, worker, ingest, database, Redis, mail server and webhook receiver are killed,
// stopped or suspended at random under load and attack, the disk is filled, the clock moved, and an upgrade killed half way.
// Nothing acknowledged may be lost or made twice, and everything serves again within 15 seconds of the end of each fault.
import '../../bench/packs.ts'
import { type ChildProcess, execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { textTable } from '../../src/bin/text-table.ts'
import { unhandledMessage } from '../../src/bin/unhandled-rejections.ts'
import { attack, slowClients } from './chaos-clients.ts'
import { type Fault, faultsOf } from './chaos-faults.ts'
import { ask, firstKey, type LedgerRow, ledgerOf, startLoad } from './chaos-load.ts'
import { freePort, mailServer, superviseProcess, webhookReceiver } from './chaos-processes.ts'
import { openUpgradeTrial, type Upgrade } from './chaos-upgrade.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    /** Seconds in which everything serves again after a fault. */
    within: { type: 'string', default: '15' },
    /** A data folder to copy, so that the sample need not be loaded. */
    from: { type: 'string' },
  },
})
const minutes = Number(values.minutes)
const recoverySeconds = Number(values.within)

// A namespace of its own gives small process ids that repeat, as in a container, and leaves no process behind.
const inNamespace = process.env.LOTLINE_CHAOS_NAMESPACE === '1'
const namespace = ['--pid', '--fork', '--kill-child', '--mount', '--mount-proc']
const canUnshare = !inNamespace && spawnSync('unshare', [...namespace, 'true']).status === 0
if (canUnshare) {
  const { status } = spawnSync(
    'unshare',
    // The shell is process 1 and reaps the processes of a killed database, as the init process of a container does.
    [...namespace, 'sh', '-c', '"$@"; exit $?', 'sh', process.execPath, ...process.argv.slice(1)],
    { stdio: 'inherit', env: { ...process.env, LOTLINE_CHAOS_NAMESPACE: '1' } },
  )
  process.exit(status ?? 1)
}

const log = (line: string) => process.stdout.write(`${line}\n`)
const has = (program: string) => spawnSync('which', [program]).status === 0

const logDir = await mkdtemp(join(tmpdir(), 'lotline-chaos-log-'))
const dataDir = await mkdtemp(join(tmpdir(), 'lotline-chaos-'))
await chmod(dataDir, 0o755)
const canFillDisk =
  inNamespace && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2g,mode=755', 'tmpfs', dataDir]).status === 0
if (values.from) spawnSync('cp', ['-a', `${values.from}/.`, dataDir])
const fakeTime = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
].find((path) => existsSync(path))
const clockFile = fakeTime ? join(logDir, 'clock') : undefined
if (clockFile) writeFileSync(clockFile, '+0')

/** A Node before 24, which makes bin/lotline.mjs a launcher of the packaged Node. */
const olderNode = spawnSync('which', ['-a', 'node'])
  .stdout.toString()
  .split('\n')
  .find((path) => path && Number(spawnSync(path, ['-p', 'parseInt(process.versions.node)']).stdout) < 24)

const missing = [
  ...(inNamespace ? [] : ['PID namespace (unshare is not permitted)']),
  ...(canFillDisk ? [] : ['full disk (no tmpfs can be mounted)']),
  ...(fakeTime ? [] : ['moved clock (libfaketime is not installed)']),
  ...(olderNode ? [] : ['launcher of the packaged Node (Node here is 24 or later)']),
  ...(has('redis-server') ? [] : ['Redis (redis-server is not installed)']),
]
log(missing.length > 0 ? `Skipped: ${missing.join('; ')}.` : 'Everything can be tried here.')

const [port, redisPort, apiMetrics, workerMetrics] = [
  await freePort(),
  await freePort(),
  await freePort(),
  await freePort(),
]
const receiver = await webhookReceiver()
const mail = await mailServer()
const redis = has('redis-server')
  ? superviseProcess(
      'Redis',
      ['redis-server', '--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', logDir],
      process.env,
      logDir,
    )
  : undefined

const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  DATA_DIR: dataDir,
  PORT: String(port),
  SOURCES_DIR: join(dataDir, 'sources'),
  WEBHOOK_ALLOW_PRIVATE: 'true',
  TRUSTED_PROXIES: '127.0.0.1',
  SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  ...(redis ? { REDIS_URL: `redis://127.0.0.1:${redisPort}` } : {}),
}
await mkdir(env.SOURCES_DIR, { recursive: true })
const program = join(import.meta.dirname, '../../bin/lotline.mjs')
const clockEnv = fakeTime
  ? {
      LD_PRELOAD: fakeTime,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
  : {}
// The worker first: it creates the database. Two first starts at once are tested elsewhere.
const worker = superviseProcess(
  'worker',
  [olderNode ?? process.execPath, program, 'serve', '--role', 'worker'],
  { ...env, METRICS_PORT: String(workerMetrics) },
  logDir,
)
const upgrades = await openUpgradeTrial(logDir)
const url = `http://127.0.0.1:${port}`
const serving = async (): Promise<string | undefined> => {
  if ((await ask(`${url}/readyz`)).status !== 200) return 'the API is not ready'
  // Needs Redis: with it away a keyed call is 503. The probes may use up the limit of their key, which is an answer too.
  const { status } = await ask(`${url}/api/v1/usage`, { headers: { 'x-api-key': probeKey } })
  if (status !== 200 && status !== 429) return 'the API does not answer'
  const metrics = await fetch(`http://127.0.0.1:${workerMetrics}/metrics`, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.text(),
    () => '',
  )
  return /^lotline_database_up 1$/m.test(metrics) ? undefined : 'the worker does not answer'
}
/** Served means served for a second: the first probe may come before a killed process is missed. */
const untilServing = async (withinMs: number): Promise<{ seconds: number; problem?: string }> => {
  const since = performance.now()
  let servingSince: number | undefined
  for (;;) {
    const at = performance.now()
    const problem = await serving()
    if (problem) servingSince = undefined
    else servingSince ??= at
    if (servingSince !== undefined && performance.now() - servingSince > 1_000)
      return { seconds: (servingSince - since) / 1000 }
    if (problem && at - since > withinMs) return { seconds: (at - since) / 1000, problem }
    await wait(100)
  }
}

/** Park and Miller's generator: the same seed gives the same faults in the same order. */
let state = Number(values.seed) || 1
const random = () => {
  state = (state * 48_271) % 2_147_483_647
  return state / 2_147_483_647
}

const socketDir = join(dataDir, 'run')
while (!existsSync(join(socketDir, '.s.PGSQL.5432'))) await wait(200)
const probeKey = await firstKey(socketDir)
const api = superviseProcess(
  'api',
  ['npm', 'start', '--silent', '--', '--role', 'api'],
  { ...env, METRICS_PORT: String(apiMetrics), ...clockEnv },
  logDir,
)
const first = await untilServing(600_000)
if (first.problem) throw new Error(`The service did not start: ${first.problem}. Logs: ${logDir}`)
log(`Serving after ${first.seconds.toFixed(1)} s. Logs: ${logDir}. Seed ${values.seed}, ${minutes} minutes.`)

let ingesting: ChildProcess | undefined
const feed = { file: join(logDir, 'watched.csv'), source: join(logDir, 'watched.json') }
writeFileSync(
  feed.source,
  JSON.stringify({
    id: 'chaos-permits',
    title: 'Permits of the chaos run',
    kind: 'csv',
    holds: 'permits',
    market: 'nantucket',
    city: 'Nantucket',
    where: { url: feed.file },
    fields: { permitId: 'id', address: 'address', issuedOn: 'issued', valuation: 'value' },
    licence: 'Invented',
  }),
)
const ingest = async ({ permitId, valuation }: { permitId: string; valuation: number }): Promise<boolean> => {
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(feed.file, `id,address,issued,value\n${permitId},1 Main St,${today},${valuation}\n`)
  const loaded = await new Promise<boolean>((done) => {
    ingesting = execFile(
      process.execPath,
      [program, 'ingest', feed.source, '--json'],
      { env, timeout: 60_000, killSignal: 'SIGKILL' },
      (error) => done(!error),
    )
  })
  ingesting = undefined
  return loaded
}

const upgraded: Upgrade[] = []
const attackers: string[] = []
const parts = faultsOf({
  ...{ dataDir, api, worker, redis, ingest: () => ingesting, mail, receiver, canFillDisk, clockFile },
})
const faults: Fault[] = [
  ...parts,
  ...['api killed', 'database killed'].map((name) => ({
    name: `attack, ${name}`,
    apply: async () => {
      const attacking = attack(url, 15)
      await Promise.all([attacking, wait(5_000).then(parts.find((each) => each.name === name)!.apply)])
      attackers.push(await attacking)
    },
  })),
  {
    name: 'upgrade from 2.0.0 killed',
    apply: async () => {
      const result = await upgrades.run(random)
      upgraded.push(result)
      return result.seconds
    },
  },
]
// The first load of a source matches no watch.
while (!(await ingest({ permitId: 'first', valuation: 1_000 }))) await wait(1_000)
const ending = new AbortController()
const loading = await startLoad({ url, socketDir, receiverPort: receiver.port, ingest, signal: ending.signal })
const until = performance.now() + minutes * 60_000
const slowing = slowClients(port, ending.signal)
const recoveries = new Map<string, number[]>()
let bag: typeof faults = []
let late = 0
while (performance.now() < until) {
  // Every fault once before any is repeated.
  if (bag.length === 0) bag = [...faults]
  const [fault] = bag.splice(Math.floor(random() * bag.length), 1)
  const own = await fault!.apply()
  const { seconds: again, problem } = await untilServing(60_000)
  const seconds = typeof own === 'number' ? own : again
  recoveries.set(fault!.name, [...(recoveries.get(fault!.name) ?? []), seconds])
  if (problem || seconds > recoverySeconds) late++
  log(
    `${fault!.name.padEnd(32)} ${problem ? `NOT RECOVERED: ${problem}` : `serving again after ${seconds.toFixed(1)} s`}`,
  )
  await wait(500 + random() * 2_500)
}
if (clockFile) writeFileSync(clockFile, '+0')
await untilServing(60_000)
ending.abort()
const [done, slow] = await Promise.all([loading.ended, slowing])
const ledger = await ledgerOf(socketDir, done, { ...receiver, ...mail }, 180_000)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
ledger.push({
  what: 'rows of upgrades',
  acknowledged: sum(upgraded.map(({ rows }) => rows)),
  lost: sum(upgraded.map(({ lost }) => lost)),
  duplicated: 0,
  repeated: 0,
})
for (const part of [api, worker, redis]) await part?.stop()
await mail.close()
await receiver.close()
await upgrades.close()
if (canFillDisk) spawnSync('umount', ['-l', dataDir])
await rm(dataDir, { recursive: true, force: true })

const rejections = ['api', 'worker', 'upgrade']
  .map((name) => join(logDir, `${name}.log`))
  .filter(existsSync)
  .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  .filter((line) => line.includes(unhandledMessage)).length
const number = true
log('')
log(
  textTable<LedgerRow>(ledger, [
    { title: 'Ledger', value: ({ what }) => what },
    { title: 'acknowledged', value: ({ acknowledged }) => acknowledged, number },
    { title: 'lost', value: ({ lost }) => lost, number },
    { title: 'duplicated', value: ({ duplicated }) => duplicated, number },
    { title: 'sent again with the same id', value: ({ repeated }) => repeated, number },
  ]),
)
log('')
log(
  textTable<[string, number[]]>(
    [...recoveries],
    [
      { title: 'Fault', value: ([name]) => name },
      { title: 'times', value: ([, times]) => times.length, number },
      { title: 'slowest seconds to ready', value: ([, times]) => Math.max(...times).toFixed(1), number },
    ],
  ),
)
const by = (counts: ReadonlyMap<number, number>) => JSON.stringify(Object.fromEntries([...counts].sort()))
log('')
log(
  `${sum([...recoveries.values()].map(({ length }) => length))} faults in ${minutes} minutes, ${late} over ${recoverySeconds} s.`,
)
log(`Upgrades killed after ${upgraded.map(({ killedAfter }) => killedAfter).join(', ') || 'no'} migrations.`)
log(`Answers by status (0: no answer): ${by(done.statuses)}; attackers: ${attackers.join(' ')}.`)
log(`Slow clients: ${slow.opened} connections, ${slow.keptOpen} not closed in time.`)
log(
  `Ended with an error of their own: api ${by(api.failures)}, worker ${by(worker.failures)}. Unhandled rejections: ${rejections}.`,
)
if (missing.length > 0) log(`Skipped: ${missing.join('; ')}.`)
const wrong = sum(ledger.map(({ lost, duplicated }) => lost + duplicated)) + late + rejections + slow.keptOpen
const serverErrors = done.statuses.get(500) ?? 0
log(wrong + serverErrors > 0 ? `FAILED. Logs: ${logDir}` : 'Passed: nothing was lost.')
process.exit(wrong + serverErrors > 0 ? 1 : 0)
