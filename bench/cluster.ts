// Several processes on one database: limits are exact across them, changes are seen by all within a second, jobs are shared,
// and ending one process at a time loses no request. Needs nginx and redis-server.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Store } from '../src/bin/open-store.ts'
import { hashOf, revokeKey } from '../src/store/keys/keys.ts'
import { anonymousPerMinute } from '../src/wire/plans.ts'
import { sharedJobs } from './cluster-jobs.ts'
import { type Cluster, openCluster } from './cluster-processes.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf } from './figure.ts'
import { type Service, startService } from './service.ts'

export const measure = async (context: Context): Promise<Figure[]> => {
  for (const program of ['nginx', 'redis-server'])
    if (spawnSync(program, ['-v']).error) {
      context.say(`  cluster: skipped, ${program} is not installed (apt-get install nginx redis-server)`)
      return []
    }
  return context.withStore(async (store) => {
    const cluster = await openCluster(context, store)
    try {
      const figures: Figure[] = []
      figures.push(...(await exactLimits(context, cluster)))
      figures.push(...(await coherence(context, cluster, store)))
      figures.push(...(await sharedJobs(context, cluster, store)))
      for (const signal of ['SIGKILL', 'SIGTERM'] as const) figures.push(await endings(context, cluster, signal))
      return figures
    } finally {
      await cluster.close()
    }
  })
}

/** 400 requests with one key through all three processes at once: exactly 120 are accepted. */
const exactLimits = async (context: Context, { url }: Cluster): Promise<Figure[]> => {
  const off: number[] = []
  for (const key of await context.proKeys(context.runs)) {
    const statuses = await Promise.all(Array.from({ length: 400 }, () => ask(url, key)))
    off.push(Math.abs(statuses.filter((status) => status === 200).length - 120))
  }
  return [
    figureOf({
      name: 'cluster: requests beyond or short of the limit',
      unit: 'requests',
      ours: off,
      target: atMost(0, 'ours'),
      note: '400 at once with one pro key through nginx over 3 processes; the limit is 120',
    }),
  ]
}

/** Milliseconds from the change to the last outdated answer of any process. Polls with many keys, since one would reach its limit. */
const coherence = async (context: Context, { apis }: Cluster, store: Store): Promise<Figure[]> => {
  const keys = await context.proKeys(60)
  const revoked: number[] = []
  const changed: number[] = []
  let n = 0
  const anyKey = () => keys[n++ % keys.length]!
  for (const key of await context.proKeys(context.runs)) {
    for (const { url } of apis) for (let i = 0; i < 2; i++) await ask(url, key)
    const before = await Promise.all(apis.map(({ url }) => bodyOf(url, key)))
    await store.pool.query(`update permit set description = coalesce(description, '') || ' again' where ctid = (
      select ctid from permit where issued_on is not null order by issued_on desc, permit_id, city_slug limit 1)`)
    let begun = performance.now()
    await store.pool.query(`select pg_notify('lotline_data', 'sf-peninsula')`)
    await until(apis, async ({ url }, at) => (await bodyOf(url, anyKey())) !== before[at])
    changed.push(performance.now() - begun)
    const { rows } = await store.pool.query('select id from api_key where hash = $1', [hashOf(key)])
    begun = performance.now()
    await revokeKey(store.db, rows[0].id, new Date())
    await until(apis, ({ url }) => refused(url, key))
    revoked.push(performance.now() - begun)
  }
  return [
    figureOf({
      name: 'cluster: a data change is seen by all',
      unit: 'ms',
      ours: changed,
      target: atMost(1_000, 'ours'),
      note: `slowest of ${changed.length}: ${Math.round(Math.max(...changed))} ms`,
    }),
    figureOf({
      name: 'cluster: a revoked key is rejected by all',
      unit: 'ms',
      ours: revoked,
      target: atMost(1_000, 'ours'),
      note: `slowest of ${revoked.length}: ${Math.round(Math.max(...revoked))} ms`,
    }),
  ]
}

const until = (apis: readonly Service[], seen: (api: Service, at: number) => Promise<boolean>): Promise<unknown> => {
  const last = performance.now() + 10_000
  return Promise.all(
    apis.map(async (api, at) => {
      while (performance.now() < last && !(await seen(api, at))) await wait(5)
    }),
  )
}

/** Replaces each process in turn while requests flow through nginx. */
const endings = async (context: Context, cluster: Cluster, signal: 'SIGKILL' | 'SIGTERM'): Promise<Figure> => {
  const { url, apis, environment } = cluster
  const keys = await context.proKeys(400)
  let flowing = true
  let asked = 0
  const failed: string[] = []
  const flow = Promise.all(
    Array.from({ length: 10 }, async (_, lane) => {
      for (let n = lane; flowing; n += 10) {
        asked++
        // Every other request is uncached, so that some are in progress at any moment.
        const what = asked % 2 === 0 ? path : `${path}&q=kitchen&n=${asked}`
        const status = await statusOf(`${url}${what}`, keys[n % keys.length]!).catch((error: Error) => error.message)
        if (status !== 200) failed.push(`${status}`)
        await wait(10)
      }
    }),
  )
  const ending: number[] = []
  for (const [at, api] of apis.entries()) {
    const begun = performance.now()
    api.process.kill(signal)
    await once(api.process, 'exit')
    ending.push(performance.now() - begun)
    apis[at] = await startService({ ...environment, PORT: new URL(api.url).port }, 'api')
    await wait(1_000)
  }
  flowing = false
  await flow
  return figureOf({
    name: `cluster: requests failed while each process was ended by ${signal}`,
    unit: 'requests',
    ours: [failed.length],
    target: atMost(0, 'ours'),
    note: `${asked} sent${failed.length > 0 ? `, failed with ${[...new Set(failed)].join(', ')}` : ''}; a process took at most ${Math.round(Math.max(...ending))} ms to end`,
  })
}

const path = '/api/v1/permits?limit=1'
const ask = (url: string, key: string): Promise<number> => statusOf(`${url}${path}`, key)
const statusOf = async (url: string, key: string): Promise<number> => {
  const answer = await fetch(url, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(20_000) })
  await answer.text()
  return answer.status
}
/** A revoked key gets 401, or 429 once the limit for requests without a valid key is reached. */
const refused = async (url: string, key: string): Promise<boolean> => {
  const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })
  await answer.text()
  const asStranger = answer.headers.get('x-ratelimit-limit') === `${anonymousPerMinute}`
  return answer.status === 401 || (answer.status === 429 && asStranger)
}
const bodyOf = async (url: string, key: string): Promise<string> =>
  (await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })).text()
