// A market of any size, made by SQL and as uneven as real ones: a few large cities, streets from ten homes to a thousand, builders and
// words by Zipf's law (the one of rank r is 1/r as frequent as the first). Nine in ten listings are sold. The tables that searches read
// are written by the functions of the product.

import { withOpened } from '../src/bin/with-opened.ts'
import { cities } from '../src/domain/packs/markets.ts'
import { propertyIdPrefix } from '../src/domain/property-id.ts'
import { startEmbedded } from '../src/embedded/server.ts'
import {
  type Database,
  type DatabaseOptions,
  type Db,
  defaultGroup,
  openDatabase,
  rowsOf,
  sql,
} from '../src/store/engine/database.ts'
import { migrate } from '../src/store/engine/migrate.ts'
import { recountMarket } from '../src/store/ingest/dataset-counts.ts'
import { indexPermits } from '../src/store/permit-search/upkeep.ts'
import { indexSales } from '../src/store/search/sale-upkeep.ts'
import { indexMarket } from '../src/store/search/upkeep.ts'
import type { Context } from './context.ts'

export const market = 'sf-peninsula'
export const center = { lat: 37.45, lng: -122.2 }
export const today = '2026-11-16'
export const now = new Date(`${today}T12:00:00Z`)

interface MarketSize {
  homes: number
  permits: number
  /** Defaults to true: every home has an assessment and leads. */
  assessed?: boolean
}

/** The cities of the market, the largest first. */
export const places = () =>
  cities()
    .filter((city) => city.market === market)
    .slice(0, 20)

export interface MarketStore extends Database {
  address: DatabaseOptions
}

/** A market of this size in a database of its own beside the sample's. With `--data` it is made once. */
export const withMarket = async <T>(
  context: Context,
  size: MarketSize,
  work: (store: MarketStore) => Promise<T>,
): Promise<T> => {
  const server = await startEmbedded(context.environment.DATA_DIR!)
  try {
    const open = (database?: string) => async () =>
      openDatabase({ socketDir: server.socketDir, database, statementTimeoutMs: 0 })
    const name = `market_${size.homes}_${size.permits}${size.assessed === false ? '_new' : ''}`
    await withOpened(open(), async (admin) => {
      const { rows } = await admin.pool.query('select 1 from pg_database where datname = $1', [name])
      if (rows.length === 0) {
        context.say(
          `  making ${size.homes.toLocaleString('en-US')} homes, ${size.permits.toLocaleString('en-US')} permits…`,
        )
        // Renamed when complete, so that an interrupted fill is not measured.
        await admin.pool.query(`drop database if exists ${name}_making with (force)`)
        await admin.pool.query(`create database ${name}_making`)
        await fillMarket({ socketDir: server.socketDir, database: `${name}_making` }, size)
        await admin.pool.query(`alter database ${name}_making rename to ${name}`)
      }
    })
    const address = { socketDir: server.socketDir, database: name }
    return await withOpened(open(name), (database) => work({ ...database, address }))
  } finally {
    await server.stop()
  }
}

const tables = [
  'property',
  'listing',
  'assessment',
  'lead',
  'property_search',
  'permit',
  'permit_search',
  'sale',
  'sale_search',
]

/** Rows are written without indexes, which are built afterward: that is many times faster. */
export const fillMarket = async (address: DatabaseOptions, size: MarketSize): Promise<void> => {
  const { db, pool, close } = openDatabase({ ...address, group: defaultGroup, poolSize: 1, statementTimeoutMs: 0 })
  const run = (statement: string) => pool.query(statement)
  try {
    await migrate({ db, pool } as Database)
    await run(`set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '128MB';
      set session_replication_role = replica`)
    for (const statement of homeStatements(size)) await run(statement)
    const indexes = await dropIndexes(db)
    for (const statement of rowStatements(size)) await run(statement)
    // Only filled tables: the planner treats a table that was analyzed while empty as empty.
    const filled = tables.filter((table) => !table.endsWith('_search'))
    await run(filled.map((table) => `analyze ${table}`).join('; '))
    await indexMarket(db, market)
    await indexSales(db)
    // With a row in the table, the product does not build its index again, which does not exist here.
    await indexPermits(db, sql`select market, city_slug, permit_id from permit limit 1`)
    await indexPermits(db)
    for (const definition of indexes) await run(definition)
    for (const table of [...tables, 'permit_city']) await run(`vacuum analyze ${table}`)
    await recountMarket(db, market)
  } finally {
    await close()
  }
}

