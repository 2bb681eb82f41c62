// The facts of a house: from the listing or sale, otherwise from the parcel roll.

import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { factsOf } from '../../src/assess/subject-facts.ts'
import { tableOf } from '../../src/common/typed.ts'
import { type FactName, factNames, factTable, homeFactNames, lotFactNames } from '../../src/domain/fact-table.ts'
import { parcelWithHome } from '../../src/domain/home-facts.ts'
import { checker } from '../../src/ingest/check.ts'
import { readSales } from '../../src/intelligence/valuation/sale-columns.ts'
import { attributeAt, type ValuationSale } from '../../src/intelligence/valuation/valuation-facts.ts'
import { marketSales } from '../../src/store/assessments/market-facts.ts'
import { pastSales } from '../../src/store/assessments/past-sales.ts'
import { subjectsIn } from '../../src/store/assessments/subjects.ts'
import { coverage } from '../../src/store/ingest/coverage.ts'
import { currentListing, propertyById } from '../../src/store/properties/properties.ts'
import { marketRents } from '../../src/store/properties/rents.ts'
import { filledFields } from '../../src/store/search/filled.ts'
import { PropertyFacts } from '../../src/wire/property.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { config, ingest, listingRow, parcelRow, saleRow, today } from './feed.ts'

const store = useDatabaseWithQueue()
const market = 'sf-peninsula'

test('the stories of a listing or sale are used for its home, otherwise those of the parcel roll', async () => {
  const { db } = store()
  const homes = [
    { apn: '111-11-111', address: '1 Oak St' },
    { apn: '222-22-222', address: '2 Oak St', storeys: 1 },
    { apn: '333-33-333', address: '3 Oak St', storeys: 1 },
  ]
  await ingest(store(), 'parcels', homes.map(parcelRow))
  await ingest(store(), 'listings', [
    listingRow({ ...homes[0], listingId: 'L1', storeys: 2 }),
    listingRow({ ...homes[1], listingId: 'L2', storeys: undefined }),
    listingRow({ ...homes[2], listingId: 'L3', storeys: 900 }),
  ])
  await ingest(store(), 'sales', [
    saleRow({ ...homes[0], saleId: 'S1', storeys: 1.5 }),
    saleRow({ ...homes[1], saleId: 'S2', storeys: undefined }),
  ])
  const subjects = (await subjectsIn(db, market, { afterId: '' })).map(factsOf)
  expect(Object.fromEntries(subjects.map(({ address, stories }) => [address, stories]))).toEqual({
    '1 Oak St': 2,
    '2 Oak St': 1,
    '3 Oak St': 1,
  })
  expect(
    (await marketSales(db, market, { from: '2000-01-01', until: '2100-01-01' })).map(({ stories }) => stories),
  ).toEqual([1.5, 1])
  // A past offer does not fall back to the roll, which describes the house of today.
  expect(
    (await pastSales(db, market, { from: '2000-01-01', until: '2100-01-01' }, 10)).map(({ stories }) => stories),
  ).toEqual([1.5, undefined])
})

test('rents are loaded by ZIP code or county; the same feed again changes nothing, and other places are rejected', async () => {
  const { db } = store()
  const rent = { zip: '94301', bedrooms: 2, amountUsd: 3_800, asOf: '2026-10-01' }
  const rows = [
    { ...rent, rentId: 'R1' },
    { ...rent, rentId: 'R2', bedrooms: 0, amountUsd: '2,400' },
    { county: 'San Mateo County', bedrooms: 2, amountUsd: 3_900, asOf: '2026-10-01', statistic: 'fair_market' },
    { ...rent, rentId: 'R3', zip: '10001' },
    { ...rent, rentId: 'R4', asOf: '2027-06-01' },
  ]
  const load = (given = rows) => ingest(store(), 'rents', given, { market, complete: true })
  expect((await load()).counts).toMatchObject({ read: 5, rejected: 2, inserted: 3 })
  expect((await load()).counts).toMatchObject({ changed: 0 })
  const changed = [{ ...rows[0]!, amountUsd: 3_900 }, ...rows.slice(2)]
  expect(await load(changed)).toMatchObject({ counts: { inserted: 0, changed: 1 }, removed: 1 })
  expect(await marketRents(db, market)).toMatchObject([
    { zip: '94301', amountUsd: 3_900, statistic: 'rent' },
    {
      county: 'San Mateo',
      bedrooms: 2,
      amountUsd: 3_900,
      statistic: 'fair_market',
      sourceTitle: 'Test rents',
      sample: false,
    },
  ])
  const held = (await coverage(db, new Date('2026-11-15'))).filter(({ dataset }) => dataset === 'rents')
  expect(held).toMatchObject([
    { city: 'Palo Alto', rows: 2, gone: 1, newestRecord: '2026-10-01' },
    { city: 'San Mateo County', rows: 1, newestRecord: '2026-10-01' },
  ])
})

