import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillMarket, market, now, places } from '../../../bench/market-data.ts'
import { feed } from '../../../bench/size.ts'
import type { SourceConfig } from '../../../src/domain/packs/source-config.ts'
import { propertyIdPrefix } from '../../../src/domain/property-id.ts'
import { runIngest } from '../../../src/ingest/run.ts'
import type { Context } from '../../../src/operations/context.ts'
import { implementations } from '../../../src/operations/list.ts'
import { marketsToAssessFirst, marketsTouched } from '../../../src/store/assessments/assess-runs.ts'
import { type Database, type DatabaseOptions, openDatabase, sql } from '../../../src/store/engine/database.ts'
import { databaseStatus, measureQueues } from '../../../src/store/engine/database-status.ts'
import { openQueue } from '../../../src/store/engine/queue.ts'
import { groupOf } from '../../../src/store/engine/shard-groups.ts'
import { sourceStates } from '../../../src/store/ingest/source-states.ts'
import { insertKey } from '../../../src/store/keys/keys.ts'
import { indexHomesInParts } from '../../../src/store/permit-search/upkeep.ts'
import { indexSales } from '../../../src/store/search/sale-upkeep.ts'
import { indexMarket } from '../../../src/store/search/upkeep.ts'
import { recordChanges } from '../../../src/store/watches/changes.ts'
import { queueWatchMails } from '../../../src/store/watches/watch-mails.ts'
import { announceMatches } from '../../../src/watches/announce.ts'
import { matchChanges } from '../../../src/watches/matching.ts'
import { openWatchIndex } from '../../../src/watches/watch-index.ts'
import { plans } from '../../../src/wire/plans.ts'
import { newDatabase } from '../../setup/database.ts'

// A statement that reads a whole table here reads two million rows in a large market. Plans follow from shares, which are those of the
// large market, so a few thousand rows show them.
const homes = 3_000
const permits = 3_000

let database: Database
let address: DatabaseOptions
beforeAll(async () => {
  address = await newDatabase()
  await fillMarket(address, { homes, permits })
  database = openDatabase({ ...address, statementTimeoutMs: 0 })
}, 120_000)
afterAll(() => database?.close())

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  /** Absent from a plan that was not run. */
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The scans of each statement that some work sends. What writes is planned and not run again. */
const scansDuring = async (work: () => Promise<unknown>): Promise<PlanNode[][]> => {
  const sent: { text: string; values: unknown[] }[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: [{ text?: string; values?: unknown[] }, unknown[]]) {
    const [asked, values] = given
    sent.push({ text: asked.text ?? String(asked), values: asked.values ?? (Array.isArray(values) ? values : []) })
    return query.apply(this, given as never)
  } as never
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  const found: PlanNode[][] = []
  for (const { text, values } of sent.filter((each) => /^\s*(with|select|insert|update|delete)\b/.test(each.text))) {
    const writes = /\b(insert into|update|delete from)\b/.test(text)
    const { rows } = await database.pool.query(
      `explain (${writes ? '' : 'analyze, '}format json) ${text}`,
      values as never,
    )
    const scans = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name']?.match(large))
    if (scans.length > 0) found.push(scans)
  }
  return found
}

const scansOf = (id: string, input: object): Promise<PlanNode[][]> => scansDuring(() => ask(id, input))

const ask = (id: string, input: object, bulk?: Context['bulk']) => {
  const caller = { plan: 'pro', limits: plans.pro, client: 'test', remaining: 1, windowResetsInSeconds: 60 } as const
  const call = { db: database.db, caller, now, publicUrl: 'http://localhost', bulk } as unknown as Context
  const { run } = implementations.find(({ operation }) => operation.name === id)!
  return run(call, { limit: 25, ...input }) as Promise<{ pagination: { total: number } }>
}

const large = /^(property|listing|assessment|lead|sale|permit)(_search)?$/

const rowsRead = (scans: readonly PlanNode[]) =>
  scans.reduce(
    (sum, node) =>
      node['Actual Loops'] === undefined
        ? sum + (node['Node Type'] === 'Seq Scan' ? homes : 0)
        : sum + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
    0,
  )

const city = () => places()[0]!.name
const search = (criteria: object, explain: string[] = []) =>
  ['search', { kind: 'parcels', criteria: { market, ...criteria }, explain }] as const
