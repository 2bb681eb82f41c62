// The layers of our own tiles.

import { hash } from 'node:crypto'
import type { Feature } from 'geojson'
import { badRequest } from '../../common/errors.ts'
import type { Bounds } from '../../criteria/geometry.ts'
import type { MarketId } from '../../domain/facts.ts'
import { cities, cityBySlug, defaultMarket, marketIds, markets } from '../../domain/packs/markets.ts'
import { isInside, signedArea } from '../../domain/shapes.ts'
import type { Context } from '../../operations/context.ts'
import {
  leadCells,
  leadLayerNames,
  leadPoints,
  listingCellsInBox,
  listingsInBox,
} from '../../operations/map-listings.ts'
import {
  type Cell,
  layerShapes,
  mapLayers,
  outlinesIn,
  permitCells,
  permitsIn,
  type ShapeRow,
  streetsIn,
} from '../../operations/map-tiles.ts'
import { requestedMarket } from '../../operations/requested-market.ts'
import type { landOf } from '../land.ts'
import { readExplore } from '../pages/explore-filter.ts'
import type { Query } from '../query.ts'
import { type TileAddress, tileBounds } from './grid.ts'

interface TileRequest {
  context: Context
  query: Query
  land: (market: MarketId) => ReturnType<typeof landOf>
  /** The rows this client may see. */
  rows: <Row extends { key: string }>(rows: readonly Row[]) => Row[]
}

export interface TileLayer {
  minzoom: number
  maxzoom: number
  /** The names of the layers inside the tile, with their fields. */
  fields: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The query parameters that a tile takes, with their meaning. */
  parameters?: () => Readonly<Record<string, string>>
  /** Seconds a browser may keep a tile. */
  maxAge: number
  features(tile: TileAddress, request: TileRequest): Promise<Partial<Record<string, Feature[]>>>
}

export type TileLayerName = 'base' | 'parcels' | 'signals' | 'leads' | 'permits' | 'zones'

const rowsFromZoom = 14
const rowsPerTile = 25
const cellsPerSide = 6
const mostOutlines = 6_000
const mostShapes = 4_000

const zooms = { minzoom: 6, maxzoom: 16 }

