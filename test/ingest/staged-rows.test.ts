// What a row of each data set becomes, as a whole: the staged row, or why it is rejected, and which values are left out.
import { expect, test } from 'vitest'
import type { Dataset } from '../../src/domain/facts.ts'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { checker } from '../../src/ingest/check.ts'
import { config, today } from './feed.ts'

const lot = { apn: '123-45-678', city: 'Palo Alto', address: '10 Oak St' }
const place = {
  ...{ market: 'sf-peninsula', state: 'CA', city: 'Palo Alto', citySlug: 'palo-alto', county: 'Santa Clara' },
  ...{ apn: '123-45-678', apnKey: 'ca:santa-clara:12345678', address: '10 Oak St', addressKey: '10 OAK ST' },
}
const parcel = { ...place, id: 'p_0011tbj21mm5038j2wp', sourceRecordId: '123-45-678', overlays: {} }
const island = {
  ...{ market: 'nantucket', state: 'MA', county: 'Nantucket', apn: '1', apnKey: 'ma:nantucket:1' },
  ...{ address: 'Parcel 1', addressKey: 'PARCEL 1', id: 'p_002e8g3zv2rdgtxss0y', sourceRecordId: '1', overlays: {} },
}
const permit = { ...place, permitId: 'P', status: 'unknown', permitClass: 'other', classWords: [] }
const square = (west: number, south: number, size: number) => [
  [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ],
]
const shapes = [square(-122.15, 37.4375, 0.125), square(-122.25, 37.5, 0.0625)]

type Outcome = { staged?: object; rejected?: object; city?: string; left?: object }
const rejected = (code: string, recordId?: string, city?: string): Outcome => ({
  rejected: { code, reason: expect.any(String), ...(recordId && { recordId }) },
  ...(city && { city }),
})

