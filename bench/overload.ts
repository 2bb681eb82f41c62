// Ten times the capacity in uncached reads: accepted requests must stay fast, and the others must get 503 fast.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, median, quantile } from './figure.ts'
import type { OpenLoad, OpenLoopResult } from './open-loop.ts'
import { type Service, statusOf } from './service.ts'

export const measure = async (context: Context): Promise<Figure[]> => {
  const service = await context.startService()
  try {
    const keys = await context.proKeys(context.sized(6_000, 6_000, 300))
    await warm(service, keys)
    const seconds = context.sized(8, 3, 1)
    const capacity = await capacityOf(service, keys, context.sized(4, 4, 1))
    const { outcomes, withoutRetryAfter, lateMs } = await openLoad({
      ...{ url: service.url, paths: searches(20_000), keys },
      ...{ perSecond: Math.round(capacity * 10), seconds },
    })
    const recoveryMs = await recovery(service, keys, capacity)
    const accepted = outcomes.filter(([status]) => status === 200).map(([, ms]) => ms)
    const refused = outcomes.filter(([status]) => status === 503).map(([, ms]) => ms)
    const other = outcomes.length - accepted.length - refused.length + withoutRetryAfter
    const offered = `${Math.round(capacity * 10)} requests/s offered for ${seconds} s, ${Math.round(capacity)}/s is the capacity`
    return [
      figureOf('overload: p99 of accepted', 'ms', [quantile(accepted, 0.99)], {
        target: atMost(1_000, 'ours'),
        note: `${offered}; ${accepted.length} accepted (${Math.round(accepted.length / seconds)}/s), median ${Math.round(median(accepted))} ms; sent at most ${Math.round(lateMs)} ms late (p99)`,
      }),
      figureOf('overload: p99 of 503', 'ms', [quantile(refused, 0.99)], {
        target: atMost(1_000, 'ours'),
        note: `${refused.length} rejected, median ${Math.round(median(refused))} ms`,
      }),
      figureOf('overload: neither 200 nor 503 with Retry-After', 'answers', [other], { target: atMost(0, 'ours') }),
      figureOf('overload: recovery', 'ms', [recoveryMs], {
        target: atMost(5_000, 'ours'),
        note: 'until 20 requests in a row are 200 again',
      }),
    ]
  } finally {
    await service.stop()
  }
}

/** All different, so that none is cached. */
const searches = (count: number) =>
  Array.from({ length: count }, (_, i) => `/api/v1/permits?q=kitchen&minValuation=${1 + i}&limit=25`)

const warm = async (service: Service, keys: readonly string[]) => {
  for (let at = 0; at < keys.length; at += 50)
    await Promise.all(keys.slice(at, at + 50).map((key) => statusOf(service, '/api/v1/usage', key)))
}

/** Requests per second with 20 clients that each wait for one answer before they send the next request. */
const capacityOf = async (service: Service, keys: readonly string[], seconds: number): Promise<number> => {
  let answered = 0
  const until = performance.now() + seconds * 1_000
  await Promise.all(
    Array.from({ length: 20 }, async (_, asker) => {
      for (let n = asker; performance.now() < until; n += 20) {
        const path = `/api/v1/permits?q=kitchen&minValuation=${1e6 + n}&limit=25`
        if ((await statusOf(service, path, keys[n % keys.length]!)) === 200) answered++
      }
    }),
  )
  return answered / seconds
}

const recovery = async (service: Service, keys: readonly string[], capacity: number): Promise<number> => {
  const begun = performance.now()
  let inRow = 0
  let since = begun
  for (let n = 0; inRow < 20 && performance.now() - begun < 30_000; n++) {
    const path = `/api/v1/permits?q=kitchen&minValuation=${2e6 + n}`
    if ((await statusOf(service, path, keys[(n * 7) % keys.length]!)) === 200) inRow++
    else {
      inRow = 0
      since = performance.now()
    }
    await wait(500 / capacity)
  }
  return inRow < 20 ? Number.POSITIVE_INFINITY : since - begun
}

const openLoad = async (load: OpenLoad): Promise<OpenLoopResult> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'open-loop.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(load))
  return JSON.parse(await text(child.stdout)) as OpenLoopResult
}