export const tileLayers: Readonly<Record<TileLayerName, TileLayer>> = {
  base: {
    ...zooms,
    fields: { land: {}, cities: { name: 'text' }, streets: { name: 'text', kind: 'street or road' } },
    maxAge: 3_600,
    features: async (tile, { context, land }) => ({
      land: (await Promise.all(markets().map(({ id }) => land(id)))).flatMap((each) => [
        ...((each?.features ?? []) as readonly object[] as readonly Feature[]),
      ]),
      cities: cities().map(({ name, center }) => point(center, { name })),
      streets: tile.z < 9 ? [] : await streetFeatures(tile, context),
    }),
  },
  parcels: {
    minzoom: 15,
    maxzoom: 17,
    fields: { parcels: { id: 'text', class: 'text', zoning: 'text', hue: '0-5, by zoning district' } },
    maxAge: 3_600,
    features: async (tile, { context }) => {
      const box = tileBounds(tile, 0.02)
      const lots = (
        await Promise.all(marketsIn(box).map((market) => outlinesIn(context.db, market, box, mostOutlines)))
      ).flat()
      const features = lots.map(
        ({ propertyId, polygons, class: kind, zoning }): Feature => ({
          type: 'Feature',
          geometry: { type: 'MultiPolygon', coordinates: polygons as unknown as number[][][][] },
          properties: { id: propertyId, ...(kind && { class: kind }), ...(zoning && { zoning, hue: hueOf(zoning) }) },
        }),
      )
      return { parcels: features }
    },
  },
  signals: {
    ...zooms,
    fields: {
      signals: { id: 'text', price: 'dollars', status: 'text', score: '0-100', returnPct: 'percent', more: 'number' },
      cells: { count: 'number' },
    },
    parameters: () => ({
      market: `${[...marketIds(), 'all'].join(', ')}; default ${defaultMarket()}`,
      '*': 'The criteria of the Explore page, for example maxPrice=3000000',
    }),
    maxAge: 60,
    features: async (tile, { context, query, rows }) => {
      const { market: named, ...rest } = query
      const market = tileMarket(named)
      const { input: read, pageOnly } = readExplore(market === 'all' ? rest : { ...rest, market })
      const input = { ...read, market }
      const box = tileBounds(tile)
      if (tile.z < rowsFromZoom)
        return { cells: cellFeatures(await listingCellsInBox(context, input, pageOnly, box, cellsPerSide)) }
      const { listings, total } = await listingsInBox(context, input, pageOnly, box, rowsPerTile)
      const shown = rows(listings.map((listing) => ({ key: listing.id, listing })))
      const placed = shown.flatMap(({ listing: { metadata, ...listing } }) =>
        metadata.lat === undefined || metadata.lng === undefined
          ? []
          : [{ ...listing, at: { lat: metadata.lat, lng: metadata.lng } }],
      )
      const features = placed.map(({ id, price, status, rankScore, returnPct, at }) =>
        point(at, { id, price, status, score: rankScore === undefined ? undefined : Math.round(rankScore), returnPct }),
      )
      return { signals: [...features, ...moreFeature(box, total - shown.length)] }
    },
  },
  leads: {
    ...zooms,
    fields: { leads: { id: 'text' }, cells: { count: 'number' } },
    parameters: () => ({ kind: leadLayerNames.join(', '), city: 'Slug of the only city' }),
    maxAge: 60,
    features: async (tile, { context, query, rows }) => {
      const kind = leadLayerNames.find((name) => name === query.kind)
      if (!kind) throw badRequest(`kind must be one of ${leadLayerNames.join(', ')}`)
      const box = tileBounds(tile)
      const leads = placesIn(box, query).map((place) => ({ layer: kind, ...place }))
      if (tile.z < rowsFromZoom) {
        const cells = await Promise.all(leads.map((each) => leadCells(context, each, box, cellsPerSide)))
        return { cells: cellFeatures(cells.flat()) }
      }
      const points = await Promise.all(leads.map((each) => leadPoints(context, each, box, rowsPerTile)))
      const shown = rows(points.flat().map((lead) => ({ key: lead.id, lead })))
      return { leads: shown.map(({ lead: { id, ...at } }) => point(at, { id })) }
    },
  },
  permits: {
    ...zooms,
    fields: {
      permits: { id: 'text', city: 'slug', class: 'text', valuation: 'dollars', issued: 'date', more: 'number' },
      cells: { count: 'number' },
    },
    maxAge: 60,
    parameters: () => ({ city: 'Slug of the only city' }),
    features: async (tile, { context, query, rows }) => {
      const box = tileBounds(tile)
      const places = placesIn(box, query)
      if (tile.z < rowsFromZoom) {
        const cells = await Promise.all(places.map((place) => permitCells(context.db, place, box, cellsPerSide)))
        return { cells: cellFeatures(cells.flat()) }
      }
      const permits = await Promise.all(places.map((place) => permitsIn(context.db, place, box, rowsPerTile)))
      const total = permits.reduce((sum, [first]) => sum + (first?.total ?? 0), 0)
      const keyed = permits.flat().map((permit) => ({ key: `${permit.citySlug}/${permit.permitId}`, permit }))
      const shown = rows(keyed.slice(0, rowsPerTile))
      const features = shown.map(({ permit: { permitId, citySlug, permitClass, issuedOn, valuation, ...at } }) =>
        point(at, { id: permitId, city: citySlug, class: permitClass, valuation, issued: issuedOn }),
      )
      return { permits: [...features, ...moreFeature(box, total - shown.length)] }
    },
  },
  zones: {
    ...zooms,
    fields: { zones: {} },
    maxAge: 3_600,
    parameters: () => ({ source: 'Id of a map layer', city: 'Slug of the only city' }),
    features: async (tile, { context: { db }, query }) => {
      const source = String(query.source ?? '')
      const box = tileBounds(tile, 0.02)
      const city = cityBySlug(String(query.city ?? ''))
      const within = city ? overlap(box, city.box) : box
      const leastDeg = (box.east - box.west) / pixelsPerTile
      const shapes = await Promise.all(
        placesIn(box, query).map(async ({ market }) => {
          const isShown = (await mapLayers(db, market)).some(({ id }) => id === source)
          return isShown ? layerShapes(db, { market, source }, within, leastDeg, mostShapes) : []
        }),
      )
      return { zones: shapes.flat().map(shapeFeature) }
    },
  },
}