test.each<[Dataset, Partial<SourceConfig>, object, Outcome]>([
  [
    'parcels',
    {},
    { ...lot, outline: JSON.stringify({ type: 'MultiPolygon', coordinates: shapes }) },
    { staged: { ...parcel, outline: JSON.stringify(shapes), bounds: '((-122.025,37.5625),(-122.25,37.4375))' } },
  ],
  [
    'parcels',
    {},
    { ...lot, zip: '94301-1234', modifiedAt: '2026-11-01', lat: 37.44, lng: -122.15 },
    { staged: { ...parcel, zip: '94301', modifiedAt: '2026-11-01', datedOn: '2026-11-01', lat: 37.44, lng: -122.15 } },
  ],
  // A house has a home; a lot without one may have none.
  ['parcels', {}, { ...lot, units: 0, yearBuilt: 1950 }, { staged: { ...parcel, yearBuilt: 1950 } }],
  ['parcels', {}, { ...lot, units: 0 }, { staged: { ...parcel, units: 0 } }],
  // California has no ZIP code that begins with 0, and no county changes a row in the future.
  [
    'parcels',
    {},
    { ...lot, zip: '2554', modifiedAt: '2030-11-01' },
    { staged: { ...parcel, modifiedAt: '2030-11-01' } },
  ],
  [
    'parcels',
    {},
    { apn: '1', city: 'Nantucket', zip: '2554.0', lat: 41.28, lng: -70.1 },
    { staged: { ...island, city: 'Nantucket', citySlug: 'nantucket', zip: '02554', lat: 41.28, lng: -70.1 } },
  ],
  [
    'parcels',
    {},
    { city: 'Palo Alto', address: '10 Oak St' },
    {
      staged: {
        ...parcel,
        ...{ apn: undefined, apnKey: undefined, id: 'p_001c6myg5d2j0sbvq28', sourceRecordId: '10 OAK ST' },
      },
    },
  ],
  ['parcels', {}, { city: 'Palo Alto' }, rejected('no_identity', undefined, 'Palo Alto')],
  // A market in several counties does not say in which one an unlisted town lies; a market in one county does, unless the row lies elsewhere.
  ...(
    [
      ['sf-peninsula', { city: 'Sacramento' }],
      ['nantucket', { city: 'Elsewhere', zip: '94301' }],
    ] as const
  ).map(
    ([market, row]) =>
      ['parcels', { market }, { apn: '1', ...row }, rejected('no_county', '1', row.city)] as [
        'parcels',
        object,
        object,
        Outcome,
      ],
  ),
  [
    'parcels',
    { market: 'nantucket' },
    { apn: '1', city: 'Elsewhere', lat: 41.28, lng: -70.1 },
    { staged: { ...island, city: 'Elsewhere', citySlug: 'elsewhere', lat: 41.28, lng: -70.1 } },
  ],
  ['parcels', { market: 'sf-peninsula' }, { apn: '1', city: 'Nantucket' }, rejected('other_market', '1', 'Nantucket')],
  [
    'parcels',
    { market: 'sf-peninsula' },
    { apn: '1', city: 'Elsewhere', county: 'San Mateo', lat: 41, lng: -122.15 },
    {
      rejected: {
        code: 'outside_market',
        reason:
          'the point 41.0000, -122.1500 is about 240 miles from San Francisco Peninsula (37.329 to 37.709, -122.522 to -122.043); check "market" and the coordinates',
        recordId: '1',
      },
      city: 'Elsewhere',
    },
  ],
  ...(
    [
      [{ lat: 0, lng: 0 }, 'not a valid location'],
      [{ lat: 91, lng: 0 }, 'not a valid location'],
      [{ lat: 37.44, lng: 181 }, 'not a valid location'],
      [{ lat: 37.44 }, 'not a valid location'],
      [{ lng: -122 }, 'not a valid location'],
      [{ lat: 90, lng: 180 }, 'outside the market of the city'],
      [{ lat: 0, lng: -122 }, 'outside the market of the city'],
      [{ lat: 38, lng: -122.15 }, 'not in or near Palo Alto'],
    ] as const
  ).map(
    ([at, reason]) =>
      ['parcels', {}, { ...lot, ...at }, { staged: parcel, left: { [`lat, lng: ${reason}`]: 1 } }] as [
        'parcels',
        object,
        object,
        Outcome,
      ],
  ),
  [
    'parcels',
    {},
    { ...lot, address: 'PO Box 12', sourceUrl: 'ftp://x' },
    {
      staged: { ...parcel, address: 'Parcel 123-45-678', addressKey: 'PARCEL 123-45-678' },
      left: { 'address: has no street name': 1 },
    },
  ],
  ['parcels', {}, { ...lot, sourceUrl: 'https://x.test/1' }, { staged: { ...parcel, sourceUrl: 'https://x.test/1' } }],
  [
    'listings',
    {},
    {
      ...{ ...lot, listingId: 'L', status: 'Active', priceUsd: 0, soldPriceUsd: 10_000_000_001 },
      ...{
        listedOn: '2027-11-15',
        soldOn: '2026-11-16',
        photoUrls: 'https://a.test/1|ftp://b',
        propertyType: 'castle',
      },
    },
    {
      staged: {
        ...{ ...place, listingId: 'L', id: 'p_0011tbj21mm5038j2wp', status: 'active', rawStatus: 'Active' },
        ...{ listedOn: '2027-11-15', soldOn: '2026-11-16', photoUrls: ['https://a.test/1'] },
      },
      left: { 'soldPriceUsd: not between 1 and 10000000000': 1, 'propertyType: not recognized': 1 },
    },
  ],
  ['listings', {}, { city: 'Palo Alto', status: 'odd' }, rejected('unknown_status', undefined, 'Palo Alto')],
  ['listings', {}, { city: 'Palo Alto', status: 'active' }, rejected('no_address', undefined, 'Palo Alto')],
  ['listings', {}, { ...lot, listingId: 'L' }, rejected('no_status', 'L', 'Palo Alto')],
  [
    'sales',
    {},
    { ...lot, soldOn: '2026-11-16', priceUsd: 1_000_000, daysOnMarket: 0 },
    {
      staged: {
        ...{ ...place, saleId: 'palo-alto 10 OAK ST 2026-11-16', soldOn: '2026-11-16' },
        ...{ priceUsd: 1_000_000, daysOnMarket: 0 },
      },
    },
  ],
  ['sales', {}, { ...lot, soldOn: '2026-11-17', priceUsd: 1 }, rejected('future_sold_on', undefined, 'Palo Alto')],
  ['sales', {}, { ...lot, saleId: 'S', soldOn: '1850-01-01' }, rejected('invalid_sold_on', 'S', 'Palo Alto')],
  ['sales', {}, { ...lot, soldOn: '2026-01-02', priceUsd: 'x' }, rejected('invalid_price_usd', undefined, 'Palo Alto')],
  ['sales', {}, { city: 'Palo Alto', soldOn: '2026-01-02' }, rejected('no_sale_id', undefined, 'Palo Alto')],
  [
    'permits',
    {},
    {
      ...{ ...lot, permitId: 'P', description: 'New single family residence', valuation: '1', sqft: 2000 },
      ...{ units: 0, status: 'foo' },
    },
    {
      staged: {
        ...{ ...permit, description: 'New single family residence', rawValuation: '1', sqft: 2000 },
        ...{ units: 0, rawStatus: 'foo', permitClass: 'new_house', classWords: ['new', 'single family'] },
      },
      left: { 'status: "foo" is not recognized': 1, 'valuation: the amount is a placeholder': 1 },
    },
  ],
  [
    'permits',
    {},
    {
      ...{ ...lot, permitId: 'P', valuation: '$0.00', permitClass: 'other', issuedOn: '2026-11-17' },
      ...{ contractor: 'ABC Builders, Inc.', contractorLicense: 'CA 12345' },
    },
    {
      staged: {
        ...{ ...permit, rawValuation: '$0.00', contractor: 'ABC Builders, Inc.' },
        ...{ contractorKey: 'ABC BUILDERS', contractorLicense: 'CA12345' },
      },
      left: { 'issuedOn: not between 1850 and 2026-11-16': 1 },
    },
  ],
  [
    'rents',
    { market: 'sf-peninsula' },
    { zip: '94301', bedrooms: 0, amountUsd: 100, asOf: '2026-10-01', statistic: 'RENT' },
    {
      staged: {
        ...{ market: 'sf-peninsula', city: 'Palo Alto', citySlug: 'palo-alto', zip: '94301', bedrooms: 0 },
        ...{ rentId: '94301 0 2026-10-01 rent', amountUsd: 100, asOf: '2026-10-01', statistic: 'rent' },
      },
    },
  ],
  [
    'rents',
    { market: 'sf-peninsula' },
    { county: 'San Mateo County', bedrooms: 20, amountUsd: 100_000, asOf: '2026-10-01' },
    {
      staged: {
        ...{ market: 'sf-peninsula', city: 'San Mateo County', citySlug: 'san-mateo-county', county: 'San Mateo' },
        ...{ rentId: 'San Mateo 20 2026-10-01 rent', bedrooms: 20, amountUsd: 100_000, asOf: '2026-10-01' },
        statistic: 'rent',
      },
    },
  ],
  ...(
    [
      ['outside_market', { zip: '02554' }],
      ['no_place', {}],
      ['invalid_bedrooms', { zip: '94301', bedrooms: 21 }],
      ['no_bedrooms', { zip: '94301', bedrooms: undefined }],
      ['invalid_amount_usd', { zip: '94301', amountUsd: 99 }],
      ['unknown_statistic', { zip: '94301', statistic: 'mean' }],
    ] as const
  ).map(
    ([code, row]) =>
      [
        'rents',
        { market: 'sf-peninsula' },
        { bedrooms: 1, amountUsd: 4000, asOf: '2026-10-01', ...row },
        rejected(code),
      ] as ['rents', object, object, Outcome],
  ),
  ['parcels', { market: 'sf-peninsula' }, { apn: '1', address: '10 Oak St' }, rejected('no_city', '1')],
  ['rents', {}, { zip: '94301', bedrooms: 1, amountUsd: 4000, asOf: '2026-10-01' }, rejected('unknown_market')],
])('a row of %s with %o: %o', (holds, given, row, wanted) => {
  const { check, leftOut } = checker(config(holds, given), today)
  const { staged, ...refused } = check({ number: 7, fields: row as Record<string, unknown> })
  const { n, raw, ...rest } = staged ?? {}
  expect({ ...(staged && { staged: rest }), ...refused, left: Object.fromEntries(leftOut) }).toEqual({
    left: {},
    ...wanted,
  })
  // The outline has a table of its own.
  if (staged) expect([n, raw]).toEqual([7, { ...row, outline: undefined }])
})
