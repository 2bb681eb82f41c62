import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { previewLines } from '../../src/bin/commands/preview-lines.ts'
import type { FieldRule, SourceConfig } from '../../src/domain/packs/source-config.ts'
import { condition } from '../../src/ingest/conditions.ts'
import { checkSource, readSource } from '../../src/ingest/config.ts'
import { mapper } from '../../src/ingest/map.ts'
import { previewSource } from '../../src/ingest/preview.ts'
import { config, feedFolder, today } from './feed.ts'

const read = (holds: SourceConfig['holds'], field: string, rule: FieldRule, row: Record<string, unknown>) =>
  mapper(config(holds, { sameNames: false, fields: { [field]: rule } }))(row).values[field]

test.each<[string, SourceConfig['holds'], string, FieldRule, Record<string, unknown>, unknown]>([
  ['sum', 'sales', 'baths', { sum: ['FULL', { field: 'HALF', multiply: 0.5 }] }, { FULL: '2', HALF: '1' }, 2.5],
  ['sum with an empty part', 'sales', 'baths', { sum: ['FULL', 'HALF'] }, { FULL: '2', HALF: '' }, 2],
  ['sum with a word for an empty part', 'sales', 'baths', { sum: ['FULL', 'HALF'] }, { FULL: '2', HALF: 'NA' }, 2],
  ['sum of nothing', 'sales', 'baths', { sum: ['FULL', 'HALF'] }, { FULL: '', HALF: '' }, undefined],
  ['subtractFrom', 'sales', 'yearBuilt', { field: 'AGE', subtractFrom: 2026 }, { AGE: '76' }, 1950],
  ['subtract a field', 'sales', 'livingSqft', { field: 'ALL', subtract: 'GARAGE' }, { ALL: 2400, GARAGE: 400 }, 2000],
  ['subtract an empty field', 'sales', 'livingSqft', { field: 'ALL', subtract: 'G' }, { ALL: 2400, G: '' }, undefined],
  ['subtract from an empty field', 'sales', 'livingSqft', { field: 'A', subtract: 'G' }, { A: '', G: 400 }, undefined],
  ['add', 'sales', 'beds', { field: 'B', add: 1 }, { B: 2 }, 3],
  ['acres', 'parcels', 'lotSqft', { field: 'A', unit: 'acres' }, { A: '0.33' }, 14_374.8],
  ['a unit that is ours', 'parcels', 'lotSqft', { field: 'A', unit: 'sqft' }, { A: '0.333333' }, 0.333333],
  ['before', 'sales', 'address', { field: 'F', before: ',' }, { F: '1 Oak St , Atherton' }, '1 Oak St'],
  ['before a number', 'sales', 'priceUsd', { field: 'F', before: ',' }, { F: 12 }, 12],
  ['multiply', 'sales', 'priceUsd', { field: 'P', multiply: 1000 }, { P: '1,250' }, 1_250_000],
  ['strip', 'sales', 'apn', { field: 'PIN', strip: '^APN:? *' }, { PIN: 'apn: 12-34' }, '12-34'],
  ['pattern', 'sales', 'yearBuilt', { field: 'N', pattern: 'built (\\d{4})' }, { N: 'Built 1931, remodeled' }, 1931],
  ['pattern without a match', 'sales', 'yearBuilt', { field: 'N', pattern: 'built (\\d{4})' }, { N: 'old' }, undefined],
  ['split', 'sales', 'city', { field: 'F', split: { by: ',', part: 2 } }, { F: '1 Oak, Atherton, CA' }, 'Atherton'],
  [
    'split from the end',
    'sales',
    'city',
    { field: 'F', split: { by: ',', part: -1 } },
    { F: 'a, Atherton' },
    'Atherton',
  ],
  [
    'split without the part',
    'sales',
    'city',
    { field: 'F', split: { by: ',', part: 3 }, strip: 'x' },
    { F: 'a,b' },
    undefined,
  ],
  [
    'split and a pattern',
    'sales',
    'city',
    { field: 'F', split: { by: ',', part: 3 }, pattern: 'x' },
    { F: 'a' },
    undefined,
  ],
  ['yes', 'parcels', 'overlay.floodZone', 'F', { F: 'Y' }, 'yes'],
  ['no', 'parcels', 'overlay.floodZone', 'F', { F: '0' }, 'no'],
  ['neither', 'parcels', 'overlay.floodZone', 'F', { F: 'maybe' }, undefined],
  ['lookup', 'sales', 'city', { field: 'Z', lookup: { '94027': 'Atherton' } }, { Z: '94027' }, 'Atherton'],
  ['lookup without an entry', 'sales', 'city', { field: 'Z', lookup: { '94027': 'Atherton' } }, { Z: '1' }, undefined],
])('%s', (_name, holds, field, rule, row, expected) => {
  expect(read(holds, field, rule, row)).toEqual(expected)
})