const few: Record<string, () => readonly [id: string, input: object]> = {
  'leads of a ZIP code': () => ['list_adu_leads', { market, zip: '94003' }],
  'redevelopment leads of a ZIP code': () => ['list_redevelopment_leads', { market, zip: '94003' }],
  'sold homes of a ZIP code': () => ['list_market_signals', { market, status: ['sold'], zip: '94003' }],
  'permits of a ZIP code': () => ['search_permits', { market, zip: '94003' }],
  'permits of two ZIP codes': () => ['search_permits', { market, zip: '94000,94001' }],
  'permits by date of application': () => ['search_permits', { market, appliedFrom: '2026-11-01' }],
  'parcels of a year': () => search({ minYearBuilt: 2021 }),
  'old parcels': () => search({ maxYearBuilt: 1906 }),
  'parcels by living area': () => search({ minSqft: 3_270 }),
  'parcels by teardown score': () => search({ minTeardownScore: 85 }),
  'parcels by zoning': () => search({ zoning: ['C-1'] }),
  'parcels by bedrooms': () => search({ minBeds: 9 }),
  'parcels by bathrooms': () => search({ minBaths: 8 }),
  'parcels by use': () => search({ allows: 'transit' }),
  'parcels with a rare overlay': () => search({ require: ['coastalZone'] }),
  'leads with a rare overlay': () => ['list_adu_leads', { market, require: ['coastalZone'] }],
  'lots of a rare use': () => ['list_use_leads', { market, use: 'transit' }],
  'permits with a rare overlay': () => ['search_permits', { market, require: ['coastalZone'] }],
  'sales with a rare overlay': () => ['list_sales', { market, require: ['coastalZone'] }],
  'a funnel of parcels': () => search({ zip: '94003', minYearBuilt: 2021 }, ['funnel']),
  'a funnel of parcels with an overlay': () => search({ minYearBuilt: 2021, require: ['coastalZone'] }, ['funnel']),
  'a funnel of listings': () => [
    'list_market_signals',
    { market, status: ['sold'], zip: '94003', minYearBuilt: 2021, explain: ['funnel'] },
  ],
  'a funnel of sales': () => ['list_sales', { market, zip: '94003', minSqft: 3_270, explain: ['funnel'] }],
  'sales by living area': () => ['list_sales', { market, minSqft: 3_270 }],
  'near misses': () => search({ minYearBuilt: 2021 }, ['nearMisses']),
  'near misses of two bounds': () => search({ minYearBuilt: 2021, minLotSize: 11_500 }, ['nearMisses']),
  'near misses of listings': () => [
    'search',
    { kind: 'listings', criteria: { market, minYearBuilt: 2021, minLotSize: 11_500 }, explain: ['nearMisses'] },
  ],
  'near misses in a city': () => search({ city: city(), minYearBuilt: 2021, minBeds: 4 }, ['nearMisses']),
}

test.each(Object.entries(few))('%s: each statement reads a small part of the market', async (_, asked) => {
  for (const scans of await scansOf(...asked()))
    expect(rowsRead(scans), JSON.stringify(scans, null, 1)).toBeLessThan(homes / 3)
})

test.each([
  ['-lotSize', 'largest_lot'],
  ['lotSize', 'smallest_lot'],
  ['-yearBuilt', 'newest'],
  ['yearBuilt', 'oldest'],
])('leads in the order of %s are read from its index', async (sort, index) => {
  const scans = (await scansOf('list_adu_leads', { market, sort: [sort] })).flat()
  expect(scans.map((node) => node['Index Name'])).toContain(`property_search_${index}`)
})

test.each([{ zoning: ['R-1'] }, { minBeds: 2 }, { exclude: ['floodZone'] }, { city: city() }, { maxYearBuilt: 1990 }])(
  'the first parcels of many with %o are read in the order of their list',
  async (criteria) => {
    const scans = await scansOf(...search(criteria))
    const walked = scans.filter((each) =>
      each.some((node) => node['Index Name']?.startsWith('property_search_parcels')),
    )
    expect(walked.length, JSON.stringify(scans, null, 1)).toBeGreaterThan(0)
    for (const each of walked) expect(rowsRead(each)).toBeLessThan(homes / 3)
  },
)

test('permits and sales without an overlay that some homes have are counted without reading all homes', async () => {
  for (const id of ['search_permits', 'list_sales'])
    for (const overlays of [{ require: ['floodZone'] }, { exclude: ['floodZone'] }]) {
      const scans = (await scansOf(id, { market, ...overlays })).flat()
      expect(scans.map((node) => node['Index Name'])).toContain('property_search_present')
      const ofHomes = scans.filter((node) => node['Relation Name'] === 'property_search')
      expect(rowsRead(ofHomes), JSON.stringify(scans, null, 1)).toBeLessThan(homes / 3)
    }
})

