// A map layer joined with every parcel of a market by its outline, beside the same join in GeoPandas (the python in PYTHON, if it has
// it): shapes that touch, and the share of each lot that they cover. 500,000 parcels and 50,000 polygons in full.
import { execFile } from 'node:child_process'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SourceConfig } from '../src/domain/packs/source-config.ts'
import { runIngest } from '../src/ingest/run.ts'
import { type Db, sql } from '../src/store/engine/database.ts'
import { openQueue } from '../src/store/engine/queue.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, timed } from './figure.ts'
import { market, now, withMarket } from './market-data.ts'
import { serverCpuMs } from './service.ts'

const positions = 60

export const measure = async (context: Context): Promise<Figure[]> => {
  const homes = context.parcels ?? context.sized(500_000, 20_000, 300)
  const polygons = Math.round(homes / 10)
  const folder = join(context.dir, 'layers')
  await mkdir(folder, { recursive: true })
  return withMarket(context, { homes, permits: 0, assessed: false }, async (store) => {
    const corners = await makeLots(store.db, join(folder, 'lots.geojson'))
    const zones = Array.from({ length: polygons }, (_, at) => ({
      ring: zoneAround(corners[(at * 7919) % corners.length]!, at),
    }))
    await writeFeatures(join(folder, 'zones.geojson'), [zones])
    const queue = await openQueue(store.address)
    const where = { url: 'zones.geojson' }
    const sets = { overlay: 'floodZone', maxYesPct: 100 } as const
    const config: SourceConfig = {
      id: 'bench-zones',
      title: 'Zones',
      kind: 'geojson',
      holds: 'layer',
      market,
      where,
      sets,
    }
    const { DATA_DIR } = context.environment
    const [used, served] = [process.cpuUsage(), await serverCpuMs(DATA_DIR!)]
    const ours = await timed(() => runIngest({ ...store, queue }, config, { now, folder, highValueUsd: 1e12 }))
    const { user, system } = process.cpuUsage(used)
    const [program, database] = [(user + system) / 1000, (await serverCpuMs(DATA_DIR!)) - served]
    await queue.close()
    const { rows } = await sql<{ yes: number }>`select count(*) as yes from parcel_layer where value = 'yes'`.execute(
      store.db,
    )
    const rival = await geopandas(folder)
    const size = `${homes.toLocaleString('en-US')} parcels, ${polygons.toLocaleString('en-US')} polygons of ${positions} positions`
    const agreed = rival ? `; ${rows[0]!.yes} lots covered by 5%, in GeoPandas ${rival.yes}` : ''
    return [
      figureOf('layer: read, joined and stored', 'ms', [ours], {
        target: atMost(5, 'ratio'),
        ...(rival ? { rival: [rival.ms] } : {}),
        note: `${size}${agreed}`,
      }),
      figureOf('layer: processor time', 'ms', [program + database], {
        ...(rival ? { rival: [rival.cpu] } : {}),
        note: `${size}; ${Math.round(program)} ms of it in the program, ${Math.round(database)} ms in the database`,
      }),
      figureOf('layer: largest memory of the program', 'MB', [process.resourceUsage().maxRSS / 1024], {
        ...(rival ? { rival: [rival.mb] } : {}),
        note: size,
      }),
    ]
  })
}

interface Drawn {
  id?: string
  ring: number[][]
}

/** In parts, so that the largest memory is not that of this file. */
const writeFeatures = async (path: string, parts: Iterable<Drawn[]> | AsyncIterable<Drawn[]>): Promise<void> => {
  await writeFile(path, '{"type":"FeatureCollection","features":[')
  let separator = ''
  for await (const part of parts) {
    const texts = part.map(({ id, ring }) =>
      JSON.stringify({ type: 'Feature', properties: { id }, geometry: { type: 'Polygon', coordinates: [ring] } }),
    )
    await appendFile(path, separator + texts.join())
    separator = ','
  }
  await appendFile(path, ']}')
}

/** A lot of about 60 by 110 feet at the point of every home. Returns a corner of each. */
const makeLots = async (db: Db, path: string): Promise<number[][]> => {
  const corners: number[][] = []
  await writeFeatures(path, storedLots(db, corners))
  return corners
}

const storedLots = async function* (db: Db, corners: number[][]): AsyncGenerator<Drawn[]> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; lat: number; lng: number }>`
      select id, lat, lng from property where market = ${market} and lat is not null and id > ${after}
      order by id limit 20000`.execute(db)
    if (rows.length === 0) return
    after = rows.at(-1)!.id
    const part = rows.map(({ id, lat, lng }) => ({ id, ring: lotAround(lng, lat) }))
    corners.push(...part.map(({ ring }) => ring[0]!))
    await sql`
      insert into parcel_outline (market, property_id, source_id, polygons, bounds)
      select ${market}, l.id, 'bench', l.polygons::json, l.bounds::box
      from unnest(${part.map(({ id }) => id)}::text[], ${part.map(({ ring }) => JSON.stringify([[ring]]))}::text[],
        ${part.map(({ ring }) => `(${ring[2]!.join(',')}),(${ring[0]!.join(',')})`)}::text[]) as l (id, polygons, bounds)
      on conflict do nothing`.execute(db)
    yield part
  }
}

const lotAround = (lng: number, lat: number, x = 1e-4, y = 1.5e-4): number[][] => [
  [lng - x, lat - y],
  [lng + x, lat - y],
  [lng + x, lat + y],
  [lng - x, lat + y],
  [lng - x, lat - y],
]

const zoneAround = ([x, y]: number[], seed: number): number[][] => {
  const ring = Array.from({ length: positions }, (_, at) => {
    const angle = (2 * Math.PI * at) / positions
    const far = 0.0015 * (0.6 + 0.4 * Math.sin(seed + 5 * angle))
    return [x! + far * Math.cos(angle), y! + far * Math.sin(angle)]
  })
  return [...ring, ring[0]!]
}

/** Reads both files, finds the pairs that touch and sums the area that they share, by lot. */
const script = `
import json, resource, sys, time
import geopandas, shapely
start, used = time.time(), time.process_time()
lots, zones = (geopandas.read_file(name) for name in sys.argv[1:])
pairs = lots.sjoin(zones)
area = shapely.area(shapely.intersection(pairs.geometry.values, zones.geometry.values[pairs.index_right.values]))
share = (area / shapely.area(pairs.geometry.values))
yes = (pairs.assign(share=share).groupby('id').share.sum().clip(upper=1) >= 0.05).sum()
print(json.dumps({'ms': 1000 * (time.time() - start), 'cpu': 1000 * (time.process_time() - used), 'mb': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 'yes': int(yes)}))
`
interface Rival {
  ms: number
  /** Processor time in milliseconds. */
  cpu: number
  mb: number
  yes: number
}

const geopandas = async (folder: string): Promise<Rival | undefined> => {
  const args = ['-c', script, join(folder, 'lots.geojson'), join(folder, 'zones.geojson')]
  const done = await promisify(execFile)(process.env.PYTHON ?? 'python3', args).catch(() => undefined)
  return done && (JSON.parse(done.stdout) as Rival)
}
