// What an assessment costs: a whole market, its memory, a day without new data, one changed listing, and changed listings with many
// watches. A market eight times as large shows whether the cost per property is constant.
import './packs.ts'
import { fork } from 'node:child_process'
import { announceTo } from '../src/assess/announce.ts'
import { type AssessResult, assessMarket, assessProperties, openView } from '../src/assess/assess-market.ts'
import { assessHeapMb } from '../src/bin/assess-thread.ts'
import { type Db, execute, onlyValue, openDatabase, valuesOf } from '../src/store/engine/database.ts'
import { openQueue } from '../src/store/engine/queue.ts'
import { insertKey } from '../src/store/keys/keys.ts'
import { matchChanges } from '../src/watches/matching.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf } from './figure.ts'
import { fillMarket, market, now } from './market-data.ts'
import { openServer } from './sandbox.ts'

type Trial = Record<'homes' | 'few' | 'many' | 'rounds', number>

export const measure = async (context: Context): Promise<Figure[]> => {
  const full = context.sized(250_000, 16_000, 400)
  const trial = {
    ...{ few: context.sized(1_000, 1_000, 10), many: context.sized(64_000, 64_000, 20) },
    rounds: context.sized(5, 3, 1),
  }
  const [small, large] = await inOwnProcess([
    { ...trial, homes: full / 8 },
    { ...trial, homes: full },
  ])
  const size = `${full.toLocaleString('en-US')} parcels`
  return [
    figureOf(`assess: whole market, ${size}`, 's', [large.seconds], { target: atMost((600 * full) / 250_000, 'ours') }),
    figureOf(`assess: memory, ${size}`, 'MB', [large.peakMb], { target: atMost(1_500, 'ours') }),
    figureOf('assess: cost of a property, market eight times as large', 'ms', [large.msPerProperty], {
      rival: [small.msPerProperty],
      target: atMost(1.3),
      note: 'processor time',
    }),
    figureOf('assess: a day without new data, against the first assessment', 's', [large.quietSeconds], {
      rival: [large.cpuSeconds],
      target: atMost(0.1),
      note: `processor time; ${large.quiet.considered} assessed, ${large.quiet.changed} written`,
    }),
    figureOf('assess: one changed listing, warm view', 'ms', large.changedMs, { target: atMost(50, 'ours') }),
    figureOf(
      `assess: ${large.changed} changed listings with ${trial.many} watches, against ${trial.few}`,
      's',
      large.withMany,
      { rival: large.withFew, target: atMost(2), note: `processor time; ${large.matches} matches` },
    ),
  ]
}

type Assessed = Awaited<ReturnType<typeof assessed>>

/** Uses the heap limit of the service's assessment thread; without one, garbage accumulates until memory is full. */
const inOwnProcess = (trials: readonly [Trial, Trial]): Promise<[Assessed, Assessed]> =>
  new Promise((resolve, reject) => {
    const execArgv = [`--max-old-space-size=${assessHeapMb}`]
    const child = fork(import.meta.filename, [JSON.stringify(trials)], { execArgv })
    child.once('message', (measured) => resolve(measured as [Assessed, Assessed]))
    child.once('exit', (code) => reject(new Error(`The assessing process ended with ${code}.`)))
  })

const cpuSeconds = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

