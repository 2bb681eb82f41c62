import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Dataset } from '../../../src/domain/facts.ts'
import type { SourceConfig } from '../../../src/domain/packs/source-config.ts'
import { mapper } from '../../../src/ingest/map.ts'
import { newSource, type UnsureKind } from '../../../src/ingest/new-source.ts'
import { headerShift, movedColumns } from '../../../src/ingest/propose/misaligned.ts'
import { type ProposedMapping, proposeMapping } from '../../../src/ingest/propose/propose-mapping.ts'
import { readDate } from '../../../src/ingest/values.ts'
import { defaultFields } from '../../../src/sources/kinds.ts'
import { config, today } from '../feed.ts'

const rows = (make: (at: number) => Record<string, unknown>) => Array.from({ length: 40 }, (_, at) => make(at))
const ruleOf = ({ fields }: ProposedMapping, name: string) => fields.find(({ field }) => field === name)?.rule
const whyNot = ({ unclear }: ProposedMapping, name: string) => unclear.find(({ field }) => field === name)?.reason

const sale = (at: number) => ({
  PARCEL_NO: `10-${at}`,
  SALE_DT: `2024-03-${10 + (at % 20)}`,
  SALE_PRICE: 400_000 + at * 1000,
  LIV_AREA_SQFT: 1500 + at,
  LOT_ACRES: 0.2 + at / 100,
  BEDROOMS: 3,
  FULL_BATHS: 2,
  HALF_BATHS: 1,
  YR_BLT: 1950 + at,
  LATITUDE: 37.4,
  LONGITUDE: -122.1,
  OWNER_ADDRESS: `${at} Elm St`,
})

test('columns are mapped by their names and values; owners never are', () => {
  const proposed = proposeMapping(rows(sale))
  expect(proposed.holds).toBe('sales')
  expect(proposed.missing).toEqual([])
  // 0 is a house that was never renovated.
  const renovated = proposeMapping(rows((at) => ({ ...sale(at), YR_RENOVATED: at % 4 ? 0 : 2001 })))
  expect(ruleOf(renovated, 'yearRenovated')).toBe('YR_RENOVATED')
  expect(Object.fromEntries(proposed.fields.map(({ field, rule }) => [field, rule]))).toEqual({
    apn: 'PARCEL_NO',
    soldOn: 'SALE_DT',
    priceUsd: 'SALE_PRICE',
    livingSqft: 'LIV_AREA_SQFT',
    lotSqft: { field: 'LOT_ACRES', unit: 'acres' },
    beds: 'BEDROOMS',
    baths: { sum: ['FULL_BATHS', { field: 'HALF_BATHS', multiply: 0.5 }] },
    yearBuilt: 'YR_BLT',
    lat: 'LATITUDE',
    lng: 'LONGITUDE',
    saleId: { join: ['PARCEL_NO', 'SALE_DT'], separator: '-' },
  })
})

test('a sale is named by its parcel, not by the numbers of rows that appear twice', () => {
  const proposed = proposeMapping(
    rows((at) => ({ ...sale(at), id: 1 + (at >> 1) * 2 - (at === 5 ? 2 : 0) + (at % 2) })),
  )
  expect(ruleOf(proposed, 'saleId')).toEqual({ join: ['PARCEL_NO', 'SALE_DT'], separator: '-' })
})

test('the area of a listing with bedrooms is that of the house, and codes are no addresses', () => {
  const proposed = proposeMapping(
    rows((at) => ({ zpid: `P_${at}`, price: 400_000 + at, beds: 3, area: 1500 + at, address: `Listing P_5d${at} ab` })),
  )
  expect(proposed.holds).toBe('listings')
  expect(ruleOf(proposed, 'livingSqft')).toBe('area')
  expect(ruleOf(proposed, 'address')).toBeUndefined()
})

test('only web addresses are taken for the page of a record', () => {
  const linked = (url: string) => proposeMapping(rows((at) => ({ ...sale(at), SOURCE_URL: `${url}${at}` })))
  expect(ruleOf(linked('https://county.example/'), 'sourceUrl')).toBe('SOURCE_URL')
  expect(ruleOf(linked('page '), 'sourceUrl')).toBeUndefined()
  expect(whyNot(linked('page '), 'sourceUrl')).toBe('the values are not URLs')
})

const filed = (at: number) => ({
  ...{ permit_number: `B24-${100 + at}`, permit_type: ['New', 'Addition'][at % 2], description: `Work number ${at}` },
  ...{ issue_date: `2024-03-${10 + (at % 20)}`, address: `${at + 1} Elm St` },
})

test('a name that fits anything proves no unit: rents, standardized numbers, fees and bare areas are left out', () => {
  const home = (more: Record<string, unknown>) => proposeMapping(rows((at) => ({ ...sale(at), ...more })))
  const rented = home({ SALE_PRICE: undefined, PRICE: 850 })
  expect(whyNot(rented, 'priceUsd')).toMatch(/unit is not clear/)
  expect(whyNot(home({ LIV_AREA_SQFT: undefined, SIZE: 150 }), 'livingSqft')).toMatch(/unit is not clear/)
  const scaled = proposeMapping(rows((at) => ({ ...sale(at), LOT_ACRES: undefined, LOT_SIZE: (at - 20) / 10 })))
  expect(whyNot(scaled, 'lotSqft')).toMatch(/many values are negative/)
  const marked = (empty: number) =>
    proposeMapping(rows((at) => ({ ...sale(at), LOT_ACRES: undefined, LOT_SIZE: at % 3 ? empty : 9000 + at })))
  expect([-1, -9999, -2].map((empty) => ruleOf(marked(empty), 'lotSqft'))).toEqual(['LOT_SIZE', 'LOT_SIZE', undefined])
  // In most rows it is still no reason against the column, and no half bath is subtracted.
  const unknown = proposeMapping(rows((at) => ({ ...sale(at), HALF_BATHS: at % 3 ? -1 : 1 })))
  expect(unknown.nulls).toEqual(['-1'])
  const read = mapper({
    ...config('sales'),
    sameNames: false,
    where: { url: '', nulls: unknown.nulls! },
    fields: { baths: ruleOf(unknown, 'baths')! },
  })
  expect(read(sale(0)).values.baths).toBe(2.5)
  expect(['-1', -1].map((half) => read({ ...sale(0), HALF_BATHS: half }).values.baths)).toEqual([2, 2])
  const areas = proposeMapping(rows((at) => ({ ...sale(at), LIV_AREA_SQFT: at % 3 ? -1 : 1500 + at })))
  expect(areas.fields.find(({ field }) => field === 'livingSqft')?.examples).toEqual(['1500', '1503', '1506'])
  const mixed = rows((at) => ({ ...sale(at), LOT_ACRES: undefined, LOT_SIZE: at % 8 ? '6,500 sqft' : '60 acres' }))
  expect(ruleOf(proposeMapping(mixed), 'lotSqft')).toMatchObject([{ unit: 'acres' }, { field: 'LOT_SIZE' }])
  const parcel = (more: Record<string, unknown>) =>
    proposeMapping(
      rows((at) => ({ PARCEL_ID: `123-45-1${at}`, ADDRESS: `${at} Oak St`, AREA: 10_890 + at, ...more })),
      'parcels',
    )
  expect(whyNot(parcel({}), 'lotSqft')).toBe('the name does not say what area it is or in which unit')
  expect(ruleOf(parcel({ ACRES_NOTE: 'x', GIS_ACRES: 0.25 }), 'lotSqft')).toBeDefined()
  expect(whyNot(parcel({ AREA: undefined, PROPERTY_SIZE: 2000 }), 'livingSqft')).toMatch(/lot or of the house/)
  const fee = (cost: number) => proposeMapping(rows((at) => ({ ...filed(at), COST: cost })))
  expect(whyNot(fee(450), 'valuation')).toMatch(/may be a fee/)
  expect(ruleOf(fee(4500), 'valuation')).toBe('COST')
  const units = proposeMapping(rows((at) => ({ ...filed(at), UNITS: [1, 1, -1, 1, -2][at % 5] })))
  expect(ruleOf(units, 'units')).toBe('UNITS')
})

test('homes for rent, licenses, price histories and homes abroad are neither sales nor listings in dollars', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lists-'))
  const written = async (rows: Record<string, unknown>[]) => {
    await writeFile(join(folder, 'a.json'), JSON.stringify(rows))
    return newSource('a.json', {}, { folder, now: today })
  }
  const home = (at: number) => ({ address: `${at + 1} Elm St`, city: 'Kent', beds: 3, baths: 2, sqft: 1500 + at })
  const listed = (at: number) => ({ ...home(at), zpid: 7_000_000 + at, url: `https://a.example/${at}` })
  const permit = { permit_number: 'STR-1', permit_type: 'Short Term Rental', issue_date: '2024-03-14' }
  for (const [make, reason] of [
    [(at: number) => ({ ...home(at), deposit: 2400 + at }), /the column deposit shows homes for rent/],
    [(at: number) => ({ ...listed(at), homeStatus: 'FOR_RENT', price: 3000 }), /homeStatus shows homes for rent/],
    [(at: number) => ({ ...home(at), price: `$${900 + at}/mo` }), /the column price shows homes for rent/],
    [
      (at: number) => ({ ...home(at), price: 2200 + at }),
      /^(?!.*may hold listings).*price shows homes for rent: the unit/,
    ],
    [
      (at: number) => ({ 'License Number': `B-${at}`, Address: `${at} Elm St`, Status: 'Active' }),
      /License Number shows/,
    ],
    [
      (at: number) => ({ ...permit, permit_number: `STR-${at}`, address: `${at} Elm St` }),
      /only 0% of the rows describe building work/,
    ],
    [(at: number) => ({ lat: 37 + at / 1000, lng: -122 - at / 1000, median_income: 5 }), /no facts about homes/],
    // Permits without a number, beside the parcels' last sales.
    [(at: number) => ({ ...sale(at), ISSUED: '2024-03-14', CONTRACTOR: `Ann ${at}` }), /CONTRACTOR shows work/],
    [
      (at: number) => ({ APN: `10-${at}`, ...home(at), ISSUED: '2024-03-14', CONTRACTOR: `Ann ${at}` }),
      /CONTRACTOR shows work/,
    ],
  ] as const)
    await expect(written(rows(make))).rejects.toThrow(reason)

  const events = proposeMapping(
    rows((at) => ({
      ...home(at),
      date: `2024-03-${10 + (at % 20)}`,
      event: at % 2 ? 'Sold' : 'Listed',
      price: 500_000,
    })),
    'sales',
  )
  expect(whyNot(events, 'soldOn')).toBe('event says that not every row is sold')
  for (const abroad of [{ Currency: 'CAD' }, { Province: 'ON' }, { postal_code: 'M4C 1B5' }, { LATITUDE: -37.8 }])
    expect(whyNot(proposeMapping(rows((at) => ({ ...sale(at), ...abroad }))), 'priceUsd')).toMatch(
      /not be in US dollars/,
    )
  const offered = proposeMapping(rows((at) => ({ ...listed(at), price: 500_000 + at })))
  expect(offered).toMatchObject({ holds: 'listings', missing: ['status'] })
  const own = proposeMapping(
    rows((at) => ({ ...home(at), property_id: 900_000 + at, agent: 'Ann' })),
    'parcels',
  )
  expect(whyNot(own, 'apn')).toMatch(/number of the website/)
})

test('units and columns as exports write them: hectares, letters, deep objects, values of the market', () => {
  const lot = (more: Record<string, unknown>) =>
    ruleOf(proposeMapping(rows((at) => ({ ...sale(at), LOT_ACRES: undefined, ...more }))), 'lotSqft')
  expect(lot({ 'lot_area (ha)': 0.08 })).toEqual({ field: 'lot_area (ha)', unit: 'hectares' })
  for (const field of ['Land AC', 'total_sale_acres']) expect(lot({ [field]: 0.2 })).toEqual({ field, unit: 'acres' })
  expect(lot({ LOT_SIZE: 0.2, LOT_UNITS: 'A' })).toEqual([
    { field: 'LOT_SIZE', unit: 'acres', when: { field: 'LOT_UNITS', in: ['A'] } },
  ])
  const deep = proposeMapping(rows((at) => ({ a: { b: { ...sale(at) } } })))
  expect(ruleOf(deep, 'yearBuilt')).toBe('a.b.YR_BLT')
  expect(ruleOf(proposeMapping(rows((at) => ({ ...sale(at), market: 90_000 }))), 'market')).toBeUndefined()
  const nominal = proposeMapping(rows((at) => ({ ...sale(at), SALE_PRICE: at % 3 ? 100 : 400_000 })))
  expect(ruleOf(nominal, 'livingSqft')).toBe('LIV_AREA_SQFT')
})

test('pages saved as JSON, zoning districts, food trucks, statistics and fees by the month', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'saved-'))
  const written = async (saved: unknown) => {
    await writeFile(join(folder, 'a.json'), JSON.stringify(saved))
    return newSource('a.json', {}, { folder, now: today })
  }
  const info = (at: number) => ({
    latitude: 37.1 + at / 1000,
    longitude: -122.1,
    beds: 3,
    baths: 2,
    livingArea: 1500 + at,
  })
  const listed = (at: number) => ({
    ...{
      zpid: 7_000_000 + at,
      price: 500_000 + at,
      address: `${at + 1} Elm St`,
      city: 'Kent',
      url: `https://a.example/${at}`,
    },
    ...{ variableData: { text: '3D Tour' }, hdpData: { homeInfo: at ? { ...info(at), zip: '98030' } : {} } },
  })
  const page = await written({
    filters: { sizes: [{ label: '500' }, { label: '750' }] },
    cat1: { results: rows(listed) },
  })
  const { fields } = page.mapping
  expect(fields.find(({ field }) => field === 'lat')?.rule).toBe('hdpData.homeInfo.latitude')
  expect(fields.some(({ field }) => field === 'remarks')).toBe(false)
  await expect(written({ one: rows(sale), two: rows(sale) })).rejects.toThrow(/array of rows/)

  const shape = (at: number) => [
    [
      [at / 100, 37],
      [at / 100 + 0.01, 37],
      [at / 100, 37.01],
      [at / 100, 37],
    ],
  ]
  const district = (at: number) => ({
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: shape(-122 + at) },
    properties: { name: 'R-1', description: at % 2 ? 'R-1 Single Family' : 'R-3 Apartments' },
  })
  await expect(written({ type: 'FeatureCollection', features: rows(district) })).rejects.toThrow(/no facts about homes/)
  const truck = (at: number) => ({ Applicant: 'Bowls LLC', blocklot: `${1000 + at}002`, address: `${at} Elm St` })
  await expect(written(rows(truck))).rejects.toThrow(/column Applicant shows permits or licenses/)
  await expect(written(rows((at) => ({ ...listed(at), fee_frequency: 'Monthly' })))).resolves.toBeTruthy()
  await writeFile(join(folder, 'a.csv'), 'zip,count,mean,std,25%,75%\n98030,3,2,1,1,3\n')
  await expect(newSource('a.csv', {}, { folder, now: today })).rejects.toThrow(/has statistics/)
  const glued = proposeMapping(
    rows((at) => ({ ...sale(at), ADDRESS: `${at}ElmSt,Kent,WA98030`, Community: 'NORTH HILL' })),
  )
  expect(whyNot(glued, 'address')).toBe('the values are not street addresses')
  expect(ruleOf(glued, 'city')).toBeUndefined()
})

