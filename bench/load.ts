// Generates load from a separate process: wrk where it is installed, otherwise autocannon, which uses more CPU itself and so
// lowers both throughputs that are compared.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Load {
  url: string
  path: string
  /** Used round-robin, one request each. */
  keys: readonly string[]
  seconds: number
  connections?: number
}

export interface Carried {
  requests: number
  perSecond: number
  /** Answers that were not 2xx or 3xx, and failed connections. */
  failed: number
  p99Ms: number
}

export const generator: 'wrk' | 'autocannon' = spawnSync('wrk', ['-v']).error ? 'autocannon' : 'wrk'

const run = promisify(execFile)

export const drive = (load: Load): Promise<Carried> => (generator === 'wrk' ? byWrk(load) : byAutocannon(load))

const script = `
local requests, at = {}, 0
function init(args)
  for key in io.lines(args[1]) do
    wrk.headers['x-api-key'] = key
    requests[#requests + 1] = wrk.format('GET')
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local broken = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format('\\n{"requests":%d,"micros":%d,"failed":%d,"p99":%d}\\n',
    summary.requests, summary.duration, summary.errors.status + broken, latency:percentile(99)))
end`

const byWrk = async ({ url, path, keys, seconds, connections = 50 }: Load): Promise<Carried> => {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-wrk-'))
  try {
    await writeFile(join(dir, 'keys'), keys.join('\n'), { mode: 0o600 })
    await writeFile(join(dir, 'load.lua'), script)
    const { stdout } = await run('wrk', [
      ...['-t', '1', '-c', `${connections}`, '-d', `${seconds}s`, '--timeout', '10s'],
      ...['-s', join(dir, 'load.lua'), `${url}${path}`, '--', join(dir, 'keys')],
    ])
    const { requests, micros, failed, p99 } = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, number>
    return { requests: requests!, perSecond: requests! / (micros! / 1e6), failed: failed!, p99Ms: p99! / 1000 }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const byAutocannon = async ({ url, path, keys, seconds, connections = 50 }: Load): Promise<Carried> => {
  const program = `
    const autocannon = require(${JSON.stringify(createRequire(import.meta.url).resolve('autocannon'))})
    const load = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
    let at = 0
    autocannon({ url: load.url, connections: load.connections, duration: load.seconds, requests: [{
      path: load.path,
      setupRequest: (request) => ({ ...request, headers: { 'x-api-key': load.keys[at++ % load.keys.length] } }),
    }] }).then((r) => console.log(JSON.stringify({
      requests: r.requests.total, perSecond: r.requests.total / r.duration, failed: r.non2xx + r.errors, p99Ms: r.latency.p99 })))`
  const child = run(process.execPath, ['-e', program])
  child.child.stdin!.end(JSON.stringify({ url, path, keys, seconds, connections }))
  return JSON.parse((await child).stdout) as Carried
}
