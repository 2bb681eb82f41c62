// What a Pro caller notices of ten anonymous callers who ask the slowest questions all the time: its uncached reads beside them,
// against the same reads without them, in turns.
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, Client, request } from 'undici'
import { demoKey, plans } from '../src/wire/plans.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, median, quantile, timed } from './figure.ts'
import { environmentOf, withPermits } from './million-permits.ts'
import { proKeys, startService } from './service.ts'

const neighbors = 10

export const measure = async (context: Context): Promise<Figure[]> => {
  const figures: Figure[] = []
  const permits = context.quick ? 100_000 : 1_000_000
  await withPermits(context, permits, async (database) => {
    // Each neighbor names an address of its own.
    const environment = { ...environmentOf(context, database), TRUSTED_PROXIES: '127.0.0.1' }
    const service = await startService(environment, 'api')
    try {
      const keys = await proKeys(environment, 100)
      const time = context.quick ? 6_000 : 15_000
      const read = proReader(service.url, keys)
      await read(AbortSignal.timeout(3_000))
      const alone: Reads[] = []
      const beside: Reads[] = []
      const asked: Map<number, number> = new Map()
      for (let run = 0; run < context.runs; run++) {
        alone.push(await read(AbortSignal.timeout(time)))
        const leave = new AbortController()
        const asking = askSlowQuestions(service.url, run, asked, leave.signal)
        await wait(1_000)
        beside.push(await read(AbortSignal.timeout(time)))
        leave.abort()
        await asking
      }
      const statuses = [...asked].map(([status, count]) => `${count} with ${status}`).join(', ')
      const p99 = (reads: readonly Reads[]) => reads.map(({ ms }) => quantile(ms, 0.99))
      const title = (what: string) => `neighbors, ${context.quick ? '100,000' : '1 million'} permits: ${what}`
      figures.push(
        figureOf({
          name: title('p50 of a Pro read'),
          unit: 'ms',
          ours: beside.map(({ ms }) => median(ms)),
          rival: alone.map(({ ms }) => median(ms)),
          note: `beside ${neighbors} anonymous callers with the slowest questions, against alone`,
        }),
        figureOf({
          name: title('p99 of a Pro read'),
          unit: 'ms',
          ours: p99(beside),
          rival: p99(alone),
          target: atMost(500, 'ours'),
          note: `${beside.reduce((sum, { ms }) => sum + ms.length, 0)} uncached reads; the neighbors were answered ${statuses}`,
        }),
        figureOf({
          name: title('Pro reads not answered with 200'),
          unit: 'share',
          ours: beside.map(({ ms, failed }) => failed / ms.length),
          target: atMost(0, 'ours'),
        }),
      )
    } finally {
      await service.stop()
    }
  })
  return figures
}

export interface Reads {
  ms: number[]
  failed: number
}

const proPaths = ['/api/v1/permits?q=kitchen', '/api/v1/permits?city=palo%20alto&limit=25', '/api/v1/permits?q=zzyzx']

/** Reads one after the other until `end` aborts. Keys are used in turn, so that none reaches its limit. */
export const proReader = (url: string, keys: readonly string[]) => {
  let n = 0
  return async (end: AbortSignal): Promise<Reads> => {
    const client = new Client(url)
    const reads: Reads = { ms: [], failed: 0 }
    while (!end.aborted) {
      // An unknown parameter is ignored, and makes the page one that is not cached.
      const path = `${proPaths[n % proPaths.length]}&n=${n}`
      const key = keys[n++ % keys.length]!
      const ms = await timed(async () => {
        const { statusCode, body } = await client.request({ method: 'GET', path, headers: { 'x-api-key': key } })
        await body.text()
        if (statusCode !== 200) reads.failed++
      })
      reads.ms.push(ms)
    }
    await client.close()
    return reads
  }
}

const letters = encodeURIComponent([...'abcdefghijklmnopqrstuvwxyz'].join(' '))
const slowPaths = [
  `/api/v1/permits?q=${letters}&issuedFrom=2010-01-01`,
  '/api/v1/permits?q=sons%20%26&offset=9990',
  '/api/v1/permits?q=11%2022%2033%2044&city=a',
  '/api/v1/permits?q=.&issuedFrom=2010-01-01',
  '/permits?q=.',
]

/** Each keeps within the limits of the demo key: a new address takes over when its requests of a minute are used. */
const askSlowQuestions = async (url: string, run: number, asked: Map<number, number>, leave: AbortSignal) => {
  const dispatcher = new Agent({ connections: neighbors })
  const ask = async (neighbor: number, n: number) => {
    const path = slowPaths[(neighbor + n) % slowPaths.length]!
    const address = `10.${run}.${neighbor}.${Math.floor(n / plans.demo.requestsPerMinute) % 256}`
    const { statusCode, body } = await request(`${url}${path}&n=${n}`, {
      dispatcher,
      headers: { 'x-forwarded-for': address, ...(path.startsWith('/api') ? { 'x-api-key': demoKey } : {}) },
    })
    await body.text()
    asked.set(statusCode, (asked.get(statusCode) ?? 0) + 1)
  }
  await Promise.all(
    Array.from({ length: neighbors }, async (_, neighbor) => {
      for (let n = 0; !leave.aborted; n++) await ask(neighbor, n)
    }),
  )
  await dispatcher.close()
}
