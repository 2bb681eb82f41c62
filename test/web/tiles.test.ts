import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { indexPermits } from '../../src/store/permit-search/upkeep.ts'
import { indexPropertiesOf } from '../../src/store/search/upkeep.ts'
import { tileAddress, tileBounds } from '../../src/web/tiles/grid.ts'
import { dailyRows } from '../../src/web/tiles/mount-tiles.ts'
import { addPermit, addProperty, startSite, type TestSite } from './site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startSite()
  for (let at = 0; at < 30; at++)
    await addProperty(site.db, `p_001t${at}`, {
      address: `${9100 + at} Alma St`,
      rankScore: 90 - at,
      price: 1_000_000 + at * 100_000,
      status: at === 0 ? 'pending' : 'active',
      lat: 37.43 + at * 0.0001,
      lng: -122.14,
    })
  for (const [id, score] of [
    ['p_001t1', 70],
    ['p_001t2', 80],
    ['p_001t3', 40],
  ] as const)
    await sql`insert into lead (property_id, market, law, kind, best, score, blocked, finding)
      values (${id}, 'sf-peninsula', 'us-ca-adu', 'accessory_unit', true, ${score}, false, '{}')`.execute(site.db)
  await sql`update assessment set redevelopment_score = 75 where property_id = 'p_001t4'`.execute(site.db)
  await indexPropertiesOf(site.db, 'sf-peninsula', ['p_001t1', 'p_001t2', 'p_001t3', 'p_001t4'])
  await addPermit(site.db, 'B-1', { propertyId: 'p_001t0' })
  await sql`update permit set lat = 37.43, lng = -122.14`.execute(site.db)
  await indexPermits(site.db)
  const ring = [
    [-122.1401, 37.43],
    [-122.1399, 37.43],
    [-122.1399, 37.4302],
    [-122.1401, 37.4302],
    [-122.1401, 37.43],
  ]
  await sql`insert into parcel_outline (market, property_id, source_id, polygons, bounds)
    values ('sf-peninsula', 'p_001t0', 'test', ${JSON.stringify([[ring]])}, '((-122.1399,37.4302),(-122.1401,37.43))')`.execute(
    site.db,
  )
  await sql`insert into street (market, id, kind, name, path, bounds)
    values ('sf-peninsula', 0, 'street', 'Alma St', '[[-122.141,37.43],[-122.139,37.43]]', '((-122.139,37.43),(-122.141,37.43))')`.execute(
    site.db,
  )
})
afterAll(() => site?.close())

/** The tile that holds a position. */
const tileAt = (z: number, lng = -122.14, lat = 37.4302): string => {
  const x = Math.floor(((lng + 180) / 360) * 2 ** z)
  const y = Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z)
  return `${z}/${x}/${y}`
}

const get = async (path: string, headers: Record<string, string> = {}) =>
  site.app.inject({ url: `/tiles/${path}`, headers })

const layersOf = async (path: string) => {
  const { rawPayload, statusCode } = await get(path)
  expect(statusCode).toBe(200)
  const { layers } = new VectorTile(new PbfReader(rawPayload))
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, at) => layer.feature(at).properties),
    ]),
  )
}

test('TileJSON names the tiles, zooms and fields of each layer', async () => {
  for (const layer of ['base', 'parcels', 'signals', 'leads', 'permits', 'zones']) {
    const { statusCode, body } = await get(`${layer}.json`)
    expect(statusCode).toBe(200)
    expect(JSON.parse(body)).toMatchObject({ tilejson: '3.0.0', tiles: [`${site.url}/tiles/${layer}/{z}/{x}/{y}`] })
  }
  expect((await get('nothing.json')).statusCode).toBe(404)
})

test('the base layer has land and cities, and streets with their names when zoomed in', async () => {
  expect(Object.keys(await layersOf(`base/${tileAt(9)}`)).sort()).toEqual(['cities', 'land'])
  expect((await layersOf(`base/${tileAt(15)}`)).streets).toEqual([{ kind: 'street', name: 'Alma St' }])
})

