// Inserts rows directly, with defaults for columns that a test does not use. The ingest tests load rows from feeds.
import { addressKey } from '../../src/domain/address/address.ts'
import type { MarketId } from '../../src/domain/facts.ts'
import type { AduFinding } from '../../src/domain/findings/adu.ts'
import type { ConditionFinding, Finding } from '../../src/domain/findings/findings.ts'
import { mostHomes, type UseFinding } from '../../src/domain/findings/laws.ts'
import type { LotSplitFinding } from '../../src/domain/findings/lot-split.ts'
import type { Proforma } from '../../src/domain/findings/proforma.ts'
import type { RedevelopmentFinding } from '../../src/domain/findings/redevelopment.ts'
import { citySlug, stateOf } from '../../src/domain/packs/markets.ts'
import { marketOfProperty, propertyIdPrefix } from '../../src/domain/property-id.ts'
import { valuationSettings } from '../../src/intelligence/valuation/assumptions.ts'
import { fitMarket } from '../../src/intelligence/valuation/fit-market.ts'
import { fitHedonic } from '../../src/intelligence/valuation/hedonic.ts'
import { fitTimeIndex } from '../../src/intelligence/valuation/time-index.ts'
import { attributeCount } from '../../src/intelligence/valuation/valuation-facts.ts'
import { marketSales } from '../../src/store/assessments/market-facts.ts'
import { saveModel } from '../../src/store/assessments/models.ts'
import { marketRanks } from '../../src/store/assessments/score-distributions.ts'
import { saveValuation } from '../../src/store/assessments/valuations.ts'
import { type Db, sql } from '../../src/store/engine/database.ts'
import { groupOf } from '../../src/store/engine/shard-groups.ts'
import { recountMarket } from '../../src/store/ingest/dataset-counts.ts'
import { indexPermits } from '../../src/store/permit-search/upkeep.ts'
import { indexSales } from '../../src/store/search/sale-upkeep.ts'
import { indexMarket, indexPropertiesOf } from '../../src/store/search/upkeep.ts'
import type { EventData } from '../../src/wire/events.ts'

type Row = Record<string, unknown>

/** Deletes the rows of these tables and of those that refer to them: of few rows a tenth of what `truncate` takes. */
export const emptyTables = (db: Db, ...tables: string[]) =>
  sql
    .raw(`
      do $$ declare each regclass; begin
        set local session_replication_role = replica;
        for each in
          with recursive found (id) as (
            select unnest(array[${tables.map((name) => `'${name}'`).join()}]::regclass[]::oid[])
            union select conrelid from pg_constraint join found on confrelid = found.id where contype = 'f')
          select id from found
        loop execute format('delete from %s', each); end loop;
      end $$`)
    .execute(db)

let count = 0
const next = (prefix: string) => `${prefix}${String(++count).padStart(6, '0')}`

/** The rows of `inBulk` that are not yet inserted, by table. */
let waiting: Map<string, Row[]> | undefined

/** Inserts the rows that `add` makes for one market, and their search rows, in one statement for each table. */
export const inBulk = async (from: Db, market: MarketId, add: () => Promise<void>): Promise<void> => {
  const db = groupOf(from, market)
  await source(db)
  const rows = new Map<string, Row[]>()
  waiting = rows
  try {
    await add()
  } finally {
    waiting = undefined
  }
  for (const [table, each] of rows) await insertAll(db, table, each)
  await recountMarket(db, market)
  await indexMarket(db, market)
  await indexSales(db)
  await indexPermits(db)
}

export const source = async (db: Db, given: { id?: string; holds?: string; title?: string } = {}): Promise<string> => {
  const { id = 'test', holds = 'permits', title = 'Test source' } = given
  if (!waiting)
    await sql`
      insert into source (id, kind, holds, title, license, sample, config)
      values (${id}, 'csv', ${holds}, ${title}, 'CC0-1.0', false, '{}') on conflict do nothing`.execute(db)
  return id
}

/** A completed run at this time, which `asOf` is derived from. */
export const completedRun = async (db: Db, sourceId: string, finishedAt: Date) => {
  await sql`
    insert into ingest_run (source_id, state, first_load, finished_at)
    values (${sourceId}, 'completed', true, ${finishedAt})`.execute(db)
}