test('scraped homes of many states, condos with one point, numbers beside words and short kinds of work', () => {
  const home = (at: number) => ({ ...sale(at), CITY: ['Kent', 'Reno', 'Ada', 'Lima', 'Troy'][at % 5] })
  const spread = (shares: readonly string[]) =>
    proposeMapping(
      rows((at) => ({ ...home(at), STATE: shares[at % 10] })),
      'parcels',
    )
  expect(ruleOf(spread(['WA', 'NV', 'OK', 'OH', 'MI', 'CA', 'TX', 'FL', 'NC', 'MA']), 'city')).toBe('CITY')
  expect(whyNot(spread(['WA', 'WA', 'WA', 'WA', 'WA', 'WA', 'TX', 'FL', 'NC', 'MA']), 'city')).toMatch(/owner's/)
  const condo = proposeMapping(
    rows((at) => ({ ...sale(at), PARCEL_NO: undefined, loc_id: `F_8${at >> 1}_30`, prop_id: `14 ${at} 0` })),
  )
  expect(ruleOf(condo, 'apn')).toBe('prop_id')
  const noData = proposeMapping(rows((at) => ({ ...sale(at), YR_BLT: at % 4 ? 1950 : 'No Data' })))
  expect(ruleOf(noData, 'yearBuilt')).toBe('YR_BLT')
  const parcel = { apn: '', address: '1 Elm St' }
  const size = proposeMapping(
    rows((at) => ({ ...parcel, apn: `12-345-${at}`, size_sqft: 9000 + at })),
    'parcels',
  )
  expect(whyNot(size, 'livingSqft')).toMatch(/of the lot or of the house/)
  const { permit_type: _, ...rest } = filed(0)
  const kinds = proposeMapping(
    rows((at) => ({
      ...{ ...rest, permit_number: `B${at}`, valuation_num: 9000 + at },
      ...{ description: at % 2 ? 'Erect' : 'Addition', comments: `Two floors and ${at} rooms` },
    })),
  )
  expect([ruleOf(kinds, 'projectType'), ruleOf(kinds, 'description')]).toEqual(['description', 'comments'])
  expect(ruleOf(kinds, 'valuation')).toBe('valuation_num')
  const rent = proposeMapping(rows((at) => ({ Address: `${at} Elm St`, Zip: '98030', Bedrooms: 2, Rent: 2000 + at })))
  expect([rent.holds, ruleOf(rent, 'zip')]).toEqual(['rents', 'Zip'])
})

test('a value that many rows share is not taken for a fact of each row: a tract, a contractor, the day of an export', () => {
  const tract = proposeMapping(
    rows((at) => ({ ...sale(at), PARCEL_NO: undefined, TAXID: 4_801_300 + (at % 3), ADDRESS: `${at + 1} Oak St` })),
  )
  expect(whyNot(tract, 'apn')).toBe('many addresses have the same value')
  const of = (address: (at: number) => string) =>
    proposeMapping(rows((at) => ({ ...filed(at), contractor: `Builder ${at % 6}`, address: address(at) })))
  expect(
    whyNot(
      of((at) => `${(at % 6) + 1} Oak St`),
      'address',
    ),
  ).toBe("it is the contractor's address")
  expect(
    ruleOf(
      of((at) => `${at + 1} Oak St`),
      'address',
    ),
  ).toBe('address')
  const exported = proposeMapping(rows((at) => ({ ...filed(at), CREATED_DATE: '2026-01-05' })))
  expect(whyNot(exported, 'appliedOn')).toMatch(/probably the export date/)
  const scraped = rows((at) => ({ ...sale(at), SALE_DT: undefined, DATE: '2024-03-05' }))
  expect(whyNot(proposeMapping(scraped, 'sales'), 'soldOn')).toMatch(/probably the export date/)
})

test('an outline that is not the lot gives no lot size, and neither does the column', () => {
  const parcel = (outline: number) =>
    proposeMapping(
      rows((at) => ({
        ...{ PARCEL_ID: `123-45-1${at}`, ADDRESS: `${at} Oak St`, LOT_SQFT: 8000 + at },
        geometry: { lat: 37.4, lng: -122.1, areaSqft: outline, widthFt: 30, depthFt: 40 },
      })),
      'parcels',
    )
  expect(whyNot(parcel(1500), 'lotSqft')).toBe('it is not the area of the outline')
  expect(ruleOf(parcel(1500), 'lotWidthFt')).toBeUndefined()
  expect(ruleOf(parcel(7500), 'lotSqft')).toEqual(['geometry.areaSqft', 'LOT_SQFT'])
})

test('towns of owners are known by the states beside them, and lists of cases are no permits', async () => {
  const states = ['WA', 'WA', 'WA', 'WA', 'WA', 'OR', 'CA', 'TX', 'NY']
  const owned = proposeMapping(
    rows((at) => ({
      PARCEL_ID: `123-45-1${at}`,
      SITUS: `${at} Oak St`,
      CITY: 'Renton',
      STATE: states[at % 9],
      ZIP: '98055',
    })),
    'parcels',
  )
  expect(whyNot(owned, 'city')).toMatch(/owner's/)
  const folder = await mkdtemp(join(tmpdir(), 'cases-'))
  const cases = rows((at) => ({ row: `C-${1000 + at},2026-01-${10 + (at % 20)},High grass and weeds,${at} Oak St` }))
  await writeFile(
    join(folder, 'a.csv'),
    `Case Number,Violation Date,Description,Address\n${cases.map(({ row }) => row).join('\n')}\n`,
  )
  await expect(newSource('a.csv', {}, { folder, now: today })).rejects.toThrow(
    /column Violation Date shows cases or licenses\. Its columns: Case Number, /,
  )
})

test('saved JSON is read through its objects, with padded numbers of houses and days of an older form', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'odata-'))
  const results = rows((at) => ({
    ...{ permit_number: `${2000 + at}`, issued_datetime: `/Date(${Date.UTC(2024, 2, 1 + (at % 20))})/` },
    ...{ work_description: `New deck number ${at}`, application_type: ['Alteration', 'New'][at % 2] },
    locations: { street_number: `0${100 + at}`, street_name: '17TH', street_suffix: 'ST', unit_number: '0000' },
  }))
  await writeFile(join(folder, 'a.json'), JSON.stringify({ d: { results, __count: '40' } }))
  const { config } = await newSource('a.json', {}, { folder, now: today })
  const { values } = mapper(config)(results[4]!)
  expect(values).toMatchObject({ permitId: '2004', issuedOn: '2024-03-05', address: '104 17TH ST' })
  await writeFile(join(folder, 'b.json'), JSON.stringify({ a: { rows: results }, b: { rows: results } }))
  await expect(newSource('b.json', {}, { folder, now: today })).rejects.toThrow(/array of rows/)
})

test('scraped cards are read by their words and their values', () => {
  const town = (at: number) => ['Atlanta', 'Chamblee'][at % 2]
  const card = (at: number) => ({
    ...{ 'card--photo': `${at + 1} Oak Dr SE, ${town(at)}, GA 30341`, card__stats__beds: '3 beds' },
    card__stats__baths: '2.5 baths',
  })
  const proposed = proposeMapping(rows(card))
  const { values } = mapper({
    ...config(proposed.holds),
    fields: Object.fromEntries(proposed.fields.map(({ field, rule }) => [field, rule])),
  } as SourceConfig)(card(1))
  expect(values).toMatchObject({ address: '2 Oak Dr SE', city: 'Chamblee', beds: 3, baths: 2.5 })
  const lines = proposeMapping(
    rows((at) => ({ APN: `123-45-1${at}`, address: `${at + 1} Fig Ave,\nChula Vista, CA 91910` })),
  )
  expect(ruleOf(lines, 'city')).toMatchObject({ field: 'address' })
})

test('a price in another currency is left out, and rows whose values moved are refused', async () => {
  const euros = proposeMapping(rows((at) => ({ ...sale(at), SALE_PRICE: undefined, 'Sale Price (€)': 400_000 + at })))
  expect(whyNot(euros, 'priceUsd')).toBe('it is not in US dollars')
  const folder = await mkdtemp(join(tmpdir(), 'moved-'))
  const line = (at: number) =>
    at % 3 ? `${at} Oak St,Hilltop,${1400 + at},Single Family` : `${at} Oak St,Hilltop,Subscribe,0.2${at}`
  const made = (make: (at: number) => string) => Array.from({ length: 40 }, (_, at) => make(at)).join('\n')
  await writeFile(join(folder, 'a.csv'), `address,neighborhood,SQFT,Property Class\n${made(line)}\n`)
  await expect(newSource('a.csv', {}, { folder, now: today })).rejects.toThrow(
    /columns SQFT and Property Class swap .* row 1, or add --holds/,
  )
  await expect(newSource('a.csv', { holds: 'parcels' }, { folder, now: today })).resolves.toBeTruthy()
  // Two columns that mix numbers and words independently, or amounts with a word each, are not shifted rows.
  await writeFile(
    join(folder, 'b.csv'),
    `address,unit,SQFT,beds\n${made((at) => `${at} Oak St,${at % 2 ? 'B' : at},${at % 5 ? 1500 + at : 'studio'},2`)}\n`,
  )
  expect((await newSource('b.csv', {}, { folder, now: today })).config.holds).toBe('parcels')
  const offer = (at: number) =>
    `M${100 + at},Active,${400_000 + at},${at} Oak St,${at % 2 ? 'Sold,1' : `${at + 1},Not sold`}`
  await writeFile(join(folder, 'c.csv'), `MLS #,Status,List Price,Address,Days Listed,Sold Price\n${made(offer)}\n`)
  expect((await newSource('c.csv', {}, { folder, now: today })).config.holds).toBe('listings')
})

describe('facts of homes or of building work outweigh one column name', () => {
  const written = async (make: (at: number) => Record<string, unknown>) => {
    const folder = await mkdtemp(join(tmpdir(), 'plain-'))
    await writeFile(join(folder, 'a.json'), JSON.stringify(rows(make)))
    return newSource('a.json', {}, { folder, now: today })
  }
  const record = (at: number) => ({
    ...{ 'Record Number': `R-${100 + at}`, 'Record Type': ['Roof', 'Pool'][at % 2], Description: `Work ${at}` },
    ...{ Address: `${at + 1} Elm St`, 'Issued Date': `2024-03-${10 + (at % 20)}`, 'License Number': `${50_000 + at}` },
  })
  const offer = (at: number) => ({
    ...{ 'MLS #': `M${1000 + at}`, Status: 'Active', 'List Price': 500_000 + at, Address: `${at + 1} Elm St` },
    ...{ Beds: 3, 'Living Sqft': 1500 + at },
  })
  const lot = (at: number) => ({ ADDRESS: `${at + 1} Elm St`, YEAR_BUILT: 1950 + at, LOT_SQFT: 6000 + at })
  const numbered = (at: number) => ({ ...lot(at), APN: `123-45-1${at}` })
  const owned = (at: number) => ({
    ADDRESS: `${at + 1} Elm St`,
    OWNER_1: `A${at}`,
    PROPERTY_TYPE: 'Duplex',
  })
  const forSale = (at: number) => ({
    ...{ id: `z_${70_000 + at}`, soldDate: 'for sale', price: 500_000 + at, address: `${at + 1} Elm St`, beds: 3 },
    ...{ baths: 2, floorSize: 1500 + at, url: `https://a.example/${at}` },
  })
  const at1 = (at: number) => ({ address: `${at + 1} Elm St`, city: 'Kent', zip: '98030', lat: 47.3, lng: -122.2 })
  test('the number and status of homes for sale are known by their values', async () => {
    const { mapping } = await written(forSale)
    expect([ruleOf(mapping, 'listingId'), ruleOf(mapping, 'status'), mapping.missing]).toEqual(['id', 'soldDate', []])
    const counted = rows((at) => ({ ...forSale(at), id: at, soldDate: 'New' }))
    expect(proposeMapping(counted, 'listings').missing).toEqual(['listingId', 'status'])
  })
  test.each<[string, (at: number) => Record<string, unknown>, Record<string, unknown>]>([
    ['permits', record, {}],
    ['permits', (at) => ({ ...record(at), Valuation: 9000 + at }), { Microfilm: 'Reel 4', 'License Type': 'B' }],
    ['permits', (at) => ({ ...record(at), Permit: 'P' }), { Description: 'New deck, to cure a violation' }],
    ['listings', offer, { 'Est. Payment': '$2,345/mo' }],
    ['listings', offer, { 'HOA Period': 'Monthly', Deposit: 5000 }],
    ['listings', offer, { Tenant: 'Vacant', 'License Number': 'SL-44' }],
    ['permits', (at) => ({ ...record(at), Permit: 'P', Description: 'Kitchen remodel' }), { Inspector: 'J. Doe' }],
    ['permits', (at) => ({ ...record(at), Permit: 'P' }), { 'Inspection Area': 'North' }],
    ['listings', forSale, {}],
    [
      'listings',
      (at) => ({ pricing: `$${500 + at},000`, link: `https://a.example/${at}`, ...at1(at) }),
      { size: 'For sale' },
    ],
    ['sales', sale, { 'Est. Payment': '$2,345/mo' }],
    ['sales', (at) => ({ ...sale(at), SALE_PRICE: 9_000 + 137 * at, BUYER: `B ${at}` }), {}],
    ['parcels', lot, { RENTAL: 'N', OPEN_VIOLATIONS: 3 }],
    ['parcels', numbered, { ABATEMENT_EXPIRATION: '2031-01-01', EXPIRATION_YEAR: 2031 }],
    ['parcels', (at) => ({ ...lot(at), Rent: at % 8 ? '' : 2400 }), {}],
    ['parcels', (at) => ({ ...owned(at), APN: `1-${at}` }), { CURRENT_STATUS: 'Owner is the city' }],
    ['parcels', (at) => ({ ...owned(at), APN: `1-${at}` }), { UNITS: 2, CURRENT_STATUS: 'Open' }],
  ])('%s', async (holds, make, more) => {
    expect((await written((at) => ({ ...make(at), ...more }))).config.holds).toBe(holds)
  })
  const day = (at: number) => `2024-03-${10 + (at % 20)}`
  // Each has the columns of homes or permits: a number, a day, an address, often a price or an area.
  test.each<[string, (at: number) => Record<string, unknown>, RegExp]>([
    [
      'parking signs',
      (at) => ({ UNITID: `SGN-${at}`, STATUS: 'INSVC', CUSTOMTEXT: '2 HOUR PARKING', INSTALLDATE: day(at) }),
      /may hold listings, by the columns STATUS \(status\), but: it has no prices; it has no listing numbers or addresses; it has no facts about homes/,
    ],
    [
      'alarms',
      (at) => ({ PermitNumber: `A-${at}`, PermitType: 'Residential alarm', IssueDate: day(at), ...at1(at) }),
      /may hold permits.*IssueDate \(issuedOn\), but: only 0% of the rows describe building work, .*--holds/,
    ],
    [
      'complaints',
      (at) => ({
        CASE_NO: `C-${at}`,
        TYPE: ['High grass', 'Illegal construction'][at % 2],
        OPENED: day(at),
        ...at1(at),
      }),
      /may hold permits.* but: many of its rows describe complaints/,
    ],
    [
      'capital projects',
      (at) => ({
        project_id: `CP-${at}`,
        project_type: 'Facility',
        description: `Library renovation ${at}`,
        budget: 1e6,
      }),
      /may hold permits.* but: its permits have no address or parcel number; no column names a permit/,
    ],
    [
      'sums of permits',
      (at) => ({ permit_count: 5000 + at, sub_category: 'Roofing', total_value: 90_000 + at, category: 'Residential' }),
      /may hold permits.* but: its permits have no address or parcel number/,
    ],
    [
      'inspections',
      (at) => ({ PermitNumber: `B-${at}`, InspectionType: 'Electrical', IssueDate: day(at), ...at1(at) }),
      /but: .*the column InspectionType shows inspections/,
    ],
    [
      'liens',
      (at) => ({ parcel_number: `12-00${at}-7`, property_address: `${at + 1} Elm St`, total_due: 900 + at, lien: at }),
      /may hold parcels, by the columns parcel_number \(apn\), but: the column lien shows what happened/,
    ],
    ['owned lots', owned, /may hold parcels, but: it has no parcel numbers and too few facts/],
    [
      'registrations',
      (at) => ({ ...owned(at), APN: `1-${at}`, STATUS: 'Open' }),
      /the column STATUS shows what happened to a parcel/,
    ],
    [
      'certificates of rentals',
      (at) => ({ Permit: `C-${at}`, Type: 'Duplex', Description: '5 occupants', Issued: day(at), ...at1(at) }),
      /but: many of its rows describe rentals/,
    ],
    [
      'prices on a map',
      (at) => ({
        price: 400_000 + at,
        status: 'for_sale',
        beds: 3,
        sqft: 1500 + at,
        lat: 37 + at / 1000,
        lng: -122,
        url: `https://a.example/${at}`,
      }),
      /may hold listings.* but: it has no listing numbers or addresses/,
    ],
    ['restaurants', (at) => ({ business_id: 1000 + at, name: 'Cafe', ...at1(at) }), /no parcel numbers and no facts/],
    ['libraries', (at) => ({ NAME: 'Oak', YEAR_BUILT: 1950 + at, SQFT: 9000 + at, ...at1(at) }), /too few facts/],
    [
      'energy',
      (at) => ({ 'Property ID': 70_000 + at, YearBuilt: 1950 + at, 'Floor Area (sq ft)': 90_000 + at, ...at1(at) }),
      /no parcel numbers that are named so and too few facts/,
    ],
    [
      'furniture',
      (at) => ({ Sale_ID: `S${at}`, Date: day(at), Unit_Price: 99_000 + at, Customer_Address: `${at} Elm St` }),
      /may hold sales.* but: it has no addresses, parcel numbers or facts about homes/,
    ],
    [
      'tax sales',
      (at) => ({ 'Parcel ID': `12-00${at}-7`, 'Sale Date': day(at), 'Buyer Name': 'A', ...at1(at) }),
      /may hold sales.* but: it has no sale prices/,
    ],
    [
      'building work',
      (at) => ({ 'Record Number': `R-${at}`, Description: `New deck ${at}`, Address: `${at + 1} Elm St` }),
      /no column names a permit, and 100% of the rows describe building work/,
    ],
    [
      'rents of neighborhoods',
      (at) => ({ date: day(at), area: 'Elm Park', median_rent_2br: 3100 + at, median_rent_3br: 4100 + at }),
      /may hold rents.* but: its rents have no ZIP code or county/,
    ],
    [
      'prices of any day',
      (at) => ({ date: day(at), price: 400_000 + at * 1000, beds: 3, ...at1(at) }),
      /no column says that its days and amounts are of sales/,
    ],
    ['homes without prices', (at) => ({ ...lot(at), ...at1(at), zpid: 70_000 + at }), /zpid shows listings or sales/],
    ['museums', (at) => ({ NAME: 'Oak', BUILT: 1950 + at, PRICE: 12, ...at1(at) }), /PRICE shows listings or sales/],
    ['homes without a place', (at) => ({ beds: 3, baths: 2, lot_sqft: 6000 + at }), /: it has no addresses/],
    [
      'cars',
      (at) => ({
        listing_id: `L${at}`,
        price: 40_000 + at,
        status: 'active',
        url: `https://a.example/${at}`,
        ...at1(at),
      }),
      /may hold listings.* but: it has no facts about homes/,
    ],
  ])('%s are asked about', async (what, make, why) => {
    // A mapping is shown with the question only where the fields of a data set are found.
    const shown: Record<string, Dataset> = {
      ...{ 'building work': 'permits', 'prices of any day': 'sales', 'homes without prices': 'listings' },
      'owned lots': 'parcels',
      'prices on a map': 'listings',
    }
    const error = (await written(make).catch((cause: unknown) => cause)) as UnsureKind
    expect(error.message).toMatch(why)
    expect(error.proposed?.config.holds).toBe(shown[what])
  })
  test.each<[string, (at: number) => Record<string, unknown>]>([
    ['few of which were sold', (at) => ({ ...sale(at), ...(at % 4 ? { SALE_DT: '', SALE_PRICE: '' } : {}) })],
    [
      'with their last sales',
      (at) => ({ ...numbered(at), LAST_SALE_DATE: day(at), LAST_SALE_PRICE: at % 2 ? 1 : 400_000 + at, OWNER: 'A' }),
    ],
  ])('a roll of parcels %s is both sales and parcels', async (_, make) => {
    const { config, others } = await written((at) => ({
      ...make(at),
      ...{ ZONING: at % 5 ? 'R1' : 'NA', LAND_VALUE: at % 5 ? 300_000 + at : 'NA' },
    }))
    expect([config.holds, ...others.map(({ holds }) => holds)]).toEqual(['sales', 'parcels'])
    expect(others[0]!.fields).toMatchObject({ zoning: 'ZONING', yearBuilt: config.fields!.yearBuilt })
    expect(others[0]!.require ?? []).toEqual([])
    // Of columns that only parcels have.
    expect([config.where.nulls, others[0]!.where.nulls]).toEqual([undefined, ['NA']])
  })
  test('what may be a roll is shown as what --holds would write', async () => {
    const error = (await written((at) => ({
      ...{ APN: `10-${at}`, SITUS_ADDR: `${at + 1} Elm St`, YEAR_BUILT: 1950 + at, LIVING_AREA: 1500 + at, OWNER: 'A' },
      ...(at % 2 ? { DATE: '', PRICE: '' } : { DATE: day(at), PRICE: 400_000 + at }),
    })).catch((cause: unknown) => cause)) as UnsureKind
    expect([error.proposed?.config.holds, error.proposed?.others]).toEqual(['sales', []])
  })
  test('sales whose prices cannot be read are not taken for parcels that were not sold', async () => {
    const { config, others } = await written((at) => ({ ...sale(at), SALE_PRICE: 90_000_000 + at * 1e6 }))
    expect([config.holds, others]).toEqual(['sales', []])
  })
  test('files of licenses, rents and flags alone are still refused, with their columns', async () => {
    const license = (at: number) => ({
      'Contractor Name': 'A',
      'License Number': `L-${at}`,
      'License Type': 'B',
      Address: `${at} Elm St`,
    })
    await expect(written(license)).rejects.toThrow(/\. Its columns: Contractor Name, License Number/)
    await expect(written((at) => ({ ...lot(at), Rent: 2400 + at }))).rejects.toThrow(/column Rent shows homes for rent/)
  })
})

