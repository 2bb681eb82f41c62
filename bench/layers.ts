// A map layer joined with every parcel of a market by its outline, beside the same join in GeoPandas (the python in PYTHON, if it has
// it): shapes that touch, and the share of each lot that they cover. 500,000 parcels and 50,000 polygons in full.
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SourceConfig } from '../src/domain/packs/source-config.ts'
import { runIngest } from '../src/ingest/run.ts'
import { type Db, sql } from '../src/store/engine/database.ts'
import { openQueue } from '../src/store/engine/queue.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, timed } from './figure.ts'
import { market, now, withMarket } from './market-data.ts'

const positions = 60

export const measure = async (context: Context): Promise<Figure[]> => {
  const homes = context.parcels ?? context.sized(500_000, 20_000, 300)
  const polygons = Math.round(homes / 10)
  const folder = join(context.dir, 'layers')
  await mkdir(folder, { recursive: true })
  return withMarket(context, { homes, permits: 0, assessed: false }, async (store) => {
    const lots = await makeLots(store.db)
    const collection = (features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features })
    const feature = (coordinates: unknown, properties = {}) => ({
      ...{ type: 'Feature', properties },
      geometry: { type: 'Polygon', coordinates },
    })
    await writeFile(join(folder, 'lots.geojson'), collection(lots.map(({ id, ring }) => feature([ring], { id }))))
    const zones = Array.from({ length: polygons }, (_, at) =>
      feature([zoneAround(lots[(at * 7919) % lots.length]!.ring[0]!, at)]),
    )
    await writeFile(join(folder, 'zones.geojson'), collection(zones))
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
    const used = process.cpuUsage()
    const ours = await timed(() => runIngest({ ...store, queue }, config, { now, folder, highValueUsd: 1e12 }))
    const cpu = process.cpuUsage(used)
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
        note: `${size}; processor time of the program ${Math.round((cpu.user + cpu.system) / 1000)} ms${agreed}`,
      }),
      figureOf('layer: largest memory of the program', 'MB', [process.resourceUsage().maxRSS / 1024], {
        ...(rival ? { rival: [rival.mb] } : {}),
        note: size,
      }),
    ]
  })
}

/** A lot of about 60 by 110 feet at the point of every home. */
const makeLots = async (db: Db): Promise<{ id: string; ring: number[][] }[]> => {
  const { rows } = await sql<{ id: string; lat: number; lng: number }>`
    select id, lat, lng from property where market = ${market} and lat is not null order by id`.execute(db)
  const lots = rows.map(({ id, lat, lng }) => {
    const [x, y] = [1e-4, 1.5e-4]
    return {
      id,
      ring: [
        [lng - x, lat - y],
        [lng + x, lat - y],
        [lng + x, lat + y],
        [lng - x, lat + y],
        [lng - x, lat - y],
      ],
    }
  })
  for (let at = 0; at < lots.length; at += 20_000) {
    const part = lots.slice(at, at + 20_000)
    await sql`
      insert into parcel_outline (market, property_id, source_id, polygons, bounds)
      select ${market}, l.id, 'bench', l.polygons::json, l.bounds::box
      from unnest(${part.map(({ id }) => id)}::text[], ${part.map(({ ring }) => JSON.stringify([[ring]]))}::text[],
        ${part.map(({ ring }) => `(${ring[2]!.join(',')}),(${ring[0]!.join(',')})`)}::text[]) as l (id, polygons, bounds)
      on conflict do nothing`.execute(db)
  }
  return lots
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
start = time.time()
lots, zones = (geopandas.read_file(name) for name in sys.argv[1:])
pairs = lots.sjoin(zones)
area = shapely.area(shapely.intersection(pairs.geometry.values, zones.geometry.values[pairs.index_right.values]))
share = (area / shapely.area(pairs.geometry.values))
yes = (pairs.assign(share=share).groupby('id').share.sum().clip(upper=1) >= 0.05).sum()
print(json.dumps({'ms': 1000 * (time.time() - start), 'mb': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 'yes': int(yes)}))
`
const geopandas = async (folder: string): Promise<{ ms: number; mb: number; yes: number } | undefined> => {
  const args = ['-c', script, join(folder, 'lots.geojson'), join(folder, 'zones.geojson')]
  const done = await promisify(execFile)(process.env.PYTHON ?? 'python3', args).catch(() => undefined)
  return done && (JSON.parse(done.stdout) as { ms: number; mb: number; yes: number })
}