export const property = async (db: Db, given: Row & { city?: string; address?: string } = {}): Promise<string> => {
  const market = (given.market ?? 'sf-peninsula') as MarketId
  const id = (given.id as string | undefined) ?? next(`${propertyIdPrefix(market)}test`)
  const { city = 'Palo Alto', address = `${count} Oak St` } = given
  const sourceId = await source(db)
  await insert(db, 'property', {
    market,
    state: stateOf(market),
    overlays: {},
    known_from: 'parcel',
    collected_at: new Date('2026-11-01T00:00:00Z'),
    ...given,
    id,
    city,
    city_slug: citySlug(city),
    address,
    address_key: addressKey(address),
    source_id: sourceId,
  })
  if (!waiting) await indexPropertiesOf(groupOf(db, market), market, [id])
  return id
}

/** The current listing of a property, which is created when none is named. */
export const listing = async (
  db: Db,
  given: Row & { property_id?: string; city?: string; address?: string; known_from?: string } = {},
): Promise<string> => {
  const { city = 'Palo Alto', address, known_from, ...rest } = given
  const propertyId =
    given.property_id ??
    (await property(db, {
      city,
      ...(address ? { address } : {}),
      ...(known_from ? { known_from } : {}),
      ...(given.market ? { market: given.market } : {}),
    }))
  const market = (given.market ?? marketOfProperty(propertyId) ?? 'sf-peninsula') as MarketId
  await insert(db, 'listing', {
    listing_id: next('L'),
    match_method: 'apn',
    match_confidence: 'high',
    market,
    state: stateOf(market),
    status: 'active',
    price_usd: 2_000_000,
    listed_on: '2026-10-01',
    current: true,
    collected_at: new Date('2026-11-01T00:00:00Z'),
    ...rest,
    property_id: propertyId,
    city_slug: citySlug(city),
    source_id: await source(db),
  })
  if (!waiting) await indexPropertiesOf(groupOf(db, market), market, [propertyId])
  return propertyId
}

export const permit = async (db: Db, given: Row & { city?: string } = {}): Promise<string> => {
  const { city = 'Palo Alto' } = given
  const permitId = (given.permit_id as string | undefined) ?? next('B-')
  await insert(db, 'permit', {
    market: 'sf-peninsula',
    state: stateOf((given.market ?? 'sf-peninsula') as MarketId),
    match_method: 'none',
    match_confidence: 'low',
    issued_on: '2026-11-10',
    status: 'issued',
    permit_class: 'other',
    collected_at: new Date('2026-11-12T00:00:00Z'),
    address_key: typeof given.address === 'string' ? addressKey(given.address) : null,
    ...given,
    permit_id: permitId,
    city,
    city_slug: citySlug(city),
    source_id: await source(db),
  })
  if (!waiting)
    await indexPermits(
      groupOf(db, String(given.market ?? 'sf-peninsula')),
      sql`select market, city_slug, permit_id from permit where permit_id = ${permitId}`,
    )
  return permitId
}

/** Many permits with consecutive numbers, several per date. */
export const manyPermits = async (from: Db, total: number, given: { perDate?: number; newest?: string } = {}) => {
  const { perDate = 7, newest = '2026-11-10' } = given
  const db = groupOf(from, 'sf-peninsula')
  const sourceId = await source(db)
  await sql`
    insert into permit (city_slug, permit_id, source_id, market, state, city, match_method, match_confidence, issued_on,
      status, permit_class, collected_at, description)
    select case when n % 2 = 0 then 'palo-alto' else 'menlo-park' end, 'M-' || lpad((n / 2)::text, 6, '0'), ${sourceId},
      'sf-peninsula', 'CA', case when n % 2 = 0 then 'Palo Alto' else 'Menlo Park' end, 'none', 'low',
      ${newest}::date - (n / ${perDate}::int), 'issued', 'other', now(), 'Reroof number ' || n
    from generate_series(0, ${total - 1}::int) n`.execute(db)
  await indexPermits(db)
}

export const sale = async (db: Db, given: Row & { city?: string } = {}): Promise<void> => {
  const { city = 'Palo Alto' } = given
  const saleId = (given.sale_id as string | undefined) ?? next('S')
  await insert(db, 'sale', {
    sale_id: saleId,
    match_method: 'none',
    match_confidence: 'low',
    market: 'sf-peninsula',
    state: stateOf((given.market ?? 'sf-peninsula') as MarketId),
    sold_on: '2026-06-01',
    price_usd: 2_500_000,
    collected_at: new Date('2026-11-01T00:00:00Z'),
    address_key: typeof given.address === 'string' ? addressKey(given.address) : null,
    ...given,
    city,
    city_slug: citySlug(city),
    source_id: await source(db),
  })
  const market = (given.market ?? 'sf-peninsula') as MarketId
  if (!waiting)
    await indexSales(groupOf(db, market), sql`select ${market}, source_id, sale_id from sale where sale_id = ${saleId}`)
}

