// Switches public feeds on against a local server that speaks the protocols of ArcGIS and Socrata with the real field names.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { assessMarket } from '../../src/assess/assess-market.ts'
import { chosenDay } from '../../src/assess/jobs.ts'
import { sourcesCommand } from '../../src/bin/commands/sources.ts'
import type { SourceConfig } from '../../src/domain/packs/source-config.ts'
import { availableFeeds, feedFolders } from '../../src/ingest/available.ts'
import { createHttp } from '../../src/sources/http.ts'
import type { Http } from '../../src/sources/http-response.ts'
import { sql } from '../../src/store/engine/database.ts'
import { config, count, feedFolder, highValueUsd, today } from '../ingest/feed.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { type Asked, feedServer, json } from '../sources/server.ts'

const store = useDatabaseWithQueue()
const root = join(import.meta.dirname, '../..')

const square = (lng: number, lat: number) => [
  [lng, lat],
  [lng, lat + 0.0006],
  [lng + 0.0008, lat + 0.0006],
  [lng + 0.0008, lat],
  [lng, lat],
]

/** Rows of the statewide layer, as the assessor of Nantucket writes them. */
const massgis = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    attributes: {
      OBJECTID: at + 1,
      LOC_ID: `M_${800_000 + at}_1000`,
      MAP_PAR_ID: `42.4.3 ${at}`,
      SITE_ADDR: `${at + 1} MAIN ST`,
      CITY: 'NANTUCKET',
      LAND_VAL: 900_000 + at * 10_000,
      BLDG_VAL: at % 9 === 0 ? 0 : 500_000,
      USE_CODE: at % 9 === 0 ? '1300' : '1010',
      YEAR_BUILT: at % 9 === 0 ? 0 : 1900 + (at % 100),
      LOT_SIZE: 0.25 + (at % 5) / 10,
      BLD_AREA: at % 9 === 0 ? 0 : 1400 + at * 10,
      UNITS: 1,
      ZONING: 'R-20',
      FY: 2026,
      LS_DATE: `2025${String((at % 12) + 1).padStart(2, '0')}15`,
      LS_PRICE: at % 10 === 0 ? 1 : 2_000_000 + at * 20_000,
      LS_BOOK: '1900',
      LS_PAGE: String(at),
    } as Record<string, unknown>,
    geometry: { rings: [square(-70.1 + (at % 10) * 0.001, 41.28 + Math.floor(at / 10) * 0.001)] },
  }))

/** A feature layer that limits its pages to 25 rows. */
const layer =
  (rows: ReturnType<typeof massgis>, held = rows) =>
  ({ url }: Asked, response: Parameters<typeof json>[0]) => {
    if (!url.pathname.endsWith('/query'))
      return json(response, {
        objectIdField: 'OBJECTID',
        maxRecordCount: 25,
        fields: Object.keys(rows[0]!.attributes).map((name) => ({ name, type: 'esriFieldTypeString' })),
      })
    const where = url.searchParams.get('where')!
    if (!where.includes("CITY = 'NANTUCKET'")) return json(response, { error: { code: 400, message: 'Invalid query' } })
    if (url.searchParams.get('returnCountOnly') === 'true') return json(response, { count: held.length })
    const offset = Number(url.searchParams.get('resultOffset'))
    const asked = url.searchParams.get('outFields')!.split(',')
    // As the real server: an unknown field fails the query and is not named.
    if (asked.some((name) => name !== '*' && !(name in rows[0]!.attributes)))
      return json(response, { error: { code: 400, message: 'Cannot perform query. Invalid query parameters.' } })
    const page = held.slice(offset, offset + 25).map(({ attributes, geometry }) => ({
      attributes: Object.fromEntries(asked.map((name) => [name, attributes[name]])),
      geometry,
    }))
    return json(response, {
      features: page,
      spatialReference: { wkid: 4326 },
      exceededTransferLimit: offset + 25 < held.length,
    })
  }

/** The shipped source files with the address of the local server. */
const setUp = async (pack: string, host: string, url: string, http?: Http) => {
  const from = join(root, pack)
  const folder = await feedFolder({})
  for (const name of (await readdir(from)).filter((file) => file.endsWith('.json')))
    await writeFile(join(folder, name), (await readFile(join(from, name), 'utf8')).replaceAll(host, url))
  const sourcesDir = await feedFolder({})
  const printed: string[] = []
  const run = (...args: string[]) =>
    sourcesCommand({
      sourcesDir,
      feedFolders: [folder],
      openStore: async () => ({ ...store(), close: async () => {} }),
      token: () => undefined,
      highValueUsd,
      now: () => today,
      print: (line) => printed.push(line),
      ...(http ? { http } : {}),
    }).parseAsync(['node', 'sources', ...args])
  return { run, printed, sourcesDir }
}
const nantucket = (url: string, http?: Http) =>
  setUp('packs/nantucket/sources', 'https://services1.arcgis.com', url, http)