test('county numbers, sales of unknown kinds, states named "Province" and units of one parcel stay', () => {
  const roll = (at: number) => ({
    PROP_ID: `${120_000 + at}`,
    SITUS_ADDRESS: `${at + 1} Elm St`,
    LAND_VALUE: 90_000 + at,
  })
  for (const more of [{ AGENT_NAME: 'Tax Help LLC' }, { HYPERLINK: 'https://county.example/1' }])
    expect(ruleOf(proposeMapping(rows((at) => ({ ...roll(at), ...more }))), 'apn')).toBe('PROP_ID')
  const kinds = (other: string, holds?: 'sales') =>
    proposeMapping(
      rows((at) => ({ ...sale(at), 'Sale Status': at % 2 ? 'Sold' : other })),
      holds,
    )
  for (const other of ['Foreclosure', 'Closed Sale REO'])
    expect([kinds(other).holds, ruleOf(kinds(other), 'soldOn')]).toEqual(['sales', 'SALE_DT'])
  for (const other of ['Pending', 'Withdrawn', 'Price change', 'Listed for sale'])
    expect(whyNot(kinds(other, 'sales'), 'soldOn')).toMatch(/not every row is sold/)
  for (const Province of ['IL', 'Illinois'])
    expect(ruleOf(proposeMapping(rows((at) => ({ ...sale(at), Province }))), 'priceUsd')).toBe('SALE_PRICE')
  const building = (at: number) => ({
    ...sale(at),
    PARCEL_NO: `10-44-${at % 5}`,
    LATITUDE: 37.4,
    LONGITUDE: -122.1 - (at % 5) / 100,
  })
  const condos = proposeMapping(
    rows((at) => ({ ...building(at), ADDRESS: `${100 + (at % 5)} Oak St Unit ${at}` })),
    'sales',
  )
  expect([ruleOf(condos, 'apn'), ruleOf(condos, 'lat')]).toEqual(['PARCEL_NO', 'LATITUDE'])
  expect(ruleOf(condos, 'saleId')).toBeDefined()
})

test('buildings of many homes, facts that are 0 in most rows, long parcel numbers and sales by block and lot', () => {
  const home = (more: (at: number) => Record<string, unknown>) =>
    proposeMapping(rows((at) => ({ ...sale(at), ...more(at) })))
  const large = { BEDROOMS: undefined, SALE_PRICE: 41_000_000, LIV_AREA_SQFT: 203_000 }
  const tower = (units: number) => home(() => ({ ...large, UNITS: units }))
  expect([ruleOf(tower(5), 'priceUsd'), ruleOf(tower(5), 'livingSqft')]).toEqual(['SALE_PRICE', 'LIV_AREA_SQFT'])
  expect([ruleOf(tower(4), 'priceUsd'), ruleOf(tower(4), 'livingSqft')]).toEqual([undefined, undefined])
  const land = (zeros: number) =>
    ruleOf(
      home((at) => ({ LOT_SQFT: at < zeros ? 0 : 9000 + 1742 * at })),
      'lotSqft',
    )
  expect([land(31), land(30)]).toEqual([{ field: 'LOT_ACRES', unit: 'acres' }, 'LOT_SQFT'])
  for (const name of [
    'FinSize',
    'Floor size in sqft',
    'Residence Sq. Ft.',
    'Buildings Sq. Ft.',
    'Gross Building Area Sqft',
  ])
    expect(
      ruleOf(
        home(() => ({ LIV_AREA_SQFT: undefined, [name]: 1500 })),
        'livingSqft',
      ),
    ).toBe(name)
  const placed = home(() => ({ Locality: 'Kent' }))
  expect(ruleOf(placed, 'city')).toBe('Locality')
  const built = home((at) => ({ YR_BLT: undefined, 'Original Construction Year': 1950 + at }))
  expect(ruleOf(built, 'yearBuilt')).toBe('Original Construction Year')
  const numbered = (name: string, number: string) =>
    proposeMapping(rows((at) => ({ [name]: number.replace('7', String(10 + at)), USE: 'Single Family' })))
  expect(ruleOf(numbered('PRCLID', '1401507'), 'apn')).toBe('PRCLID')
  expect(ruleOf(numbered('TaxParMBL', '66-E-7'), 'apn')).toBe('TaxParMBL')
  expect(ruleOf(numbered('TAX_ID', '3115000130000715009000000'), 'apn')).toBe('TAX_ID')
  expect(whyNot(numbered('TAX_ID', '31157130000000'), 'apn')).toBeUndefined()
  expect(whyNot(numbered('TAX_ID', '311571300000000'), 'apn')).toMatch(/rounded/)
  const lots = home((at) => ({ PARCEL_NO: undefined, BOROUGH: 1, BLOCK: 392, LOT: at }))
  expect(ruleOf(lots, 'saleId')).toEqual({ join: ['BOROUGH', 'BLOCK', 'LOT', 'SALE_DT'], separator: '-' })
})

test('units are read from the values, and left out if name and values contradict each other', () => {
  const other = proposeMapping(
    rows((at) => ({ ...sale(at), SALE_PRICE: 400 + at, LIV_AREA_SQFT: undefined, LIVING_AREA: 140 + at })),
  )
  expect(ruleOf(other, 'priceUsd')).toEqual({ field: 'SALE_PRICE', unit: 'thousands' })
  expect(ruleOf(other, 'livingSqft')).toEqual({ field: 'LIVING_AREA', unit: 'sqm' })
  const inCents = { SALE_PRICE: undefined, 'SALE_PRICE (cents)': 40_000_000, LIV_AREA_SQFT: 140 }
  const cents = proposeMapping(rows((at) => ({ ...sale(at), ...inCents })))
  expect(ruleOf(cents, 'priceUsd')).toEqual({ field: 'SALE_PRICE (cents)', multiply: 0.01 })
  expect(ruleOf(cents, 'livingSqft')).toBeUndefined()
  expect(whyNot(cents, 'livingSqft')).toMatch(/name says square feet, but the median is 1/)
  // The rent of a month is not a price in thousands, and a lot beside square meters is not in square feet.
  const rented = proposeMapping(rows((at) => ({ ...sale(at), SALE_PRICE: 3500 + at })))
  expect(whyNot(rented, 'priceUsd')).toMatch(/unit is not clear/)
  const metric = { LIV_AREA_SQFT: undefined, LIVING_AREA: 140, LOT_ACRES: undefined, LOT_SIZE: 5000 }
  expect(whyNot(proposeMapping(rows((at) => ({ ...sale(at), ...metric }))), 'lotSqft')).toMatch(/square meters/)
})

test('SF is square feet, and one unreadable date leaves the order of the others clear', () => {
  const { fields } = proposeMapping(
    rows((at) => ({
      Situs: `${at} Oak St`,
      'Sale Date': at === 7 ? '13/45/2025' : `2024-03-${10 + (at % 20)}`,
      'Sale Price': 400_000 + at,
      'Bldg SF': 1500 + at,
      'Land SF': 6000 + at,
    })),
  )
  expect(Object.fromEntries(fields.map(({ field, rule }) => [field, rule]))).toMatchObject({
    soldOn: 'Sale Date',
    livingSqft: 'Bldg SF',
    lotSqft: 'Land SF',
  })
  for (const name of ['Heated SF', 'Total SF', 'BldgSF'])
    expect(
      ruleOf(
        proposeMapping(rows((at) => ({ ...sale(at), LIV_AREA_SQFT: undefined, [name]: 1500 + at }))),
        'livingSqft',
      ),
    ).toBe(name)
})

test('the order of dates is taken from the sample, and never guessed', () => {
  const dated = (day: (at: number) => string) =>
    proposeMapping(
      rows((at) => ({ ...sale(at), SALE_DT: day(at) })),
      'sales',
    )
  expect(
    ruleOf(
      dated((at) => `${(at % 28) + 1}/04/2024`),
      'soldOn',
    ),
  ).toEqual({ field: 'SALE_DT', date: 'dmy' })
  expect(
    ruleOf(
      dated((at) => `04/${(at % 28) + 1}/2024`),
      'soldOn',
    ),
  ).toEqual({ field: 'SALE_DT', date: 'mdy' })
  const unclear = dated((at) => `04/0${(at % 9) + 1}/2024`)
  expect(whyNot(unclear, 'soldOn')).toMatch(/does not show whether the day or the month/)
  expect(unclear.missing).toEqual(['soldOn'])
  const numbered = dated((at) => String(45_000 + at)).fields.find(({ field }) => field === 'soldOn')
  expect(numbered).toMatchObject({
    rule: { field: 'SALE_DT', date: 'excel' },
    note: 'spreadsheet day numbers (45000 is 2023-03-15)',
  })
  expect(readDate('45000', 'excel')).toBe('2023-03-15')
})

test('projected coordinates are not taken for degrees', () => {
  const proposed = proposeMapping(rows((at) => ({ ...sale(at), LATITUDE: 1_990_000 + at, LONGITUDE: 6_050_000 + at })))
  expect(ruleOf(proposed, 'lat')).toBeUndefined()
  expect(whyNot(proposed, 'lat')).toMatch(/projected/)
})

test('the size of a lot comes from its outline, also if the first row has none', () => {
  const geometry = { lat: 37.4, lng: -122.1, areaSqft: 6000, widthFt: 60, depthFt: 100 }
  const proposed = proposeMapping(rows((at) => ({ PARCEL_NO: `10-${at}`, geometry: at === 0 ? null : geometry })))
  expect(proposed.fields.map(({ field }) => field)).toEqual(['apn', 'lotSqft', 'lotWidthFt', 'lotDepthFt'])
})

test('outlines are parcels, and several permits or sales may be of one parcel', () => {
  const geometry = { lat: 37.4, lng: -122.1, areaSqft: 6000, widthFt: 60, depthFt: 100 }
  const drawn = (at: number) => ({
    NUM: at,
    TYPE: 'ST',
    ADDRESS: `${at} York St`,
    created_date: '2023-01-30',
    geometry,
  })
  expect(proposeMapping(rows(drawn)).holds).toBe('parcels')
  const permit = (at: number) => ({ PermitNo: `25-${at}`, APN: `44-${at % 4}`, DescriptionOfWork: `Wall ${at}` })
  expect(ruleOf(proposeMapping(rows(permit)), 'apn')).toBe('APN')
})

test('coordinates and numbers are never an address, and are no example of one', () => {
  const located = (LOCATION: (at: number) => unknown) =>
    proposeMapping(rows((at) => ({ PARCEL_NO: `10-${at}`, LOCATION: LOCATION(at) })))
  const forms = [
    '(37.4%, -122.1%)',
    "'-122.1%, 37.4%",
    'SRID=4326;POINT(-122.1% 37.4%)',
    'latitude: 37.4%, longitude: -122.1%',
  ]
  for (const form of [...forms, '%'])
    expect(
      ruleOf(
        located((at) => form.replaceAll('%', String(100 + at))),
        'address',
      ),
      form,
    ).toBeUndefined()
  const mixed = located((at) => (at % 4 ? `${at} Long Rd` : `-122.1${100 + at}, 37.4${100 + at}`))
  expect(mixed.fields.find(({ field }) => field === 'address')).toMatchObject({
    rule: 'LOCATION',
    examples: ['1 Long Rd', '2 Long Rd', '3 Long Rd'],
  })
})

test('a permit export with split addresses, subtypes and a city in the address is mapped', () => {
  const permit = (at: number) => ({
    PERMITNUM: `B-${at}`,
    WORKTYPE: 'New',
    SUBTYPE: at % 2 ? 'SFR' : 'ADU',
    ISSUEDATE: '2024/01/20',
    STREET_NUM: at,
    STREET_NAME: 'OAK',
    STREET_TYPE: 'ST',
  })
  const proposed = proposeMapping(rows(permit))
  expect(proposed.holds).toBe('permits')
  expect(ruleOf(proposed, 'address')).toEqual({ join: ['STREET_NUM', 'STREET_NAME', 'STREET_TYPE'] })
  expect(ruleOf(proposed, 'projectType')).toEqual({ join: ['WORKTYPE', 'SUBTYPE'], separator: ' / ' })
  const whole = proposeMapping(
    rows((at) => ({ PERMITNUM: at, TYPE: 'New', ADDRESS: `${at} OAK ST, LOS ALTOS${at % 2 ? ',' : ''} CA 94022` })),
  )
  expect(ruleOf(whole, 'address')).toContainEqual({ field: 'ADDRESS', before: ',' })
  expect(ruleOf(whole, 'city')).toMatchObject({ case: 'title' })
})

test("a permit export with a city's own column names is mapped, and its classes join the kind of work", () => {
  const proposed = proposeMapping(
    rows((at) => ({
      FILENO: `24-${at}`,
      WORKDESC: at % 2 ? 'New' : 'Addition',
      FOLDERTYPE: at % 2 ? 'SF' : 'SO',
      SUBDESC: at % 3 ? 'Single Detached Dwelling' : 'Detached Garage',
      PermitClass: at % 3 ? 'R-101 Single Family' : 'R-102 Secondary Apartment',
      CATEGORY: 'Permits',
      FOLDERSTATUSDESC: 'Final',
      Const_Cost: 1000 + at,
      RESUNITS: 1,
      INDATE: '2024/01/20',
      PURPOSE: `House ${at}`,
    })),
  )
  expect(proposed.holds).toBe('permits')
  expect(proposed.unclear).toEqual([])
  expect(Object.fromEntries(proposed.fields.map(({ field, rule }) => [field, rule]))).toEqual({
    permitId: 'FILENO',
    projectType: { join: ['WORKDESC', 'FOLDERTYPE', 'SUBDESC', 'PermitClass'], separator: ' / ' },
    description: 'PURPOSE',
    valuation: 'Const_Cost',
    units: 'RESUNITS',
    appliedOn: 'INDATE',
    status: 'FOLDERSTATUSDESC',
  })
})

test('an assessor’s roll is mapped; the mailing address of the owner, nominal prices and days of recording are not taken', () => {
  const roll = proposeMapping(
    rows((at) => ({
      'Tax Parcel #': `11-${at}`,
      'Property Address': `${at + 1} Forest Ln`,
      Municipality: 'Elk Twp',
      Owner: 'Doe Jane',
      'Address Line 1': '9 Far Rd',
      City: 'FARAWAY',
      State: 'PA',
      Zip: '19000',
      BUILDING_HEATED_AREA: 1500 + at,
      'LAND SQUARE FEET': 2300 + at,
      DOR_DESC: 'RESIDENTIAL : 1 UNIT',
      RECORDING_DATE: '2024-03-01',
      SALE_DATE: 'September 14, 2000',
      SALE_AMT: at % 2 ? 1 : 90_000 + at,
    })),
  )
  expect(roll.holds).toBe('sales')
  expect(Object.fromEntries(roll.fields.map(({ field, rule }) => [field, rule]))).toEqual({
    apn: 'Tax Parcel #',
    address: 'Property Address',
    city: 'Municipality',
    livingSqft: 'BUILDING_HEATED_AREA',
    lotSqft: 'LAND SQUARE FEET',
    soldOn: 'SALE_DATE',
    priceUsd: 'SALE_AMT',
    saleId: { join: ['Tax Parcel #', 'SALE_DATE'], separator: '-' },
  })
  expect(whyNot(roll, 'propertyType')).toMatch(/mapped by hand/)
  const parcel = proposeMapping(
    rows((at) => ({
      FOLIO: `01-${at}`,
      TRUE_SITE_ADDR: `${at} Crandon Blvd`,
      TRUE_SITE_CITY: 'Miami',
      TRUE_SITE_ZIP_CODE: '33149-0000',
      PRIMARY_ZONE: '0100',
      UNIT_COUNT: 1,
      Lattitude: 25.7 + at / 1000,
      Longtitude: -80.1 - at / 1000,
      improvement_value_2024: 90_000,
    })),
  )
  expect(parcel.fields.map(({ field }) => field).sort()).toEqual(
    ['address', 'apn', 'assessedImprovementUsd', 'city', 'lat', 'lng', 'units', 'zip', 'zoning'].sort(),
  )
  const blocks = proposeMapping(rows((at) => ({ BOROUGH: 1, BLOCK: 392, LOT: at, ADDRESS: `${at} Avenue B` })))
  expect(ruleOf(blocks, 'apn')).toEqual({ join: ['BOROUGH', 'BLOCK', 'LOT'], separator: '/' })
})

