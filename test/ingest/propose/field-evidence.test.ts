import { expect, test } from 'vitest'
import type { Dataset } from '../../../src/domain/facts.ts'
import { contradictions, misfit } from '../../../src/ingest/propose/field-evidence.ts'

/** Field, the least share that must fit, a value that fits, one that does not, and what is said of too many of them. */
const rules: readonly (readonly [string, number, string, string, string])[] = [
  ['zip', 0.5, '94301', '{"a": 1}', 'JSON'],
  ['zip', 0.9, '94301', '#REF!', 'spreadsheet errors'],
  ['remarks', 0.5, 'a sunny house near the park, with a new roof', 'AB-1', 'not sentences'],
  ['address', 1 / 3, '12 Oak St', 'Oak', 'not street addresses'],
  ['county', 0.5, 'Kern', '29', 'numbers'],
  ['city', 1, 'Palo Alto', 'palo_alto', 'codes'],
  ['county', 0.5, 'Kern', 'KE', 'codes'],
  ['city', 0.8, 'Kernville', 'Kern County', 'counties'],
  ['city', 0.5, 'Palo Alto', 'Residential', 'not city names'],
  ['propertyType', 0.5, 'Condo', '12', 'numeric codes'],
  ['zoning', 0.5, 'R-1', 'yes', 'yes or no'],
  ['zoning', 0.5, 'R-1', 'Kern Subbasin of Kern County East', 'not zoning districts'],
  ['zoning', 0.5, 'Low Density Residential of One Family', 'Kern Subbasin of Kern County East', 'not zoning districts'],
  ['status', 0.5, 'issued', '2026-01-05', 'dates'],
  ['contractor', 0.5, 'Acme', 'A1', 'not words'],
  ['description', 0.5, 'New roof', 'Lot 4 Block 2', 'legal descriptions'],
  ['description', 0.7, 'New roof', '12 Oak St', 'addresses'],
  ['contractor', 0.5, 'Acme', 'joe@acme.com', 'email'],
  ['permitId', 0.5, 'B-1', 'Fence', 'no digits'],
  ['apn', 0.5, '123-456', '1.2E+11', 'rounded'],
  ['apn', 0.5, '123-456', '123', 'too short'],
  ['sourceUrl', 1, 'https://example.com/1', 'https://example.com/1.jpg', 'not URLs'],
]

test.each(rules)('a column may be %s if %d of its values fit: %s, not %s', (field, least, good, bad, reason) => {
  const of = (fitting: number) => [...Array(fitting).fill(good), ...Array(30 - fitting).fill(bad)]
  const enough = Math.round(30 * least)
  expect(misfit(field, of(enough))).toBeUndefined()
  expect(misfit(field, of(enough - 1))).toContain(reason)
})

type Row = Readonly<Record<string, unknown>>
const day = new Date('2026-11-16T12:00:00Z')
const contradicted = (holds: Dataset, rows: readonly Row[]): string => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !/^(geometry|acres)$/.test(name))
  const fields = names.map((rule) => ({ field: { Date: 'soldOn', created: 'appliedOn' }[rule] ?? rule, rule }))
  const found = contradictions(holds, fields, rows, day, rows[0]!.acres ? rows.map(({ acres }) => acres) : undefined)
  const told = found.map(({ field, reason }) => `${field}: ${reason}`)
  return told.join('; ') || 'fits'
}
/** Of 40 and of 10 rows, how many may be the last of the given rows, where the others are the first. */
const mostWrong = (holds: Dataset, right: Row, wrong: Row): string =>
  [40, 10]
    .map((of) => {
      const file = (count: number) => Array.from({ length: of }, (_, at) => (at < count ? wrong : right))
      const first = Array.from({ length: of + 1 }, (_, count) => count).find(
        (n) => contradicted(holds, file(n)) !== 'fits',
      )
      return `${first === undefined ? 'any' : first - 1} of ${of}`
    })
    .join(', ')