test.each([
  [{ require: ['floodZone'] }, ['yes']],
  [{ exclude: ['floodZone'] }, ['no', 'unknown']],
  [{ exclude: ['floodZone'], unknown: 'drop' }, ['no']],
])('permits and sales with %o are those of a count over all homes', async (overlays, accepted) => {
  for (const [id, table] of [
    ['search_permits', 'permit'],
    ['list_sales', 'sale'],
  ] as const) {
    const { pagination } = await ask(id, { market, ...(table === 'permit' && { issued: 'any' }), ...overlays })
    const { rows } = await sql<{ total: number }>`
      select count(*) as total from ${sql.table(table)} r
      left join property p on p.market = r.market and p.id = r.property_id
      where coalesce(p.overlays->>'floodZone', 'unknown') = any(${accepted}::text[])`.execute(
      groupOf(database.db, market),
    )
    expect(pagination.total, id).toBe(rows[0]!.total)
    expect(pagination.total).toBeGreaterThan(0)
  }
})

test('a list that requires a rare overlay is counted first, and its few rows are sorted', async () => {
  // The planner does not know the overlay of one home.
  const db = groupOf(database.db, market)
  const one = sql`property_id = ${`${propertyIdPrefix(market)}00000007`}`
  await sql`update property_search set overlays_yes = '{coastalZone}' where ${one}`.execute(db)
  for (const id of ['list_sales', 'list_market_signals']) {
    for (const scans of await scansOf(id, { market, require: ['coastalZone'] }))
      expect(rowsRead(scans), JSON.stringify(scans, null, 1)).toBeLessThan(homes / 3)
    expect((await ask(id, { market, require: ['coastalZone'] })).pagination.total).toBe(1)
  }
  await sql`update property_search set overlays_yes = '{}' where ${one}`.execute(db)
  await database.pool.query('vacuum property_search')
})

test('exact totals of listings with or without an overlay read an index alone', async () => {
  for (const overlays of [{ require: ['floodZone'] }, { exclude: ['floodZone'] }, { require: ['coastalZone'] }]) {
    const scans = await scansOf('list_market_signals', { market, ...overlays })
    for (const each of scans)
      if (rowsRead(each) > homes / 3)
        expect(each).toMatchObject([
          { 'Node Type': 'Index Only Scan', 'Index Name': expect.stringContaining('property_search') },
        ])
  }
})

test('lots of a frequent use are read in order of homes, and counted to the limit', async () => {
  const scans = (await scansOf('list_use_leads', { market, use: 'small_lots' })).flat()
  const indexes = scans.map((node) => node['Index Name'])
  expect(indexes).toContain('lead_most_homes')
})

test('permit timelines read every permit once for each life table, and builders and coverage once, from an index alone', async () => {
  const indexes = async (id: string, input: object) =>
    (await scansOf(id, input)).flat().filter((node) => node['Actual Rows'] * node['Actual Loops']! >= permits / 2)
  for (const groupBy of [[], ['city'], ['city', 'permitClass', 'year']])
    expect(await indexes('get_permit_timelines', { market, groupBy })).toMatchObject([
      { 'Node Type': 'Index Only Scan', 'Index Name': 'permit_search_timeline' },
      { 'Node Type': 'Index Only Scan', 'Index Name': 'permit_search_timeline' },
    ])
  expect(await indexes('list_builders', { market })).toMatchObject([
    { 'Node Type': 'Index Only Scan', 'Index Name': 'permit_search_by_builder' },
  ])
  expect(await indexes('get_coverage', {})).toMatchObject([
    { 'Node Type': 'Index Only Scan', 'Index Name': 'property_overlays' },
  ])
})

test('each statement that a worker sends every minute reads a small part of the market', async () => {
  const { db } = database
  const key = await insertKey(db, { plan: 'pro', email: 'worker@example.com' })
  const queue = await openQueue(address)
  try {
    const home = `${propertyIdPrefix(market)}00000001`
    await sql`insert into watch
        (id, key_id, mailbox, name, kind, criteria, triggers, cadence, endpoints, saved_home, created_at, updated_at)
      values ('w1', ${key.id}, 'm', 'All', 'parcels', '{}', '{entered}', 'instant', '{}', false, ${now}, ${now})`.execute(
      db,
    )
    await sql`insert into touched_property values (${market}, ${home}, ${now})`.execute(groupOf(db, market))
    await recordChanges(
      db,
      market,
      [
        {
          propertyId: home,
          before: undefined,
          after: { market, id: home, citySlug: places()[0]!.slug, numbers: {}, texts: {} } as never,
        },
      ],
      now,
    )
    const scans = await scansDuring(async () => {
      await marketsTouched(db, now)
      await marketsToAssessFirst(db, now)
      await matchChanges(db, now, openWatchIndex())
      await announceMatches(db, { queue, publicUrl: 'http://localhost' }, now)
      await queueWatchMails(db, queue, now)
      await measureQueues(db)
      await sourceStates(db, now)
      await databaseStatus(db)
    })
    expect(scans.length).toBeGreaterThan(0)
    for (const each of scans) expect(rowsRead(each), JSON.stringify(each, null, 1)).toBeLessThan(homes / 3)
  } finally {
    await queue.close()
  }
})