test('a data set is recognized although a required field cannot be read, and the reason is kept', () => {
  const mixed = proposeMapping(
    rows((at) => ({
      ...sale(at),
      SALE_PRICE: at % 2 ? 400 + at : 400_000 + at,
      LIV_AREA_SQFT: at % 2 ? 130 : 1400,
      LOT_ACRES: undefined,
      LOT_SIZE: at % 2 ? 0.21 : 8000,
    })),
  )
  expect(mixed.holds).toBe('sales')
  for (const field of ['priceUsd', 'livingSqft', 'lotSqft']) expect(whyNot(mixed, field)).toMatch(/different units/)
  const unnumbered = proposeMapping(
    rows((at) => ({
      Address: `${at} Oak St`,
      Type: at % 2 ? 'New' : 'Addition',
      Contractor: 'Doe',
      Date: '2024-01-20',
    })),
  )
  expect(unnumbered).toMatchObject({ holds: 'permits', missing: ['permitId'] })
  expect(whyNot(unnumbered, 'issuedOn')).toMatch(/application or of the issue/)
  const numbered = { 'Application/Permit Number': 1, 'Action Type': 'ADD/ALT', 'Issue Date': '12/26/10' }
  expect(proposeMapping(rows((at) => ({ ...numbered, 'Application/Permit Number': at }))).missing).toEqual([])
})

test('codes, older years, other areas, short ids and rents a year are not taken for what their names suggest', () => {
  const parcel = (more: (at: number) => object) =>
    proposeMapping(rows((at) => ({ APN: `10-${at}`, ADDRESS: `${at + 1} Elm St`, ...more(at) })))
  const coded = parcel(() => ({ COUNTY: '085', COUNTY_NAME: 'Santa Clara', CITY: 12, CITY_NAME: 'Palo Alto' }))
  expect([ruleOf(coded, 'county'), ruleOf(coded, 'city')]).toEqual(['COUNTY_NAME', 'CITY_NAME'])
  const years = parcel((at) => ({ LAND_VALUE_2022: 500_000 + at, LAND_VALUE_2024: 700_000 + at }))
  expect(ruleOf(years, 'assessedLandUsd')).toBe('LAND_VALUE_2024')
  expect(
    ruleOf(
      parcel((at) => ({ GROSS_AREA: 5000 + at })),
      'livingSqft',
    ),
  ).toBeUndefined()
  const owned = rows((at) => ({
    'Parcel Number': `10-${at}`,
    Owner: 'Doe',
    Address: `${at + 1} Elm St`,
    City: 'Palo Alto',
    'Property Class': '101 Single Family',
  }))
  expect(ruleOf(proposeMapping(owned), 'address')).toBe('Address')
  const permits = rows((at) => ({ PID: at, 'Permit Number': `B-${at}`, Type: at % 2 ? 'New' : 'Deck' }))
  expect(whyNot(proposeMapping(permits), 'apn')).toMatch(/too short/)
  const approved = rows((at) => ({
    'Permit Number': `B-${at}`,
    Type: at % 2 ? 'New' : 'Deck',
    'Approved Date': '2024-01-20',
    'Issue Date': at < 5 ? '2024-02-20' : '',
  }))
  expect(ruleOf(proposeMapping(approved), 'issuedOn')).toBe('Issue Date')
  const yearly = rows((at) => ({ ZIP: '94301', BEDROOMS: 2, RENT: 36_000 + at, DATE: '2026-01-15' }))
  expect(whyNot(proposeMapping(yearly), 'amountUsd')).toMatch(/unit is not clear/)
  const homes = rows((at) => ({ ZIP: '94301', BR1: 20 + at, BR2: 30 }))
  expect(proposeMapping(homes, 'rents').rentColumns).toBeUndefined()
})

test('the unit stays in an address with a city; a parcel may be sold twice', () => {
  const sold = (address: string) => {
    const made = rows((at) => ({ APN: `10-${at}`, 'Sale Date': '2024-01-20', Price: 900_000 + at, Address: address }))
    const proposed = proposeMapping(made)
    const fields = Object.fromEntries(proposed.fields.map(({ field, rule }) => [field, rule]))
    return mapper(config('sales', { sameNames: false, fields }))(made[0]!).values
  }
  const place = { address: '1 Elm St, Apt 2', city: 'Palo Alto' }
  expect(sold('1 Elm St, Apt 2, PALO ALTO, CA 94301-1234')).toMatchObject({ ...place, saleId: '10-0-2024-01-20' })
  expect(sold('1 Elm St, Apt 2, Palo Alto CA')).toMatchObject(place)
  expect(sold('1 Elm St, Suite 2 NE').city).toBeUndefined()
})

test('half a point, exchanged coordinates and amounts with a decimal comma are no place', () => {
  const parcel = (more: (at: number) => object) => proposeMapping(rows((at) => ({ APN: `10-${at}`, ...more(at) })))
  expect(parcel(() => ({ LATITUDE: -122.1, LONGITUDE: 37.4 })).fields.map(({ field }) => field)).toEqual(['apn'])
  expect(parcel((at) => ({ AMOUNT: `${at}.000,50` })).point).toBeUndefined()
  expect(parcel(() => ({ WHERE: '(37.412, -122.145)' })).point).toBe('WHERE')
})

test('federal rents with a column per number of bedrooms are one source per column, for the state and year of the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-new-'))
  await writeFile(
    join(folder, 'FY25_FMRs.csv'),
    'stusps,countyname,fmr_0,fmr_1\nCA,San Mateo County,2001,2501\nNM,San Mateo County,701,801\n',
  )
  const { config, others, mapping } = await newSource(
    'FY25_FMRs.csv',
    { market: 'sf-peninsula' },
    { folder, now: today },
  )
  expect(mapping.missing).toEqual([])
  expect([config, ...others].map(({ id, fields }) => [id, fields?.amountUsd, fields?.bedrooms])).toEqual([
    ['sf-peninsula-rents', 'fmr_0', { constant: 0 }],
    ['sf-peninsula-rents-1-bedrooms', 'fmr_1', { constant: 1 }],
  ])
  expect(config).toMatchObject({
    require: [{ field: 'stusps', in: ['CA'] }],
    fields: { county: 'countyname', statistic: { constant: 'fair_market' }, asOf: { constant: '2024-10-01' } },
  })
  await writeFile(
    join(folder, 'fmr.csv'),
    'ZIP Code,Studio,Two-Bedroom\n94025,"$2,010","$3,150"\n94027,"$2,020","$3,160"\n',
  )
  const words = await newSource('fmr.csv', {}, { folder, now: today })
  expect(words.mapping.missing).toEqual(['asOf'])
  expect(words.mapping.because).toBe('Studio (amountUsd)')
  expect([words.config, ...words.others].map(({ fields }) => fields)).toMatchObject([
    { amountUsd: 'Studio', bedrooms: { constant: 0 }, statistic: { constant: 'fair_market' } },
    { amountUsd: 'Two-Bedroom', bedrooms: { constant: 2 }, statistic: { constant: 'fair_market' } },
  ])
  await writeFile(join(folder, 'areas.csv'), 'zipcode,area_rent_br0,area_rent_br1\n94025,2010,2350\n94027,2020,2360\n')
  const areas = await newSource('areas.csv', {}, { folder, now: today })
  expect([areas.config, ...areas.others].map(({ fields }) => fields)).toMatchObject([
    { amountUsd: 'area_rent_br0', bedrooms: { constant: 0 } },
    { amountUsd: 'area_rent_br1', bedrooms: { constant: 1 } },
  ])
  // Other rents may have another fiscal year.
  await writeFile(join(folder, 'FY25_survey.csv'), 'state_alpha,county,rent_1,rent_2\nca,San Mateo,2001,2501\n')
  const survey = await newSource('FY25_survey.csv', { market: 'sf-peninsula' }, { folder, now: today })
  expect(survey.mapping.missing).toEqual(['asOf'])
  expect(survey.config.require).toEqual([{ field: 'state_alpha', in: ['CA'] }])
})

test('the use group is part of the kind of work', () => {
  const mapping = proposeMapping(
    rows((at) => ({
      'PAMS PIN': `0101_236_${at}`,
      'Use Group Label': at % 2 ? 'Mercantile' : 'Residential (1 & 2 Family Homes)',
      'DATE ISSUED': '1/31/22',
      TYPE: at % 2 ? 'NEW' : 'ADD',
      'PERMIT #': `P-${at}`,
    })),
  )
  expect(mapping).toMatchObject({ holds: 'permits', missing: [] })
  expect(Object.fromEntries(mapping.fields.map(({ field, rule }) => [field, rule]))).toMatchObject({
    apn: 'PAMS PIN',
    projectType: { join: ['TYPE', 'Use Group Label'], separator: ' / ' },
  })
})

test("a table's prefix is no part of the name, and the owner's address no address of the home", () => {
  const mapping = proposeMapping(
    rows((at) => ({
      'rem prcl locn': `${at + 1} Elm St`,
      'rem use code': 1010,
      'rem pid': at,
      'own name': 'Smith',
      address1: `${at} Far Away Rd`,
      city: 'Boston',
      'vns ayb': 1950 + at,
      'vns num bedrm': 3,
      'vns num baths': at % 3,
      'vns num hbaths': 1,
      'prc ttl lnd area acres': 0.3 + at / 100,
      'prc ttl assess bldg': 283_100,
      'prc ttl assess': 461_900,
      saleprice: 400_000 + at,
      saledate: '2024-05-01',
    })),
  )
  expect(mapping.holds).toBe('sales')
  expect(Object.fromEntries(mapping.fields.map(({ field, rule }) => [field, rule]))).toMatchObject({
    address: 'rem prcl locn',
    yearBuilt: 'vns ayb',
    beds: 'vns num bedrm',
    baths: { sum: ['vns num baths', { field: 'vns num hbaths', multiply: 0.5 }] },
    lotSqft: { field: 'prc ttl lnd area acres', unit: 'acres' },
    soldOn: 'saledate',
  })
  expect(mapping.unusedColumns).toEqual(expect.arrayContaining(['address1', 'city', 'rem pid']))
})

test('a file that cannot be mapped is refused with what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-new-'))
  const refused: [string, string | Buffer, RegExp][] = [
    ['a.zip', Buffer.from('PK\u0003\u0004permits.csv'), /zip archive or an Excel workbook/],
    ['a.csv', Buffer.from([0x1f, 0x8b, 8, 0]), /ends in \.gz/],
    ['b.csv', Buffer.from('PERMIT_NO,TYPE\nB-1,New\n', 'utf16le'), /not a text file.*UTF-8/],
    ['c.csv', '132842,Arroyo,795000.00,3\n134364,Paso,399000.00,4\n', /is data, not column names \(132842, 795000/],
    ['d.csv', ',,Report,April,\nDate,Permit,Address,Class,Units\n', /names only 2 of 5 columns/],
    [
      'e.csv',
      `RegionName,${[1, 2, 3, 4, 5, 6].map((at) => `2024-0${at}-28`).join()}\n94022${',1'.repeat(6)}\n`,
      /6 months/,
    ],
    ['m.csv', `Place,${[1, 2, 3, 4, 5, 6].map((month) => `${month}/28/2000`).join()}\nKent,1,2,3,4,5,6\n`, /6 months/],
    ['n.csv', 'permit,count,mean,std,25%\nB-1,1,2,3,4\n', /has statistics/],
    ['o.csv', 'permit,count,mean,std\nB-1,1,2,3\n', /Its columns: permit, count/],
    ['p.csv', `Place,${[1, 2, 3, 4, 5].map((month) => `${month}/28/2000`).join()}\nKent,1,2,3,4,5\n`, /is data/],
    ['f.csv', 'Region,Homes Sold\nNational,12\n', /does not look like .*Region, Homes Sold.*--holds/],
    ['g.csv', 'PERMIT_NO,TYPE\n', /no rows/],
    ['h.csv', `PERMIT_NO,TYPE\nB-1,"${'x'.repeat(2 ** 21)}`, /a quote is never closed/],
  ]
  for (const [name, content, why] of refused) {
    await writeFile(join(folder, name), content)
    await expect(newSource(name, {}, { folder, now: today }), name).rejects.toThrow(why)
  }
  await writeFile(
    join(folder, 'saved.json'),
    '{"made":"2026","permits":[{"permit_number":"B-1","type":"New house","apn":"12-3"}]}',
  )
  expect((await newSource('saved.json', {}, { folder, now: today })).config.holds).toBe('permits')
  await writeFile(
    join(folder, 'features.json'),
    '{"features":[{"type":"Feature","properties":{"APN":"1-2"},"geometry":null}],"type":"FeatureCollection"}',
  )
  expect((await newSource('features.json', {}, { folder, now: today })).config).toMatchObject({ kind: 'geojson' })
})

test('delimiter, encoding and kind are detected from the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-new-'))
  const lines = ['APN;Adresse;Address', ...Array.from({ length: 20 }, (_, at) => `12-${at};ñ;${at} Cañada Rd`)].join(
    '\n',
  )
  await writeFile(join(folder, 'a.csv'), Buffer.from(lines, 'latin1'))
  await writeFile(
    join(folder, 'b.csv'),
    // The line with most commas is one of values.
    'PermitNum,Description,WorkClass,OriginalAddress1\nB-1,"New house, garage, shed",New,1 Oak St\n',
  )
  const context = { folder, now: today }
  const semicolons = await newSource('a.csv', { market: 'sf-peninsula' }, context)
  expect(semicolons.config).toMatchObject({ kind: 'csv', holds: 'parcels', where: { delimiter: ';' } })
  expect(semicolons.mapping.fields.find(({ field }) => field === 'address')?.examples[0]).toBe('0 Cañada Rd')
  expect((await newSource('b.csv', {}, context)).config).toMatchObject({ kind: 'blds', holds: 'permits' })
  const listed = (at: number) => `12-${100 + at},${at + 1} Oak St,${'a|'.repeat(5 + (at % 3))},1`
  await writeFile(join(folder, 'c.csv'), ['APN,Address,Parts,Units', ...[0, 1, 2, 3, 4, 5].map(listed)].join('\n'))
  expect(ruleOf((await newSource('c.csv', {}, context)).mapping, 'address')).toBe('Address')
  const ring = [0, 1, 1, 0].map((north, at) => [at < 2 ? -122.2 : -122.1998, 37.4 + north / 5000])
  const features = rows((at) => ({ attributes: { APN: `10-${100 + at}` }, geometry: { rings: [[...ring, ring[0]]] } }))
  await writeFile(join(folder, 'd.json'), JSON.stringify(features))
  const shapes = await newSource('d.json', {}, context)
  expect(shapes.config).toMatchObject({ kind: 'arcgis', fields: { apn: 'APN', lotSqft: 'geometry.areaSqft' } })
  // Redfin's days on market of a home that was sold count from its sale.
  expect(defaultFields('redfin', 'sales')).not.toHaveProperty('daysOnMarket')
})

const root = join(import.meta.dirname, '../../..')
const data = [process.env.LOTLINE_SHARED_DATA, join(root, '../shared/data'), join(root, '../../shared/data')]
  .filter((path) => path !== undefined)
  .map((path) => resolve(path))
  .find((path) => existsSync(join(path, 'permits')))

describe.skipIf(!data)('real exports', () => {
  test('90% of the fields that their mappings use are proposed', async () => {
    const folder = join(import.meta.dirname, '../real')
    const wanted: string[] = []
    const missed: string[] = []
    for (const file of readdirSync(folder)) {
      const made = JSON.parse(readFileSync(join(folder, file), 'utf8')) as SourceConfig
      if (!made.fields) continue
      const { config } = await newSource(
        join(data!, made.where.url),
        { market: 'sf-peninsula' },
        { folder, now: today },
      )
      expect([file, config.holds]).toEqual([file, made.holds])
      for (const field of Object.keys(made.fields)) {
        wanted.push(field)
        if (!(field in config.fields!)) missed.push(`${file} ${field}`)
      }
    }
    expect(missed.length / wanted.length, missed.join(', ')).toBeLessThanOrEqual(0.1)
  })
})

test('an R export of an assessor: NA is empty, the residential area is the living area, and the reason is said', () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({
    LOC_ID: `M_${100000 + at}`,
    SITE_ADDR: `${at + 1} ELM ST`,
    CITY: at % 6 === 0 ? 'NA' : 'SPRINGFIELD',
    YEAR_BUILT: at % 4 === 0 ? 'NA' : String(1900 + at),
    BLD_AREA: String(4000 + at),
    RES_AREA: String(1800 + at),
    LS_DATE: at % 5 === 0 ? 'NA' : `202012${String(10 + (at % 20))}`,
    LS_PRICE: at % 5 === 0 ? ' $-   ' : '$520,000 ',
  }))
  const { holds, because, fields, nulls } = proposeMapping(rows)
  expect(holds).toBe('sales')
  expect(nulls).toEqual(['NA'])
  const parcels = proposeMapping(
    rows.map(({ LS_DATE: _, LS_PRICE: __, ...row }) => ({ ...row, CITY: row.CITY === 'NA' ? 'na ' : row.CITY })),
    'parcels',
  )
  expect(parcels.nulls).toEqual(['na'])
  expect(because).toBe('LS_DATE (soldOn), LS_PRICE (priceUsd), LOC_ID, LS_DATE (saleId)')
  const rules = Object.fromEntries(fields.map(({ field, rule }) => [field, rule]))
  expect(rules).toMatchObject({
    yearBuilt: 'YEAR_BUILT',
    livingSqft: 'RES_AREA',
    soldOn: 'LS_DATE',
    priceUsd: 'LS_PRICE',
  })
})

test('dates with a weekday, a street column, and the month of a sale are read', () => {
  const sold = Array.from({ length: 30 }, (_, at) => ({
    street: `${at + 1} HIGH ST`,
    city: 'SACRAMENTO',
    type: 'Residential',
    sale_date: `Wed May ${10 + (at % 20)} 00:00:00 EDT 2008`,
    price: 59_222 + at * 10_000,
  }))
  expect(proposeMapping(sold)).toMatchObject({ holds: 'sales', missing: [] })
  const monthly = sold.map(({ sale_date, ...row }, at) => ({ ...row, 'Yr Sold': 2010, 'Mo Sold': 1 + (at % 12) }))
  expect(proposeMapping(monthly).fields.find(({ field }) => field === 'soldOn')).toMatchObject({
    rule: { join: ['Yr Sold', 'Mo Sold'], separator: '-' },
  })
})

