// A run with 1,000 changed listings in a market with 10,000 watches, a tenth of them with own assumptions, against the same run with
// all watches paused: assessment, events, matches. The runs alternate.
import './packs.ts'
import { announceTo } from '../src/assess/announce.ts'
import { assessProperties, assessWithView, openView } from '../src/assess/assess-market.ts'
import { type Db, openDatabase, sql } from '../src/store/engine/database.ts'
import { openQueue } from '../src/store/engine/queue.ts'
import { insertKey } from '../src/store/keys/keys.ts'
import { makeMarket } from './assess.ts'
import type { Context } from './context.ts'
import { type Figure, figureOf } from './figure.ts'
import { openServer } from './sandbox.ts'

const market = 'sf-peninsula'
const changed = 1_000
const watches = 10_000
const start = new Date('2026-11-14T12:00:00Z')

export const measure = async (context: Context): Promise<Figure[]> => {
  const server = await openServer()
  const { db, close } = openDatabase({ ...server.address, statementTimeoutMs: 0 })
  const queue = await openQueue(server.address)
  try {
    await makeMarket(db, 16_000)
    const view = await openView(db, market, start)
    await assessWithView(db, view, { now: start })
    await makeWatches(db)
    const { rows } = await sql<{ id: string }>`
      select property_id as id from listing where current order by property_id limit ${changed}`.execute(db)
    const ids = rows.map(({ id }) => id)
    let runs = 0
    const run = async (watched: boolean): Promise<number> => {
      const now = new Date(start.getTime() + ++runs * 60_000)
      await sql`update watch set paused_at = ${watched ? null : now}`.execute(db)
      await sql`truncate waiting_match`.execute(db)
      // Prices go down and up again by turns.
      await sql`
        update listing set price_usd = price_usd * ${runs % 4 < 2 ? 0.93 : 1 / 0.93}::float8 where property_id = any(${ids})`.execute(
        db,
      )
      const from = performance.now()
      await assessProperties(db, ids, view, { now, announce: announceTo({ queue }, now) })
      return (performance.now() - from) / 1000
    }
    await run(true)
    await run(false)
    const [ours, rival]: [number[], number[]] = [[], []]
    let matches = 0
    for (let pair = 0; pair < (context.quick ? 3 : 7); pair++) {
      ours.push(await run(true))
      const counted = await sql<{ matches: number }>`
        select count(*) as matches from waiting_match cross join lateral jsonb_object_keys(watches)`.execute(db)
      matches = counted.rows[0]!.matches
      rival.push(await run(false))
    }
    return [
      figureOf({
        name: '1,000 changed listings with 10,000 watches, against none',
        unit: 's',
        ours,
        rival,
        target: { at: 'most', value: 1.5, of: 'ratio' },
        note: `${matches.toLocaleString('en-US')} matches`,
      }),
    ]
  } finally {
    await queue.close()
    await close()
    await server.close()
  }
}

/** Of 100 keys: a city, a band of prices, a size, and for every tenth a return at the assumptions of its owner. */
const makeWatches = async (db: Db): Promise<void> => {
  for (let key = 0; key < 100; key++)
    await insertKey(db, { plan: 'pro', email: `w${key}@example.com`, confirmedAt: start })
  await sql`
    insert into assumption_set (id, key_id, name, "values", created_at, updated_at)
    select 'as_' || (row_number() over ()), id, 'Mine', '{"costPerSqft": 550, "months": 20}', ${start}, ${start} from api_key`.execute(
    db,
  )
  await sql`
    insert into watch (id, key_id, mailbox, name, kind, criteria, markets, cities, assumption_set_id, triggers, cadence, email, endpoints,
      saved_home, created_at, updated_at)
    select 'wat_' || n, s.key_id, s.key_id, 'Watch ' || n, 'listings',
      jsonb_build_object('city', c.slug, 'status', '["for_sale"]'::jsonb, 'minPrice', p.price, 'maxPrice', p.price * 1.1,
        'minBeds', 2 + n % 3, 'minLot', 5000 + n % 5 * 1000)
        || case when n % 10 = 0 then '{"minReturnPct": 5}'::jsonb else '{}'::jsonb end,
      ${[market]}, array[c.slug], case when n % 10 = 0 then s.id end, '{entered,price}', 'daily', true, '{}', false, ${start}, ${start}
    from generate_series(1, ${watches}::int) n
    join (values (0, 'palo-alto'), (1, 'san-mateo'), (2, 'burlingame'), (3, 'redwood-city'), (4, 'los-altos')) c (k, slug) on c.k = n % 5
    join assumption_set s on s.id = 'as_' || (n % 100 + 1)
    cross join lateral (select 1000000 + n * 7919 % 2000000 as price) p`.execute(db)
  await sql`analyze watch`.execute(db)
}