const pixelsPerTile = 512

const overlap = (a: Bounds, b: Bounds): Bounds => ({
  west: Math.max(a.west, b.west),
  south: Math.max(a.south, b.south),
  east: Math.min(a.east, b.east),
  north: Math.min(a.north, b.north),
})

/** Rings are flat and not closed; a hole runs clockwise and belongs to the outer ring around it. */
const shapeFeature = ({ kind, rings }: ShapeRow): Feature => {
  const lines = rings.map((ring) => ring.flatMap((x, at) => (at % 2 === 0 ? [[x, ring[at + 1]!]] : [])))
  const feature = (geometry: Feature['geometry']): Feature => ({ type: 'Feature', properties: {}, geometry })
  if (kind === 'point') return feature({ type: 'MultiPoint', coordinates: lines.flat() })
  if (kind === 'line') return feature({ type: 'MultiLineString', coordinates: lines })
  const outer = rings.flatMap((ring, at) => (signedArea(ring) > 0 ? [{ ring, polygon: [closed(lines[at]!)] }] : []))
  for (const [at, ring] of rings.entries())
    if (signedArea(ring) < 0)
      (outer.find((each) => isInside(ring[0]!, ring[1]!, [each.ring])) ?? outer.at(-1))?.polygon.push(
        closed(lines[at]!),
      )
  return feature({ type: 'MultiPolygon', coordinates: outer.map(({ polygon }) => polygon) })
}
const closed = (line: number[][]): number[][] => [...line, line[0]!]

/** The same color for a district on every tile. */
const hueOf = (zoning: string): number => Number.parseInt(hash('sha1', zoning, 'hex').slice(0, 6), 16) % 6

/** `all`, or a market by id or alias. */
const tileMarket = (named: unknown): MarketId | 'all' => {
  const given = named === undefined ? undefined : String(named)
  return given === 'all' ? 'all' : requestedMarket(given)
}

const point = ({ lat, lng }: { lat: number; lng: number }, properties: Record<string, unknown>): Feature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [lng, lat] },
  properties: Object.fromEntries(Object.entries(properties).filter(([, value]) => value != null)),
})

const cellFeatures = (cells: readonly Cell[]): Feature[] => cells.map(({ count, ...at }) => point(at, { count }))

/** How many rows of the tile are not shown. */
const moreFeature = ({ west, south, east, north }: Bounds, more: number): Feature[] =>
  more > 0 ? [point({ lat: (south + north) / 2, lng: (west + east) / 2 }, { more })] : []

const marketsIn = ({ west, south, east, north }: Bounds): MarketId[] =>
  markets()
    .filter(({ box }) => west <= box.east && east >= box.west && south <= box.north && north >= box.south)
    .map(({ id }) => id)

/** The markets of a tile, or the city that a map is about. */
const placesIn = (box: Bounds, query: Query): { market: MarketId; city?: string }[] => {
  const city = cityBySlug(String(query.city ?? ''))
  const touched = marketsIn(box)
  if (!city) return touched.map((market) => ({ market }))
  return touched.includes(city.market) ? [{ market: city.market, city: city.slug }] : []
}

const streetFeatures = async (tile: TileAddress, { db }: Context): Promise<Feature[]> => {
  const box = tileBounds(tile, 0.05)
  const kinds = tile.z < 12 ? (['road'] as const) : (['road', 'street'] as const)
  const streets = await Promise.all(marketsIn(box).map((market) => streetsIn(db, market, box, kinds)))
  return streets.flat().map(({ kind, name, path }) => ({
    type: 'Feature',
    geometry: { type: 'LineString', coordinates: path as unknown as number[][] },
    properties: { kind, ...(name && { name }) },
  }))
}
