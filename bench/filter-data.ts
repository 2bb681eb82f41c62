// A market with any number of listings and as many permits and sales, made by SQL: nine in ten listings are sold, cities differ in
// size, and prices, scores and lots vary as in the sample. Same tables and indexes as the product; indexes are built after the rows.
import { createHash } from 'node:crypto'
import { cities } from '../src/domain/packs/markets.ts'
import { propertyIdPrefix } from '../src/domain/property-id.ts'
import type { Database } from '../src/store/engine/database.ts'
import { migrate } from '../src/store/engine/migrate.ts'
import { saleFacts } from '../src/store/search/sale-facts.ts'
import { saleSearchRows } from '../src/store/search/sale-upkeep.ts'

export const market = 'sf-peninsula'
export const center = { lat: 37.45, lng: -122.2 }
export const today = '2026-11-16'
/** Half the width of the market, in degrees. */
const reach = 0.3

/** Zipf-like: the largest city has a sixth of the rows. */
export const places = () =>
  cities()
    .filter((city) => city.market === market)
    .slice(0, 20)

const tables = [
  'property',
  'listing',
  'assessment',
  'property_search',
  'permit',
  'permit_search',
  'sale',
  'sale_search',
]

/** Each step is recorded in the transaction that does it, so that an interrupted fill continues where it ended. */
export const fillMarket = async (database: Database, rows: number): Promise<void> => {
  await migrate(database)
  const client = await database.pool.connect()
  try {
    await client.query(`set search_path = g00, public; set statement_timeout = 0; set synchronous_commit = off;
      set maintenance_work_mem = '512MB'; set work_mem = '128MB'; set session_replication_role = replica;
      create table if not exists bench_done (step text primary key);
      create table if not exists bench_index as
        select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
        from pg_index i where i.indrelid = any('{${tables}}'::regclass[])
          and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`)
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      'select * from bench_index order by name',
    )
    const { rows: done } = await client.query<{ step: string }>('select step from bench_done')
    const steps = [
      ...indexes.map(({ name }) => `drop index ${name}`),
      ...statements(rows),
      `insert into sale_search (market, source_id, sale_id, ${Object.keys(saleFacts).join(', ')})
        ${saleSearchRows().compile(database.db).sql}`,
      ...indexes.map(({ definition }) => definition),
    ]
    for (const step of steps.filter((each) => !done.some(({ step }) => step === md5(each)))) {
      await client.query('begin')
      await client.query(step)
      await client.query('insert into bench_done values ($1)', [md5(step)])
      await client.query('commit')
    }
    for (const table of [...tables, 'permit_city']) await client.query(`vacuum analyze ${table}`)
  } finally {
    client.release(true)
  }
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** A number from 0 to 1 that depends on the row and on what it is drawn for. */
const unit = (row: string, seed: number) => `((hashint8extended(${row}, ${seed}) & 1048575) / 1048576.0)`
/** Roughly normal, with standard deviation 1. */
const normal = (row: string, seed: number) =>
  `((${unit(row, seed)} + ${unit(row, seed + 100)} + ${unit(row, seed + 200)} - 1.5) * 2)`
const pick = (row: string, seed: number, values: readonly string[]) =>
  `(array[${values.map((value) => `'${value}'`).join(', ')}])[1 + floor(${unit(row, seed)} * ${values.length})::int]`

const words = (
  'replace new residence remodel kitchen bath install existing single family roof electrical plumbing window addition solar ' +
  'panel water heater furnace garage deck foundation seismic demolition pool accessory dwelling unit siding insulation drywall'
).split(' ')