/** Rows that agree at the edge of what is plausible, and the next ones, which do not. */
const related: readonly (readonly [Dataset, right: readonly Row[], wrong: readonly Row[]])[] = [
  ['parcels', [{ yearBuilt: 1950, yearRenovated: 1950 }], [{ yearBuilt: 1950, yearRenovated: 1949 }]],
  [
    'sales',
    [300, 3000].map((livingSqft) => ({ livingSqft, beds: 2 })),
    [299, 3001].map((livingSqft) => ({ livingSqft, beds: 2 })),
  ],
  [
    'sales',
    [979, 1021].map((livingSqft) => ({ livingSqft, lotSqft: 1000 })),
    [980, 1020].map((livingSqft) => ({ livingSqft, lotSqft: 1000 })),
  ],
  [
    'parcels',
    [28_750, 261_360].map((lotSqft) => ({ lotSqft, acres: '2' })),
    [28_749, 261_361].map((lotSqft) => ({ lotSqft, acres: '2' })),
  ],
  ['parcels', [{ lotSqft: 14_374, acres: 'none' }], [{ lotSqft: 14_374, acres: 1 }]],
  [
    'sales',
    [5000, 5_000_000, 100].map((priceUsd) => ({ livingSqft: 1000, priceUsd })),
    [4999, 5_000_001, 101].map((priceUsd) => ({ livingSqft: 1000, priceUsd })),
  ],
  [
    'parcels',
    [500, 2000].map((lotSqft) => ({ lotSqft, geometry: { areaSqft: 1000 } })),
    [499, 2001].map((lotSqft) => ({ lotSqft, geometry: { areaSqft: 1000 } })),
  ],
  [
    'parcels',
    [60, 600].map((lotWidthFt) => ({ lotWidthFt, lotDepthFt: 100, lotSqft: 20_000 })),
    [59.9, 600.1].map((lotWidthFt) => ({ lotWidthFt, lotDepthFt: 100, lotSqft: 20_000 })),
  ],
  ...['soldPriceUsd', 'originalPriceUsd'].map(
    (field) =>
      [
        'listings',
        [250_000, 1_000_000].map((usd) => ({ [field]: usd, priceUsd: 500_000 })),
        [249_999, 1_000_001].map((usd) => ({ [field]: usd, priceUsd: 500_000 })),
      ] as const,
  ),
  [
    'sales',
    [250_000, 1_000_000].map((listPriceUsd) => ({ listPriceUsd, priceUsd: 500_000 })),
    [249_999, 1_000_001].map((listPriceUsd) => ({ listPriceUsd, priceUsd: 500_000 })),
  ],
  ['sales', [{ beds: 2 }], [{ beds: 2.5 }]],
  ['sales', [{ baths: 2.25 }], [{ baths: 2.1 }]],
  [
    'sales',
    [
      { lng: 60, lat: 40, zip: '94301' },
      { lng: 120, lat: 15, zip: '94301' },
      { lng: 120, lat: 40 },
    ],
    [{ lng: 61, lat: 16, zip: '94301' }],
  ],
  [
    'permits',
    [
      { appliedOn: '2024-03-05', issuedOn: '2024-03-05' },
      { finaledOn: '2024-03-05', issuedOn: '2024-03-05' },
      { issuedOn: '2026-11-16' },
    ],
    [
      { appliedOn: '2024-03-06', issuedOn: '2024-03-05' },
      { finaledOn: '2024-03-04', issuedOn: '2024-03-05' },
      { issuedOn: '2026-11-17' },
    ],
  ],
  [
    'listings',
    [{ yearBuilt: 2025, soldOn: '2024-12-31' }, { pendingOn: '2026-11-16' }],
    [{ yearBuilt: 2026, soldOn: '2024-12-31' }, { pendingOn: '2026-11-17' }],
  ],
  [
    'sales',
    [
      { address: '1 Elm St', city: 'Reno' },
      { address: '1 Elm St NE', city: 'Reno' },
    ],
    [
      { address: '1 Elm St Reno', city: 'RENO' },
      { address: '1 Elm StReno', city: 'Sparks' },
      { address: '1 Elm St, TX', city: 'Reno' },
    ],
  ],
]

