// Vector tiles for the maps of our pages, with limits of their own.
import { createHash, hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { FastifyInstance } from 'fastify'
import type { Feature } from 'geojson'
import { notFound } from '../../common/errors.ts'
import { valueAt } from '../../common/typed.ts'
import { dayOf } from '../../domain/day.ts'
import { defaultMarket } from '../../domain/packs/markets.ts'
import { landCredit, landOf } from '../land.ts'
import { queryOf } from '../query.ts'
import { contextOf, type Site } from '../site.ts'
import { maxZoom, type TileAddress, tileAddress } from './grid.ts'
import { type TileLayer, type TileLayerName, tileLayers } from './layers.ts'

const toGzip = promisify(gzip)

export const tilesPerMinute = 600
/** Distinct listings and permits that tiles show to one client in a day. */
const tileRowsPerDay = 2_000

const ownLimit = { bucket: 'tiles', perMinute: tilesPerMinute }

const layerOf = (name: string): TileLayer => {
  const layer = Object.hasOwn(tileLayers, name) ? tileLayers[name as TileLayerName] : undefined
  if (!layer) throw notFound(`There is no layer "${name}". Layers: ${Object.keys(tileLayers).join(', ')}.`)
  return layer
}

export const mountTiles = (app: FastifyInstance, site: Site): void => {
  const rowsToday = dailyRows(tileRowsPerDay)

  app.get<{ Params: { file: string } }>('/tiles/:file', { config: { ownLimit } }, async (request, reply) => {
    const { file } = request.params
    const name = /^(.+)\.json$/.exec(file)?.[1]
    if (!name) return reply.callNotFound()
    const { minzoom, maxzoom, fields, parameters } = layerOf(name)
    return reply.header('cache-control', 'public, max-age=3600').send({
      tilejson: '3.0.0',
      name,
      tiles: [`${site.services.publicUrl}/tiles/${name}/{z}/{x}/{y}`],
      minzoom,
      maxzoom,
      vector_layers: Object.entries(fields).map(([id, each]) => ({ id, fields: each })),
      parameters: parameters?.(),
      attribution: name === 'base' ? landCredit(defaultMarket()) : undefined,
    })
  })

  app.get<{ Params: Record<'layer' | 'z' | 'x' | 'y', string> }>(
    '/tiles/:layer/:z/:x/:y',
    { config: { ownLimit } },
    async (request, reply) => {
      const { layer: name, z, x, y } = request.params
      const layer = layerOf(name)
      const tile = tileAddress(z, x, y)
      if (!tile || tile.z < layer.minzoom || tile.z > layer.maxzoom)
        throw notFound(`Layer ${name} has tiles from zoom ${layer.minzoom} to ${layer.maxzoom}.`)
      const client = site.clientOf(request.ip)
      const features = await layer.features(tile, {
        context: contextOf(site, request),
        query: queryOf(request),
        land: (market) => landOf(site, market),
        rows: (rows) => rowsToday.allowed(client, dayOf(site.clock()), rows),
      })
      const bytes = encodeTile(tile, features)
      const etag = `"${createHash('sha1').update(bytes).digest('base64url')}"`
      // Rows depend on the client, so no shared cache may keep them.
      const isShared = name === 'base' || name === 'parcels' || name === 'zones'
      reply.header('cache-control', `${isShared ? 'public' : 'private'}, max-age=${layer.maxAge}`).header('etag', etag)
      reply.header('vary', 'accept-encoding')
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      if (bytes.length === 0) return reply.code(204).send()
      reply.type('application/vnd.mapbox-vector-tile')
      if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(bytes)
      return reply.header('content-encoding', 'gzip').send(await toGzip(bytes, { level: 5 }))
    },
  )
}

/** Clients are forgotten in the order they came when there are more: memory stays bounded at about 80 MB. */
const mostClients = 5_000

/** How many distinct rows tiles have shown to each client today, so that nobody copies the data through the map. */
export const dailyRows = (limit: number) => {
  let today = ''
  let seen = new Map<string, Set<number>>()
  return {
    /** The rows this client may still see: those seen before, and new ones up to the limit. */
    allowed: <Row extends { key: string }>(client: string, day: string, rows: readonly Row[]): Row[] => {
      if (day !== today) [today, seen] = [day, new Map()]
      if (!seen.has(client) && seen.size >= mostClients) seen.delete(seen.keys().next().value as string)
      const keys = valueAt(seen, client, () => new Set<number>())
      return rows.filter(({ key }) => {
        const id = Number.parseInt(hash('sha1', key, 'hex').slice(0, 12), 16)
        if (keys.has(id)) return true
        if (keys.size >= limit) return false
        keys.add(id)
        return true
      })
    },
  }
}

/** Empty layers are left out; a tile without features has no bytes. */
export const encodeTile = (
  address: TileAddress,
  layers: Readonly<Partial<Record<string, readonly Feature[]>>>,
): Buffer => {
  const tiles: Parameters<typeof fromGeojsonVt>[0] = {}
  for (const [name, features] of Object.entries(layers)) {
    if (!features || features.length === 0) continue
    const index = new GeoJSONVT(
      { type: 'FeatureCollection', features: [...features] },
      { maxZoom, indexMaxZoom: 0, tolerance: 3, buffer: 64, extent: 4096 },
    )
    const tile = index.getTile(address.z, address.x, address.y)
    if (tile) tiles[name] = tile
  }
  return Object.keys(tiles).length > 0 ? Buffer.from(fromGeojsonVt(tiles, { version: 2 })) : Buffer.alloc(0)
}
