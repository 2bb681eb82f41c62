import { beforeEach, expect, test } from 'vitest'
import { marketRebuilds } from '../../../src/store/assessments/market-facts.ts'
import { pastSales } from '../../../src/store/assessments/past-sales.ts'
import { sql } from '../../../src/store/engine/database.ts'
import { doubtfulDemolitions } from '../../../src/store/permits/doubtful-demolitions.ts'
import { ingest, parcelRow, permitRow, type Row, saleRow } from '../../ingest/feed.ts'
import { useDatabaseWithQueue } from '../../setup/database.ts'
import { emptyTables } from '../../setup/rows.ts'

const store = useDatabaseWithQueue()
beforeEach(async () => {
  await emptyTables(store().db, 'source', 'property', 'event', 'touched_property')
})

const lots = 30
const lot = (at: number) => ({ apn: `123-45-${100 + at}`, address: `${at + 1} Oak St` })
const demolition = (at: number, given: Row = {}) =>
  permitRow({
    permitId: `D-${at}`,
    ...lot(at),
    projectType: 'DEMOLITION',
    description: 'Demo',
    issuedOn: '2012-06-01',
    ...given,
  })
const newHouse = (at: number, given: Row = {}) =>
  permitRow({
    permitId: `N-${at}`,
    ...lot(at),
    projectType: 'SFD',
    description: 'New SFD',
    issuedOn: '2012-08-01',
    ...given,
  })
const rows = (make: (at: number) => Row, from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => make(from + at))
/** Late enough that a new house could have followed. */
const later = newHouse(900, { issuedOn: '2018-01-01' })

const load = async (permits: Row[]) => {
  await ingest(
    store(),
    'parcels',
    rows((at) => parcelRow({ ...lot(at), lat: 37.44, lng: -122.14 }), 0, lots + 10),
  )
  await ingest(store(), 'permits', permits)
}
const doubtful = async () => {
  const { rows: found } = await sql<{ permitId: string }>`
    select permit_id from (${doubtfulDemolitions('sf-peninsula')}) d order by permit_id`.execute(store().db)
  return found.map(({ permitId }) => permitId)
}

test('a bare demolition without a new house is doubtful if few bare demolitions are followed by one', async () => {
  await load([...rows(demolition, 0, lots), ...rows(newHouse, 0, 12), later])
  expect(await doubtful()).toEqual(rows(demolition, 12, lots).map(({ permitId }) => permitId))
})

test('if nearly all bare demolitions are followed by a new house, none is doubtful', async () => {
  await load([...rows(demolition, 0, lots), ...rows(newHouse, 0, 27), later])
  expect(await doubtful()).toEqual([])
})

test.each([
  ['a demolition that names the house', [demolition(lots, { description: 'Demolish existing residence' })], 18],
  ['a demolition at the end of the data', [], 0],
])('%s is not doubtful', async (name, more, doubted) => {
  const base = [...rows(demolition, 0, lots), ...rows(newHouse, 0, 12), ...more]
  await load(name.startsWith('a demolition that') ? [...base, later] : base)
  const found = await doubtful()
  expect(found).not.toContain(`D-${lots}`)
  expect(found.length).toBe(doubted)
})

test('in a city that records hardly any new houses, no demolition is doubtful', async () => {
  await load([...rows(demolition, 0, lots), ...rows(newHouse, 0, 3), later])
  expect(await doubtful()).toEqual([])
})

test('a doubtful demolition is stored as a permit but not used to fit models', async () => {
  await load([...rows(demolition, 0, lots), ...rows(newHouse, 0, 12), later])
  await ingest(
    store(),
    'sales',
    [0, 20].map((at) => saleRow({ saleId: `S${at}`, address: lot(at).address, soldOn: '2012-01-10' })),
  )
  const sales = await pastSales(store().db, 'sf-peninsula', { from: '2000-01-01', until: '2100-01-01' }, 100)
  expect(sales.map(({ saleId, demolishedOn }) => [saleId, demolishedOn])).toEqual([
    ['test-sales:S0', '2012-06-01'],
    ['test-sales:S20', undefined],
  ])
  const rebuilds = await marketRebuilds(store().db, 'sf-peninsula', { from: '2000-01-01', until: '2100-01-01' })
  expect(rebuilds.filter(({ permitClass }) => permitClass === 'whole_house_demolition').length).toBe(12)
  const { rows: held } = await sql<{ permitClass: string }>`
    select permit_class from permit where permit_id = 'D-20'`.execute(store().db)
  expect(held).toEqual([{ permitClass: 'whole_house_demolition' }])
})