test.each([
  ['2026-11-14T03:00:00Z', 'Palo Alto', '2026-11-13'],
  ['2026-11-14T03:00:00.000+00:00', 'Nantucket', '2026-11-13'],
  ['2026-11-14T07:59:59Z', 'Palo Alto', '2026-11-13'],
  ['2026-11-14T08:00:01Z', 'Palo Alto', '2026-11-14'],
  ['2026-11-14T07:59:59Z', 'Nantucket', '2026-11-14'],
  ['2026-11-13T19:00:00-08:00', 'Palo Alto', '2026-11-13'],
  ['2026-11-14T03:00:00Z', 'Elsewhere', '2026-11-14'],
  // A day without a time, and a time of no stated zone.
  ['2026-11-14T00:00:00Z', 'Palo Alto', '2026-11-14'],
  ['2026-11-14', 'Palo Alto', '2026-11-14'],
  ['2026-11-14T03:00:00', 'Palo Alto', '2026-11-14'],
  ['2026-11-41T03:00:00Z', 'Palo Alto', undefined],
])('the timestamp %s of a RESO server in %s is the day %s there', (PendingTimestamp, City, day) => {
  const dayOf = (row: Record<string, unknown>, given: Partial<SourceConfig> = {}) =>
    mapper(config('listings', { kind: 'reso', sameNames: false, ...given }))(row).values.pendingOn
  expect(dayOf({ City, PendingTimestamp })).toBe(day)
  expect(dayOf({ PendingTimestamp }, { city: City })).toBe(day)
  expect(dayOf({ City, PurchaseContractDate: PendingTimestamp })).toBe(day && PendingTimestamp.slice(0, 10))
  const inMarket = { city: 'Elsewhere', market: City === 'Nantucket' ? 'nantucket' : 'sf-peninsula' }
  if (City !== 'Elsewhere') expect(dayOf({ PendingTimestamp }, inMarket)).toBe(day)
})

test('a number that cannot be read is reported, also one that is subtracted; an empty one is not', () => {
  const map = mapper(config('sales', { sameNames: false, fields: { livingSqft: { field: 'A', subtract: 'G' } } }))
  const rows = [
    { A: 9, G: 'x' },
    { A: 'x', G: 4 },
    { A: 'x', G: '' },
    { A: '', G: 'x' },
    { A: '', G: 4 },
    { A: 9, G: '' },
  ]
  expect(rows.map((row) => map(row).unread.map(({ field }) => field))).toEqual([
    ...Array(3).fill(['livingSqft']),
    ...Array(3).fill([]),
  ])
})

test('what a row must meet: one of some values, some of its values, none, any, a least number', () => {
  const said = (rule: object, ...given: unknown[]) =>
    given.map((F) => condition({ field: 'F', ...rule }, undefined)({ F })?.replace(/^F is /, ''))
  const one = { in: ['A', 'b'] }
  expect(said(one, 'a', ' B ', ['a', 'b'], [])).toEqual(Array(4).fill(undefined))
  expect(said(one, 'c', ['a', 'c'], null, undefined)).toEqual([
    ...['"c"; every value must be one of A, b', '"a, c"; every value must be one of A, b'],
    ...Array(2).fill('empty; it must be one of A, b'),
  ])
  expect(said({ any: ['a'] }, 'A', ['c', 'a'], 'c', [], undefined)).toEqual([
    ...[undefined, undefined, '"c"; one value must be among a'],
    ...Array(2).fill('empty; one value must be among a'),
  ])
  expect(said({ notIn: ['a'] }, 'b', undefined, 'A', ['b', 'a'])).toEqual([
    ...[undefined, undefined, '"a"; it must be none of a', '"b, a"; it must be none of a'],
  ])
  expect(said({ filled: true }, 'x', ['', 'x'], 'n/a', '', undefined)).toEqual([
    ...[undefined, undefined],
    ...Array(3).fill('empty; it must hold a value'),
  ])
  expect(said({ atLeast: 5 }, 5, '5', '1,000', '4.9', 'x', undefined, '')).toEqual([
    ...[undefined, undefined, undefined, '"4.9"; it must be at least 5', '"x"; it must be at least 5'],
    ...Array(2).fill('empty; it must be at least 5'),
  ])
})