const assessed = async ({ homes, few, many, rounds }: Trial) => {
  const server = await openServer()
  const { db, close } = openDatabase({ ...server.address, statementTimeoutMs: 0 })
  const queue = await openQueue(server.address)
  let minutes = 0
  const later = () => new Date(now.getTime() + ++minutes * 60_000)
  try {
    await fillMarket(server.address, { homes, permits: 0, assessed: false })
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 100)
    const begun = performance.now()
    const first = await cpuSeconds(() => assessMarket(db, market, { now }))
    const seconds = (performance.now() - begun) / 1000
    clearInterval(watch)
    const tomorrow = new Date(now.getTime() + 86_400_000)
    let quiet: AssessResult | undefined
    const quietSeconds = await cpuSeconds(async () => {
      quiet = await assessMarket(db, market, { now: later(), today: tomorrow, onlyChanged: true })
    })
    const view = await openView(db, market, now)
    const ids = await valuesOf<string>(db)`
      select property_id from listing where current and status = 'active' order by property_id limit 400`
    // Prices go down and up again by turns.
    const change = (listings: readonly string[], down: boolean) =>
      execute(db)`
        update listing set price_usd = price_usd * ${down ? 0.93 : 1 / 0.93}::float8 where property_id = any(${listings})`
    const changedMs: number[] = []
    for (const id of ids.slice(0, 25)) {
      await change([id], true)
      const from = performance.now()
      await assessProperties(db, [id], view, { now: later() })
      changedMs.push(performance.now() - from)
    }
    const watched = async (down: boolean) => {
      await execute(db)`truncate waiting_match`
      await change(ids, down)
      const at = later()
      return cpuSeconds(async () => {
        await assessProperties(db, ids, view, { now: at, announce: announceTo({ queue }, at) })
        await matchChanges(db, at)
      })
    }
    await makeWatches(db, many)
    const withFew: number[] = []
    const withMany: number[] = []
    let matches = 0
    for (let round = 0; round < rounds; round++) {
      await execute(db)`update watch set paused_at = case when substr(id, 5)::int > ${few} then now() end`
      withFew.push(await watched(true))
      await execute(db)`update watch set paused_at = null`
      withMany.push(await watched(false))
      matches = await onlyValue<number>(db)`
        select count(*) from waiting_match cross join lateral jsonb_object_keys(watches)`
    }
    return {
      ...{ seconds, cpuSeconds: first, msPerProperty: (first * 1000) / homes, quietSeconds, quiet: quiet!, changedMs },
      ...{ peakMb: Math.max(peak, process.memoryUsage().rss) / 1e6, changed: ids.length, withFew, withMany, matches },
    }
  } finally {
    await queue.close()
    await close()
    await server.close()
  }
}

/** Of 100 keys: a city, a band of prices, a size, and for every tenth a return at the assumptions of its owner. */
const makeWatches = async (db: Db, watches: number): Promise<void> => {
  for (let key = 0; key < 100; key++)
    await insertKey(db, { plan: 'pro', email: `w${key}@example.com`, confirmedAt: now })
  await execute(db)`
    insert into assumption_set (id, key_id, name, "values", created_at, updated_at)
    select 'as_' || (row_number() over ()), id, 'Mine', '{"costPerSqft": 550, "months": 20}', ${now}, ${now} from api_key`
  await execute(db)`
    insert into watch (id, key_id, mailbox, name, kind, criteria, markets, cities, assumption_set_id, triggers, cadence, email, endpoints,
      saved_home, created_at, updated_at)
    select 'wat_' || n, s.key_id, s.key_id, 'Watch ' || n, 'listings',
      jsonb_build_object('city', c.slug, 'status', '["for_sale"]'::jsonb, 'minPrice', p.price, 'maxPrice', p.price * 1.1,
        'minBeds', 2 + n % 3, 'minLot', 5000 + n % 5 * 1000)
        || case when n % 10 = 0 then '{"minReturnPct": 5}'::jsonb else '{}'::jsonb end,
      ${[market]}, array[c.slug], case when n % 10 = 0 then s.id end, '{entered,price}', 'daily', true, '{}', false, ${now}, ${now}
    from generate_series(1, ${watches}::int) n
    join bench_city c on c.k = n % 5
    join assumption_set s on s.id = 'as_' || (n % 100 + 1)
    cross join lateral (select 1000000 + n * 7919 % 2000000 as price) p`
  await execute(db)`analyze watch`
}

if (process.argv[1] === import.meta.filename) {
  const measured: Assessed[] = []
  for (const trial of JSON.parse(process.argv[2]!) as Trial[]) measured.push(await assessed(trial))
  process.send!(measured, () => process.exit())
}