const statements = (rows: number): string[] => {
  const values = places().map(
    ({ name, slug }, at) => `(${at}, '${name.replaceAll("'", "''")}', '${slug}', ${1 / (at + 2)})`,
  )
  const numbered = `(select n::bigint as n from generate_series(1, ${rows}) n)`
  const located = (row: string, seed: number) => [
    `${center.lat} + ${reach} * (2 * ${unit(row, seed)} - 1)`,
    `${center.lng} + ${reach} * (2 * ${unit(row, seed + 1)} - 1)`,
  ]
  const [lat, lng] = located('g.n', 1)
  const [permitLat, permitLng] = located('g.n', 51)
  const inCity = (seed: number) =>
    `join bench_city c on ${unit('g.n', seed)} >= c.low and ${unit('g.n', seed)} < c.high`
  const days = (row: string, seed: number, most: number) => `floor(${unit(row, seed)} * ${most})::int`
  return [
    `insert into source (id, kind, holds, market, title, config) values ('bench', 'csv', 'listings', '${market}', 'Bench', '{}')`,
    'drop table if exists bench_city',
    `create table bench_city as
      select city, slug, (sum(weight) over w - weight) / total as low, sum(weight) over w / total as high
      from (select *, sum(weight) over () as total from (values ${values.join(', ')}) c (k, city, slug, weight)) c
      window w as (order by k)`,
    `insert into property (id, market, state, city, city_slug, zip, address, address_key, county, apn, apn_key, lat, lng, property_type,
        living_sqft, lot_sqft, beds, baths, year_built, zoning, overlays, known_from, source_id, collected_at)
      select '${propertyIdPrefix(market)}' || lpad(g.n::text, 8, '0'), '${market}', 'CA', c.city, c.slug,
        (94000 + ${days('g.n', 3, 60)})::text, g.n % 9000 || ' Oak St', g.n % 9000 || ' OAK ST ' || g.n, 'San Mateo', g.n::text,
        'ca:san-mateo:' || g.n, ${lat}, ${lng}, ${pick('g.n', 4, ['single_family', 'single_family', 'single_family', 'condo'])},
        700 + ${days('g.n', 5, 2600)}, 3000 + ${days('g.n', 6, 9000)}, 1 + ${days('g.n', 7, 5)}, 1 + ${days('g.n', 8, 4)},
        1905 + ${days('g.n', 9, 118)}, ${pick('g.n', 10, ['R-1', 'R-1', 'R-1', 'R-2', 'RE'])},
        case when ${unit('g.n', 11)} < 0.08 then '{"floodZone": "yes"}' else '{"floodZone": "no"}' end::jsonb, 'parcel', 'bench', now()
      from ${numbered} g ${inCity(2)}`,
    `insert into listing (source_id, listing_id, property_id, match_method, match_confidence, market, state, city, city_slug, status,
        price_usd, original_price_usd, listed_on, pending_on, sold_on, sold_price_usd, living_sqft, current, collected_at)
      select 'bench', id, id, 'apn', 'high', market, 'CA', city, city_slug, status, price, price * (1 + 0.1 * ${unit('n', 22)}), listed,
        case when status in ('pending', 'sold') then listed + 14 end, case when status = 'sold' then listed + 40 end,
        case when status = 'sold' then price end, living_sqft, true, now()
      from (
        select *, case when share < 0.05 then 'active' when share < 0.055 then 'coming_soon' when share < 0.08 then 'pending'
            else 'sold' end as status,
          round(1900000 * exp(0.55 * ${normal('n', 23)})) as price,
          '${today}'::date - case when share < 0.08 then ${days('n', 24, 120)} else 60 + ${days('n', 25, 2200)} end as listed
        from (select *, apn::bigint as n, ${unit('apn::bigint', 21)} as share from property) p) p`,
    `insert into assessment (market, property_id, city_slug, model_version, content_hash, assessed_at, rank_score, teardown_score,
        flippability_score, condition_score, historic_charm, developer_roi, proforma, redevelopment_score, redevelopment_class, redevelopment_blocked, redevelopment)
      select market, id, city_slug, 'bench', id, now(), ${unit('n', 31)} * 100, 40 + 18 * ${normal('n', 32)}, 45 + 18 * ${normal('n', 33)},
        50 + 15 * ${normal('n', 34)}, 30 + 15 * ${normal('n', 35)}, 12 * ${normal('n', 36)},
        jsonb_build_object('returnPct', round((12 * ${normal('n', 37)})::numeric, 1), 'roiPct', round((15 * ${normal('n', 37)})::numeric, 1)),
        floor(${unit('n', 43)} * 100),
        ${pick('n', 44, ['teardown_candidate', 'expansion', 'vacant_lot'])}, ${unit('n', 45)} < 0.2, '{"redevelopmentScore": 50}'
      from (select *, apn::bigint as n from property) p`,
    `insert into lead (market, property_id, law, kind, best, status, max_units, blocked, finding)
      select market, id, 'us-ca-sb9', 'lot_split', true, ${pick('n', 38, ['eligible', 'likely', 'unknown_zone', 'blocked'])},
        2 + ${days('n', 39, 3)}, ${unit('n', 40)} < 0.2, '{"status": "eligible"}'
      from (select *, apn::bigint as n from property) p`,
    `insert into lead (market, property_id, law, kind, best, score, blocked, finding)
      select market, id, 'us-ca-adu', 'accessory_unit', true, floor(${unit('n', 41)} * 100), ${unit('n', 42)} < 0.2, '{"aduScore": 50}'
      from (select *, apn::bigint as n from property) p`,
    'analyze property; analyze listing; analyze assessment; analyze lead',
    'insert into property_search select * from property_search_source',
    `insert into permit (market, state, city, city_slug, permit_id, source_id, match_method, match_confidence, address, project_type,
        description, valuation_usd, contractor, applied_on, issued_on, finaled_on, status, permit_class, lat, lng, collected_at, raw)
      select '${market}', 'CA', c.city, c.slug, 'B' || g.n, 'bench', 'none', 'low', g.n % 9973 || ' Maple St', 'Residential',
        ${Array.from({ length: 6 }, (_, at) => pick('g.n', 60 + at, words)).join(" || ' ' || ")},
        case when ${unit('g.n', 53)} < 0.9 then round(25000 * exp(1.6 * ${normal('g.n', 54)})) + 1 end,
        'Builder ' || floor(exp(${unit('g.n', 55)} * ln(20000))), d - 30, d, case when ${unit('g.n', 56)} < 0.6 then d + 90 end,
        case when ${unit('g.n', 56)} < 0.6 then 'finaled' else ${pick('g.n', 57, ['issued', 'inspections', 'expired'])} end,
        case when ${unit('g.n', 58)} < 0.02 then 'new_house' when ${unit('g.n', 58)} < 0.05 then 'adu'
          when ${unit('g.n', 58)} < 0.06 then 'whole_house_demolition' when ${unit('g.n', 58)} < 0.16 then 'addition'
          when ${unit('g.n', 58)} < 0.4 then 'remodel' when ${unit('g.n', 58)} < 0.55 then 'solar' else 'other' end,
        ${permitLat}, ${permitLng}, now(), '{"source": "bench"}'
      from (select n, '${today}'::date - floor(7300 * ${unit('n', 59)} ^ 1.3)::int as d from ${numbered} s) g ${inCity(52)}`,
    `insert into permit_search (issued_on, search, valuation_usd, applied_on, finaled_on, market, city_slug, permit_id, status,
        permit_class, contractor, location)
      select issued_on, lower(address || chr(10) || project_type || chr(10) || description || chr(10) || contractor || chr(10) || chr(10)
          || permit_id), valuation_usd, applied_on, finaled_on, market, city_slug, permit_id, status, permit_class, contractor, point(lng, lat)
      from permit order by (issued_on - date '2000-01-01') / 365, city_slug, permit_class, issued_on`,
    // Three in four sales have the facts of the house; for the others they come from the parcel.
    `insert into sale (market, source_id, sale_id, property_id, match_method, match_confidence, state, city, city_slug, address, address_key,
        sold_on, price_usd, list_price_usd, days_on_market, property_type, living_sqft, beds, baths, year_built, collected_at, raw)
      select market, 'bench', 'S' || n, id, 'apn', 'high', 'CA', city, city_slug, address, address_key,
        '${today}'::date - ${days('n', 71, 2200)}, round(1800000 * exp(0.55 * ${normal('n', 72)})) as price, null, ${days('n', 73, 90)},
        property_type, case when own then living_sqft end, case when own then beds end, case when own then baths end,
        case when own then year_built end, now(), '{"source": "bench"}'
      from (select *, apn::bigint as n, ${unit('apn::bigint', 74)} < 0.75 as own from property) p`,
    'analyze property; analyze sale',
    'insert into permit_city select distinct market, city_slug, city from permit',
    "insert into ingest_run (source_id, state, first_load, finished_at) values ('bench', 'completed', true, now())",
  ]
}