test('numbers, areas and directions as counties name them; the ZIP codes of owners are left out', () => {
  const account = (zip: (at: number) => number, length = 40) =>
    proposeMapping(
      Array.from({ length }, (_, at) => ({
        ...{ Schedule: 4_000_100 + at, TotalHeatedAreaSqFt: 1500 + at, GarSqFt: 400 + at, TotAcres: 0.2 + at / 100 },
        ...{ HouseNum: 100 + at, st_name: '37th', st_pos_typ: 'Avenue', st_pos_dir: at % 2 ? 'North' : 'South' },
        ...{ Town: 'Hope', PostCode: zip(at) },
      })),
    )
  const far = account((at) => 10_001 + 2000 * at)
  expect(Object.fromEntries(far.fields.map(({ field, rule }) => [field, rule]))).toEqual({
    ...{ apn: 'Schedule', livingSqft: 'TotalHeatedAreaSqFt', garageSqft: 'GarSqFt', city: 'Town' },
    lotSqft: { field: 'TotAcres', unit: 'acres' },
    address: { join: ['HouseNum', 'st_name', 'st_pos_typ', 'st_pos_dir'] },
  })
  expect(whyNot(far, 'zip')).toBe("it is probably the owner's: homes in Hope would be in more than ten postal areas")
  // Some are mistyped.
  expect(
    ruleOf(
      account((at) => (at < 12 ? 10_001 + 2000 * at : 90_001), 1300),
      'zip',
    ),
  ).toBe('PostCode')
  expect(
    ruleOf(
      account((at) => 90_001 + 100 * (at % 10)),
      'zip',
    ),
  ).toBe('PostCode')
})

test('an address that ends in its town is cut there', () => {
  const base = Array.from({ length: 30 }, (_, at) => ({ apn: `12-${1000 + at}`, lot_size: 7000 + at }))
  const comma = base.map((row, at) => ({ ...row, address: `${at + 1} Fox Chase Dr, Goodlettsville` }))
  const rulesOf = (rows: Parameters<typeof proposeMapping>[0]) =>
    Object.fromEntries(proposeMapping(rows).fields.map(({ field, rule }) => [field, rule]))
  expect(rulesOf(comma)).toMatchObject({
    address: { field: 'address', before: ',' },
    city: { field: 'address', split: { by: ',', part: -1 }, case: 'title' },
  })
  const plain = base.map((row, at) => ({
    ...row,
    city: 'Phoenix',
    address: `${at + 1} W Calle de Edens Phoenix 85037`,
  }))
  const { strip } = rulesOf(plain).address as { strip: string }
  expect('10 W Calle de Edens Phoenix 85037'.replace(new RegExp(strip, 'i'), '')).toBe('10 W Calle de Edens')
})

test('a town without a comma is cut off the address, also where no column names it', () => {
  const town = (at: number) => (at % 3 === 0 ? 'MOUNT HOPE' : 'SPRINGFIELD')
  const rule = (tail: (at: number) => string, more = {}) =>
    proposeMapping(
      rows((at) => ({
        RECORD_NUMBER: `P-${at}`,
        RECORD_TYPE: `Kind ${at % 3}`,
        ADDRESS: `${at + 1} N ELM  AVE  ${tail(at)}`,
        ...more,
      })),
      'permits',
    )
  const cut = rule((at) => `${town(at)} IL 6270${at % 9}`)
  const { strip } = ruleOf(cut, 'address') as { strip: string }
  expect('9 N ELM AVE MOUNT HOPE IL 62701'.replace(new RegExp(strip, 'i'), '')).toBe('9 N ELM AVE')
  const { pattern } = ruleOf(cut, 'city') as { pattern: string }
  expect(new RegExp(pattern, 'i').exec('9 N ELM  AVE  MOUNT HOPE IL 62701')?.[1]).toBe('MOUNT HOPE')
  const some = (tail: string) =>
    ruleOf(
      rule((at) => (at % 4 ? '' : tail)),
      'address',
    ) as { strip?: string }
  const { strip: inSome } = some('HOPE IL 62701')
  expect('9 N ELM AVE HOPE IL 62701'.replace(new RegExp(inSome!, 'i'), '')).toBe('9 N ELM AVE')
  // Without state and ZIP code it may be the street.
  expect('9 N HOPE'.replace(new RegExp(inSome!, 'i'), '')).toBe('9 N HOPE')
  const zip = rule(() => '62704-1200', { CITY: 'Springfield' })
  expect(ruleOf(zip, 'address')).toEqual({ field: 'ADDRESS', strip: '\\s+\\d{5}(?:-\\d{4})?\\s*$' })
  expect(ruleOf(zip, 'city')).toBe('CITY')
  expect(
    ruleOf(
      rule(() => ''),
      'address',
    ),
  ).toBe('ADDRESS')
})

test('values decide where names mislead: exchanged coordinates, dollars named like a town, types, ZIP codes of owners', () => {
  const parcel = (at: number) => ({
    print_key: `65.69-1-${at}`,
    muni_taxab: 100_000 + at,
    StateCode: at % 2 ? '1.0 Single Family' : '3.0 Multi-Family',
    lat: -75.2 - at / 1000,
    lng: 40.02,
  })
  const proposed = proposeMapping(rows(parcel))
  expect(ruleOf(proposed, 'apn')).toBe('print_key')
  expect(ruleOf(proposed, 'lat')).toBe('lng')
  expect(ruleOf(proposed, 'lng')).toBe('lat')
  expect(ruleOf(proposed, 'propertyType')).toBe('StateCode')
  expect(whyNot(proposed, 'city')).toBe('the values are numbers')
  const zoned = rows((at) => ({ apn: `04-${1000 + at}`, ZONE_DESC: at % 2 ? 'Single Family' : 'Multi-Family' }))
  expect(ruleOf(proposeMapping(zoned), 'propertyType')).toBeUndefined()
  const owned = proposeMapping(rows((at) => ({ apn: `04-${1000 + at}`, city: 'BOUNTIFUL', zip_code: `${at % 6}4010` })))
  expect(owned.unclear).toMatchObject([
    { field: 'city', column: 'city', reason: expect.stringMatching(/owner's: its ZIP codes are from many states, or/) },
    { field: 'zip', column: 'zip_code' },
  ])
})

test('the column names of the Florida tax roll, and a property id as the parcel number, are known', () => {
  const proposed = proposeMapping(
    rows((at) => ({
      PROP_ID: `R${1000 + at}`,
      SALE_DATE: `2016-03-${10 + (at % 20)}`,
      SALE_PRC: 300_000 + at,
      LND_SQFOOT: 7000 + at,
      TOT_LVG_AREA: 1500 + at,
    })),
  )
  expect(proposed.holds).toBe('sales')
  expect(Object.fromEntries(proposed.fields.map(({ field, rule }) => [field, rule]))).toMatchObject({
    ...{ apn: 'PROP_ID', soldOn: 'SALE_DATE', priceUsd: 'SALE_PRC', lotSqft: 'LND_SQFOOT', livingSqft: 'TOT_LVG_AREA' },
  })
})

test('outlines in an unnamed projection are left out and named', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'lotline-')), 'lots.geojson')
  const square = (x: number, y: number) => [
    [
      [x, y],
      [x + 90, y],
      [x + 90, y + 90],
      [x, y + 90],
      [x, y],
    ],
  ]
  const features = rows((at) => ({
    type: 'Feature',
    properties: { apn: `04-${1000 + at}`, address: `${at} Elm St` },
    geometry: { type: 'Polygon', coordinates: square(1_194_560 + 200 * at, 567_005) },
  }))
  await writeFile(file, JSON.stringify({ type: 'FeatureCollection', features }))
  const { mapping } = await newSource(file, {}, { folder: '/', now: new Date(today) })
  expect(ruleOf(mapping, 'lotSqft')).toBeUndefined()
  expect(whyNot(mapping, 'outline')).toMatch('set where.spatialReference')
})

test('the values that would be lost are quoted', () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({
    apn: `12-${1000 + at}`,
    year_built: at % 3 === 0 ? 'pre-war' : '1950',
  }))
  expect(proposeMapping(rows, 'parcels').unclear).toContainEqual({
    field: 'yearBuilt',
    column: 'year_built',
    reason: 'not numbers: "pre-war" (10)',
  })
})

test('values that a name does not explain are left out with the reason', () => {
  const one = proposeMapping(
    rows((at) => ({
      address: `${at} Oak St`,
      sqft: 8000 + at,
      PIN: `1.57${at % 10}07E+11`,
      'Garage Size': 1 + (at % 3),
    })),
  )
  expect(whyNot(one, 'livingSqft')).toMatch(/lot or of the house/)
  expect(whyNot(one, 'apn')).toMatch(/spreadsheet has rounded/)
  expect(whyNot(one, 'garageSqft')).toMatch(/unit is not clear/)
  // Types of homes are no kind of work, and a code of a town is no name.
  const listed = {
    type: 'single_family',
    status: 'for_sale',
    listPrice: 400_000,
    city: 'fort_worth',
    city_name: 'Fort Worth',
  }
  const homes = proposeMapping(rows((at) => ({ ...listed, ...(at % 2 ? { type: 'condo' } : {}), sqft: 1500 + at })))
  expect(homes.holds).toBe('listings')
  // Where full baths have their own column, "baths" counts the half ones too.
  const baths = { baths: 3, baths_full: 2, baths_half: 1 }
  expect(
    ruleOf(proposeMapping(rows((at) => ({ ...sale(at), FULL_BATHS: '', HALF_BATHS: '', ...baths }))), 'baths'),
  ).toEqual({
    sum: ['baths_full', { field: 'baths_half', multiply: 0.5 }],
  })
  expect(ruleOf(homes, 'city')).toBe('city_name')
})

test('an address of several lines, the text that differs, and the state before a ZIP code are read', () => {
  const permit = proposeMapping(
    rows((at) => ({
      'Permit Number': `B-${at}`,
      'Work Type': ['New', 'Demolish'][at % 2],
      'Use Code': ['Single Family Dwelling', 'Garage'][at % 2],
      'Project Name': at === 3 ? 'Trailhead' : '',
      Description: `Plan ${at}`,
      Location: `${at} Oak St\nLebanon, MD 20817\n(38.97555, -77.11051)`,
      statezip: 'MD 20817',
    })),
  )
  expect(ruleOf(permit, 'address')).toEqual({ field: 'Location', before: '\n' })
  expect(permit.point).toBe('Location')
  expect(ruleOf(permit, 'projectType')).toEqual({ join: ['Work Type', 'Use Code'], separator: ' / ' })
  expect(ruleOf(permit, 'description')).toBe('Description')
  expect(ruleOf(permit, 'zip')).toEqual({ field: 'statezip', pattern: '\\d{5}$' })
})

test('transfers for a nominal price are left out of a file of sales', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-'))
  const lines = Array.from({ length: 40 }, (_, at) => `10-${at},2024-03-${10 + (at % 20)},${at % 4 ? 400_000 : 10}`)
  await writeFile(join(folder, 'sales.csv'), `PARCEL_NO,SALE_DT,SALE_PRICE\n${lines.join('\n')}\n`)
  const { config: made } = await newSource(join(folder, 'sales.csv'), {}, { folder, now: today })
  expect(made.require).toEqual([{ field: 'SALE_PRICE', atLeast: 101 }])
})

// COLUMN=kind of value>expected field, as counties and cities name them.
const valuesOf: Record<string, (at: number) => unknown> = {
  id: (at) => `0${100 + at}-0${at}`,
  street: (at) => `${100 + at} Oak St`,
  number: (at) => 100 + at,
  name: (at) => ['Oak St', 'Elm Ave'][at % 2],
  town: (at) => ['Lebanon', 'Hope'][at % 2],
  zip: () => '75001',
  anyZip: (at) => `${at % 10}5001`,
  usd: (at) => 150_000 + at * 1000,
  price: (at) => [1, 10, 250_000, 300_000 + at, 350_000][at % 5],
  year: (at) => 1920 + at,
  sold: (at) => 2010 + (at % 9),
  month: (at) => 1 + (at % 12),
  ymd: (at) => 20_200_110 + (at % 20),
  us: (at) => `03/${10 + (at % 20)}/2021`,
  serial: (at) => 44_000 + at,
  area: (at) => 1200 + at,
  gross: (at) => 2900 + at,
  lot: (at) => 6000 + at,
  acres: (at) => 0.2 + at / 100,
  few: (at) => 2 + (at % 3),
  half: (at) => at % 2,
  plane: (at) => 2_400_000 + at,
  lat: (at) => 32.71 + at / 1000,
  lng: (at) => -97.11 - at / 1000,
  kind: (at) => ['New', 'Addition', 'Demolition'][at % 3],
  use: (at) => ['Residential', 'Commercial'][at % 2],
  text: (at) => `Build a house after plan ${at}`,
  code: (at) => ['A1', 'B2'][at % 2],
  elsewhere: (at) => `${900 + ((at * 7) % 90)} Market Sq`,
  acresInFeet: (at) => Math.round(43_560 * (0.2 + at / 100)),
  early: (at) => `02/0${1 + (at % 9)}/2021`,
}
test.each([
  [
    'parcels',
    'PARCEL_ID=id>apn ACT_YR_BLT=year>yearBuilt EFF_YR_BLT=year TOT_LVG_AR=area>livingSqft LND_SQFOOT=lot>lotSqft ' +
      'LND_VAL=usd>assessedLandUsd OWN_ADDR1=street OWN_CITY=town OWN_ZIPCD=anyZip PHY_ADDR1=street>address ' +
      'PHY_CITY=town>city PHY_ZIPCD=zip>zip',
  ],
  ['sales', 'PARCEL_ID=id>apn SALE_YR=sold>soldOn SALE_MO=month>soldOn SALE_PRC=price>priceUsd QUAL_CD=code'],
  [
    'sales',
    'PROP_ID=id>apn+saleId LOC_ID=number LOT_SIZE=acres>lotSqft LS_DATE=ymd>soldOn+saleId LS_PRICE=price>priceUsd ' +
      'SITE_ADDR=street>address BLD_AREA=gross RES_AREA=area>livingSqft YEAR_BUILT=year>yearBuilt',
  ],
  [
    'parcels',
    'geo_id=id>apn situs_num=number>address situs_street=name>address addr_line1=street addr_city=town ' +
      'legal_acreage=acres>lotSqft imprv_val=usd>assessedImprovementUsd yr_blt=year>yearBuilt living_area=area>livingSqft',
  ],
  [
    'parcels',
    'PAMS_PIN=id>apn MUN_NAME=town>city PROP_LOC=street>address ST_ADDRESS=street CITY_STATE=town ZIP_CODE=zip ' +
      'IMPRVT_VAL=usd>assessedImprovementUsd CALC_ACRE=acres>lotSqft YR_CONSTR=year>yearBuilt',
  ],
  [
    'sales',
    'PARID=id>apn+saleId PROPERTYHOUSENUM=number>address PROPERTYADDRESS=name>address PROPERTYZIP=zip>zip ' +
      'SALEDATE=us>soldOn+saleId SALEPRICE=price>priceUsd PREVSALEPRICE=price FINISHEDLIVINGAREA=area>livingSqft ' +
      'FULLBATHS=few>baths HALFBATHS=half>baths',
  ],
  [
    'sales',
    'SSL=id>apn+saleId SALE_DATE1=serial>soldOn+saleId SALE_PRICE1=price>priceUsd X=plane Y=plane ' +
      'CENTER_LAT=lat>lat CENTER_LON=lng>lng',
  ],
  [
    'permits',
    'APNO=id>permitId APTYPE=kind>projectType STAT=code>status DESC=text>description ISSUED=us>issuedOn VALUE=usd>valuation ' +
      'commercialorresidential=use>projectType STNO=number>address STNAME=name>address',
  ],
  [
    'permits',
    'PER_NUM=id>permitId PER_TYPE_DESC=kind>projectType PER_ISSUE_DATE=us>issuedOn SCOPE_DESC=text>description ' +
      'STREET_FULL_NAME=street>address y_latitude=lat>lat x_longitude=lng>lng gpsx=plane',
  ],
  // A table's words before or after the names.
  [
    'sales',
    'Map_Lot=id>apn+saleId Address=street>address Sale_Date=us>soldOn+saleId Sale_Price=price>priceUsd ' +
      'Interior_Bedrooms=few>beds Interior_LivingArea=area>livingSqft Exterior_NumStories=few>stories Condition_YearBuilt=year>yearBuilt',
  ],
  [
    'permits',
    'APPROVAL_ID=id>permitId APPROVAL_TYPE=kind>projectType DATE_APPROVAL_ISSUE=us>issuedOn SCOPE=text>description ' +
      'ADDRESS_JOB=street>address LAT_JOB=lat>lat LNG_JOB=lng>lng APPROVAL_VALUATION=usd>valuation',
  ],
  // Names that a shapefile has cut to ten letters.
  [
    'parcels',
    'PARCEL_NUM=id>apn PROP_ADDRE=street>address YEAR_BUILT=year>yearBuilt IMPROVEMEN=usd LIVING_ARE=area>livingSqft',
  ],
  // The only number and street are the home's; the whole address, town and ZIP code are the owner's.
  [
    'sales',
    'PIN=id>apn+saleId HouseNumber=number>address StreetName=name>address Address=elsewhere CityName=town Zipcode=anyZip ' +
      'DeedDate=us>soldOn+saleId SalePrice=price>priceUsd',
  ],
  // The number of the house in a column named like an address; the lot in feet beside the lot in acres.
  [
    'parcels',
    'APN=id>apn SITUS_ADDRESS=number>address SITUS_STREET=name>address ASR_LAND=usd>assessedLandUsd ACREAGE=acres>lotSqft ' +
      'SQFT=acresInFeet',
  ],
  // 04/05 alone does not say which is the month; the other dates of the file do.
  [
    'permits',
    'Permit_No=id>permitId Type=kind>projectType Description=text>description Issued=us>issuedOn Applied=early>appliedOn',
  ],
])('%s as counties and cities name their columns: %s', (holds, layout) => {
  const columns = layout.split(' ').map((each) => each.split(/[=>]/) as [string, string, string?])
  const proposed = proposeMapping(
    rows((at) => Object.fromEntries(columns.map(([name, kind]) => [name, valuesOf[kind]!(at)]))),
  )
  const expected: Record<string, string[]> = {}
  for (const [name, , fields] of columns)
    for (const field of fields?.split('+') ?? []) expected[field] = [...(expected[field] ?? []), name]
  const namesIn = (rule: unknown): string[] =>
    typeof rule === 'string'
      ? columns.some(([name]) => name === rule)
        ? [rule]
        : []
      : Object.values(rule as object)
          .flat()
          .flatMap((part) => (part && typeof part !== 'number' ? namesIn(part) : []))
  expect(proposed.holds).toBe(holds)
  expect(Object.fromEntries(proposed.fields.map(({ field, rule }) => [field, namesIn(rule).sort()]))).toEqual(
    Object.fromEntries(Object.entries(expected).map(([field, names]) => [field, names.sort()])),
  )
})

