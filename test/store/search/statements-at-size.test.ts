import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillMarket, market, now, places } from '../../../bench/market-data.ts'
import type { Context } from '../../../src/operations/context.ts'
import { implementations } from '../../../src/operations/list.ts'
import { type Database, openDatabase } from '../../../src/store/engine/database.ts'
import { plans } from '../../../src/wire/plans.ts'
import { newDatabase } from '../../setup/database.ts'

// A statement that reads a whole table here reads two million rows in a large market. Plans follow from shares, which are those of the
// large market, so a few thousand rows show them.
const homes = 3_000
const permits = 3_000

let database: Database
beforeAll(async () => {
  const address = await newDatabase()
  await fillMarket(address, { homes, permits })
  database = openDatabase({ ...address, statementTimeoutMs: 0 })
}, 120_000)
afterAll(() => database?.close())

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The scans of each statement that an operation sends. */
const scansOf = async (id: string, input: object): Promise<PlanNode[][]> => {
  const sent: { text: string; values: unknown[] }[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: [{ text?: string; values?: unknown[] }, unknown[]]) {
    const [asked, values] = given
    sent.push({ text: asked.text ?? String(asked), values: asked.values ?? (Array.isArray(values) ? values : []) })
    return query.apply(this, given as never)
  } as never
  const caller = { plan: 'pro', limits: plans.pro, client: 'test', remaining: 1, windowResetsInSeconds: 60 } as const
  const call = { db: database.db, caller, now, publicUrl: 'http://localhost' } as unknown as Context
  try {
    await implementations.find(({ operation }) => operation.name === id)!.run(call, { limit: 25, ...input })
  } finally {
    pg.Client.prototype.query = query
  }
  const found: PlanNode[][] = []
  for (const { text, values } of sent.filter((each) => /^\s*(with|select)/.test(each.text))) {
    const { rows } = await database.pool.query(`explain (analyze, format json) ${text}`, values as never)
    const scans = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name']?.match(large))
    if (scans.length > 0) found.push(scans)
  }
  return found
}

const large = /^(property|listing|assessment|lead|sale|permit)(_search)?$/

const rowsRead = (scans: readonly PlanNode[]) =>
  scans.reduce(
    (sum, node) => sum + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
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
  'permits by date of application': () => ['search_permits', { market, appliedFrom: '2026-11-01' }],
  'parcels of a year': () => search({ minYearBuilt: 2021 }),
  'old parcels': () => search({ maxYearBuilt: 1906 }),
  'parcels by living area': () => search({ minSqft: 3_270 }),
  'parcels by teardown score': () => search({ minTeardownScore: 85 }),
  'near misses': () => search({ minYearBuilt: 2021 }, ['nearMisses']),
  'near misses of two bounds': () => search({ minYearBuilt: 2021, minLotSize: 11_500 }, ['nearMisses']),
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

test('permit timelines read every permit once, and builders and coverage, from an index alone', async () => {
  const indexes = async (id: string, input: object) =>
    (await scansOf(id, input)).flat().filter((node) => node['Actual Rows'] * node['Actual Loops'] >= permits / 2)
  for (const groupBy of [[], ['city'], ['city', 'permitClass', 'year']])
    expect(await indexes('get_permit_timelines', { market, groupBy })).toMatchObject([
      { 'Node Type': 'Index Only Scan', 'Index Name': 'permit_search_timeline' },
    ])
  expect(await indexes('list_builders', { market })).toMatchObject([
    { 'Node Type': 'Index Only Scan', 'Index Name': 'permit_search_by_builder' },
  ])
  expect(await indexes('get_coverage', {})).toMatchObject([
    { 'Node Type': 'Index Only Scan', 'Index Name': 'property_overlays' },
  ])
})