test.each([
  ['nantucket', '2554', '02554', 'Nantucket'],
  ['nantucket', '2554.0', '02554', 'Nantucket'],
  ['nantucket', '9402', undefined, undefined],
  ['sf-peninsula', '9402', undefined, undefined],
  ['sf-peninsula', '94301.0', '94301', 'Palo Alto'],
] as const)('in %s, the ZIP code %s is %s', (market, zip, expected, city) => {
  const { check } = checker(config('parcels', { market }), today)
  const { city: _, ...row } = parcelRow({ zip })
  expect(check({ number: 1, fields: { ...row, city: 'Elsewhere' } }).staged?.zip).toBe(expected)
  // It also gives the city of a row without one.
  expect(check({ number: 2, fields: row }).staged?.city).toBe(city)
})

test('quality, condition, view, waterfront, garage and basement reach the store, the model and /v1/fields; 0 is a value', async () => {
  const { db } = store()
  const facts = { quality: 54, condition: 60, view: 0, waterfront: 'no', garageSqft: 0, basementSqft: 500, stories: 2 }
  const home = { apn: '444-44-444', address: '4 Oak St' }
  await ingest(store(), 'parcels', [parcelRow({ ...home, ...facts })])
  await ingest(store(), 'listings', [listingRow({ ...home, listingId: 'L4', quality: 70, waterfront: 'yes' })])
  await ingest(store(), 'sales', [saleRow({ ...home, saleId: 'S4', view: 75, quality: 900 })])
  const known = ['quality', 'condition', 'view', 'waterfront', 'garageSqft', 'basementSqft', 'stories'] as const
  const only = (row: object | undefined) => Object.fromEntries(known.map((name) => [name, (row as never)?.[name]]))
  const subject = (await subjectsIn(db, market, { afterId: '' })).find(({ address }) => address === home.address)!
  expect(only(factsOf(subject))).toEqual({
    ...{ quality: 70, condition: 60, view: 0, waterfront: true, garageSqft: 0, basementSqft: 500, stories: 2 },
  })
  const sale = (await marketSales(db, market, { from: '2000-01-01', until: '2100-01-01' })).find(({ saleId }) =>
    saleId.endsWith('S4'),
  )!
  expect(only(sale)).toEqual({
    ...{ quality: 54, condition: 60, view: 75, waterfront: false, garageSqft: 0, basementSqft: 500, stories: 2 },
  })
  const columns = readSales(
    [{ ...(sale as ValuationSale), livingSqft: 1500, lat: 37.4, lng: -122.1 }],
    '2030-01-01',
  ).attributes
  expect(columns[attributeAt.view]).toBe(75)
  expect(columns[attributeAt.waterfront]).toBe(0)
  // The source of the sale feed is read again with one row, which has a view and no valid quality.
  const filled = await filledFields(db, 'sales')
  expect([filled.rows, filled.view, filled.quality]).toEqual([1, 1, undefined])
})

test('every fact of the table is read from a feed of parcels, listings and sales, stored, and served as a fact of the home', async () => {
  const { db } = store()
  const value = (name: FactName, at: number) => {
    const { type, range } = factTable[name]
    if (type === 'propertyType') return 'condo'
    if (type === 'text') return 'R-1'
    if (type === 'boolean') return true
    return range ? Math.ceil(range[0]) + at : 1960 + at
  }
  const given = (names: readonly FactName[], at: number) => tableOf(names, (name) => value(name, at))
  const fed = (names: readonly FactName[], at: number) =>
    tableOf(names, (name) => (factTable[name].type === 'boolean' ? 'yes' : (value(name, at) as string | number)))
  const home = { apn: '555-55-555', address: '5 Oak St' }
  await ingest(store(), 'parcels', [parcelRow({ ...home, ...fed(factNames, 1) })])
  await ingest(store(), 'listings', [listingRow({ ...home, listingId: 'L5', ...fed(homeFactNames, 2) })])
  await ingest(store(), 'sales', [saleRow({ ...home, saleId: 'S5', ...fed(homeFactNames, 3) })])
  const subject = (await subjectsIn(db, market, { afterId: '' })).find(({ address }) => address === home.address)!
  const expected = { ...given(lotFactNames, 1), ...given(homeFactNames, 2), lotSqft: value('lotSqft', 1) }
  expect(factsOf(subject)).toMatchObject(expected)
  for (const sales of [
    await marketSales(db, market, { from: '2000-01-01', until: '2100-01-01' }),
    await pastSales(db, market, { from: '2000-01-01', until: '2100-01-01' }, 10),
  ]) {
    const sale = sales.find(({ saleId }) => saleId.endsWith('S5'))
    expect(sale).toMatchObject({ ...given(homeFactNames, 3), lotSqft: value('lotSqft', 1) })
  }
  const property = (await propertyById(db, subject.id))!
  const served = parcelWithHome(property, await currentListing(db, subject.id))
  expect(Value.Clean(PropertyFacts, { ...served })).toMatchObject(expected)
})

test.each([
  [{ Stories: 2 }, 2],
  [{ StoriesTotal: 20 }, undefined],
  [{}, undefined],
])('a RESO server’s %j gives %s stories', (given, storeys) => {
  const { check } = checker(config('listings', { kind: 'reso', sameNames: false }), today)
  const fields = {
    ListingKey: 'L1',
    StandardStatus: 'Active',
    City: 'Palo Alto',
    UnparsedAddress: '1 Oak St',
    ...given,
  }
  expect(check({ number: 1, fields }).staged?.stories).toBe(storeys)
})