test('parcels appear from zoom 15 with id, class and zoning only', async () => {
  expect((await get(`parcels/${tileAt(14)}`)).statusCode).toBe(404)
  expect((await layersOf(`parcels/${tileAt(16)}`)).parcels).toEqual([
    { id: 'p_001t0', zoning: 'R-1', hue: expect.any(Number) },
  ])
})

test('leads of a kind are counted below zoom 14, then shown with their ids', async () => {
  const total = async (kind: string) =>
    (await layersOf(`leads/${tileAt(10)}?kind=${kind}`)).cells!.reduce((sum, { count }) => sum + Number(count), 0)
  expect(await total('adu')).toBe(2)
  expect(await total('redevelopment')).toBe(1)
  expect((await layersOf(`leads/${tileAt(14)}?kind=adu`)).leads).toEqual([{ id: 'p_001t2' }, { id: 'p_001t1' }])
  // The layers follow the city of the page.
  for (const layer of [`leads/${tileAt(10)}?kind=adu&`, `permits/${tileAt(10)}?`])
    for (const [city, status] of [
      ['palo-alto', 200],
      ['menlo-park', 204],
      ['nantucket', 204],
    ] as const)
      expect([layer, city, (await get(`${layer}city=${city}`)).statusCode]).toEqual([layer, city, status])
  const { statusCode, body } = await get(`leads/${tileAt(10)}?kind=barns`)
  expect([statusCode, body]).toEqual([400, expect.stringContaining('adu, redevelopment, sb9')])
})

test('zones are the shapes of a map layer that pages may show, and follow the city; Explore offers it with its day', async () => {
  const box = '((-122.135,37.435),(-122.145,37.425))'
  const outer = [-122.145, 37.425, -122.135, 37.425, -122.135, 37.435, -122.145, 37.435]
  const hole = [-122.142, 37.429, -122.142, 37.431, -122.139, 37.431, -122.139, 37.429]
  const add = (id: string, uses: object, shapes: readonly [kind: string, value: string, rings: unknown][]) =>
    sql`with added as (
        insert into source (id, title, kind, holds, market, config, sample)
        values (${id}, ${`Zones of ${id}`}, 'geojson', 'layer', 'sf-peninsula', ${JSON.stringify(uses)}, false) returning id),
      run as (insert into ingest_run (source_id, state, first_load, started_at, finished_at)
        select id, 'completed', true, '2026-11-02T10:00:00Z', '2026-11-02T10:00:00Z' from added)
      insert into layer_shape (market, source_id, hash, part, kind, value, rings, bounds)
      select 'sf-peninsula', ${id}, 'h', n, s->>0, s->>1, s->2, ${box}::box
      from json_array_elements(${JSON.stringify(shapes)}::json) with ordinality t (s, n)`.execute(site.db)
  await add('flood', {}, [
    ['area', 'yes', [outer, hole]],
    ['area', 'no', [outer]],
    ['point', 'yes', [[-122.14, 37.43]]],
    ['grid', 'yes', { columns: 1, rows: 1, bytes: '' }],
  ])
  await add('secret', { uses: ['api'] }, [['area', 'yes', [outer]]])
  const { rawPayload } = await get(`zones/${tileAt(12)}?source=flood`)
  const { zones } = new VectorTile(new PbfReader(rawPayload)).layers
  const shapes = Array.from({ length: zones!.length }, (_, at) => zones!.feature(at))
  expect(shapes.map(({ type }) => type).sort()).toEqual([1, 3])
  expect(shapes.find(({ type }) => type === 3)!.loadGeometry()).toHaveLength(2)
  // Far away a zone of half a mile is smaller than a pixel; points stay.
  expect((await layersOf(`zones/${tileAt(6)}?source=flood`)).zones).toHaveLength(1)
  for (const [query, status] of [
    ['source=flood&city=palo-alto', 200],
    ...['atherton', 'mountain-view', 'east-palo-alto', 'los-altos-hills'].map((city) => [
      `source=flood&city=${city}`,
      204,
    ]),
    ['source=flood&city=nantucket', 204],
    ['source=secret', 204],
    ['source=nothing', 204],
    ['', 204],
  ])
    expect([query, (await get(`zones/${tileAt(12)}?${query}`)).statusCode]).toEqual([query, status])
  const { body } = await site.app.inject({ url: '/explore' })
  expect(body).toContain('map:flood')
  expect(body).toContain(
    '&quot;title&quot;:&quot;Zones of flood&quot;,&quot;sample&quot;:false,&quot;asOf&quot;:&quot;2026-11-02&quot;',
  )
  expect(body).not.toContain('secret')
  expect((await site.app.inject({ url: '/explore?market=nantucket' })).body).not.toContain('map:flood')
})