test('a constant applies by condition, and the next rule otherwise', () => {
  const rule: FieldRule = [{ when: { field: 'SOLD', in: ['Y'] }, constant: 'sold' }, 'STATE']
  expect(read('listings', 'status', rule, { SOLD: 'y', STATE: 'active' })).toBe('sold')
  expect(read('listings', 'status', rule, { SOLD: 'N', STATE: 'active' })).toBe('active')
})

test('only the first of several columns must exist, and an optional one need not', async () => {
  const folder = await feedFolder({ 'feed.csv': 'id,day,price\n1,2025-01-02,900000\n' })
  const sales = (fields: Record<string, FieldRule>) =>
    config('sales', { sameNames: false, city: 'Palo Alto', fields: { saleId: 'id', soldOn: 'day', ...fields } })
  const check = (fields: Record<string, FieldRule>) => previewSource(sales(fields), { folder, now: today })
  expect((await check({ priceUsd: ['price', 'amount'], beds: { field: 'beds', optional: true } })).wouldLoad).toBe(1)
  await expect(check({ priceUsd: ['amount', 'price'] })).rejects.toThrow(/no column "amount"/)
})

test('a lookup file is read with the configuration', async () => {
  const folder = await feedFolder({ 'zips.csv': 'zip,city\n94027,Atherton\n"94301","Palo Alto"\n' })
  const path = join(folder, 'source.json')
  const fields = { saleId: 'id', soldOn: 'd', priceUsd: 'p', city: { field: 'zip', lookup: 'zips.csv' } }
  await writeFile(path, JSON.stringify(config('sales', { sameNames: false, fields })))
  const source = await readSource(path)
  expect(mapper(source.config)({ zip: '94301' }).values.city).toBe('Palo Alto')
  await writeFile(path, JSON.stringify(config('sales', { fields: { city: { field: 'zip', lookup: 'none.csv' } } })))
  await expect(readSource(path)).rejects.toThrow(/fields\.city\.lookup: .*none\.csv cannot be read/)
})

test.each<[Record<string, unknown>, RegExp]>([
  [{ city: { field: 'c', add: 1 } }, /fields\.city is not a number, so it cannot have "add"/],
  [{ city: { field: 'c', strip: '(' } }, /"strip": "\(" is not a regular expression/],
  [
    { soldOn: { join: [{ field: 'A' }, 'B'] } },
    /\/fields\/soldOn\/join\/0 must be string: "join" takes names of columns/,
  ],
  [{ soldOn: { field: 'A', unti: 'acres' } }, /\/fields\/soldOn\/unti is not a known setting/],
  [{ city: { field: 'c', constant: 'x' } }, /exactly one of field, join, sum or constant, for example/],
])('an unusable rule is rejected: %j', (fields, message) => {
  expect(() => checkSource({ ...config('parcels'), fields }, 'x.json')).toThrow(message)
})

test('a town that the pack does not list is in the only county of its market unless the row shows another place', async () => {
  const places = {
    'zip.csv': '02554,,',
    'point.csv': ',41.28,-70.09',
    'none.csv': ',,',
    'no-point.csv': ',0,0',
    'next.csv': ',41.65,-70.3',
    'next-zip.csv': '02601,,',
  }
  const folder = await feedFolder(
    Object.fromEntries(
      Object.entries(places).map(([name, at]) => [
        name,
        `city,apn,zip,lat,lng,address\nEast Harbor,73-1,${at},1 Main St\n`,
      ]),
    ),
  )
  const example = async (url: string, market = 'nantucket') =>
    (await previewSource({ ...config('parcels', { where: { url } }), market }, { folder, now: today })).examples[0]
  // The id comes from the parcel number and its county: it must never change.
  for (const url of ['zip.csv', 'point.csv', 'none.csv', 'no-point.csv'])
    expect(await example(url)).toMatchObject({ id: 'p_002tnzdh89933paxrxm', city: 'East Harbor', county: 'Nantucket' })
  // Cape Cod is in the next county.
  for (const url of ['next.csv', 'next-zip.csv']) expect((await example(url)) ?? {}).not.toHaveProperty('county')
  expect(await example('none.csv', 'sf-peninsula')).not.toHaveProperty('county')
  // The report says so; a county that the source states is taken.
  const next = { ...config('parcels', { where: { url: 'next-zip.csv' } }), market: 'nantucket' }
  const { leftOut } = await previewSource(next, { folder, now: today })
  expect(Object.keys(leftOut)).toEqual([expect.stringMatching(/^county: not known .* set "county" in the source$/)])
  const stated = await previewSource({ ...next, county: 'Barnstable' }, { folder, now: today })
  expect([stated.examples[0]?.county, stated.leftOut]).toEqual(['Barnstable', {}])
  const lone = await feedFolder({ 'lone.csv': 'city,apn\nEast Harbor,73-1\n' })
  const source = { ...config('parcels', { where: { url: 'lone.csv' } }), market: 'sf-peninsula' }
  const { rejected } = await previewSource(source, { folder: lone, now: today })
  expect(rejected[0]?.examples[0]?.reason).toMatch(/parcel number needs a county; set "county"/)
})

