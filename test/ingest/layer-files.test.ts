// Loads every shipped layer from a local server that speaks the protocol of its service, with the shapes that real layers have.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { writeArrayBuffer } from 'geotiff'
import proj4 from 'proj4'
import { expect, test } from 'vitest'
import { readSource } from '../../src/ingest/config.ts'
import { runIngest } from '../../src/ingest/run.ts'
import { createHttp } from '../../src/sources/http.ts'
import { sql } from '../../src/store/engine/database.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { type Asked, feedServer, json } from '../sources/server.ts'
import { feedFolder, highValueUsd, ingest, parcelRow, today } from './feed.ts'

const store = useDatabaseWithQueue()
const root = join(import.meta.dirname, '../..')
const [west, south, side] = [-122.15, 37.44, 0.0003]
const ring = (x: number, y: number, size: number): number[][] => [
  [x, y],
  [x, y + size],
  [x + size, y + size],
  [x + size, y],
  [x, y],
]
const lot = (at: number) => ring(west + at * side, south, side)

test('every shipped layer loads from a server that pages, cuts its answers and sends odd shapes', async () => {
  await ingest(
    store(),
    'parcels',
    Array.from({ length: 8 }, (_, at) =>
      parcelRow({
        ...{ apn: `123-45-${String(at).padStart(3, '0')}`, address: `${at + 1} Oak St` },
        ...{ lat: south + side / 2, lng: west + (at + 0.5) * side, outline: JSON.stringify([lot(at)]) },
      }),
    ),
  )
  // Lot 0 plain, 1 with a hole over it, 2 and 3 as two parts, 4 as an arc, 5 in California Albers, 6 without a shape.
  const albers = proj4(
    '+proj=aea +lat_0=0 +lon_0=-120 +lat_1=34 +lat_2=40.5 +x_0=0 +y_0=-4000000 +datum=NAD83 +units=m',
  )
  const geometries = [
    { rings: [lot(0)] },
    { rings: [ring(west + 0.9 * side, south - 0.1 * side, 1.2 * side), lot(1).toReversed()] },
    { rings: [lot(2), lot(3)] },
    { curveRings: [[lot(4)[0], { c: [lot(4)[2], lot(4)[1]] }, lot(4)[3], lot(4)[0]]] },
    { rings: [lot(5)] },
    undefined,
  ]
  const attributes = { FLD_ZONE: 'AE', ZONE_SUBTY: 'FLOODWAY', FHSZ_Description: 'Very High', stop_name: 'A' }
  let limit = 2
  const answer =
    (canPage: boolean, isAlbers: boolean) =>
    ({ url }: Asked, response: Parameters<typeof json>[0]) => {
      const query = url.searchParams
      const names = ['OBJECTID', ...Object.keys(attributes)]
      if (!url.pathname.endsWith('/query'))
        return json(response, {
          ...{
            objectIdField: 'OBJECTID',
            maxRecordCount: limit,
            advancedQueryCapabilities: { supportsPagination: canPage },
          },
          fields: names.map((name) => ({ name, type: 'esriFieldTypeString' })),
        })
      expect(query.get('geometryType')).toBe('esriGeometryEnvelope')
      const ids = geometries.map((_, at) => 10 * (at + 1))
      if (query.get('returnCountOnly')) return json(response, { count: ids.length })
      if (query.get('returnIdsOnly'))
        return json(response, { objectIdFieldName: 'OBJECTID', objectIds: ids.toReversed() })
      const [, from = 0, to = 1e9] = /between (\d+) and (\d+)/.exec(query.get('where')!)?.map(Number) ?? []
      if (!canPage && query.get('resultOffset')) return json(response, { error: { code: 400, message: 'Pagination' } })
      const offset = Number(query.get('resultOffset') ?? 0)
      const found = ids.filter((id) => id >= from && id <= to).slice(offset, offset + limit)
      const placed = (geometry: unknown) =>
        isAlbers && geometry
          ? JSON.parse(JSON.stringify(geometry), (_, value) =>
              Array.isArray(value) && typeof value[0] === 'number' ? albers.forward(value as [number, number]) : value,
            )
          : geometry
      return json(response, {
        features: found.map((id) => ({
          attributes: { OBJECTID: id, ...attributes },
          geometry: placed(geometries[id / 10 - 1]),
        })),
        spatialReference: isAlbers ? { wkid: 102600, latestWkid: 3310 } : { wkid: 4326 },
        exceededTransferLimit: offset + limit < ids.filter((id) => id >= from && id <= to).length,
      })
    }
  const http = createHttp()
  const folders = ['sources/available', 'packs/sf-peninsula/sources']
  const files = (
    await Promise.all(
      folders.map(async (each) => (await readdir(join(root, each))).map((name) => join(root, each, name))),
    )
  ).flat()
  let tried = 0
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    const { config, folder } = await readSource(file)
    if (config.holds !== 'layer' || config.kind !== 'arcgis') continue
    tried += 1
    limit = 1 + (tried % 4)
    const { url } = await feedServer(answer(tried % 2 === 0, tried % 3 === 0))
    const path = new URL(config.where.url).pathname
    const run = await runIngest(
      store(),
      { ...config, market: 'sf-peninsula', where: { ...config.where, url: `${url}${path}` } },
      { now: today, folder, highValueUsd, http },
    )
    expect([config.id, run.counts.loaded, run.counts.rejected]).toEqual([config.id, 5, 1])
  }
  await http.close()
  expect(tried).toBeGreaterThan(12)
  const { rows } = await sql<{
    flood: string | null
    coast: string
    urban: string
    fire: string
    built: number | null
  }>`
    select overlays->>'floodway' as flood, overlays->>'coastalZone' as coast, overlays->>'urbanized' as urban,
      overlays->>'veryHighFire' as fire, jsonb_array_length(buildings) as built from property order by lng`.execute(
    store().db,
  )
  // Lot 1 lies in the hole; the arc runs around lot 4.
  expect(rows.map(({ flood }) => flood)).toEqual(['yes', null, 'yes', 'yes', 'yes', 'yes', null, null])
  expect(rows.map(({ coast }) => coast).join()).toBe('yes,no,yes,yes,yes,yes,no,no')
  expect(rows.map(({ urban }) => urban).join()).toBe('yes,no,yes,yes,yes,yes,no,no')
  expect(rows.map(({ fire }) => fire).join()).toBe('yes,no,yes,yes,yes,yes,no,no')
  // A fifth of the shape around lot 1 stands on each of its neighbors.
  expect(rows.map(({ built }) => built)).toEqual([2, null, 2, 1, 1, 1, null, null])
})