test('one command checks a feed, loads parcels and last sales from it, and assesses a market without listings', async () => {
  const { url, asked } = await feedServer(layer(massgis(90)))
  const { run, printed, sourcesDir } = await nantucket(url)
  await run('enable', 'nantucket-massgis')
  expect(printed.join('\n')).toMatch(/nantucket-massgis-parcels: 90 rows loaded, 0 rejected/)
  expect(printed.join('\n')).toMatch(/nantucket-massgis-sales: 81 rows loaded, 9 rejected/)
  expect(printed.join('\n')).toMatch(/nantucket: \d+ properties assessed/)
  expect((await readdir(sourcesDir)).sort()).toEqual(['massgis-parcels.json', 'massgis-sales.json'])
  expect(asked.every(({ url: at }) => !/OWN/.test(at.search))).toBe(true)
  const { rows } = await sql<{ type: string; rows: number; built: number; sized: number }>`
    select property_type as type, count(*) as rows, count(year_built) as built, count(lot_sqft) as sized
    from property group by 1 order by 1`.execute(store().db)
  expect(rows).toEqual([
    { type: 'land', rows: 10, built: 0, sized: 10 },
    { type: 'single_family', rows: 80, built: 80, sized: 90 - 10 },
  ])
  expect(await count(store(), 'parcel_outline')).toBe(90)
  const { rows: matched } = await sql<{ count: number }>`
    select count(*) from sale where property_id is not null and price_usd >= 1000`.execute(store().db)
  expect(matched[0]!.count).toBe(81)
  const { rows: valued } = await sql<{ count: number }>`select count(*) from assessment`.execute(store().db)
  expect(valued[0]!.count).toBe(90)
})

test('enabling a feed keeps the day of the assessment, and says how many values it removed, with their accuracy', async () => {
  const { url } = await feedServer(layer(massgis(90)))
  const { run, printed } = await nantucket(url)
  const { db } = store()
  await run('enable', 'nantucket-massgis-parcels')
  const asOf = new Date('2020-05-01T12:00:00Z')
  await assessMarket(db, 'nantucket', { now: today, asOf })
  await sql`update assessment set value_usd = 1000000, content_hash = 'earlier' where market = 'nantucket'`.execute(db)
  await sql`
    insert into accuracy (name, market, measured_at, data, model_version, measures)
    values ('value-held-out', 'nantucket', now(), 'sales', '1', '{}')`.execute(db)
  printed.length = 0
  await run('enable', 'nantucket-massgis-parcels')
  expect(printed.join('\n')).toMatch(/nantucket: \d+ properties assessed as of 2020-05-01/)
  expect(printed.join('\n')).toMatch(/nantucket: (\d+) values were removed; 0 of \1 are left/)
  expect(await chosenDay(db, 'nantucket')).toEqual(asOf)
  const { rows } = await sql`select 1 from accuracy where market = 'nantucket' and name like 'value-%'`.execute(db)
  expect(rows).toEqual([])
})

test('a server that does not answer is not called a changed feed', async () => {
  const withoutPauses = createHttp({ sleep: async () => {} })
  onTestFinished(() => withoutPauses.close())
  const { run, printed } = await nantucket('http://127.0.0.1:9', withoutPauses)
  await expect(run('enable', 'nantucket-massgis-parcels')).rejects.toThrow(/cannot be reached; nothing was changed/)
  expect(printed.join('\n')).toContain('cannot be read')
})

test('a feed that renamed a field, lost its values or answers with an error is reported, and nothing changes', async () => {
  const renamed = massgis(60).map(({ attributes: { LOT_SIZE, ...attributes }, geometry }) => ({
    attributes: { ...attributes, LOT_ACRES: LOT_SIZE },
    geometry,
  }))
  const emptied = massgis(60).map(({ attributes, geometry }) => ({
    attributes: { ...attributes, YEAR_BUILT: 0 },
    geometry,
  }))
  const moved = massgis(60).map((row) => ({ ...row, geometry: { rings: [square(-122.2, 37.45)] } }))
  const broken = ((_: Asked, response: Parameters<typeof json>[0]) =>
    json(response, { error: { code: 499, message: 'Token Required' } })) as ReturnType<typeof layer>
  const before = await count(store(), 'ingest_run')
  for (const [answer, report] of [
    [layer(renamed), /no column "LOT_SIZE"\. It has: .*LOT_ACRES/],
    [layer(emptied), /yearBuilt has a value in 0% of the rows; at least 40% are expected/],
    [layer(moved), /lat has a value in 0%/],
    [layer(massgis(60), []), /The feed returned no rows for CITY = 'NANTUCKET'/],
    [broken, /Token Required/],
  ] as const) {
    const { url } = await feedServer(answer)
    const { run, printed, sourcesDir } = await nantucket(url)
    await expect(run('enable', 'nantucket-massgis-parcels')).rejects.toThrow(
      /does not match its description of .*nothing was changed/,
    )
    expect(printed.join('\n')).toMatch(report)
    expect(await readdir(sourcesDir)).toEqual([])
  }
  expect(await count(store(), 'ingest_run')).toBe(before)
})