test('a feed of ten rows reads a small part of the permits and of what homes have, and writes only the new builder', async () => {
  const { rows: chosen } = await database.pool.query('select apn, address, city from property order by id limit 10')
  const folder = await mkdtemp(join(tmpdir(), 'lotline-feed-'))
  const load = async (holds: 'parcels' | 'permits' | 'listings', run: string) => {
    await writeFile(join(folder, 'feed.csv'), feed(holds, run, chosen))
    const place = { market, where: { url: 'feed.csv' }, sameNames: true }
    const config = { id: `feed-${holds}`, title: holds, kind: 'csv', holds, ...place } as SourceConfig
    const [loading, queue] = [openDatabase(address), await openQueue(address)]
    await runIngest({ ...loading, queue }, config, { now, folder, highValueUsd: 1e12, accept: 'test' })
    await Promise.all([queue.close(), loading.close()])
    // A session adds what it read to the statistics when it ends.
    const others = 'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    await expect.poll(async () => (await database.pool.query(others)).rowCount, { timeout: 10_000 }).toBe(0)
    const { rows } = await database.pool.query(`select relname, seq_tup_read + coalesce(idx_tup_fetch, 0) as read,
      n_tup_ins + n_tup_upd + n_tup_del as written from pg_stat_user_tables`)
    return (table: string, what: 'read' | 'written') => Number(rows.find(({ relname }) => relname === table)[what])
  }
  const [before, after] = [await load('permits', 'first'), await load('permits', 'second')]
  expect(after('permit', 'read') - before('permit', 'read')).toBeLessThan(permits / 5)
  // Of ten permits, nine name a known builder.
  expect(after('builder', 'written') - before('builder', 'written')).toBe(1)
  // The statistics know of no sale without a property.
  await sql`insert into sale (market, source_id, sale_id, match_method, match_confidence, state, city, city_slug, address_key, sold_on,
      price_usd, collected_at, raw)
    select market, source_id, 'U' || sale_id, 'none', 'low', state, city, city_slug, 'U' || address_key, sold_on, price_usd, collected_at,
      raw from sale limit 1000`.execute(groupOf(database.db, market))
  const [first, second] = [await load('listings', 'first'), await load('listings', 'second')]
  expect(second('property', 'read') - first('property', 'read')).toBeLessThan(2 * homes)
  const [third, fourth] = [await load('parcels', 'first'), await load('parcels', 'second')]
  for (const [table, earlier, later] of [
    ['assessment', first, second],
    ['lead', first, second],
    ['assessment', third, fourth],
    ['lead', third, fourth],
    ['listing', third, fourth],
  ] as const)
    expect(later(table, 'read') - earlier(table, 'read'), table).toBeLessThan(homes / 3)
})

test('tables that were empty when they were analyzed are filled without a scan for each row', async () => {
  const tx = await groupOf(database.db, market).startTransaction().execute()
  try {
    for (const [table, fill] of [
      ['property_search', () => indexMarket(tx, market)],
      ['sale_search', () => indexSales(tx)],
    ] as const) {
      await sql`truncate ${sql.table(table)}`.execute(tx)
      await sql`analyze ${sql.table(table)}`.execute(tx)
      const blocks = async () =>
        (await sql<{ read: number }>`select pg_stat_get_xact_blocks_fetched(${table}::regclass) as read`.execute(tx))
          .rows[0]!.read
      const before = await blocks()
      await fill()
      expect((await blocks()) - before, table).toBeLessThan(10 * homes)
    }
  } finally {
    await tx.rollback().execute()
  }
})

// Last: it rewrites rows, and plans with an index alone need vacuumed ones.
test.each([700, permits])('ZIP codes of permits are filled in parts of %i', async (most) => {
  const db = groupOf(database.db, market)
  const stored = () => sql`select permit_id, property_id, zip from permit_search order by 1`.execute(db)
  const before = await stored()
  await sql`update permit_search set property_id = null, zip = null`.execute(db)
  await indexHomesInParts(db, market, most)
  expect((await stored()).rows).toEqual(before.rows)
})

test('a count that reached a small cap is not taken for few matches: not all are sorted', async () => {
  await sql`update property_search set overlays_yes = '{floodZone}'`.execute(groupOf(database.db, market))
  await database.pool.query('vacuum analyze property_search')
  const bulk = { countTo: 10, hiddenSources: [] }
  for (const id of ['list_sales', 'list_market_signals'])
    for (const scans of await scansDuring(() => ask(id, { market, require: ['floodZone'] }, bulk)))
      expect(rowsRead(scans), JSON.stringify(scans, null, 1)).toBeLessThan(homes / 3)
})
