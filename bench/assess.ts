// Measures the assessment of a whole market, its memory, and one changed listing with a warm view. The generated market has
// 250,000 parcels, 200,000 sales and 50,000 listings; a second one of an eighth shows that the cost per property is constant.
import './packs.ts'
import { fork } from 'node:child_process'
import { assessProperties, assessWithView, openView } from '../src/assess/assess-market.ts'
import { assessHeapMb } from '../src/bin/assess-thread.ts'
import { type Db, openDatabase, sql } from '../src/store/engine/database.ts'
import type { Context } from './context.ts'
import { type Figure, figureOf } from './figure.ts'
import { openServer } from './sandbox.ts'

const market = 'sf-peninsula'
const now = new Date('2026-11-14T12:00:00Z')

export const measure = async (context: Context): Promise<Figure[]> => {
  const full = context.quick ? 16_000 : 250_000
  const [small, large] = await inOwnProcess([full / 8, full])
  const scaled = context.quick ? `at ${full.toLocaleString('en-US')} parcels` : '250,000 parcels'
  return [
    figureOf({
      name: `whole market, ${scaled}`,
      unit: 's',
      ours: [large.seconds],
      target: { at: 'most', value: (600 * full) / 250_000, of: 'ours' },
    }),
    figureOf({
      name: `memory, ${scaled}`,
      unit: 'MB',
      ours: [large.peakMb],
      target: { at: 'most', value: 1_500, of: 'ours' },
    }),
    figureOf({
      name: 'cost of a property, market eight times as large',
      unit: 'ms',
      ours: [large.msPerProperty],
      rival: [small.msPerProperty],
      target: { at: 'most', value: 1.3, of: 'ratio' },
    }),
    figureOf({
      name: 'one changed listing, warm view',
      unit: 'ms',
      ours: large.changedMs,
      target: { at: 'most', value: 50, of: 'ours' },
    }),
  ]
}

type Assessed = Awaited<ReturnType<typeof assessed>>

/** Uses the heap limit of the service's assessment thread; without one, garbage accumulates until memory is full. */
const inOwnProcess = (sizes: [number, number]): Promise<[Assessed, Assessed]> =>
  new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, sizes.map(String), { execArgv: [`--max-old-space-size=${assessHeapMb}`] })
    child.once('message', (measured) => resolve(measured as [Assessed, Assessed]))
    child.once('exit', (code) => reject(new Error(`The assessing process ended with ${code}.`)))
  })

const assessed = async (parcels: number) => {
  const server = await openServer()
  const { db, close } = openDatabase({ ...server.address, statementTimeoutMs: 0 })
  try {
    process.stderr.write(`  making ${parcels.toLocaleString('en-US')} parcels…\n`)
    await makeMarket(db, parcels)
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 100)
    const started = performance.now()
    const view = await openView(db, market, now)
    const opened = performance.now()
    await assessWithView(db, view, { now })
    const ended = performance.now()
    clearInterval(watch)
    const changedMs: number[] = []
    for (let i = 1; i <= 25; i++) {
      const id = `bench_${String(i * 5).padStart(8, '0')}`
      await sql`update listing set price_usd = price_usd * 0.93 where property_id = ${id}`.execute(db)
      const from = performance.now()
      await assessProperties(db, [id], view, { now: new Date(now.getTime() + i * 1000) })
      changedMs.push(performance.now() - from)
    }
    return {
      seconds: (ended - started) / 1000,
      msPerProperty: (ended - opened) / parcels,
      peakMb: Math.max(peak, process.memoryUsage().rss) / 1e6,
      changedMs,
    }
  } finally {
    await close()
    await server.close()
  }
}

export const makeMarket = async (db: Db, parcels: number): Promise<void> => {
  await sql`insert into source (id, kind, holds, title, config) values ('bench', 'csv', 'parcels', 'Bench', '{}') on conflict do nothing`.execute(
    db,
  )
  await sql`
    insert into property (id, market, state, city, city_slug, address, address_key, lat, lng, property_type, living_sqft, lot_sqft,
      beds, baths, year_built, zoning, lot_width_ft, lot_depth_ft, overlays, known_from, source_id)
    select 'p_001bench_' || lpad(n::text, 8, '0'), ${market}, 'CA', c.city, c.slug, n || ' Oak St', n || ' OAK ST',
      37.3 + (n * 7919 % 10007) / 10007.0 * 0.4, -122.5 + (n * 104729 % 10009) / 10009.0 * 0.4, 'single_family',
      900 + n * 31 % 2400, 4500 + n * 67 % 9000, 2 + n % 4, 1 + n % 3, 1925 + n % 98, 'R-1', 50 + n % 30, 100 + n % 40,
      '{"historicListed": "no", "historicDistrict": "no"}', 'parcel', 'bench'
    from generate_series(1, ${parcels}::bigint) n
    join (values (0, 'Palo Alto', 'palo-alto'), (1, 'San Mateo', 'san-mateo'), (2, 'Burlingame', 'burlingame'),
      (3, 'Redwood City', 'redwood-city'), (4, 'Los Altos', 'los-altos')) c (k, city, slug) on c.k = n % 5`.execute(db)
  const price = sql`(700 + (p.lat - 37.3) * 900 + hashtext(p.id) % 120) * p.living_sqft ^ 0.8 * 5`
  await sql`
    insert into sale (source_id, sale_id, property_id, match_method, match_confidence, market, state, city, city_slug, sold_on,
      price_usd, list_price_usd, days_on_market, property_type, living_sqft, lot_sqft, beds, baths, year_built, lat, lng,
      collected_at)
    select 'bench', p.id, p.id, 'apn', 'high', p.market, p.state, p.city, p.city_slug, '2026-11-01'::date - abs(hashtext(p.id)) % 1800,
      ${price}, ${price} * 0.98, 12, p.property_type, p.living_sqft, p.lot_sqft, p.beds, p.baths, p.year_built, p.lat, p.lng, now()
    from property p where right(p.id, 1) not in ('0', '5')`.execute(db)
  await sql`
    insert into listing (source_id, listing_id, property_id, match_method, match_confidence, market, state, city_slug, status,
      price_usd, original_price_usd, listed_on, living_sqft, current, remarks, collected_at)
    select 'bench', p.id, p.id, 'apn', 'high', p.market, p.state, p.city_slug, 'active', ${price} * 1.01, ${price} * 1.03,
      '2026-10-15', p.living_sqft, true, 'Original kitchen and baths. Bring your contractor; large level lot.', now()
    from property p where right(p.id, 1) in ('0', '5')`.execute(db)
  await sql`analyze`.execute(db)
}

if (process.argv[1] === import.meta.filename) {
  const measured: Assessed[] = []
  for (const parcels of process.argv.slice(2)) measured.push(await assessed(Number(parcels)))
  process.send!(measured, () => process.exit())
}