/** An assessment, with the leads that sb9… and adu… describe. Updates the search row, as the assessor does. */
/** As if the operator had assessed the market as of a past day, or (without one) as of today. */
export const assessedAsOf = async (db: Db, market: MarketId, asOf?: string): Promise<void> => {
  const ranks = (await marketRanks(db, market)) ?? { distributions: {}, teardown: {} }
  await saveModel(db, 'score-ranks', market, 'score-ranks', { ...ranks, asOf }, new Date())
}

export const assessment = async (db: Db, propertyId: string, row: Row = {}): Promise<void> => {
  const {
    sb9_status,
    sb9_max_units,
    sb9_blocked = false,
    sb9: split,
    adu_score,
    adu_blocked = false,
    adu: unit,
    transit,
    ...given
  } = row
  const market = (given.market ?? marketOfProperty(propertyId) ?? 'sf-peninsula') as MarketId
  await insert(db, 'assessment', {
    market,
    city_slug: 'palo-alto',
    model_version: 'test',
    content_hash: next('hash'),
    assessed_at: new Date('2026-11-14T00:00:00Z'),
    assessed_on: given.assessed_at ?? '2026-11-14',
    ...given,
    property_id: propertyId,
  })
  const lead = (values: Row) => insert(db, 'lead', { market, property_id: propertyId, best: true, ...values })
  if (sb9_status !== undefined || split !== undefined)
    await lead({
      law: 'us-ca-sb9',
      kind: 'lot_split',
      status: sb9_status,
      max_units: sb9_max_units,
      blocked: sb9_blocked,
      finding: split ?? {},
    })
  if (transit !== undefined)
    await lead({
      law: 'us-ca-transit',
      kind: 'transit',
      max_units: mostHomes((transit as UseFinding).uses),
      blocked: false,
      finding: transit,
    })
  if (adu_score !== undefined || unit !== undefined)
    await lead({
      law: 'us-ca-adu',
      kind: 'accessory_unit',
      score: adu_score,
      blocked: adu_blocked,
      finding: unit ?? {},
    })
  await indexPropertiesOf(groupOf(db, market), market, [propertyId])
}

/** Many parcels with an ADU score of 95. */
export const manyLeads = async (from: Db, total: number): Promise<void> => {
  const db = groupOf(from, 'sf-peninsula')
  const sourceId = await source(db)
  const prefix = next(`${propertyIdPrefix('sf-peninsula')}lead`)
  await sql`
    with made as (
      insert into property (id, market, state, city, city_slug, address, address_key, known_from, source_id, collected_at)
      select ${prefix} || n, 'sf-peninsula', 'CA', 'San Carlos', 'san-carlos', n || ' Elm St', n || ' ELM ST', 'parcel', ${sourceId}, now()
      from generate_series(1, ${total}::int) n returning id)
    insert into assessment (property_id, market, city_slug, model_version, content_hash, assessed_at, assessed_on)
    select id, 'sf-peninsula', 'san-carlos', 'test', id, now(), now() from made`.execute(db)
  await sql`
    insert into lead (property_id, market, law, kind, best, score, blocked, finding)
    select property_id, market, 'us-ca-adu', 'accessory_unit', true, 95, false, ${JSON.stringify(adu({ aduScore: 95 }))}::json
    from assessment where property_id like ${`${prefix}%`}`.execute(db)
  await indexMarket(db, 'sf-peninsula')
}

const basis = { used: [], missing: [], confidence: 'medium' } as const

export const sb9 = (given: Partial<LotSplitFinding> = {}): LotSplitFinding => ({
  sb9Status: 'eligible',
  maxUnits: 4,
  lotSplit: { eligible: true, status: 'eligible', lots: [] },
  blockReasons: [],
  untestedRules: [],
  warnings: [],
  ...basis,
  ...given,
})