test('below zoom 14 a tile has counts only', async () => {
  const { cells, signals } = await layersOf(`signals/${tileAt(10)}`)
  expect(cells!.reduce((sum, { count }) => sum + Number(count), 0)).toBe(29)
  expect(signals).toBeUndefined()
  expect((await layersOf(`permits/${tileAt(10)}`)).cells).toEqual([{ count: 1 }])
})

test('from zoom 14 a tile has the 25 best rows and how many more there are, and follows the criteria', async () => {
  const { signals } = await layersOf(`signals/${tileAt(14)}`)
  const rows = signals!.filter(({ id }) => id)
  expect(rows).toHaveLength(25)
  expect(rows[0]).toEqual({
    id: 'p_001t1',
    price: 1_100_000,
    status: 'active',
    score: 89,
  })
  expect(signals!.filter(({ more }) => more)).toEqual([{ more: 4 }])
  const cheap = await layersOf(`signals/${tileAt(14)}?maxPrice=%241.2M&status=active,pending`)
  expect(cheap.signals!.map(({ id }) => id)).toEqual(['p_001t0', 'p_001t1', 'p_001t2'])
  expect((await layersOf(`permits/${tileAt(14)}`)).permits).toEqual([
    { id: 'B-1', city: 'palo-alto', class: 'new_house', valuation: 900_000, issued: '2026-10-01' },
  ])
})

test('signal tiles take one market, all markets, or reject an unknown one, as their TileJSON says', async () => {
  expect(JSON.parse((await get('signals.json')).body).parameters.market).toMatch(
    /nantucket.*, all; default sf-peninsula/,
  )
  await addProperty(site.db, 'p_002n', { market: 'nantucket', citySlug: 'nantucket', lat: 41.2835, lng: -70.0995 })
  const island = `signals/${tileAt(14, -70.0995, 41.2835)}`
  expect((await get(island)).statusCode).toBe(204)
  for (const market of ['nantucket', 'all'])
    expect(
      (await layersOf(`${island}?market=${market}`)).signals!.map(({ id }) => id),
      market,
    ).toEqual(['p_002n'])
  const low = tileAt(10, -70.0995, 41.2835)
  expect((await layersOf(`signals/${low}?market=all`)).cells).toEqual([{ count: 1 }])
  const { statusCode, body } = await get(`${island}?market=mars`)
  expect(statusCode).toBe(400)
  expect(body).toContain('nantucket')
})