/** All but the keys. */
const dropIndexes = async (db: Db): Promise<string[]> => {
  const indexes = await rowsOf<{ name: string; definition: string }>(db)`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i where i.indrelid = any(${tables}::regclass[])
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`
  for (const { name } of indexes) await sql.raw(`drop index ${name}`).execute(db)
  return indexes.map(({ definition }) => definition)
}

/** A number from 0 to 1 that depends on the row and on what it is drawn for. */
const unit = (row: string, seed: number) => `((hashint8extended(${row}, ${seed}) & 1048575) / 1048576.0)`
/** Roughly normal, with standard deviation 1. */
const normal = (row: string, seed: number) =>
  `((${unit(row, seed)} + ${unit(row, seed + 100)} + ${unit(row, seed + 200)} - 1.5) * 2)`
const upTo = (row: string, seed: number, most: number) => `floor(${unit(row, seed)} * ${most})::int`
/** Log-uniform ranks are distributed by Zipf's law. */
const zipfRank = (row: string, seed: number, most: number) => `floor(exp(${unit(row, seed)} * ln(${most})))::int`
const textArray = (values: readonly string[]) => `array[${values.map((value) => `'${value.replaceAll("'", "''")}'`)}]`
const pick = (row: string, seed: number, values: readonly string[]) =>
  `(${textArray(values)})[1 + ${upTo(row, seed, values.length)}]`
/** The word of a rank: one of the known ones, or letters made from the rank. */
const made = (rank: string, known: readonly string[]) => `coalesce((${textArray(known)})[${rank}],
  substr(translate(md5((${rank})::text), '0123456789', 'aeioulmnrs'), 1, 4 + ((${rank}) % 7)::int))`

const words = (
  'replace new residence remodel kitchen bath install existing single family roof electrical plumbing window addition solar panel ' +
  'water heater furnace garage deck foundation seismic demolition pool accessory dwelling unit siding insulation drywall basement ' +
  'battery sprinklers cottage septic island'
).split(' ')
const vocabulary = 300_000
const streets = ['El Camino Real', 'Middlefield Rd', 'Alameda Ave', 'Oak St', 'Maple St', 'University Ave', 'Main St']
const homesPerStreet = 60

/** Where the first n homes are: cities of Zipf-like sizes, in each of them streets whose length falls with the root of their rank. */
const homeStatements = ({ homes }: MarketSize): string[] => {
  const values = places().map(
    ({ name, slug }, at) => `(${at}, '${name.replaceAll("'", "''")}', '${slug}', ${1 / (at + 2)})`,
  )
  const suffix = pick('rank', 5, ['St', 'Ave', 'Dr', 'Ln', 'Ct'])
  const street = `initcap(${made('rank', streets)}) || case when rank > ${streets.length} then ' ' || ${suffix} else '' end`
  const home = '(row_number() over (partition by slug, rank order by n))::int'
  return [
    `insert into source (id, kind, holds, market, title, config) values ('bench', 'csv', 'listings', '${market}', 'Bench', '{}')
      on conflict do nothing`,
    `insert into ingest_run (source_id, state, first_load, finished_at) values ('bench', 'completed', true, now())`,
    `create table bench_city as
      select k, city, slug, (sum(weight) over w - weight) / total as low, sum(weight) over w / total as high,
        ceil(${homes} * weight / total / ${homesPerStreet})::int as streets,
        ${center.lat} + 0.2 * sin(k * 2.4) * (0.3 + k / 25.0) as lat, ${center.lng} + 0.2 * cos(k * 2.4) * (0.3 + k / 25.0) as lng
      from (select *, sum(weight) over () as total from (values ${values}) c (k, city, slug, weight)) c
      window w as (order by k)`,
    // A street is a line of homes from its own corner of the city.
    `create table bench_home as
      select n, k, city, slug, 100 + 2 * ${home} || ' ' || ${street} as address,
        lat + 0.06 * (${unit('rank * 40 + k', 1)} - 0.5) + 0.0002 * ${home} * sin(rank) as lat,
        lng + 0.06 * (${unit('rank * 40 + k', 2)} - 0.5) + 0.0002 * ${home} * cos(rank) as lng
      from (
        select g.n, c.*, (1 + floor(c.streets * ${unit('g.n', 4)} ^ 2))::bigint as rank
        from (select n::bigint as n from generate_series(1, ${homes}) n) g
        join bench_city c on ${unit('g.n', 3)} >= c.low and ${unit('g.n', 3)} < c.high) h`,
  ]
}