test('a column whose values contradict its name is left out with the reason', () => {
  const home = (at: number) => ({ PIN: `10-${at}-7`, beds: 3, baths: 2, 'Year Built': 1950 + at })
  const glued = proposeMapping(
    rows((at) => ({
      ...home(at),
      address: at % 2 ? `${at} Elm StreetBelton, MO 64012` : `${at} Oak LnRaymore, MO 64083`,
    })),
  )
  expect(whyNot(glued, 'address')).toMatch(/town, state and ZIP code follow the street/)
  const priced = proposeMapping(rows((at) => ({ ...home(at), 'Sold Price': 300_000 + at })))
  expect([priced.holds, whyNot(priced, 'priceUsd')]).toEqual([
    'parcels',
    'a price without the day of the sale is not used',
  ])
  const shifted = proposeMapping(
    rows((at) => ({
      'MLS #': 1000 + at,
      Status: 'Active',
      'List Price': 300_000 + at,
      Address: `${at} Elm St`,
      Remarks: '1171.94',
    })),
  )
  expect(whyNot(shifted, 'remarks')).toBe('the values are not sentences')
  const named = proposeMapping(rows((at) => ({ PIN: `10-${at}-7`, newaddress: `${at} elm st` })))
  expect(ruleOf(named, 'address')).toBe('newaddress')
})

test('the address, town and ZIP code of somebody else are not those of the permit', () => {
  const permit = (at: number) => ({
    permit_number: `B-${at}`,
    address: `${at} Elm St`,
    issue_date: `2026-03-0${1 + (at % 9)}`,
    description: 'Kitchen remodel of a house',
  })
  const fieldsOf = (more: (at: number) => Record<string, unknown>) => {
    const { fields } = proposeMapping(rows((at) => ({ ...permit(at), ...more(at) })))
    return fields.map(({ field, rule }) => `${field} ${JSON.stringify(rule)}`).sort()
  }
  const alone = fieldsOf(() => ({}))
  expect(alone).toContain('address "address"')
  expect(fieldsOf(() => ({ 'Contractor.City': 'Reno', 'Contractor.Zip': '89501' }))).toEqual(alone)
  expect(fieldsOf(() => ({ contractor_address: '100 Oak St', architect_address: '9 Bay Rd' }))).toEqual(alone)
  for (const person of ['architect', 'engineer', 'surveyor'])
    expect(
      fieldsOf(() => ({
        [`${person}_name`]: 'Ann Lee',
        [`${person}_city`]: 'Reno',
        [`${person}_zip`]: '89501',
        [`${person}_address`]: '100 Oak St',
      })).filter((field) => !field.startsWith(`architect "${person}_name"`)),
    ).toEqual(alone)
  // A town that most rows name, before one of somebody else that all have.
  const towns = fieldsOf((at) => ({ ...(at % 5 ? { city: 'Elko' } : {}), 'Contractor.City': 'Reno' }))
  expect(towns).toContain('city "city"')
})

test('empty columns and the date order of another column do not decide how a column is read', () => {
  const home = (at: number) => ({ PIN: `10-${at}-7`, address: `${at} Elm St`, beds: 3, LIVING_AREA: 1500 + at })
  for (const acres of ['0', ''])
    expect(ruleOf(proposeMapping(rows((at) => ({ ...home(at), ACRES: acres }))), 'livingSqft')).toBe('LIVING_AREA')
  const permit = (at: number) => ({ permit_number: `B-${at}`, address: `${at} Elm St`, issue_date: '03/04/2026' })
  expect(whyNot(proposeMapping(rows((at) => ({ ...permit(at), state: '' }))), 'issuedOn')).toMatch(/day or the month/)
  expect(ruleOf(proposeMapping(rows((at) => ({ ...permit(at), state: 'TX' }))), 'issuedOn')).toMatchObject({
    date: 'mdy',
  })
  const australian = rows((at) => ({ ...permit(at), state: 'WA', application_date: '25/03/2024' }))
  expect(ruleOf(proposeMapping(australian), 'appliedOn')).toMatchObject({ date: 'dmy' })
  expect(whyNot(proposeMapping(australian), 'issuedOn')).toMatch(/day or the month/)
})

test.each<[string, string, (at: number) => object, RegExp]>([
  ['a finish before the issue', 'finaledOn', () => ({ final_date: '2024-01-05' }), /before the day of issue/],
  ['days to come', 'appliedOn', () => ({ issued_date: '', applied_date: '2031-03-15' }), /in the future/],
  ['an id in place of a name', 'contractor', (at) => ({ contractor: 400 + at }), /not words/],
  ['email addresses', 'contractor', (at) => ({ contractor: `crew${at}@build.example` }), /email addresses/],
  ['addresses', 'description', (at) => ({ project_name: `${at} Oak St` }), /addresses/],
  ['counties', 'city', (at) => ({ jurisdiction: at % 2 ? 'Summit County' : 'Orem' }), /counties/],
  ['yes and no', 'description', (at) => ({ description: at % 2 ? 'Yes' : 'No' }), /yes or no/],
  ['days as a status', 'status', (at) => ({ status: `2024-03-${10 + (at % 20)}` }), /dates/],
  ['JSON', 'description', (at) => ({ description: `{'id': ${at}, 'text': 'roof'}` }), /JSON/],
  ['a legal description', 'address', (at) => ({ address: `Lot ${at} Blk 3 Oak Ridge` }), /not street addresses/],
  ['one point for all', 'lat', () => ({ lat: 32.71, lng: -97.11 }), /same point/],
  ['a fee', 'valuation', (at) => ({ total_cost: 40 + at }), /the median is/],
  ['an age', 'yearBuilt', (at) => ({ year_built: 20 + at }), /the median is/],
])('%s: %s is left out of permits or parcels with the reason', (_, field, more, reason) => {
  const permit = (at: number) => ({
    permit_number: `B24-${100 + at}`,
    permit_type: ['New', 'Addition'][at % 2],
    address: `${100 + at} Oak St`,
    issued_date: `2024-03-${10 + (at % 20)}`,
    ...more(at),
  })
  const holds = field === 'yearBuilt' ? 'parcels' : 'permits'
  const proposed = proposeMapping(rows(permit), holds, today)
  expect(ruleOf(proposed, field)).toBeUndefined()
  expect(whyNot(proposed, field)).toMatch(reason)
})

test.each<[string, string, (at: number) => object, RegExp]>([
  ['half baths after the point', 'baths', (at) => ({ baths: at % 2 ? 2.1 : 1.2 }), /two full baths and a half/],
  ['a lot', 'livingSqft', () => ({ sqft_living: 5900 }), /area per bedroom/],
  ['a year before the house', 'yearRenovated', (at) => ({ yr_renovated: 1900 + at }), /before the year built/],
  ['another lot in acres', 'lotSqft', () => ({ lot_sqft: 9000, acres: 3.5 }), /it disagrees with the acres/],
  ['the lot', 'livingSqft', () => ({ living_area: 4400, acres: 0.1 }), /it equals the lot area/],
  ['a list price', 'listPriceUsd', () => ({ list_price: 60_000 }), /does not fit the price/],
  ['a lost minus sign', 'lng', (at) => ({ lat: 40 + at / 1000, lng: 75 + at / 1000 }), /minus sign/],
  ['yes and no for a year', 'yearRenovated', (at) => ({ yr_renovated: at % 2 }), /the median is/],
  ['a building after the sale', 'yearBuilt', () => ({ year_built: 2023 }), /after the sale/],
  [
    'the days since the sale',
    'daysOnMarket',
    (at) => ({ days_on_market: (at ? 60 : 44) - (at % 20) }),
    /since the sale/,
  ],
  ['a glued town', 'address', (at) => ({ address: `${at} Oak StreetHope` }), /follow the street/],
])('%s: %s is left out of sales with the reason', (_, field, more, reason) => {
  const home = (at: number) => ({
    parcel_number: `10-44-${100 + at}`,
    sale_date: `2019-03-${10 + (at % 20)}`,
    sale_price: 400_000 + at * 1000,
    address: `${100 + at} Oak St`,
    zip: '75001',
    beds: 3,
    year_built: 1950,
    ...more(at),
  })
  const proposed = proposeMapping(rows(home), 'sales', today)
  expect(ruleOf(proposed, field)).toBeUndefined()
  expect(whyNot(proposed, field)).toMatch(reason)
  expect(ruleOf(proposed, 'priceUsd')).toBe('sale_price')
})

test('the street comes before the whole address, and the day of an estimate is not that of the record', () => {
  const town = (at: number) => (at % 2 ? `${at} Elm StKent, WA 98030` : `${at} Elm St, Kent, WA 98030`)
  const { fields } = proposeMapping(
    rows((at) => ({
      ...{ ...sale(at), address_full: town(at), address_street: `${at} Elm St` },
      ...{ amount: 500_000 + at, amount_last_updated: '2024-11-02', amount_low: 400_000 + at },
    })),
  )
  expect(fields.find(({ field }) => field === 'address')?.rule).toBe('address_street')
  expect(fields.some(({ field }) => field === 'modifiedAt')).toBe(false)
})

test('the example of joined columns is what is loaded', () => {
  const { fields } = proposeMapping(rows((at) => ({ ...sale(at), 'Street Number': 100 + at, 'Street Name': 'Oak St' })))
  expect(fields.find(({ field }) => field === 'address')?.examples[0]).toBe('100 Oak St')
})

test('a unit in the next column, a state after the town and a decimal house number are understood', () => {
  const home = (at: number) => ({
    parcel_number: `10-44-${100 + at}`,
    'Street Number': `${100 + at}.0`,
    'Street Name': 'Oak St',
    lotAreaValue: at % 2 ? 0.25 : 9000,
    lotAreaUnits: at % 2 ? 'Acres' : 'Square Feet',
    city: at % 2 ? 'Hope, AR' : 'Pine Bluff AR 71601',
    suffix: '0000',
  })
  const proposed = proposeMapping(rows(home), 'parcels')
  const fields = Object.fromEntries(proposed.fields.map((each) => [each.field, each.rule]))
  const map = mapper(config('parcels', { fields }))
  expect(map(home(1)).values).toMatchObject({ lotSqft: 10_890, address: '101 Oak St', city: 'Hope' })
  expect(map(home(2)).values).toMatchObject({ lotSqft: 9000, city: 'Pine Bluff' })
  // A price under a name of its own, beside the day of the sale; the units of another column are not those of "size".
  const sold = proposeMapping(
    rows((at) => ({
      ...{ '': at, Address: `${at} Oak St`, size: 1500 + at },
      ...{
        'Sold date (MM/DD/YYYY)': `03/${10 + (at % 20)}/2024`,
        'Property price': 300_000 + at,
        'Price per sqft': 200,
      },
    })),
  )
  expect([sold.holds, ruleOf(sold, 'priceUsd'), ruleOf(sold, 'livingSqft')]).toEqual([
    'sales',
    'Property price',
    'size',
  ])
})

test('a file of sold homes with a price and no day holds no listings', () => {
  const home = (at: number) => ({
    zpid: `77${at}`,
    address: `${at} Elm St`,
    status: 'Sold',
    price: 300_000 + at,
    beds: 3,
  })
  expect(proposeMapping(rows(home)).holds).toBe('parcels')
  expect(proposeMapping(rows((at) => ({ ...home(at), status: 'Active' }))).holds).toBe('listings')
})

test('names shifted against their values, torn rows and two columns of one name are refused or named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-'))
  const propose = async (lines: readonly string[]) => {
    await writeFile(join(folder, 'feed.csv'), `${lines.join('\n')}\n`)
    return newSource(join(folder, 'feed.csv'), { market: 'sf-peninsula' }, { folder, now: today })
  }
  const values = (at: number) => `10-44-${100 + at},2019-03-${10 + (at % 20)},${400_000 + at},${100 + at} Oak St,94301`
  const lines = Array.from({ length: 40 }, (_, at) => values(at))
  await expect(propose(['APN,Sale Date,Sale Price,Address,ZIP', ...lines])).resolves.toMatchObject({ rows: 40 })
  // Columns without a value say nothing.
  const unused =
    ',Beds,Baths,Units,Stories,Latitude,Longitude,Year Built,Lot Size,Living Area,Bedrooms,Bathrooms,Zip Code'
  const shifted = lines.map((line) => line + unused.replace(/[^,]/g, ''))
  await expect(propose([`Sale Date,Sale Price,Address,ZIP,APN${unused}`, ...shifted])).rejects.toThrow(
    /does not line up with the data: Sale Date, .* match a nearby column/,
  )
  const torn = lines.map((line, at) => (at % 2 ? `${line},Palo Alto` : line))
  await expect(propose(['APN,Sale Date,Sale Price,Address,ZIP', ...torn])).rejects.toThrow(/20 of the first 40 rows/)
  const { mapping } = await propose(['APN,Sale Date,Sale Price,Address,Address', ...lines])
  expect(ruleOf(mapping, 'address')).toBeUndefined()
  expect(mapping.unclear).toContainEqual(
    expect.objectContaining({ column: 'Address', reason: expect.stringMatching(/^appears twice/) }),
  )
})

test('columns that cannot be read beside usable ones are no shift of the header row', async () => {
  const columns = {
    ...{ applied_date: 'pending', issued_date: '2024-03-15', finaled_date: 'see file', completed_date: '2024-05-20' },
    ...{ zip: 'Springfield', zip_code: '94301', sqft: 'n/a sqft', living_area: 1850, permit_number: 'B-1' },
  }
  const folder = await mkdtemp(join(tmpdir(), 'lotline-'))
  const line = Object.values(columns).join(',')
  await writeFile(join(folder, 'feed.csv'), `${Object.keys(columns).join(',')}\n${`${line}\n`.repeat(40)}`)
  const { mapping } = await newSource(join(folder, 'feed.csv'), { holds: 'permits' }, { folder, now: today })
  expect(ruleOf(mapping, 'issuedOn')).toBe('issued_date')
})

test('right fields are kept: few rows, rows without a point, parts of a city and names that begin like streets', () => {
  const home = (at: number) => ({
    ...{ parcel_number: `10-44-${100 + at}`, sale_date: `2025-0${1 + (at % 9)}-15`, sale_price: 400_000 + at * 1000 },
    ...{ address: `${100 + at} Oak St`, beds: 3, days_on_market: 20 + at },
  })
  const kept = (file: readonly object[], ...fields: string[]) => {
    const proposed = proposeMapping(file as Record<string, unknown>[], 'sales', today)
    for (const field of fields)
      expect([field, whyNot(proposed, field), ruleOf(proposed, field)]).toEqual([field, undefined, expect.any(String)])
  }
  kept([0, 1, 2].map(home), 'daysOnMarket')
  kept(
    [
      { ...home(0), sqft_living: 420 },
      { ...home(1), sqft_living: 1400 },
      { ...home(2), sqft_living: 400 },
    ],
    'livingSqft',
  )
  kept([{ ...home(0), sale_date: '2027-02-01' }, home(1), home(2)], 'soldOn')
  const located = Array.from({ length: 1000 }, (_, at) => ({
    ...home(at),
    ...(at < 150 && { lat: 37.4 + at / 1000, lng: -122.1 }),
  }))
  kept(located, 'lat', 'lng')
  for (const [at, part] of ['NW', 'NE', 'SE', 'SW'].entries())
    kept(
      rows((row) => ({ ...home(row), address: `${row} 14th St${row % (at + 1) ? '' : `, ${part}`}` })),
      'address',
    )
  kept(
    rows((at) => ({ ...home(at), address: at % 10 ? `${at} Oak St` : `${at} WestPark Ave` })),
    'address',
  )
  const inTexas = proposeMapping(
    rows((at) => ({ ...home(at), address: `${at} Oak St${at % 2 ? ', TX' : ''}` })),
    'sales',
    today,
  )
  expect(whyNot(inTexas, 'address')).toMatch(/follow the street/)
})

/** A file with one column that matters: its proposed rule, or why there is none. */
const ruleFor = (holds: ProposedMapping['holds'], field: string, file: readonly Record<string, unknown>[]) => {
  const proposed = proposeMapping(file, holds)
  const found = proposed.fields.find((each) => each.field === field)
  return found ? [found.rule, found.confidence] : (whyNot(proposed, field) ?? 'not found')
}
const numbered = (text: string) => (at: number) => `${text}${at}`

test.each<
  [ProposedMapping['holds'], string, string, number, number, (at: number) => unknown, (at: number) => unknown, unknown]
