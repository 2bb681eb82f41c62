// Units, prices, numbers and kinds that the values of a row show.
import { expect, test } from 'vitest'
import type { Dataset } from '../../../src/domain/facts.ts'
import { mapper } from '../../../src/ingest/map.ts'
import { judgeKind } from '../../../src/ingest/propose/kind-evidence.ts'
import { movedColumns } from '../../../src/ingest/propose/misaligned.ts'
import { proposeMapping } from '../../../src/ingest/propose/propose-mapping.ts'
import { config } from '../feed.ts'

const rows = (make: (at: number) => Record<string, unknown>) => Array.from({ length: 40 }, (_, at) => make(at))
const offer = (at: number) => ({
  Address: `${100 + at} Birch Rd`,
  City: 'Springfield',
  Price: 310_000 + 1000 * at,
  Beds: 2 + (at % 3),
  Baths: 1 + (at % 2),
  mls_id: `M${at}`,
})
const home = (at: number) => ({ parcelid: 7_000_000 + at, yearbuilt: 1950 + at, bedroomcnt: 2 + (at % 3) })
const rulesOf = (make: (at: number) => Record<string, unknown>, holds: Dataset) =>
  Object.fromEntries(proposeMapping(rows(make), holds).fields.map(({ field, rule }) => [field, rule]))