const rowStatements = ({ homes, permits, assessed = true }: MarketSize): string[] => {
  const id = (n: string) => `'${propertyIdPrefix(market)}' || lpad((${n})::text, 8, '0')`
  const numbered = '(select *, apn::bigint as n from property) p'
  /** Follows the size of the home and its city, with differences no record explains. */
  const price = (seed: number) =>
    `round(4200 * p.living_sqft ^ 0.8 * (0.7 + 0.6 * ${unit('length(p.city_slug)', 9)}) * exp(0.25 * ${normal('p.n', seed)}))`
  const findings = [
    `insert into assessment (market, property_id, city_slug, model_version, content_hash, assessed_at, rank_score, teardown_score,
        flippability_score, condition_score, historic_charm, developer_roi, proforma, redevelopment_score, redevelopment_class,
        redevelopment_blocked, redevelopment, allowed_uses)
      select market, id, city_slug, 'bench', id, now(), ${unit('n', 31)} * 100, 40 + 18 * ${normal('n', 32)},
        45 + 18 * ${normal('n', 33)}, 50 + 15 * ${normal('n', 34)}, 30 + 15 * ${normal('n', 35)}, 12 * ${normal('n', 36)},
        jsonb_build_object('returnPct', round((12 * ${normal('n', 37)})::numeric, 1),
          'roiPct', round((15 * ${normal('n', 37)})::numeric, 1)),
        floor(${unit('n', 43)} * 100), ${pick('n', 44, ['teardown_candidate', 'expansion', 'vacant_lot'])}, ${unit('n', 45)} < 0.2,
        '{"redevelopmentScore": 50, "blockers": [], "warnings": []}',
        case when ${unit('n', 46)} < 0.01 then 'small_lots transit' when ${unit('n', 46)} < 0.4 then 'small_lots' end
      from ${numbered}`,
    `insert into lead (market, property_id, law, kind, best, status, max_units, blocked, finding)
      select market, id, 'us-ca-sb9', 'lot_split', true, ${pick('n', 38, ['eligible', 'likely', 'unknown_zone', 'blocked'])},
        2 + ${upTo('n', 39, 3)}, ${unit('n', 40)} < 0.2, '{"sb9Status": "eligible", "blockReasons": [], "warnings": []}'
      from ${numbered}`,
    // Two in five lots may be divided into small ones, one in a hundred is near transit.
    `insert into lead (market, property_id, law, kind, best, max_units, blocked, finding)
      select market, id, 'us-ca-' || replace(kind, '_', '-'), kind, true, 2 + ${upTo('n', 47, 9)}, false, '{"uses": []}'
      from ${numbered} join (values ('small_lots', 0.4), ('transit', 0.01)) k (kind, share) on ${unit('n', 46)} < share`,
    `insert into lead (market, property_id, law, kind, best, score, blocked, finding)
      select market, id, 'us-ca-adu', 'accessory_unit', true, floor(${unit('n', 41)} * 100), ${unit('n', 42)} < 0.2,
        '{"aduScore": 50, "units": [], "blockers": [], "warnings": []}'
      from ${numbered}`,
  ]
  return [
    `insert into property (id, market, state, city, city_slug, zip, address, address_key, county, apn, apn_key, lat, lng, property_type,
        living_sqft, lot_sqft, lot_width_ft, lot_depth_ft, beds, baths, year_built, zoning, overlays, known_from, source_id, collected_at)
      select ${id('n')}, '${market}', 'CA', city, slug, (94000 + 3 * k + ${upTo('n', 8, 3)})::text, address, upper(address), 'San Mateo',
        n::text, 'ca:san-mateo:' || n, lat, lng, ${pick('n', 10, ['single_family', 'single_family', 'single_family', 'condo'])},
        700 + ${upTo('n', 11, 2600)}, 3000 + ${upTo('n', 12, 9000)}, 50 + ${upTo('n', 13, 30)}, 100 + ${upTo('n', 14, 40)},
        1 + ${upTo('n', 15, 5)}, 1 + ${upTo('n', 16, 4)}, 1905 + ${upTo('n', 17, 118)},
        ${pick('n', 18, ['R-1', 'R-1', 'R-1', 'R-2', 'RE'])},
        case when ${unit('n', 19)} < 0.08 then '{"floodZone": "yes"}' else '{"floodZone": "no"}' end::jsonb, 'parcel', 'bench', now()
      from bench_home`,
    `insert into listing (source_id, listing_id, property_id, match_method, match_confidence, market, state, city, city_slug, status,
        price_usd, original_price_usd, listed_on, pending_on, sold_on, sold_price_usd, living_sqft, current, remarks, collected_at)
      select 'bench', id, id, 'apn', 'high', market, 'CA', city, city_slug, status, price, price * (1 + 0.1 * ${unit('n', 22)}), listed,
        case when status in ('pending', 'sold') then listed + 14 end, case when status = 'sold' then listed + 40 end,
        case when status = 'sold' then price end, living_sqft, true, 'Original kitchen and baths. Bring your contractor.', now()
      from (
        select *, case when share < 0.05 then 'active' when share < 0.055 then 'coming_soon' when share < 0.08 then 'pending'
            else 'sold' end as status, ${price(23)} as price,
          '${today}'::date - case when share < 0.08 then ${upTo('n', 24, 120)} else 60 + ${upTo('n', 25, 2200)} end as listed
        from (select *, ${unit('n', 21)} as share from ${numbered}) p) p`,
    // Three in four sales have the facts of the house; for the others they come from the parcel.
    `insert into sale (market, source_id, sale_id, property_id, match_method, match_confidence, state, city, city_slug, address,
        address_key, sold_on, price_usd, days_on_market, property_type, living_sqft, lot_sqft, beds, baths, year_built, lat, lng,
        collected_at, raw)
      select market, 'bench', 'S' || n, id, 'apn', 'high', 'CA', city, city_slug, address, address_key,
        '${today}'::date - ${upTo('n', 71, 2200)}, ${price(72)}, ${upTo('n', 73, 90)}, property_type,
        case when known then living_sqft end, case when known then lot_sqft end, case when known then beds end,
        case when known then baths end, case when known then year_built end, lat, lng, now(), '{"source": "bench"}'
      from (select *, ${unit('n', 74)} < 0.75 as known from ${numbered}) p`,
    ...(assessed ? findings : []),
    // Most permits are of a home, some homes have many; one in seven matches none.
    `insert into permit (market, state, city, city_slug, permit_id, source_id, property_id, match_method, match_confidence, address,
        address_key, apn_key, project_type, description, valuation_usd, contractor, contractor_key, applied_on, issued_on, finaled_on,
        status, permit_class, lat, lng, collected_at, raw)
      select '${market}', 'CA', h.city, h.slug, 'B' || g.n, 'bench', case when known then ${id('home')} end,
        case when known then 'apn' else 'none' end, case when known then 'high' else 'low' end, h.address, upper(h.address),
        case when known then 'ca:san-mateo:' || home end, 'Residential',
        ${Array.from({ length: 8 }, (_, at) => made(zipfRank('g.n', 60 + at, vocabulary), words)).join(" || ' ' || ")},
        case when ${unit('g.n', 53)} < 0.9 then round(25000 * exp(1.6 * ${normal('g.n', 54)})) + 1 end, 'Builder ' || builder,
        'BUILDER ' || builder, d - 30, d, case when ${unit('g.n', 56)} < 0.6 then d + 90 end,
        case when ${unit('g.n', 56)} < 0.6 then 'finaled' else ${pick('g.n', 57, ['issued', 'inspections', 'expired'])} end,
        case when class < 0.02 then 'new_house' when class < 0.05 then 'adu' when class < 0.06 then 'whole_house_demolition'
          when class < 0.16 then 'addition' when class < 0.4 then 'remodel' when class < 0.55 then 'solar' else 'other' end,
        h.lat, h.lng, now(), '{"source": "bench"}'
      from (
        select n, '${today}'::date - floor(7300 * ${unit('n', 59)} ^ 1.3)::int as d,
          1 + floor(${homes} * ${unit('n', 52)} ^ 1.5)::bigint as home, ${unit('n', 51)} < 0.85 as known,
          ${zipfRank('n', 55, 20_000)} as builder, ${unit('n', 58)} as class
        from (select n::bigint as n from generate_series(1, ${permits}) n) s) g
      join bench_home h on h.n = g.home`,
  ]
}