>([
  ['parcels', 'cornerLot', 'CORNER_LOT', 100, 96, () => 'yes', () => 'maybe', 'yes or no'],
  [
    'listings',
    'remarks',
    'REMARKS',
    40,
    20,
    numbered('a nice home near the park and the lake, new roof '),
    () => 'x1',
    'not sentences',
  ],
  ['permits', 'address', 'ADDRESS', 39, 13, (at) => `${at} Oak St`, () => 'unclear', 'not street addresses'],
  ['sales', 'city', 'CITY', 40, 20, () => 'Palo Alto', String, 'are numbers'],
  ['sales', 'county', 'COUNTY', 40, 20, () => 'San Mateo', String, 'are numbers'],
  ['sales', 'propertyType', 'PROPERTY_TYPE', 40, 4, () => 'Condo', numbered('zz'), 'words must be mapped'],
  ['parcels', 'propertyType', 'Kind', 40, 33, (at) => ['Condo', 'Duplex'][at % 2], numbered('zz'), 'not found'],
  ['parcels', 'apn', 'APN', 40, 20, numbered('123-45-1'), String, 'too short'],
  ['parcels', 'apn', 'APN', 40, 20, numbered('123-45-1'), (at) => `1.2${at}E+${at}`, 'rounded'],
  ['permits', 'permitId', 'PERMIT_NO', 40, 20, numbered('B-'), () => 'B-0', 'only 19 different values in 40 rows'],
  ['parcels', 'apn', 'APN', 40, 8, numbered('123-45-1'), () => '123-45-10', 'only 7 different values in 40 rows'],
  ['listings', 'listingId', 'LISTING_ID', 40, 20, numbered('B-'), () => 'B-0', 'only 19 different'],
  ['sales', 'saleId', 'SALE_ID', 40, 40, numbered('B-'), () => 'B-0', 'several rows'],
  ['sales', 'zip', 'ZIP', 40, 33, () => '94301', () => '9430A', 'not ZIP codes'],
  ['sales', 'zip', 'ZIP', 40, 33, () => 'CA 94301', () => 'none here', 'not ZIP codes'],
  ['sales', 'priceUsd', 'SALE_PRICE', 40, 36, (at) => 500_000 + at, () => 'abc', 'not numbers: "abc" (5)'],
  ['sales', 'soldOn', 'SALE_DATE', 40, 32, () => '2024-03-05', () => 'soon', '78% of the values are dates'],
  ['sales', 'soldOn', 'SALE_DATE', 40, 37, (at) => 1_600_000_000 + at, () => 'soon', '0% of the values'],
  ['sales', 'soldOn', 'SALE_DATE', 40, 37, (at) => 45_000 + at, () => 'soon', '0% of the values'],
  ['sales', 'lat', 'LATITUDE', 40, 21, () => 37.5, () => 37, 'projected'],
  ['permits', 'projectType', 'PERMIT_TYPE', 40, 20, (at) => `Building ${at % 3}`, () => '12', 'numeric codes'],
  ['parcels', 'address', 'newaddress', 40, 25, (at) => `${at} Oak St`, numbered('Lot '), 'not found'],
])('%s: %s is taken from %s if of %d values at least %d fit', (holds, field, column, of, least, good, bad, reason) => {
  const file = (fitting: number) =>
    Array.from({ length: of }, (_, at) => ({
      [column]: at < fitting ? good(at) : bad(at),
      ...(field === 'lat' && { LONGITUDE: -122.5 - at / 1000 }),
    }))
  expect(ruleFor(holds, field, file(least))).toBeInstanceOf(Array)
  expect(ruleFor(holds, field, file(least - 1))).toContain(reason)
})

test('yes and no are sure', () => {
  expect(
    ruleFor(
      'parcels',
      'cornerLot',
      rows(() => ({ CORNER_LOT: 'yes' })),
    ),
  ).toEqual(['CORNER_LOT', 'high'])
})

test('dates that nearly all can be read are sure; with more that cannot, the field is to be looked at', () => {
  const file = (dates: number) => rows((at) => ({ SALE_DATE: at < dates ? '2024-03-05' : 'soon' }))
  expect(ruleFor('sales', 'soldOn', file(39))).toEqual(['SALE_DATE', 'high'])
  expect(ruleFor('sales', 'soldOn', file(38))).toEqual(['SALE_DATE', 'medium'])
})

const [acres, sqm, thousands] = ['acres', 'sqm', 'thousands'].map((unit) => ({ unit }))
test.each<[string, string, readonly (readonly [number, object | string | undefined])[]]>([
  [
    'lotSqft',
    'LOT_SIZE',
    [
      ...[[3_999, undefined] as const, [4_000, 'high'] as const, [400_000, 'high'] as const],
      ...[[400_001, undefined] as const, [4.9, acres] as const, [5, undefined] as const, [5.5, undefined] as const],
    ],
  ],
  [
    'lotSqft',
    'LOT_SQFT',
    [
      [1_249, undefined],
      [1_250, 'high'],
      [2_000_000, 'high'],
      [2_000_001, undefined],
    ],
  ],
  [
    'lotSqft',
    'LOT_ACRES',
    [
      [0.0286, undefined],
      [0.0288, acres],
      [45.9, acres],
      [46, undefined],
    ],
  ],
  [
    'livingSqft',
    'LIVING_AREA',
    [
      ...[[49, undefined] as const, [50, sqm] as const, [300, sqm] as const, [301, undefined] as const],
      ...[[599, undefined] as const, [600, 'medium'] as const, [799, 'medium'] as const, [800, 'high'] as const],
      ...[[6_000, 'high'] as const, [6_001, undefined] as const],
    ],
  ],
  [
    'livingSqft',
    'LIV_AREA_SQFT',
    [
      [299, undefined],
      [300, 'high'],
      [30_000, 'high'],
      [30_001, undefined],
    ],
  ],
  [
    'priceUsd',
    'SALE_PRICE',
    [
      ...[[100, undefined] as const, [101, thousands] as const, [999, thousands] as const, [1_000, undefined] as const],
      ...[[39_999, undefined] as const, [40_000, 'high'] as const, [9_000_000, 'high'] as const],
      [9_000_001, undefined],
    ],
  ],
  [
    'yearBuilt',
    'YEAR_BUILT',
    [
      [1_699, undefined],
      [1_700, 'high'],
      [2_100, 'high'],
      [2_101, undefined],
    ],
  ],
  [
    'baths',
    'BATHS',
    [
      [0.4, undefined],
      [0.5, 'high'],
      [12, 'high'],
      [12.5, undefined],
    ],
  ],
])('%s in %s: which medians are plausible, and in which unit', (field, column, cases) => {
  for (const [value, expected] of cases) {
    const found = ruleFor(
      'sales',
      field,
      rows(() => ({ [column]: value })),
    )
    if (expected === undefined) expect([value, typeof found]).toEqual([value, 'string'])
    else if (typeof expected === 'string') expect([value, found]).toEqual([value, [column, expected]])
    else expect([value, found[0]]).toEqual([value, { field: column, ...expected }])
  }
})

test('two groups of values that no single unit explains are left out, unless enough values lie between them', () => {
  const mixed = (field: string, column: string, low: number, middle: number, [few, between, many]: readonly number[]) =>
    ruleFor(
      'sales',
      field,
      rows((at) => ({ [column]: at < low ? few : at < low + middle ? between : many })),
    )
  const reason = 'its values are in different units'
  for (const [field, column, values] of [
    ['priceUsd', 'SALE_PRICE', [2_500, 25_000, 500_000]],
    ['livingSqft', 'LIVING_AREA', [250, 700, 1_500]],
    ['lotSqft', 'LOT_SIZE', [20, 1_500, 6_000]],
  ] as const) {
    expect(mixed(field, column, 9, 7, values)).toBe(reason)
    expect(mixed(field, column, 8, 7, values)).not.toBe(reason)
    expect(mixed(field, column, 9, 8, values)).not.toBe(reason)
    // A value just above the lower group lies between.
    expect(mixed(field, column, 9, 0, [values[0] + 1, 0, values[2]])).not.toBe(reason)
  }
})

test('of columns for several years the newest is used, and of equal ones that with more values', () => {
  const file = rows((at) => ({ LAND_VALUE_2023: 500_000, LAND_VALUE_2024: 510_000, APN: `123-45-1${at}` }))
  expect(ruleFor('parcels', 'assessedLandUsd', file)).toEqual(['LAND_VALUE_2024', 'high'])
  const half = rows((at) => ({ SALE_PRICE: at < 20 ? 500_000 : '', SALEPRICE: 400_000 }))
  expect(ruleFor('sales', 'priceUsd', half)).toEqual(['SALEPRICE', 'high'])
})

test('exchanged coordinates are seen by their middle values', () => {
  const at = (lat: number, lng: number) => {
    const { fields } = proposeMapping(
      rows((n) => ({ LATITUDE: lat + n / 1000 + 0.0001, LONGITUDE: lng + n / 1000 + 0.0001 })),
      'sales',
    )
    return Object.fromEntries(fields.map(({ field, rule }) => [field, rule]))
  }
  expect(at(-75.2, 40)).toEqual({ lat: 'LONGITUDE', lng: 'LATITUDE' })
  expect(at(-49, 40)).toEqual({ lat: 'LATITUDE', lng: 'LONGITUDE' })
  expect(at(-75.2, 9.5)).toEqual({ lat: 'LATITUDE', lng: 'LONGITUDE' })
})

test('a town at the end of most addresses is the city; of fewer, the address stays as it is', () => {
  const file = (withTown: number, tail: (at: number) => string) =>
    proposeMapping(
      rows((at) => ({ APN: `123-45-1${at}`, ADDRESS: `${at} Oak St${at < withTown ? tail(at) : ''}` })),
      'parcels',
    )
  const town = (at: number) => [', Atherton', ', Belmont'][at % 2]!
  expect(ruleOf(file(40, town), 'address')).toEqual({ field: 'ADDRESS', before: ',' })
  expect(ruleOf(file(40, town), 'city')).toEqual({ field: 'ADDRESS', split: { by: ',', part: -1 }, case: 'title' })
  expect(ruleOf(file(31, town), 'address')).toBe('ADDRESS')
  expect(ruleOf(file(31, town), 'city')).toBeUndefined()
  // Units and many different words are no towns.
  expect(ruleOf(file(40, numbered(', Unit ')), 'address')).toBe('ADDRESS')
  expect(
    ruleOf(
      file(40, () => ', Rear'),
      'city',
    ),
  ).toBeDefined()
  const letters = (at: number) => `, ${String.fromCharCode(97 + (at % 26), 98 + (at % 20), 99 + (at % 7))}ton`
  expect(ruleOf(file(40, letters), 'city')).toBeUndefined()
  const whole = (at: number) => [', Atherton, CA 94027', ', Belmont, CA 94002'][at % 2]!
  expect(ruleOf(file(40, whole), 'city')).toMatchObject({ field: 'ADDRESS', case: 'title' })
})

test('a word that tells columns apart, a capital of two words and another country are seen', () => {
  const mapped = (row: (at: number) => Record<string, unknown>, holds?: 'parcels' | 'listings') =>
    proposeMapping(rows(row), holds)
  const home = (at: number) => ({ APN: `123-45-1${at}`, YEAR_BUILT: 1950 + at })
  const areas = { area_house: 2000, area_retail: 900, area_office: 800 }
  expect(
    ruleOf(
      mapped((at) => ({
        ...home(at),
        bldg_area_detached: 2000,
        bldg_area_retail: 900,
        bldg_area_office: 800,
        x_detached: 1,
        y_detached: 2,
      })),
      'livingSqft',
    ),
  ).toBeUndefined()
  expect(
    ruleOf(
      mapped((at) => ({ ...home(at), ...areas })),
      'lotSqft',
    ),
  ).toBeUndefined()
  const { fields } = mapped((at) => ({ ...home(at), Address: `${at} Oak Ave, LOS ANGELES CA 90012-1234` }))
  expect(fields.find(({ field }) => field === 'city')?.rule).toMatchObject({ field: 'Address', case: 'title' })
  expect(JSON.stringify(fields)).toContain('(LOS ANGELES)')
  // "Ex. Amount" is no amount in a table "Ex".
  expect(
    mapped((at) => ({ ...home(at), 'Deed Date': `2012-03-${10 + (at % 9)}`, 'Base Ex. Amount': 1000 * at })).holds,
  ).toBe('parcels')
  expect(
    ruleOf(
      mapped((at) => ({ ...home(at), 'Pysical Address(often incomplete)': `${at} Kent St` })),
      'address',
    ),
  ).toBe('Pysical Address(often incomplete)')
  expect(
    ruleOf(
      mapped((at) => ({ ...home(at), Bedrooms1: 3, Bedrooms2: '' })),
      'beds',
    ),
  ).toBe('Bedrooms1')
  const listed = mapped((at) => ({ City: 'Mesa', Bedroom: 3, ListedPrice: 400_000 + at * 5000 }))
  expect([listed.holds, ruleOf(listed, 'priceUsd')]).toEqual(['listings', 'ListedPrice'])
  const abroad = mapped(
    (at) => ({ URL: `https://www.property24.com/for-sale/${at}`, Price: 400_000 + at * 5000 }),
    'listings',
  )
  expect(whyNot(abroad, 'priceUsd')).toContain('may not be in US dollars')
})

test('rows by their ids in saved JSON are read, homes with a number of permits are no permits', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-keyed-'))
  const parcels = rows((at) => ({ ain: `6383-00${10 + at}-100`, yearBuilt: 1950 + at }))
  await writeFile(
    join(folder, 'a.json'),
    JSON.stringify(Object.fromEntries(parcels.map((row, at) => [`32.5,-117.${at}`, row]))),
  )
  const { mapping } = await newSource('a.json', {}, { folder, now: today })
  expect(ruleOf(mapping, 'apn')).toBe('ain')
  // A list for each of many ZIP codes: the codes are no rows.
  const byZip = parcels.map((row, at) => [94000 + at, { zip: 94000 + at, homes: at === 0 ? parcels : [row] }])
  await writeFile(join(folder, 'zips.json'), JSON.stringify(Object.fromEntries(byZip)))
  const zips = await newSource('zips.json', {}, { folder, now: today })
  expect(ruleOf(zips.mapping, 'apn')).toBe('ain')
  const projects = rows((at) => ({
    normalized_address: `${at} Cerro Gordo Rd`,
    permit_count: 2,
    latitude: 35.6 + at / 999.5,
    longitude: -105.9 - at / 999.5,
  }))
  await writeFile(join(folder, 'b.json'), JSON.stringify(projects))
  await expect(newSource('b.json', {}, { folder, now: today })).rejects.toThrow(/permit_count shows permits/)
})

test('the sale of the few sold rows of a feed of listings is kept, and a short link of Redfin is no other country', () => {
  const proposed = proposeMapping(
    rows((at) => ({
      ADDRESS: `${at + 1} Oak St`,
      CITY: 'Provo',
      PRICE: 400_000 + at * 5000,
      STATUS: at === 0 ? 'Sold' : 'Active',
      'SOLD DATE': at === 0 ? '2026-01-12' : '',
      'SOLD PRICE': at === 0 ? 500_000 : '',
      'MLS#': `12345${at}`,
      URL: `https://redf.in/abc${at}`,
    })),
  )
  expect(proposed.fields.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['priceUsd', 'soldOn', 'soldPriceUsd', 'status', 'listingId']),
  )
})

test('ids that many rows share, earlier sales, notices and objects are left out; states of listings are kept', async () => {
  const listing = (at: number) => ({
    mls_number: at < 6 ? 'not specified' : `15${at}`,
    ad_id: `4031${at}`,
    ad_status: 'active',
    asking_price: 300_000 + at * 1000,
    last_sold_date: `2005-08-${10 + (at % 9)}`,
    city: ['Provo', 'Ogden'][at % 2],
    state: at < 30 ? 'UT' : ['ID', 'WY', 'NV', 'AZ', 'CO'][at % 5],
    zip: `840${10 + at}`,
    href: `https://homes.example/${at}`,
    location: { county: { name: 'Utah' }, at: { line: `${at + 1} Elm St` } },
    description: { beds: 3, sqft: 1500 + at },
    source: { disclaimer: { text: `© 2024, Some MLS number ${at}. All rights reserved by the members of it.` } },
  })
  const proposed = proposeMapping(rows(listing))
  expect(Object.fromEntries(proposed.fields.map(({ field, rule }) => [field, rule]))).toMatchObject({
    ...{
      listingId: 'ad_id',
      status: 'ad_status',
      priceUsd: 'asking_price',
      city: 'city',
      zip: 'zip',
      sourceUrl: 'href',
    },
    ...{ county: 'location.county.name', beds: 'description.beds', livingSqft: 'description.sqft' },
  })
  expect(whyNot(proposed, 'listingId')).toBeUndefined()
  expect(whyNot(proposed, 'soldOn')).toContain('an earlier sale')
  expect(JSON.stringify(proposed.unclear)).toContain('notices of rights')
  const folder = await mkdtemp(join(tmpdir(), 'lotline-halves-'))
  const sale = (at: number) => ({ Address: `${at} Elm St`, 'Baths - Full': 1, 'Baths - 1/2': 1 })
  expect(ruleOf(proposeMapping(rows(sale)), 'baths')).toEqual({
    sum: ['Baths - Full', { field: 'Baths - 1/2', multiply: 0.5 }],
  })
  const permit = rows((at) => ({
    'Permit Type': ['Construction', 'Demolition'][at % 2],
    Value: 1000 * at,
    'Issue Date': '1/26/11',
    Latitude: 47.6 + at / 999.5,
    Longitude: -122.3 - at / 999.5,
  }))
  await writeFile(join(folder, 'b.json'), JSON.stringify(permit))
  expect((await newSource('b.json', {}, { folder, now: today })).mapping.missing).toEqual(['permitId'])
})

/** What is proposed as rows change from one kind to another: each number of changed rows at which the proposal changes. */
const steps = (
  holds: ProposedMapping['holds'] | undefined,
  most: number,
  file: (changed: number) => readonly Record<string, unknown>[],
  see: (proposed: ProposedMapping) => unknown = ({ fields, unclear, point }) => [
    ...fields.map(({ field, rule, note }) => `${field} ${JSON.stringify(rule)}${note ? ` (${note})` : ''}`),
    // Without the numbers that change with each row.
    ...unclear.map(({ field, reason }) => `no ${field}: ${reason.replaceAll(/\d+%|"[^"]*" \(\d+\)(, )?/g, '')}`),
    ...(point ? [`point ${point}`] : []),
  ],
): string[] => {
  let last = ''
  const found: string[] = []
  for (let changed = 0; changed <= most; changed++) {
    const text = JSON.stringify(see(proposeMapping(file(changed), holds, today)))
    if (text !== last) found.push(`from ${changed}: ${text.replaceAll(/\\?"/g, "'")}`)
    last = text
  }
  return found
}
const homes = (of: number, make: (at: number) => Record<string, unknown>) =>
  Array.from({ length: of }, (_, at) => ({ APN: `12-34-${100 + at}`, ...make(at) }))