test.each<[string, Dataset, (at: number) => Record<string, unknown>, Record<string, unknown>]>([
  [
    'each value says its unit',
    'listings',
    (at) => ({ ...offer(at), Lot: at % 2 ? `${0.2 + at / 100} acre lot` : `6,${100 + at} sqft lot` }),
    {
      lotSqft: [
        { field: 'Lot', pattern: String.raw`^[^\w.]*([\d.,]+)\s*ac`, unit: 'acres' },
        { field: 'Lot', pattern: String.raw`^[^\w.]*([\d.,]+)\s*s(?:q(?:uare|r)?[\s.]*)?f` },
      ],
    },
  ],
  [
    'a word for no value has no unit',
    'listings',
    (at) => ({
      ...offer(at),
      Lot: at % 3 === 0 ? 'No Data' : at % 2 ? `${0.2 + at / 100} acres` : `6,${100 + at} sqft`,
    }),
    {
      lotSqft: [
        { field: 'Lot', pattern: String.raw`^[^\w.]*([\d.,]+)\s*ac`, unit: 'acres' },
        { field: 'Lot', pattern: String.raw`^[^\w.]*([\d.,]+)\s*s(?:q(?:uare|r)?[\s.]*)?f` },
      ],
    },
  ],
  [
    'square feet beside a unit of acres',
    'parcels',
    (at) => ({ ...home(at), LOT_SIZE: 5000.5 + at, LOT_UNITS: 'A' }),
    { lotSqft: undefined },
  ],
  [
    "dollars of Canada, by the owners' postal codes and by metres",
    'parcels',
    (at) => ({ ...home(at), land_value: 300_000 + at, 'Mailing Address 6': `V8R ${at % 10}G2` }),
    { assessedLandUsd: undefined },
  ],
  [
    'a price beside metres',
    'listings',
    (at) => ({ ...offer(at), 'List Price': 400_000 + at, 'Flr Area Metres': 100.5 + at }),
    { priceUsd: undefined },
  ],
  [
    'the number where a house starts, its street and its apartment',
    'sales',
    (at) => ({ LocationStartNumber: 10 + at, ApartmentUnitNumber: at % 2 ? 'B' : '', StreetNameAndWay: 'ELM ST' }),
    { address: { join: ['LocationStartNumber', 'StreetNameAndWay', 'ApartmentUnitNumber'] } },
  ],
  [
    "the contractor's ZIP code",
    'permits',
    (at) => ({
      ...{ 'Permit Id': `B-${at}`, 'Property Address': `${at} Elm St`, Description: `New deck ${at}` },
      ...{ 'Cont L Name': 'ACME', 'Cont Address': '9 Oak St', 'Cont City': 'Reno', 'Cont Zip': 89_501 + at },
    }),
    { zip: undefined },
  ],
  [
    'a town in few rows, behind a comma',
    'parcels',
    (at) => ({ ...home(at), site_address: `${10 + at} Elm St${at % 8 ? '' : ', Reno, NV 89501'}` }),
    {
      address: {
        field: 'site_address',
        strip: String.raw`(?=.*\s\d{5}\S*\s*$),?\s+(RENO)(?:,?\s+[A-Za-z]{2})?(?:\s+\d{5}(?:-\d{4})?)?\s*$`,
      },
    },
  ],
  [
    'a town that is too rare for the pattern leaves the address empty',
    'parcels',
    (at) => ({
      ...home(at),
      site_address: `${10 + at} ELM ST ${at % 9 ? 'RENO' : `X${'ABCDE'[at / 9]}VIL`}, NV 89501`,
    }),
    {
      address: [
        {
          field: 'site_address',
          pattern: String.raw`^(.*?),?\s+(RENO)(?:,?\s+[A-Za-z]{2})?(?:\s+\d{5}(?:-\d{4})?)?\s*$`,
        },
        { field: 'site_address', pattern: expect.stringContaining('(?!') },
      ],
    },
  ],
  [
    'a town and its state behind the only comma',
    'parcels',
    (at) => ({ ...home(at), fullAddress: `${10 + at} ELM RD, Reno NV` }),
    {
      address: [
        {
          field: 'fullAddress',
          pattern: String.raw`^(.*?)\s*,\s*[^,\d]+?\s*,?\s+[A-Za-z]{2}(?:\s*\d{5}(?:-\d{4})?)?\s*$`,
        },
        { field: 'fullAddress', before: ',' },
      ],
      city: {
        field: 'fullAddress',
        pattern: String.raw`,\s*([^,\d]+?)\s*,?\s+[A-Za-z]{2}(?:\s*\d{5}(?:-\d{4})?)?\s*$`,
        case: 'title',
      },
    },
  ],
  [
    'millionths of a degree',
    'parcels',
    (at) => ({ ...home(at), latitude: 34_100_000 + 999 * at, longitude: -118_300_000 - 999 * at }),
    { lat: { field: 'latitude', multiply: 1e-6 }, lng: { field: 'longitude', multiply: 1e-6 } },
  ],
  [
    'projected coordinates are no degrees',
    'parcels',
    (at) => ({ ...home(at), latitude: 2_100_000 + at, longitude: 6_300_000 + at }),
    { lat: undefined, lng: undefined },
  ],
  [
    'the price of the last sale, not an estimate',
    'sales',
    (at) => ({
      ...{ Address: `${100 + at} Birch Rd`, 'Sale Amount': 240_000 + at, 'Last Sold Date': '2024-05-17' },
      'Last Sold Price': 180_000 + 500 * at,
    }),
    { soldOn: 'Last Sold Date', priceUsd: 'Last Sold Price' },
  ],
  [
    'Canadian dollars by the addresses',
    'listings',
    (at) => ({ ...offer(at), Address: `${at + 10} Maple Ave, Kelowna, V1Y 2A${at % 10}` }),
    { priceUsd: undefined },
  ],
  [
    'the day after "sold"',
    'sales',
    (at) => ({
      ...offer(at),
      mls_id: undefined,
      Badge: at % 2 ? `SOLD BY OWNER MAY ${10 + (at % 9)}, 2025` : 'Sold 05/09/2025',
    }),
    {
      soldOn: {
        field: 'Badge',
        pattern: String.raw`^(?:last )?sold\b.*?(\d{1,2}/\d{1,2}/\d{2,4}|[a-z]{3,9}\.? \d{1,2}, \d{4})`,
        date: 'mdy',
      },
      priceUsd: 'Price',
    },
  ],
  [
    'the area on a website that shows sold homes',
    'sales',
    (at) => ({
      ...offer(at),
      mls_id: undefined,
      dateSold: '5/17/2024',
      area: 1500 + 9 * at,
      detailUrl: `https://a.test/${at}`,
    }),
    { livingSqft: 'area', lotSqft: undefined },
  ],
  [
    'the type of the street by its values, and a direction that follows it',
    'parcels',
    (at) => ({
      ...{ parcelid: 7_000_000 + at, 'Street Number': 100 + at, 'Street Name': at % 2 ? 'BIRCH' : 'LAKE SHORE' },
      ...{ Type: at % 2 ? 'DR' : 'CT', Direction: at % 3 ? '' : 'W', Zip: at % 2 ? '32207-' : '32207' },
    }),
    { address: { join: ['Street Number', 'Street Name', 'Type', 'Direction'] }, zip: 'Zip' },
  ],
  [
    'Australian dollars by the postcodes',
    'sales',
    (at) => ({ datesold: '2019-03-14', postcode: 2600 + (at % 9), prices: 500_000 + at, bedrooms: 3 }),
    { soldOn: 'datesold', priceUsd: undefined },
  ],
  [
    'prices in the plural, types that are for sale',
    'listings',
    (at) => ({
      ...offer(at),
      Price: undefined,
      prices: 310_000 + at,
      home_type: at % 2 ? 'House for sale' : 'Condo for sale',
    }),
    { priceUsd: 'prices', propertyType: 'home_type' },
  ],
  [
    'the district in a table of its own',
    'parcels',
    (at) => ({ ...home(at), zoning: { zone_code: `R-${1 + (at % 3)}`, uses: ['homes'], far: 0.4 } }),
    { zoning: 'zoning.zone_code' },
  ],
  [
    'permits by their ids',
    'permits',
    (at) => ({ ID: 184_000 + 7 * at, PermitType: at % 2 ? 'ROOF' : 'DECK' }),
    { permitId: 'ID' },
  ],
  [
    'neighborhoods are no addresses, names of complexes no types',
    'listings',
    (at) => ({
      ...{ ...offer(at), Address: undefined, name: at % 2 ? 'Cedar Apartments' : 'Lake Townhomes' },
      LOCATION: `OAK${1 + (at % 4)} - Oak Hills ${1 + (at % 4)}`,
    }),
    { address: undefined, propertyType: undefined },
  ],
])('%s', (_, holds, make, expected) => {
  const rules = rulesOf(make, holds)
  expect(Object.fromEntries(Object.keys(expected).map((field) => [field, rules[field]]))).toEqual(expected)
})

