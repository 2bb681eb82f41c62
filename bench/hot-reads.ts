// Hot reads through the whole service (key, limit, headers, cache) against a bare server that sends the same bytes.
import { type ChildProcess, execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import type { Context } from './context.ts'
import { atLeast, atMost, type Figure, figureOf } from './figure.ts'
import { cpuMs, type Service, startBare } from './service.ts'

export const measure = async (context: Context): Promise<Figure[]> => {
  const figures: Figure[] = []
  const keys = await context.proKeys(context.sized(8_000, 8_000, 500))
  // A trial needs one page to see that the part runs.
  for (const { title, pathOn } of pages.slice(context.sized(0, 0, -1))) {
    // Restarted for each page, as the rival is, so that neither is warmed up by another page's requests.
    const service = await context.startService()
    try {
      figures.push(...(await against(context, service, keys, title, await pathOn(service, keys[0]!))))
    } finally {
      await service.stop()
    }
  }
  return figures
}

const pages: { title: string; pathOn(service: Service, key: string): Promise<string> | string }[] = [
  { title: 'signals page', pathOn: () => '/api/v1/market-signals?limit=25' },
  { title: 'permits page', pathOn: () => '/api/v1/permits?q=kitchen&limit=25' },
  {
    title: 'a property',
    pathOn: async (service, key) => {
      const answer = await ask(service, '/api/v1/market-signals?limit=1', key)
      const { data } = (await answer.json()) as { data: { id: string }[] }
      return `/api/v1/properties/${data[0]!.id}`
    },
  },
]

const against = async (context: Context, service: Service, keys: string[], title: string, path: string) => {
  const answer = await ask(service, path, keys[0]!)
  const bare = await startBare(context.dir, answer.headers, await answer.text())
  try {
    // Many short runs, alternating: on a shared machine conditions change within seconds.
    const load = { path, keys, seconds: 1 }
    // Before timing, every key is used once and both servers are warmed up.
    for (
      let seconds = context.sized(2, 2, 1);
      (await drive({ ...load, url: service.url, seconds })).requests < keys.length;
      seconds *= 2
    );
    for (const { url } of [service, bare]) await drive({ ...load, url, seconds: context.sized(4, 1, 1) })
    const ours: number[] = []
    const rival: number[] = []
    const cpu = { ours: [] as number[], rival: [] as number[] }
    const carry = async (to: { url: string; process: ChildProcess }, costs: number[]) => {
      const before = await cpuMs(to.process.pid!)
      const carried = await drive({ ...load, url: to.url })
      costs.push(((await cpuMs(to.process.pid!)) - before) / carried.requests)
      return carried
    }
    let failed = 0
    let requests = 0
    for (let run = 0; run < context.runs * context.sized(3, 1, 1); run++) {
      const carried = await carry(service, cpu.ours)
      failed += carried.failed
      requests += carried.requests
      ours.push(carried.perSecond)
      rival.push((await carry(bare, cpu.rival)).perSecond)
    }
    return [
      figureOf(`hot reads: ${title}`, 'answers/s', ours, {
        rival,
        target: atLeast(0.6),
        note: `against bare node:http sending the same ${answer.headers.get('content-length')} bytes; load by autocannon, 50 connections`,
      }),
      // Processor time depends less on other load than throughput does.
      figureOf(
        `hot reads: ${title}, processor time`,
        'µs/answer',
        cpu.ours.map((ms) => ms * 1000),
        { rival: cpu.rival.map((ms) => ms * 1000), target: atMost(1 / 0.6), note: 'of the server process alone' },
      ),
      figureOf(`hot reads: ${title}, share not 200`, 'share', [failed / requests], {
        target: atMost(0, 'ours'),
        note: `${failed} of ${requests} answers over ${keys.length} pro keys`,
      }),
    ]
  } finally {
    bare.process.kill()
  }
}

const ask = (service: Service, path: string, key: string) =>
  // Not compressed: the load generator does not ask for it, and `fetch` would undo it but keep the headers of the smaller body.
  fetch(`${service.url}${path}`, { headers: { 'x-api-key': key, 'accept-encoding': 'identity' } })

/** From a process of its own. `failed` counts answers that were not 2xx, and failed connections. */
const drive = async (load: {
  url: string
  path: string
  /** Used round-robin, one request each. */
  keys: readonly string[]
  seconds: number
}): Promise<{ requests: number; perSecond: number; failed: number }> => {
  const program = `
    const autocannon = require(${JSON.stringify(createRequire(import.meta.url).resolve('autocannon'))})
    const load = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
    let at = 0
    autocannon({ url: load.url, connections: 50, duration: load.seconds, requests: [{
      path: load.path,
      setupRequest: (request) => ({ ...request, headers: { 'x-api-key': load.keys[at++ % load.keys.length] } }),
    }] }).then((r) => console.log(JSON.stringify({
      requests: r.requests.total, perSecond: r.requests.total / r.duration, failed: r.non2xx + r.errors })))`
  const generator = promisify(execFile)(process.execPath, ['-e', program])
  generator.child.stdin!.end(JSON.stringify(load))
  return JSON.parse((await generator).stdout)
}