test('each pair of fields is compared up to its bounds, and few wrong rows are let pass', () => {
  const found = related.flatMap(([holds, right, wrong]) => [
    ...right.map((row) => `${JSON.stringify(row)}: ${contradicted(holds, Array(40).fill(row))}`),
    ...wrong.map(
      (row, at) =>
        `${JSON.stringify(row)}: ${contradicted(holds, Array(40).fill(row))}; at most ${mostWrong(holds, right[at] ?? right[0]!, row)}`,
    ),
  ])
  expect(found.join('\n').replaceAll('"', '')).toMatchInlineSnapshot(`
    "{yearBuilt:1950,yearRenovated:1950}: fits
    {yearBuilt:1950,yearRenovated:1949}: yearRenovated: it is before the year built; at most 4 of 40, 2 of 10
    {livingSqft:300,beds:2}: fits
    {livingSqft:3000,beds:2}: fits
    {livingSqft:299,beds:2}: livingSqft: the area per bedroom is implausible; at most 20 of 40, any of 10
    {livingSqft:3001,beds:2}: livingSqft: the area per bedroom is implausible; at most 20 of 40, any of 10
    {livingSqft:979,lotSqft:1000}: fits
    {livingSqft:1021,lotSqft:1000}: fits
    {livingSqft:980,lotSqft:1000}: livingSqft: it equals the lot area; at most 20 of 40, any of 10
    {livingSqft:1020,lotSqft:1000}: livingSqft: it equals the lot area; at most 20 of 40, any of 10
    {lotSqft:28750,acres:2}: fits
    {lotSqft:261360,acres:2}: fits
    {lotSqft:28749,acres:2}: lotSqft: it disagrees with the acres; at most 20 of 40, any of 10
    {lotSqft:261361,acres:2}: lotSqft: it disagrees with the acres; at most 20 of 40, any of 10
    {lotSqft:14374,acres:none}: fits
    {lotSqft:14374,acres:1}: lotSqft: it disagrees with the acres; at most 10 of 40, any of 10
    {livingSqft:1000,priceUsd:5000}: fits
    {livingSqft:1000,priceUsd:5000000}: fits
    {livingSqft:1000,priceUsd:100}: fits
    {livingSqft:1000,priceUsd:4999}: livingSqft: it does not fit the price; at most 20 of 40, any of 10
    {livingSqft:1000,priceUsd:5000001}: livingSqft: it does not fit the price; at most 20 of 40, any of 10
    {livingSqft:1000,priceUsd:101}: livingSqft: it does not fit the price; at most 10 of 40, any of 10
    {lotSqft:500,geometry:{areaSqft:1000}}: fits
    {lotSqft:2000,geometry:{areaSqft:1000}}: fits
    {lotSqft:499,geometry:{areaSqft:1000}}: lotSqft: it is not the area of the outline; at most 20 of 40, any of 10
    {lotSqft:2001,geometry:{areaSqft:1000}}: lotSqft: it is not the area of the outline; at most 20 of 40, any of 10
    {lotWidthFt:60,lotDepthFt:100,lotSqft:20000}: fits
    {lotWidthFt:600,lotDepthFt:100,lotSqft:20000}: fits
    {lotWidthFt:59.9,lotDepthFt:100,lotSqft:20000}: lotWidthFt: width × depth does not match the lot area; lotDepthFt: width × depth does not match the lot area; at most 20 of 40, any of 10
    {lotWidthFt:600.1,lotDepthFt:100,lotSqft:20000}: lotWidthFt: width × depth does not match the lot area; lotDepthFt: width × depth does not match the lot area; at most 20 of 40, any of 10
    {soldPriceUsd:250000,priceUsd:500000}: fits
    {soldPriceUsd:1000000,priceUsd:500000}: fits
    {soldPriceUsd:249999,priceUsd:500000}: soldPriceUsd: it does not fit the price; at most 12 of 40, 6 of 10
    {soldPriceUsd:1000001,priceUsd:500000}: soldPriceUsd: it does not fit the price; at most 12 of 40, 6 of 10
    {originalPriceUsd:250000,priceUsd:500000}: fits
    {originalPriceUsd:1000000,priceUsd:500000}: fits
    {originalPriceUsd:249999,priceUsd:500000}: originalPriceUsd: it does not fit the price; at most 12 of 40, 6 of 10
    {originalPriceUsd:1000001,priceUsd:500000}: originalPriceUsd: it does not fit the price; at most 12 of 40, 6 of 10
    {listPriceUsd:250000,priceUsd:500000}: fits
    {listPriceUsd:1000000,priceUsd:500000}: fits
    {listPriceUsd:249999,priceUsd:500000}: listPriceUsd: it does not fit the price; at most 12 of 40, 6 of 10
    {listPriceUsd:1000001,priceUsd:500000}: listPriceUsd: it does not fit the price; at most 12 of 40, 6 of 10
    {beds:2}: fits
    {beds:2.5}: beds: the values are not whole numbers; at most 2 of 40, 1 of 10
    {baths:2.25}: fits
    {baths:2.1}: baths: values such as 2.1 may mean two full baths and a half one; at most 2 of 40, 1 of 10
    {lng:60,lat:40,zip:94301}: fits
    {lng:120,lat:15,zip:94301}: fits
    {lng:120,lat:40}: fits
    {lng:61,lat:16,zip:94301}: lng: it lacks its minus sign; at most 20 of 40, any of 10
    {appliedOn:2024-03-05,issuedOn:2024-03-05}: fits
    {finaledOn:2024-03-05,issuedOn:2024-03-05}: fits
    {issuedOn:2026-11-16}: fits
    {appliedOn:2024-03-06,issuedOn:2024-03-05}: appliedOn: it is after the day of issue; at most 8 of 40, 4 of 10
    {finaledOn:2024-03-04,issuedOn:2024-03-05}: finaledOn: it is before the day of issue; at most 8 of 40, 4 of 10
    {issuedOn:2026-11-17}: issuedOn: many of its days are in the future; at most 2 of 40, 1 of 10
    {yearBuilt:2025,soldOn:2024-12-31}: fits
    {pendingOn:2026-11-16}: fits
    {yearBuilt:2026,soldOn:2024-12-31}: yearBuilt: it is after the sale; at most 20 of 40, any of 10
    {pendingOn:2026-11-17}: pendingOn: many of its days are in the future; at most 2 of 40, 1 of 10
    {address:1 Elm St,city:Reno}: fits
    {address:1 Elm St NE,city:Reno}: fits
    {address:1 Elm St Reno,city:RENO}: address: the address includes the city; at most 2 of 40, 1 of 10
    {address:1 Elm StReno,city:Sparks}: address: a town, state and ZIP code follow the street, but not in one form; at most 2 of 40, 1 of 10
    {address:1 Elm St, TX,city:Reno}: address: a town, state and ZIP code follow the street, but not in one form; at most 2 of 40, 1 of 10"
  `)
})