test('a layer without an optional field can be read, but does not erase the values of the last run', async () => {
  const rows = massgis(30).map(({ attributes: { ZONING: _, ...attributes }, geometry }) => ({ attributes, geometry }))
  const { url } = await feedServer(layer(rows))
  const { run, printed } = await nantucket(url)
  await expect(run('enable', 'nantucket-massgis-parcels', '--no-assess')).rejects.toThrow(/zoning fell from 100% to 0%/)
  expect(printed.join('\n')).toMatch(/30 of the first 30 rows can be loaded/)
})

test('county parcels from Socrata give addresses, lot sizes and outlines, without building data', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => ({
    objectid: String(at),
    apn: `12045${String(at).padStart(3, '0')}`,
    situs_house_number: String(100 + at),
    situs_street_name: 'HAMILTON',
    situs_street_type: 'AV',
    situs_city_name: 'PALO ALTO',
    jurisdiction: at % 2 ? 'PALO ALTO' : 'LOS ALTOS HILLS',
    shape_area_stateplane: String(6000 + at),
    the_geom: { type: 'MultiPolygon', coordinates: [[square(-122.14 + at * 0.0001, 37.4)]] },
  }))
  const { url } = await feedServer(({ url: at }, response) => {
    if (at.searchParams.get('$select')?.startsWith('count')) return json(response, [{ total: String(rows.length) }])
    const offset = Number(at.searchParams.get('$offset'))
    return json(response, rows.slice(offset, offset + 12))
  })
  const { run, printed } = await setUp('packs/sf-peninsula/sources', 'https://data.sccgov.org', url)
  await run('enable', 'santa-clara-county-parcels', '--no-assess')
  expect(printed.join('\n')).toMatch(/30 rows loaded, 0 rejected/)
  const { rows: held } = await sql`
    select city, address, lot_sqft, living_sqft, round(lat::numeric, 2)::float8 as lat from property where apn = '12045001'`.execute(
    store().db,
  )
  expect(held).toEqual([{ city: 'Palo Alto', address: '101 HAMILTON AV', lotSqft: 6001, livingSqft: null, lat: 37.4 }])
  const { rows: outlines } = await sql<{ count: number }>`
    select count(*) from parcel_outline where source_id = 'santa-clara-county-parcels'`.execute(store().db)
  expect(outlines[0]!.count).toBe(30)
})

test('feeds of packs in PACKS_DIR are available, and a broken file is named', async () => {
  const packsDir = await feedFolder({})
  const folder = join(packsDir, 'springfield-area/sources')
  await mkdir(folder, { recursive: true })
  const feed = { id: 'springfield-gis', confidence: 'high', asOf: '2026-11-15', about: 'parcels', expect: {} }
  const source = config('parcels', { id: 'springfield-gis-parcels', sameNames: true, feed } as Partial<SourceConfig>)
  await writeFile(join(folder, 'parcels.json'), JSON.stringify(source))
  await writeFile(join(folder, 'sales.json'), '{')
  const printed: string[] = []
  await sourcesCommand({
    sourcesDir: packsDir,
    packFolders: [packsDir],
    openStore: async () => ({ ...store(), close: async () => {} }),
    token: () => undefined,
    highValueUsd,
    now: () => today,
    print: (line) => printed.push(line),
  }).parseAsync(['node', 'sources', 'available'])
  expect(printed).toContain('springfield-gis: parcels')
  expect(printed.join('\n')).toContain('nantucket-massgis (nantucket)')
  expect(printed.at(-1)).toMatch(/^Left out: .*sales\.json is not JSON/)
})

test('the shipped feeds say what they hold, their license, confidence and age, and request no owner', async () => {
  const folders = await feedFolders()
  const { feeds, broken } = await availableFeeds(folders)
  expect(broken).toEqual([])
  expect(feeds.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'nantucket-massgis',
      'san-francisco-permits',
      'santa-clara-county-parcels',
      'seattle-permits',
    ]),
  )
  for (const { sources, license } of feeds) {
    expect(license).not.toBe('')
    for (const { config } of sources) {
      expect(config.feed!.asOf).toMatch(/^2026-/)
      expect(JSON.stringify(config.where)).not.toMatch(/OWN/)
    }
  }
  const { run, printed } = await nantucket('http://127.0.0.1:9')
  await run('available')
  expect(printed.join('\n')).toMatch(
    /confidence: high; URL and fields as documented on 2026-11-15, not tried on the live feed/,
  )
  await expect(run('enable', 'atlantis')).rejects.toThrow(/no public feed "atlantis"\. Available: nantucket-massgis/)
})
