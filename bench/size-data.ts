// A market of any size, made by SQL. Wording follows Zipf's law over 300,000 words: the word of rank r is 1/r as frequent as the
// first one, so most words are rare and a few are in every other permit, as in the records of real cities.
import { type Db, sql } from '../src/store/engine/database.ts'
import { indexSales } from '../src/store/search/sale-upkeep.ts'

export const market = 'sf-peninsula'
const vocabulary = 300_000

/** The most frequent words. The others are made from their rank. */
const frequent = [
  ...['replace', 'new', 'residence', 'remodel', 'kitchen', 'bath', 'install', 'existing', 'single', 'family', 'roof'],
  ...['electrical', 'plumbing', 'window', 'addition', 'solar', 'panel', 'water', 'heater', 'furnace', 'garage', 'deck'],
  ...[
    'foundation',
    'seismic',
    'demolition',
    'pool',
    'accessory',
    'dwelling',
    'unit',
    'siding',
    'insulation',
    'drywall',
  ],
]

/** The word of a rank, the same in SQL and here only for frequent ones. */
export const frequentWord = (rank: number): string => frequent[rank - 1]!

const word = (rank: ReturnType<typeof sql>) => sql`
  coalesce((${sql.lit(`{${frequent.join(',')}}`)}::text[])[${rank}],
    substr(translate(md5((${rank})::text), '0123456789', 'ghijklmnop'), 1, (4 + (${rank}) % 7)::int))`

/** Log-uniform ranks are distributed by Zipf's law. */
const drawnRank = sql`floor(exp(random() * ln(${sql.lit(vocabulary)})))::int`

const cities = sql`(values (0, 'Palo Alto', 'palo-alto'), (1, 'San Mateo', 'san-mateo'), (2, 'Burlingame', 'burlingame'),
  (3, 'Redwood City', 'redwood-city'), (4, 'Los Altos', 'los-altos')) c (k, city, slug)`

export const makeSource = (db: Db) =>
  sql`insert into source (id, kind, holds, market, title, config) values ('bench', 'csv', 'parcels', ${market}, 'Bench', '{}')
    on conflict do nothing`.execute(db)

export const makeParcels = async (db: Db, parcels: number): Promise<void> => {
  await sql`
    insert into property (id, market, state, city, city_slug, address, address_key, county, apn, apn_key, lat, lng, property_type,
      living_sqft, lot_sqft, beds, baths, year_built, zoning, lot_width_ft, lot_depth_ft, overlays, known_from, source_id, collected_at)
    select 'p_001bench_' || lpad(n::text, 8, '0'), ${market}, 'CA', c.city, c.slug, n || ' Oak St', n || ' OAK ST', 'San Mateo',
      n::text, 'ca:san-mateo:' || n, 37.3 + (n * 7919 % 10007) / 10007.0 * 0.4, -122.5 + (n * 104729 % 10009) / 10009.0 * 0.4,
      'single_family', 900 + n * 31 % 2400, 4500 + n * 67 % 9000, 2 + n % 4, 1 + n % 3, 1925 + n % 98, 'R-1', 50 + n % 30,
      100 + n % 40, '{}', 'parcel', 'bench', '2026-11-01'
    from generate_series(1, ${parcels}::bigint) n join ${cities} on c.k = n % 5`.execute(db)
}

/** One assessment per parcel, with the columns that lead lists read. */
export const makeAssessments = async (db: Db): Promise<void> => {
  await sql`
    insert into assessment (property_id, market, city_slug, model_version, content_hash, assessed_at, adu_score, adu_blocked, adu,
      redevelopment_score, redevelopment_class, redevelopment_blocked, redevelopment)
    select id, market, city_slug, 'bench', id, now(), abs(hashtext(id)) % 100, hashtext(id) % 3 = 0, '{"aduScore": 50}',
      abs(hashtext(id || 'r')) % 100, case when hashtext(id) % 2 = 0 then 'teardown_candidate' else 'expansion' end, false,
      '{"redevelopmentScore": 50}'
    from property where source_id = 'bench'`.execute(db)
}

/** Sales of six years and listings of three, at the rates of a usual county: 5% and 8% of the homes each year. */
export const makeSales = async (db: Db): Promise<void> => {
  const price = sql`(700 + (p.lat - 37.3) * 900 + hashtext(p.id) % 120) * p.living_sqft ^ 0.8 * 5`
  const share = (percent: number) => sql`abs(hashtext(p.id || 's')) % 100 < ${sql.lit(percent)}`
  await sql`
    insert into sale (source_id, sale_id, property_id, match_method, match_confidence, market, state, city, city_slug, sold_on,
      price_usd, list_price_usd, days_on_market, property_type, living_sqft, lot_sqft, beds, baths, year_built, lat, lng, collected_at)
    select 'bench', p.id, p.id, 'apn', 'high', p.market, p.state, p.city, p.city_slug, '2026-11-01'::date - abs(hashtext(p.id)) % 2190,
      ${price}, ${price} * 0.98, 12, p.property_type, p.living_sqft, p.lot_sqft, p.beds, p.baths, p.year_built, p.lat, p.lng, now()
    from property p where ${share(30)}`.execute(db)
  await indexSales(db)
  await sql`
    insert into listing (source_id, listing_id, property_id, match_method, match_confidence, market, state, city, city_slug, status,
      price_usd, original_price_usd, listed_on, living_sqft, current, remarks, collected_at)
    select 'bench', p.id, p.id, 'apn', 'high', p.market, p.state, p.city, p.city_slug, 'active', ${price} * 1.01, ${price} * 1.03,
      '2026-10-15'::date - abs(hashtext(p.id)) % 1000, p.living_sqft, true, 'Original kitchen. Bring your contractor.', now()
    from property p where ${share(24)}`.execute(db)
}

/** The permits with these numbers, with eight words each, as a feed would have written them. */
export const makePermits = async (db: Db, from: number, to: number): Promise<void> => {
  const words = sql.join(
    Array.from({ length: 8 }, (_, at) => word(sql.raw(`r[${at + 1}]`))),
    sql` || ' ' || `,
  )
  const ranks = sql.join(
    Array.from({ length: 8 }, () => drawnRank),
    sql`, `,
  )
  await sql`select setseed(${1 / from})`.execute(db)
  await sql`
    insert into permit (market, state, city, city_slug, permit_id, source_id, match_method, match_confidence, address, address_key,
      apn_key, project_type, description, valuation_usd, contractor, applied_on, issued_on, status, permit_class, collected_at, raw)
    select ${market}, 'CA', c.city, c.slug, 'B' || n, 'bench', 'none', 'low', n % 9973 || ' Maple St', n % 9973 || ' MAPLE ST',
      'ca:san-mateo:p' || n, 'Residential', ${words}, 1000 + n * 7919 % 900000, 'Builder ' || n % 20000, d, d, 'issued', 'other',
      '2026-11-01', '{"source": "bench"}'
    from (select n, array[${ranks}] as r, '2026-11-01'::date - (n % 7300)::int as d from generate_series(${from}::bigint, ${to}::bigint) n) g
    join ${cities} on c.k = n % 5`.execute(db)
}