export const adu = (given: Partial<AduFinding> = {}): AduFinding => ({
  aduScore: 80,
  maxUnits: 2,
  lot: {},
  units: [],
  blockers: [],
  warnings: [],
  parts: [],
  ...basis,
  ...given,
})

export const redevelopment = (given: Partial<RedevelopmentFinding> = {}): RedevelopmentFinding => ({
  redevelopmentScore: 80,
  class: 'teardown_candidate',
  far: {},
  blockers: [],
  warnings: [],
  parts: [],
  ...basis,
  ...given,
})

export const finding = (given: Partial<Finding> = {}): Finding => ({ parts: [], ...basis, ...given })

export const condition = (given: Partial<ConditionFinding> = {}): ConditionFinding => ({
  ...finding(),
  landPhrases: [],
  setAside: [],
  ...given,
})

export const proforma = (given: Partial<Proforma> = {}): Proforma => ({
  compCount: 5,
  confidence: 'medium',
  unmodellableReason: null,
  assumptions: { costPerSqft: 600, sellingCostPct: 6, contingencyPct: 10, months: 22, ratePct: 9 },
  ...given,
})

/** The data of a permit.created event. */
export const permitCreated = (permitId: string): EventData<'permit.created'> => ({
  permitId,
  type: 'Residential',
  estimatedValue: 1_200_000,
  status: 'issued',
})

/**
 * The value model of a market whose prices neither change over time nor differ by attribute except in proportion to size, so that
 * comparables can be checked by hand. Knows the sales stored so far, and far away the others that a model needs.
 */
export const flatPrices = async (db: Db): Promise<void> => {
  const [market, on] = ['sf-peninsula', '2026-11-15'] as const
  const none = Float64Array.of(0, 0)
  const fitted = fitTimeIndex({ day: none, residual: none, weight: none }, 20_000, valuationSettings())
  const far = Array.from({ length: 40 }, (_, at) => ({
    saleId: `far:${at}`,
    soldOn: '2026-01-15',
    priceUsd: 2_000_000,
    livingSqft: 2000,
    lat: 40 + at / 1000,
    lng: -122,
  }))
  const sales = [...(await marketSales(db, market, { from: '2020-01-01', until: on })), ...far]
  const value = {
    ...fitMarket(sales, on, { assumptions: { maxTrees: 25, folds: 2 } })!,
    index: { ...fitted, seasonal: { cosine: 0, sine: 0 } },
    hedonic: fitHedonic(new Float32Array(2 * attributeCount), none, Float64Array.of(1, 1)),
  }
  await saveValuation(db, market, { valuedOn: on, version: 'flat', counts: {} }, { value })
}

const insertAll = async (db: Db, table: string, rows: readonly Row[]) => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const stored = (value: unknown) =>
    value !== null && typeof value === 'object' && !(value instanceof Date) && !Array.isArray(value)
      ? JSON.stringify(value)
      : value
  const values = rows.map(
    (row) => sql`(${sql.join(columns.map((name) => (row[name] === undefined ? sql`default` : stored(row[name]))))})`,
  )
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))}) values ${sql.join(values)}`.execute(
    db,
  )
}

const insert = async (from: Db, table: string, row: Row) => {
  if (waiting) {
    waiting.set(table, [...(waiting.get(table) ?? []), row])
    return
  }
  const db = groupOf(from, String(row.market))
  await insertAll(db, table, [row])
  const dataset = datasets[table]
  if (dataset && (table !== 'property' || row.known_from === 'parcel'))
    await sql`
      insert into dataset_count as c (market, dataset, city_slug, source_id, city, rows, removed, newest_on)
      values (${row.market}, ${dataset.name}, ${row.city_slug}, ${row.source_id}, ${row.city ?? row.city_slug}, 1,
        ${row.removed_at ? 1 : 0}, ${row[dataset.date] ?? null}::timestamptz::date)
      on conflict (market, dataset, city_slug, source_id) do update set rows = c.rows + 1, removed = c.removed + excluded.removed,
        newest_on = greatest(c.newest_on, excluded.newest_on)`.execute(db)
}

/** Tables whose rows coverage counts, as a load does. */
const datasets: Readonly<Record<string, { name: string; date: string }>> = {
  property: { name: 'parcels', date: 'dated_on' },
  listing: { name: 'listings', date: 'listed_on' },
  sale: { name: 'sales', date: 'sold_on' },
  permit: { name: 'permits', date: 'issued_on' },
}