test('stations come from the zip file of a transit feed, with the distance from the edge of the lot', async () => {
  const stops = Buffer.from(
    `stop_id,stop_name,stop_lat,stop_lon,location_type\nS,Oak Station,${south + 0.002},${west},1\nP,Platform,${south + 0.002},${west},0\n`,
  )
  const packed = deflateRawSync(stops)
  const name = Buffer.from('stops.txt')
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(30 + name.length + packed.length, 16)
  const { config } = await readSource(join(root, 'packs/sf-peninsula/sources/caltrain-stations.json'))
  const folder = await feedFolder({ 'feed.zip': Buffer.concat([local, name, packed, entry, name, end]) })
  await runIngest(store(), { ...config, where: { url: 'feed.zip' } }, { now: today, folder, highValueUsd })
  const { rows } = await sql<{ stations: unknown }>`select stations from property order by lng limit 1`.execute(
    store().db,
  )
  // 0.0017 degrees of latitude north of the lot.
  expect(rows[0]!.stations).toEqual([{ name: 'Oak Station', tier: 1, feet: 619 }])
})

test('a grid of elevations gives the mean slope of each lot, and the feed’s own slope stays', async () => {
  // Rises by 1 m in 5 m to the east, in UTM zone 10, 2 m pixels; the lots are in the middle.
  const [x, y] = proj4('EPSG:4326', '+proj=utm +zone=10 +datum=NAD83 +units=m', [west, south]) as [number, number]
  const [wide, high] = [300, 200]
  const values = Float32Array.from({ length: wide * high }, (_, at) => 100 + ((at % wide) * 2) / 5)
  const grid = await writeArrayBuffer(values, {
    ...{ width: wide, height: high, ModelPixelScale: [2, 2, 0], ModelTiepoint: [0, 0, 0, x - 100, y + 200, 0] },
    ...{ ProjectedCSTypeGeoKey: 26910, GTModelTypeGeoKey: 1, BitsPerSample: [32], SampleFormat: [3] },
  })
  await sql`update property set slope_pct = 3, overlay_sources = null where apn = '123-45-007'`.execute(store().db)
  const folder = await feedFolder({ 'grid.tif': new Uint8Array(grid) })
  const config = {
    id: 'slope',
    title: 'Slope',
    kind: 'geotiff',
    holds: 'layer',
    market: 'sf-peninsula',
    sets: { fact: 'slopePct' },
  } as const
  await runIngest(store(), { ...config, where: { url: 'grid.tif' } }, { now: today, folder, highValueUsd })
  const { rows } = await sql<{ slopePct: number }>`select slope_pct from property order by lng`.execute(store().db)
  for (const { slopePct } of rows.slice(0, 7)) expect(slopePct).toBeCloseTo(20, 0)
  expect(rows[7]!.slopePct).toBe(3)
})
