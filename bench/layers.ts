// A map layer joined with every parcel of a market by its outline, beside the same join in GeoPandas (the python in PYTHON, if it has
// it): shapes that touch, and the share of each lot that they cover. 500,000 parcels and 50,000 polygons in full.
import { execFile } from 'node:child_process'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { SourceConfig } from '../src/domain/packs/source-config.ts'
import { runIngest } from '../src/ingest/run.ts'
import { type Db, execute, onlyValue, rowsOf, sql, valuesOf } from '../src/store/engine/database.ts'
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
    await makeLots(store.db)
    await writeFeatures(
      join(folder, 'lots.geojson'),
      (from, most) => rowsOf<Drawn>(store.db)`
        select property_id as id, polygons->0->0 as ring from parcel_outline order by 1 offset ${from} limit ${most}`,
    )
    await writeFeatures(join(folder, 'zones.geojson'), async (from, most) => {
      const points = await valuesOf<number[]>(store.db)`
        select array[lng, lat] from property where lat is not null
        order by md5(id) offset ${from} limit ${Math.max(0, Math.min(most, polygons - from))}`
      return points.map((at, index) => ({ ring: zoneAround(at, from + index) }))
    })
    const queue = await openQueue(store.address)
    const where = { url: 'zones.geojson' }
    const sets = { overlay: 'floodZone', maxYesPct: 100 } as const
    const named = { id: 'bench-zones', title: 'Zones', kind: 'geojson', holds: 'layer' } as const
    const config: SourceConfig = { ...named, market, where, sets }
    const { DATA_DIR } = context.environment
    const [used, served] = [process.cpuUsage(), await serverCpuMs(DATA_DIR!)]
    const ours = await timed(() => runIngest({ ...store, queue }, config, { now, folder, highValueUsd: 1e12 }))
    const { user, system } = process.cpuUsage(used)
    await queue.close()
    // A connection that has just ended counts when the server has noticed.
    await setTimeout(2000)
    const [program, database] = [(user + system) / 1000, (await serverCpuMs(DATA_DIR!)) - served]
    const yes = await onlyValue<number>(store.db)`select count(*) from parcel_layer where value = 'yes'`
    const rival = await geopandas(folder)
    const size = `${homes.toLocaleString('en-US')} parcels, ${polygons.toLocaleString('en-US')} polygons of ${positions} positions`
    const agreed = rival ? `; ${yes} lots covered by 5%, in GeoPandas ${rival.yes}` : ''
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

/** In parts, so that the largest memory is that of the join. `part` returns the features from a number on, none at the end. */
const writeFeatures = async (path: string, part: (from: number, most: number) => Promise<Drawn[]>): Promise<void> => {
  const most = 20_000
  await writeFile(path, '{"type":"FeatureCollection","features":[')
  for (let from = 0, drawn = await part(0, most); drawn.length > 0; from += most, drawn = await part(from, most)) {
    const features = drawn.map(({ id, ring }) =>
      JSON.stringify({ type: 'Feature', properties: { id }, geometry: { type: 'Polygon', coordinates: [ring] } }),
    )
    await appendFile(path, `${from > 0 ? ',' : ''}${features}`)
  }
  await appendFile(path, ']}')
}

interface Drawn {
  id?: string
  ring: number[][]
}

/** A lot of about 60 by 110 feet at the point of every home. */
const makeLots = (db: Db) => {
  const corner = (x: number, y: number) => sql.raw(`json_build_array(lng + ${x}, lat + ${y})`)
  const [x, y] = [1e-4, 1.5e-4]
  const ring = [corner(-x, -y), corner(x, -y), corner(x, y), corner(-x, y), corner(-x, -y)]
  return execute(db)`
    insert into parcel_outline (market, property_id, source_id, polygons, bounds)
    select market, id, 'bench', json_build_array(json_build_array(json_build_array(${sql.join(ring)}))),
      box(point(lng - ${x}, lat - ${y}), point(lng + ${x}, lat + ${y}))
    from property where market = ${market} and lat is not null
    on conflict do nothing`
}

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
/** Times in milliseconds; `cpu` is processor time. */
type Rival = { ms: number; cpu: number; mb: number; yes: number }
const geopandas = async (folder: string): Promise<Rival | undefined> => {
  const args = ['-c', script, join(folder, 'lots.geojson'), join(folder, 'zones.geojson')]
  const done = await promisify(execFile)(process.env.PYTHON ?? 'python3', args).catch(() => undefined)
  return done && (JSON.parse(done.stdout) as Rival)
}