test.each<[string, (at: number) => Record<string, unknown>]>([
  ['it has only parcel numbers', (at) => ({ PARCEL_ID: `10-${at}`, ratio: 0.9 + at / 100 })],
  [
    'the column Winning Bid shows what happened to a parcel, not what it is',
    (at) => ({
      PARCEL_ID: `10-${at}`,
      ZONING: 'R-1',
      assess_val: 9000,
      'Winning Bid': 500 + at,
      Address: `${at} Elm St`,
    }),
  ],
  [
    'the column Status shows homes for rent',
    (at) => ({ Status: at % 4 ? 'Rented' : 'Available', Address: `${at} Elm St`, Bedrooms: 2, Units: 1 + at }),
  ],
])('parcels are doubted: %s', (doubt, make) => {
  const all = rows(make)
  expect(judgeKind(proposeMapping(all, 'parcels'), all).doubts).toContain(doubt)
})

test('offers whose prices cannot be read are doubted', () => {
  const all = rows((at) => ({ ...offer(at), mls_id: undefined, Price: `Contact us about ${at}` }))
  expect(judgeKind(proposeMapping(all, 'listings'), all).doubts).toContain('its prices cannot be read')
})

test('homes that were sold without a day are no offers', () => {
  const all = rows((at) => ({ ...offer(at), Badge: 'SOLD BY OWNER' }))
  expect(judgeKind(proposeMapping(all, 'listings'), all).doubts).toContain(
    'the column Badge says that the homes are sold',
  )
})

test("owners' streets and numbers may differ from row to row", () => {
  const owner = (at: number) =>
    at % 2 ? { OWNER_NUM: 'PO Box', OWNER_ST: 940 + at } : { OWNER_NUM: 10 + at, OWNER_ST: 'Elm' }
  expect(movedColumns(rows((at) => ({ SITE_NBR: 10 + at, ...owner(at) })))).toBeUndefined()
})

test.each<[string, string, (number | undefined)[]]>([
  ['.25 Acre', '6,100 SQ. FT. lot', [10_890, 6100]],
  ['~ 1.5 ac', '6,100 square feet', [65_340, 6100]],
  ['.25 Acre', '6,100 SF', [10_890, 6100]],
  ['0.25 acres', '501 sq m', [undefined, undefined]],
])('the areas %s and %s', (odd, even, expected) => {
  const given = rows((at) => ({ ...offer(at), Lot: at % 2 ? odd : even }))
  const fields = Object.fromEntries(proposeMapping(given, 'listings').fields.map(({ field, rule }) => [field, rule]))
  const read = mapper(config('listings', { sameNames: false, fields }))
  expect([given[1]!, given[0]!].map((row) => read(row).values.lotSqft)).toEqual(expected)
})