test('a tile is compressed, has an ETag, and is not sent again', async () => {
  const { headers, rawPayload } = await get(`base/${tileAt(9)}`, { 'accept-encoding': 'gzip, br' })
  expect(headers).toMatchObject({
    'content-type': 'application/vnd.mapbox-vector-tile',
    'content-encoding': 'gzip',
    'cache-control': 'public, max-age=3600',
  })
  expect(new VectorTile(new PbfReader(gunzipSync(rawPayload))).layers).toHaveProperty('land')
  expect((await get(`base/${tileAt(9)}`, { 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
  const scopes: string[][] = []
  for (const url of ['base/9', 'parcels/16', 'zones/12', 'signals/14', 'leads/10?kind=adu', 'permits/14']) {
    const [, layer, zoom, query] = /^(\w+)\/(\d+)(.*)/.exec(url)!
    const answer = await get(`${layer}/${tileAt(Number(zoom))}${query}`)
    scopes.push([layer!, String(answer.headers['cache-control']).split(',')[0]!])
  }
  const [ofAll, ofClient] = ['public', 'private']
  expect(Object.fromEntries(scopes)).toEqual({
    ...{ base: ofAll, parcels: ofAll, zones: ofAll, signals: ofClient, leads: ofClient, permits: ofClient },
  })
})

test('a tile outside of the markets is empty, and one that does not exist is not found', async () => {
  expect((await get('signals/14/1/1')).statusCode).toBe(204)
  for (const wrong of ['14/99999/1', 'x/1/1', '14/-1/1', '19/1/1', '14/1.5/1'])
    expect((await get(`signals/${wrong}`)).statusCode, wrong).toBe(404)
})

test('tiles have a limit of their own: 600 a minute', async () => {
  const own = await startSite({ pagesPerMinute: 1 })
  try {
    const statuses = new Set<number>()
    for (let at = 0; at < 600; at++) statuses.add((await own.app.inject({ url: '/tiles/base.json' })).statusCode)
    expect([...statuses]).toEqual([200])
    expect((await own.app.inject({ url: '/tiles/base.json' })).statusCode).toBe(429)
  } finally {
    await own.close()
  }
})

test('a client sees a limited number of distinct rows a day; rows seen before stay visible', () => {
  const rows = dailyRows(3)
  const keys = (...names: string[]) => names.map((key) => ({ key }))
  expect(rows.allowed('a', '2026-11-15', keys('1', '2'))).toHaveLength(2)
  expect(rows.allowed('a', '2026-11-15', keys('2', '3', '4'))).toEqual(keys('2', '3'))
  expect(rows.allowed('b', '2026-11-15', keys('4'))).toHaveLength(1)
  expect(rows.allowed('a', '2026-11-16', keys('4'))).toHaveLength(1)
})

test('tiles show one client at most 2,000 distinct rows a day', async () => {
  const [, x, y] = tileAt(16).split('/').map(Number) as [number, number, number]
  const tiles = Array.from({ length: 84 }, (_, at) => ({ z: 16, x: x - 30 + (at % 42), y: y + Math.floor(at / 42) }))
  // As many permits on each as a tile shows.
  for (const [at, tile] of tiles.entries()) {
    const { west, east, south, north } = tileBounds(tile)
    await sql`insert into permit (city_slug, permit_id, source_id, market, state, city, match_method, match_confidence, address,
        project_type, description, valuation_usd, issued_on, status, permit_class, collected_at, lat, lng)
      select 'palo-alto', 'D-' || ${at}::int || '-' || n, 'test', 'sf-peninsula', 'CA', 'Palo Alto', 'none', 'low', n || ' Oak St',
        'Residential', 'New house', 100000, '2026-10-01', 'issued', 'new_house', '2026-11-01',
        ${(south + north) / 2}::float8, ${(west + east) / 2}::float8
      from generate_series(1, 25) n`.execute(site.db)
  }
  await indexPermits(site.db)
  // Without statistics the planner reads all permits of the city for each of them.
  await sql`analyze permit, permit_search`.execute(site.db)
  const seenBy = async (ip: string) => {
    const seen = new Set<unknown>()
    for (const tile of tiles) {
      const url = `/tiles/permits/${tile.z}/${tile.x}/${tile.y}`
      const { permits } = new VectorTile(new PbfReader((await site.app.inject({ url, remoteAddress: ip })).rawPayload))
        .layers
      for (let row = 0; row < (permits?.length ?? 0); row++) {
        const { id } = permits!.feature(row).properties
        if (id) seen.add(id)
      }
    }
    return seen.size
  }
  expect([await seenBy('192.0.2.1'), await seenBy('192.0.2.2')]).toEqual([2_000, 2_000])
  const onOne = tiles.filter((tile) => tileAt(14) === `14/${tile.x >> 2}/${tile.y >> 2}`).length * 25 + 1
  const { permits } = await layersOf(`permits/${tileAt(14)}`)
  expect([permits!.length, permits!.at(-1)]).toEqual([26, { more: onOne - 25 }])
})

test('the bounds of a tile are those of the slippy map', () => {
  expect(tileAddress('1', '1', '0')).toEqual({ z: 1, x: 1, y: 0 })
  const { west, east, south, north } = tileBounds({ z: 1, x: 1, y: 0 })
  expect([west, east, south]).toEqual([0, 180, 0])
  expect(north).toBeCloseTo(85.0511, 4)
})