const letters = (at: number) => String.fromCharCode(97 + (at % 26), 97 + ((at * 7) % 26), 97 + ((at * 3) % 26))

test.each<[string, () => readonly string[]]>([
  [
    'header rows and moved values',
    () => {
      const shifted = (changed: number) =>
        headerShift(
          homes(4, (at) => ({
            ...Object.fromEntries(
              ['SALE_DATE', 'BEDS', 'ADDRESS', 'YEAR_BUILT', 'ZIP'].map((name, column) => {
                const values = ['2024-03-05', 3, `${at + 1} Elm St`, 1950 + at, '94301']
                return [name, values[(column + (column < changed ? 1 : 0)) % 5]]
              }),
            ),
          })),
        ) ?? 'none'
      const moved = (of: number, words: number, agreeing: number) =>
        movedColumns(
          homes(of, (at) => ({
            PLACE: at < words ? 'x' : at,
            CODE: at < agreeing !== at < words ? 'y' : 7,
          })),
        )?.slice(-8) ?? 'none'
      return [
        ...[0, 1, 2, 3, 4, 5].map((changed) => `${changed} shifted: ${shifted(changed)}`),
        ...[
          [19, 9, 19],
          [20, 10, 20],
          [20, 1, 20],
          [20, 2, 20],
          [20, 18, 20],
          [20, 19, 20],
          [40, 20, 38],
          [40, 20, 39],
        ].map(([of, words, agreeing]) => `${of} rows, ${words} words, ${agreeing}: ${moved(of!, words!, agreeing!)}`),
      ]
    },
  ],
  [
    'lists of homes of which more and more are sold',
    () =>
      steps(
        undefined,
        20,
        (sold) =>
          Array.from({ length: 20 }, (_, at) => ({
            LISTING_ID: `L${at}`,
            STATUS: at < sold ? 'Sold' : 'Active',
            PRICE: 500_000 + at,
            SOLD_DATE: `2024-03-${10 + at}`,
            SALE_PRICE: 490_000 + at,
            ADDRESS: `${at + 1} Elm St`,
          })),
        ({ holds }) => holds,
      ),
  ],
  [
    'coordinates that are exchanged or abroad',
    () =>
      (
        [
          [-50, 40],
          [-50.5, 40],
          [-75.5, 10],
          [-75.5, 10.5],
          [12.9, -66],
          [13.1, -66],
          [71.9, -150],
          [72.1, -150],
          [18.1, -64.1],
          [18.1, -63.9],
          [13.4, 143.9],
          [13.4, 144.7],
          [37.1, -181],
        ] as const
      ).map(
        ([lat, lng]) =>
          `${lat} ${lng}: ${proposeMapping(
            homes(9, (at) => ({
              LATITUDE: lat + (at - 4) / 1e5,
              LONGITUDE: lng + (at - 4) / 1e5,
              SALE_PRICE: 500_000 + at,
              SALE_DATE: '2024-03-05',
            })),
            'sales',
            today,
          )
            .fields.filter(({ field }) => /lat|lng|price/.test(field))
            .map(({ field, rule, note }) => `${field} ${JSON.stringify(rule)}${note ? ' exchanged' : ''}`)
            .join(', ')}`,
      ),
  ],
  [
    'house numbers in a column of addresses',
    () =>
      steps('parcels', 20, (numbers) =>
        homes(20, (at) => ({ SITUS_ADDRESS: at < numbers ? 10 + at : `${10 + at} Elm St`, SITUS_STREET: 'Elm St' })),
      ),
  ],
  [
    'an address that begins with other numbers than the home has',
    () =>
      steps('parcels', 10, (others) =>
        homes(10, (at) => ({
          SITUS_NUM: `${10 + at}.0`,
          SITUS_STREET: 'Elm St',
          SITE_ADDRESS: `${(at < others ? 50 : 10) + at} Elm St`,
        })),
      ),
  ],
  [
    'an address beside a number and a street that other rows have',
    () =>
      steps('parcels', 1, () =>
        homes(10, (at) => (at % 2 ? { SITUS_NUM: 10 + at, SITUS_STREET: 'Elm St' } : { SITE_ADDRESS: `${at} Oak St` })),
      ),
  ],
  [
    'ZIP codes of owners in many parts of the country',
    () =>
      steps('parcels', 6, (far) =>
        homes(100, (at) => ({ CITY: 'Reno', ZIP: `${at < 3 * far ? 1 + (at % far) : 9}4${300 + at}` })),
      ),
  ],
  [
    'states of owners',
    () =>
      steps('parcels', 22, (far) =>
        homes(40, (at) => ({ CITY: 'Reno', ZIP: '94301', STATE: at < far ? ['NV', 'OR', 'WA', 'TX'][at % 4] : 'CA' })),
      ),
  ],
  [
    'a second address',
    () =>
      steps('parcels', 20, (same) =>
        homes(20, (at) => ({
          SITE_ADDRESS: `${10 + at} Elm St`,
          STREET: at < same ? `${10 + at} Elm` : `${90 - at} Oak St`,
          CITY: 'Reno',
        })),
      ),
  ],
  [
    'padded numbers',
    () =>
      steps('parcels', 12, (padded) =>
        homes(20, (at) => ({ SITUS_NUM: at < padded ? `00${at + 1}` : `${at + 1}`, SITUS_STREET: 'Elm St' })),
      ),
  ],
  [
    'kinds of work',
    () => [
      ...steps('permits', 3, (kinds) =>
        Array.from({ length: 9 }, (_, at) => ({
          PERMIT_NO: `B-${at}`,
          WORK_TYPE: `kind ${at % Math.max(1, kinds)}`,
          ISSUED: '2024-03-05',
        })),
      ),
      ...[200, 201].flatMap((kinds) =>
        steps('permits', 0, () =>
          Array.from({ length: 420 }, (_, at) => ({
            PERMIT_NO: `B-${at}`,
            WORK_TYPE: `kind ${letters(at)}${at % kinds}`,
          })).map((row, at) => ({ ...row, WORK_TYPE: `kind ${at % kinds}` })),
        ),
      ),
      ...[50, 51].flatMap((kinds) =>
        steps('permits', 0, () =>
          Array.from({ length: 101 }, (_, at) => ({ PERMIT_NO: `B-${at}`, PERMIT_TYPE: `kind ${at % kinds}` })),
        ),
      ),
      ...steps('permits', 12, (codes) =>
        Array.from({ length: 20 }, (_, at) => ({
          PERMIT_NO: `B-${at}`,
          WORK_TYPE: at < codes ? `${at % 3}.0` : `kind ${at % 3}`,
        })),
      ),
      ...[49, 50].flatMap((short) =>
        steps('permits', 0, () =>
          Array.from({ length: 120 }, (_, at) => ({
            PERMIT_NO: `B-${at}`,
            DESCRIPTION: `replace the roof of a house ${at}`,
            WORK_DESCRIPTION: `work ${at % short}`,
          })),
        ),
      ),
      ...[4, 5].flatMap((short) =>
        steps('permits', 0, () =>
          Array.from({ length: 10 }, (_, at) => ({
            PERMIT_NO: `B-${at}`,
            DESCRIPTION: `replace the roof of a house ${at}`,
            WORK_DESCRIPTION: `work ${at % short}`,
          })),
        ),
      ),
    ],
  ],
  [
    'types of homes by their values',
    () => [
      ...steps('parcels', 20, (types) =>
        homes(20, (at) => ({ USE: at < types ? ['Condo', 'Duplex'][at % 2] : 'Vacant Land' })),
      ),
      ...steps('parcels', 20, (types) =>
        homes(20, (at) => ({ KIND: at < types ? ['Condo', 'Duplex'][at % 2] : letters(at) })),
      ),
      ...steps('parcels', 12, (districts) =>
        homes(20, (at) => ({ KIND: `${at < districts ? 'R-1 - ' : ''}${['Condo', 'Duplex'][at % 2]}` })),
      ),
      ...[200, 201].flatMap((kinds) =>
        steps('parcels', 0, () => homes(420, (at) => ({ KIND: `Condo ${at % kinds}` }))),
      ),
      ...steps('parcels', 20, (types) =>
        homes(20, (at) => ({
          PROPERTY_TYPE: at < types ? 'Condo' : letters(at),
          PROP_TYPE: at < 10 ? 'Condo' : 'Duplex',
        })),
      ),
    ],
  ],
  [
    'homes abroad',
    () => [
      ...steps('sales', 12, (abroad) =>
        homes(20, (at) => ({
          CURRENCY: at < abroad ? 'EUR' : 'USD',
          SALE_PRICE: 500_000 + at,
          SALE_DATE: '2024-03-05',
        })),
      ),
    ],
  ],
  [
    'sales beside other events',
    () => {
      const file = (sold: number, unsold: number) =>
        homes(40, (at) => ({
          EVENT: at < sold ? 'Sold' : at < sold + unsold ? 'Listed' : 'Deed',
          SALE_PRICE: 500_000 + at,
          SALE_DATE: '2024-03-05',
        }))
      return [...steps('sales', 6, (unsold) => file(20, unsold)), ...steps('sales', 4, (sold) => file(sold, 10))]
    },
  ],
  [
    'yes or no, towns in capitals and with their state, parcel numbers of a census',
    () => [
      ...steps('parcels', 4, (other) => homes(40, (at) => ({ CORNER_LOT: at < other ? 'maybe' : 'yes' }))),
      ...steps('parcels', 3, (other) => homes(3, (at) => ({ CITY: at < other ? 'Reno' : 'RENO', COUNTY: 'WASHOE' }))),
      ...steps('parcels', 3, (other) => homes(3, (at) => ({ CITY: at < other ? 'Reno' : 'Reno, NV' }))),
      ...steps('parcels', 3, (other) =>
        homes(3, (at) => ({ APN: '', GEOID: `${at < other ? '32031' : '3203100012'}${at}345` })),
      ),
    ],
  ],
  [
    'ZIP codes',
    () => [
      ...steps('parcels', 20, (four) => homes(20, (at) => ({ ZIP: at < four ? '2554' : 'none' }))),
      ...steps('parcels', 20, (four) => homes(20, (at) => ({ POSTAL_CODE: at < four ? '2554' : '94301' }))),
      ...steps('parcels', 20, (state) => homes(20, (at) => ({ ZIP: at < state ? 'CA 94301' : 'none' }))),
    ],
  ],
  [
    'days in other forms',
    () => [
      ...steps('sales', 20, (dates) => homes(20, (at) => ({ SALE_DATE: at < dates ? '2024-03-05' : 'soon' }))),
      ...steps('sales', 20, (dates) => homes(20, (at) => ({ SALE_DATE: at < dates ? 1_600_000_000 + at : 'soon' }))),
      ...steps('sales', 20, (dates) => homes(20, (at) => ({ SALE_DATE: at < dates ? 45_000 + at : 'soon' }))),
      ...steps('sales', 3, (above) => homes(3, (at) => ({ SALE_DATE: at < above ? '03/15/2024' : '03/05/2024' }))),
      ...steps('sales', 3, (above) =>
        homes(3, (at) => ({ SALE_DATE: '03/05/2024', TAX_DATE: at < above ? '03/15/2024' : '03/05/2024' })),
      ),
      ...steps('sales', 3, (above) =>
        homes(3, (at) => ({
          SALE_DATE: '03/05/2024',
          TAX_DATE: at < above ? '15/03/2024' : '03/05/2024',
          STATE: 'CA',
        })),
      ),
    ],
  ],
  [
    'amounts that are negative, unreadable, nominal or in mixed units',
    () => [
      ...steps('sales', 20, (below) => homes(20, (at) => ({ SALE_PRICE: at < below ? -500_000 : 500_000 }))),
      ...steps('sales', 20, (lost) => homes(20, (at) => ({ SALE_PRICE: at < lost ? 'abc' : 500_000 }))),
      ...steps('sales', 20, (nominal) => homes(20, (at) => ({ SALE_PRICE: at < nominal ? 100 : 500_000 }))),
      ...steps('parcels', 3, (acres) => homes(3, (at) => ({ LOT_SQFT: at < acres ? '0.2 ac' : '6000 sq ft' }))),
      ...steps('sales', 20, (whole) =>
        homes(20, (at) => ({ LATITUDE: at < whole ? 37 : 37.5, LONGITUDE: -122.5 - at / 1000 })),
      ),
      ...steps('parcels', 20, (small) => homes(20, (at) => ({ LOT_SIZE: at < small ? 0.25 : 6_000 }))),
      ...steps('parcels', 20, (between) =>
        homes(20, (at) => ({ LOT_SIZE: at < 8 ? 0.25 : at < 8 + between ? 1_500 : 6_000 })),
      ),
    ],
  ],
  [
    'medians at the edge of each unit',
    () =>
      (
        [
          ['sales', 'PRICE', [40_000, 39_999, 999, 1_000, 9_000_000, 9_000_001, 4_000_000]],
          ['sales', 'PRICE_CENTS', [3_999_999, 4_000_000, 900_000_000, 900_000_001]],
          ['sales', 'SALE_PRICE_(K)', [101, 9_000, 9_001]],
          ['parcels', 'LIVING_SQM', [13, 14, 30, 280, 281, 2_788, 2_787]],
          ['parcels', 'SQFT', [49, 50, 300, 301, 800, 6_000]],
          ['parcels', 'BUILDING_SIZE', [50, 300, 800]],
          ['parcels', 'LOT_AREA', [4.5, 5, 5.5, 4_000, 3_999]],
          ['parcels', 'GARAGE_AREA', [149, 150]],
          ['parcels', 'BASEMENT_AREA', [299, 300]],
          ['parcels', 'UNITS', [0, 1]],
          ['permits', 'VALUATION', [299, 300, 1_000_000_000, 1_000_000_001]],
          ['permits', 'COST', [1_499, 1_500]],
          ['listings', 'DAYS_ON_MARKET', [0.5, 1, 2_000, 2_001]],
          ['rents', 'RENT', [299, 300, 15_000, 15_001]],
        ] as const
      ).flatMap(([holds, name, values]) =>
        values.map((value) => {
          const { fields, unclear } = proposeMapping(
            Array.from({ length: 5 }, () => ({ [name]: value })),
            holds,
            today,
          )
          const read = fields.map(
            ({ field, rule, confidence, note }) => `${field} ${JSON.stringify(rule)} ${confidence} ${note ?? ''}`,
          )
          return `${name} ${value}: ${[...read, ...unclear.map(({ field, reason }) => `no ${field}: ${reason}`)].join('; ').trim()}`
        }),
      ),
  ],
  [
    'towns in addresses',
    () => [
      ...steps('parcels', 20, (towns) =>
        homes(20, (at) => ({ ADDRESS: `${10 + at} Elm St${at < towns ? ', Reno' : ''}` })),
      ),
      ...steps('parcels', 6, (towns) =>
        homes(100, (at) => ({ ADDRESS: `${10 + at} Elm St, ${letters(at % Math.max(1, towns))}ton` })),
      ),
      ...steps('parcels', 6, (towns) =>
        homes(40, (at) => ({ ADDRESS: `${10 + at} Elm St, ${letters(at % Math.max(1, towns))}ton` })),
      ),
      ...steps('parcels', 20, (towns) =>
        homes(20, (at) => ({ ADDRESS: `${10 + at} Elm St${at < towns ? ' Reno 89501' : ''}`, CITY: 'Reno' })),
      ),
      ...steps('parcels', 4, (towns) =>
        homes(20, (at) => ({ ADDRESS: `${10 + at} Elm St ${at < towns ? 'Sparks' : 'Reno'}` })),
      ),
      ...steps('parcels', 20, (towns) =>
        homes(20, (at) => ({ ADDRESS: `${10 + at} Calle ${letters(at)}${at < towns ? ' Las Vegas NV 89501' : ''}` })),
      ),
      ...steps('parcels', 20, (zips) =>
        homes(20, (at) => ({ ADDRESS: `${10 + at} Calle Sol${at < zips ? ' 89501' : ''}` })),
      ),
      ...steps('parcels', 20, (towns) =>
        homes(20, (at) => ({ ADDRESS: `${10 + at} Elm St, Apt ${at}${at < towns ? ', San Jose CA 95118' : ''}` })),
      ),
      ...steps('parcels', 20, (streets) =>
        homes(20, (at) => ({ newaddress: at < streets ? `${10 + at} Elm St` : 'Lot 5' })),
      ),
      ...steps('parcels', 20, (streets) =>
        homes(20, (at) => ({ label: at < streets ? `${10 + at} Elm St, Reno, NV 89501` : 'Lot 5' })),
      ),
    ],
  ],
])('the number of rows at which a proposal changes: %s', (_, found) => {
  expect(found().join('\n')).toMatchSnapshot()
})

test('homes offered by a seller are no sales, small prices are rents, days of permits outweigh an address', async () => {
  const offered = (at: number) => ({
    Price: `$${300 + at},000`,
    Address: `${at + 1} Jason Dr, Rocky Mount, NC 27803`,
    'Property Details': '3bds3ba1,404sqft- House for sale',
    'Sellers Details': 'KW WILSON',
  })
  expect(proposeMapping(rows(offered)).holds).toBe('listings')
  const folder = await mkdtemp(join(tmpdir(), 'lotline-rents-'))
  const rent = (at: number) => ({
    address: `${at} Elm St`,
    price: `$2,${200 + at}`,
    beds: 2,
    link: `https://homes.example/${at}`,
  })
  await writeFile(join(folder, 'a.json'), JSON.stringify(rows(rent)))
  await expect(newSource('a.json', {}, { folder, now: today })).rejects.toThrow(/price shows homes for rent/)
  const permit = (at: number) => ({
    ...{ address: `${at} Clinton St`, permstatus: 'ISSUED', busname: 'SUN CONTRACTING INC', lat: 40.7 + at / 999.5 },
    ...{ lon: -73.9 - at / 999.5, filedate: `1/${13 + (at % 9)}/2015`, issuedate: `3/${13 + (at % 9)}/2015` },
  })
  expect(proposeMapping(rows(permit)).holds).toBe('permits')
})
