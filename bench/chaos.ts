// `npm run chaos -- --minutes 10`: API, worker, database, Redis, mail server and webhook receiver are killed, stopped or
// suspended at random under load, the disk is filled and the clock moved. Nothing acknowledged may be lost, and everything
// serves again within 15 seconds of the end of each fault.
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { faultsOf } from './chaos-faults.ts'
import { ask, firstKey, lossesOf, startLoad } from './chaos-load.ts'
import { freePort, mailServer, superviseProcess, webhookReceiver } from './chaos-processes.ts'

const recoverySeconds = 15

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
})
const minutes = Number(values.minutes)

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
  inNamespace && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=900m,mode=755', 'tmpfs', dataDir]).status === 0
const fakeTime = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
].find((path) => existsSync(path))
const clockFile = fakeTime ? join(logDir, 'clock') : undefined
if (clockFile) writeFileSync(clockFile, '+0')

const missing = [
  ...(inNamespace ? [] : ['PID namespace (unshare is not permitted)']),
  ...(canFillDisk ? [] : ['full disk (no tmpfs can be mounted)']),
  ...(fakeTime ? [] : ['moved clock (libfaketime is not installed)']),
  ...(has('redis-server') ? [] : ['Redis (redis-server is not installed)']),
]
log(missing.length > 0 ? `Not tried here: ${missing.join('; ')}.` : 'Everything can be tried here.')

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
  SAMPLE_DATA: 'false',
  SOURCES_DIR: join(dataDir, 'sources'),
  WEBHOOK_ALLOW_PRIVATE: 'true',
  TRUSTED_PROXIES: '127.0.0.1',
  SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  ...(redis ? { REDIS_URL: `redis://127.0.0.1:${redisPort}` } : {}),
}
await mkdir(env.SOURCES_DIR, { recursive: true })
const program = join(import.meta.dirname, '../bin/lotline.mjs')
const clockEnv = fakeTime
  ? {
      LD_PRELOAD: fakeTime,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
  : {}
// The worker first: it creates the database. Two first starts at once are tested elsewhere.
const start = (role: 'api' | 'worker', more: NodeJS.ProcessEnv) =>
  superviseProcess(role, [process.execPath, program, 'serve', '--role', role], { ...env, ...more }, logDir)
const worker = start('worker', { METRICS_PORT: String(workerMetrics) })
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
const api = start('api', { METRICS_PORT: String(apiMetrics), ...clockEnv })
const first = await untilServing(120_000)
if (first.problem) throw new Error(`The service did not start: ${first.problem}. Logs: ${logDir}`)
log(`Serving after ${first.seconds.toFixed(1)} s. Logs: ${logDir}. Seed ${values.seed}, ${minutes} minutes.`)

const faults = faultsOf({ dataDir, api, worker, redis, mail, receiver, canFillDisk, clockFile })
const ending = new AbortController()
const loading = await startLoad({ url, socketDir, receiverPort: receiver.port, signal: ending.signal })
const recoveries = new Map<string, number[]>()
const until = performance.now() + minutes * 60_000
let bag: typeof faults = []
let late = 0
while (performance.now() < until) {
  // Every fault once before any is repeated.
  if (bag.length === 0) bag = [...faults]
  const [fault] = bag.splice(Math.floor(random() * bag.length), 1)
  await fault!.apply()
  const { seconds, problem } = await untilServing(60_000)
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
const done = await loading.ended
const losses = await lossesOf(socketDir, done, receiver.arrived, mail.recipients, 180_000)

const duplicates = [...receiver.arrived.values()].reduce((sum, times) => sum + times - 1, 0)
const summary = {
  minutes,
  faults: [...recoveries.values()].reduce((sum, times) => sum + times.length, 0),
  slowestRecoverySeconds: Object.fromEntries(
    [...recoveries].map(([name, times]) => [name, Number(Math.max(...times).toFixed(1))]),
  ),
  recoveriesOverLimit: late,
  acknowledged: {
    keys: done.keys.length,
    subscribers: done.subscribers.length,
    endpoints: done.endpoints.length,
    events: done.events.length,
    mails: done.mailboxes.length + done.subscribers.length,
  },
  lost: losses,
  duplicateDeliveries: duplicates,
  answers: Object.fromEntries([...done.statuses].sort(([a], [b]) => a - b)),
  notTried: missing,
}
log(JSON.stringify(summary, null, 2))
for (const part of [api, worker, redis]) await part?.stop()
await mail.close()
await receiver.close()
if (canFillDisk) spawnSync('umount', ['-l', dataDir])
await rm(dataDir, { recursive: true, force: true })
const lost = Object.values(losses).reduce((sum, count) => sum + count, 0)
process.exit(lost > 0 || late > 0 ? 1 : 0)