test('BLDS permits and OpenAddresses need no mapping', async () => {
  const folder = await feedFolder({
    'blds.csv':
      'PermitNum,PermitTypeDesc,WorkClass,Description,IssuedDate,StatusCurrent,OriginalAddress1,OriginalCity,EstProjectCost,HousingUnits,PARCEL_NO,BLDG_SQFT\nP1,Building Permit,Demolition,For new house with pool,2026-01-02,Issued,1 Oak St,Atherton,5000,0,060-1,900\n',
    'lower.csv': 'permitnum,description,issueddate,originaladdress1\nP1,New house,2026-01-02,1 Oak St\n',
    'oa.geojson':
      '{"type":"Feature","properties":{"hash":"a1","number":"12","street":"OAK ST","unit":"","city":"Atherton"},"geometry":{"type":"Point","coordinates":[-122.2,37.46]}}\nbroken\n',
    'oa.csv': 'LON,LAT,NUMBER,STREET,UNIT,CITY,HASH\n-122.2,37.46,12,OAK ST,,Atherton,a1\n',
  })
  const check = (given: Partial<SourceConfig>, holds: SourceConfig['holds']) =>
    previewSource(checkSource({ ...config(holds, { sameNames: false }), ...given }, 'x'), { folder, now: today })
  const blds = await check({ kind: 'blds', where: { url: 'blds.csv' } }, 'permits')
  expect(blds.examples[0]).toMatchObject({
    permitId: 'P1',
    issuedOn: '2026-01-02',
    valuationUsd: 5000,
    city: 'Atherton',
    permitClass: 'whole_house_demolition',
  })
  // A city that keeps parcel numbers and areas under names of its own is told the fields to map.
  expect(previewLines(blds).join('\n')).toMatch(
    /never filled, although mapped: apn \(the feed has PARCEL_NO\), .*sqft \(the feed has BLDG_SQFT\)/,
  )
  const lower = await check({ kind: 'blds', where: { url: 'lower.csv' }, city: 'Atherton' }, 'permits')
  expect(lower.examples[0]).toMatchObject({ permitId: 'P1', permitClass: 'new_house' })
  for (const url of ['oa.geojson', 'oa.csv']) {
    const addresses = await check({ kind: 'openaddresses', where: { url } }, 'parcels')
    expect(addresses.examples[0]).toMatchObject({ address: '12 OAK ST', lat: 37.46, lng: -122.2, city: 'Atherton' })
  }
})

test('Redfin listing dates count to the day of the download', async () => {
  const feed = 'MLS#,STATUS,CITY,ADDRESS,PRICE,DAYS ON MARKET,SOLD DATE\nM1,Active,Atherton,1 Oak St,900000,10,\n'
  const folder = await feedFolder({ 'redfin_2026-10-12-09-00-00.csv': feed, 'export.csv': feed })
  await utimes(join(folder, 'export.csv'), new Date('2026-09-11T12:00:00Z'), new Date('2026-09-11T12:00:00Z'))
  const listedOn = async (url: string) => {
    const source = config('listings', { kind: 'redfin', sameNames: false, where: { url } })
    return (await previewSource(source, { folder, now: today })).examples[0]?.listedOn
  }
  expect(await listedOn('redfin_2026-10-12-09-00-00.csv')).toBe('2026-10-02')
  expect(await listedOn('export.csv')).toBe('2026-09-01')
})