test('values that many rows share are told from facts of each row by their number', () => {
  const file = (of: number, make: (at: number) => Row) => Array.from({ length: of }, (_, at) => make(at))
  const homes = (addresses: number, points: number, unit = '') =>
    contradicted(
      'sales',
      file(addresses, (at) => ({ address: `${at} Elm St${unit}`, lat: 37 + (at % points) / 100, lng: -122.5 })),
    )
  const building = (units: number) =>
    contradicted(
      'sales',
      file(units, (at) => ({ address: `1 Elm St, Unit ${at}`, lat: 37.5, lng: -122.5 })),
    )
  const numbers = (addresses: number, different: number) =>
    contradicted(
      'sales',
      file(addresses, (at) => ({ address: `${at} Elm St`, apn: `12-34-${100 + (at % different)}` })),
    )
  const work = (contractors: number, each: number, atOne: number) =>
    contradicted(
      'permits',
      file(contractors * each, (at) => ({
        address: `${at % contractors < atOne ? at % contractors : at} Elm St`,
        contractor: `Builder ${at % contractors}`,
      })),
    )
  const days = (holds: Dataset, field: string, rows: number, different: number) =>
    contradicted(
      holds,
      file(rows, (at) => ({ [field]: `2024-03-0${1 + (at % different)}` })),
    )
  const onMarket = (rows: number, since: number) =>
    contradicted(
      'sales',
      file(rows, (at) => ({
        soldOn: `2024-03-${10 + (at % 20)}`,
        daysOnMarket: at < since ? 60 - (at % 20) : 100 + at * 3,
      })),
    )
  expect({
    points: [homes(19, 3), homes(20, 3), homes(20, 4), homes(25, 5), homes(26, 5), building(40)],
    numbers: [numbers(19, 9), numbers(20, 9), numbers(20, 10)],
    contractors: [work(4, 3, 4), work(5, 3, 5), work(5, 2, 5), work(10, 3, 7), work(10, 3, 8)],
    exports: [
      days('listings', 'listedOn', 19, 1),
      days('listings', 'listedOn', 20, 2),
      days('listings', 'listedOn', 20, 3),
      days('sales', 'soldOn', 40, 1),
      days('sales', 'Date', 40, 1),
      days('permits', 'appliedOn', 40, 1),
      days('permits', 'created', 40, 1),
    ],
    // Days that differ from row to row, of which the last given number is after the sale.
    afterSale: [8, 9].map((after) =>
      contradicted(
        'listings',
        file(40, (at) => ({
          soldOn: `2024-03-${10 + (at % 20)}`,
          listedOn: `2024-03-${10 + (at % 20) + (at < after ? 1 : 0)}`,
        })),
      ),
    ),
    sinceSale: [onMarket(40, 12), onMarket(40, 13), onMarket(10, 6), onMarket(10, 7)],
  }).toMatchInlineSnapshot(`
    {
      "afterSale": [
        "fits",
        "listedOn: it is after the day of the sale",
      ],
      "contractors": [
        "fits",
        "address: it is the contractor's address",
        "fits",
        "fits",
        "address: it is the contractor's address",
      ],
      "exports": [
        "fits",
        "listedOn: nearly all rows have the same date, probably the export date",
        "fits",
        "fits",
        "soldOn: nearly all rows have the same date, probably the export date",
        "fits",
        "appliedOn: nearly all rows have the same date, probably the export date",
      ],
      "numbers": [
        "fits",
        "apn: many addresses have the same value",
        "fits",
      ],
      "points": [
        "fits",
        "lat: many addresses have the same point",
        "fits",
        "fits",
        "lat: many addresses have the same point",
        "fits",
      ],
      "sinceSale": [
        "fits",
        "daysOnMarket: it counts the days since the sale",
        "fits",
        "daysOnMarket: it counts the days since the sale",
      ],
    }
  `)
})
