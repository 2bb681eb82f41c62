// What a map tile shows: outlines of parcels, streets, and matches of a search as counts per cell.
import type { Bounds } from '../../criteria/geometry.ts'
import type { MarketId } from '../../domain/facts.ts'
import { usesOf } from '../../domain/packs/source-uses.ts'
import { marketOfProperty } from '../../domain/property-id.ts'
import type { ParcelShape } from '../../wire/property.ts'
import { type Db, firstValue, rowsOf, sql } from '../engine/database.ts'
import type {
  AssessmentTable,
  LayerShapeTable,
  ParcelOutlineTable,
  PermitTable,
  PropertyTable,
  SourceTable,
} from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { all, boxOf, inTiles, type Sql } from '../search/compile.ts'
import { type PropertyQuery, sourceOf } from '../search/properties.ts'
import type { Street } from './streets.ts'

const inBox = (point: Sql, bounds: Bounds): Sql => sql`${inTiles(point, [bounds])} and ${point} <@ ${boxOf(bounds)}`

type OutlineRow = Pick<ParcelOutlineTable, 'propertyId' | 'polygons'> & {
  class: AssessmentTable['redevelopmentClass']
  zoning: PropertyTable['zoning']
}

export const outlinesIn = (db: Db, market: MarketId, bounds: Bounds, limit: number) =>
  rowsOf<OutlineRow>(groupOf(db, market))`
    select o.property_id, o.polygons, a.redevelopment_class as class, p.zoning from parcel_outline o
    join property p on p.market = o.market and p.id = o.property_id
    left join assessment a on a.market = o.market and a.property_id = o.property_id
    where o.market = ${market} and o.bounds && ${boxOf(bounds)} limit ${limit}`

export type NeighborRow = Pick<ParcelOutlineTable, 'propertyId' | 'polygons'> & Pick<PropertyTable, 'address'>

/** Lots in the box, with their addresses. */
export const neighborLots = (db: Db, market: MarketId, bounds: Bounds, limit: number) =>
  rowsOf<NeighborRow>(groupOf(db, market))`
    select o.property_id, o.polygons, p.address from parcel_outline o
    join property p on p.market = o.market and p.id = o.property_id
    where o.market = ${market} and o.bounds && ${boxOf(bounds)} limit ${limit}`

type StreetRow = Pick<Street, 'kind' | 'path'> & { name: string | null }

export const streetsIn = (db: Db, market: MarketId, bounds: Bounds, kinds: readonly Street['kind'][]) =>
  rowsOf<StreetRow>(groupOf(db, market))`
    select kind, name, path from street
    where market = ${market} and bounds && ${boxOf(bounds)} and kind = any(${kinds})
    order by id limit 5000`

export interface MapLayer {
  id: string
  title: string
  sample: boolean
  /** The day it was read. */
  asOf: string
}

/** The map layers of a market whose shapes pages may show. Grids of slope have no shapes. */
export const mapLayers = async (db: Db, market: MarketId): Promise<MapLayer[]> => {
  const rows = await rowsOf<MapLayer & Pick<SourceTable, 'kind' | 'config'>>(groupOf(db, market))`
    select s.id, s.title, s.sample, s.kind, s.config, (
      select (max(r.finished_at) at time zone 'UTC')::date::text from ingest_run r
      where r.source_id = s.id and r.state = 'completed') as as_of
    from source s where s.holds = 'layer' and s.config->'sets'->>'fact' is distinct from 'slopePct' and exists (
      select 1 from layer_shape l where l.market = ${market} and l.source_id = s.id and l.value = 'yes')
    order by s.title, s.id`
  return rows.flatMap(({ kind, config, ...layer }) =>
    usesOf(kind, config.uses, config.licence).includes('page') ? [layer] : [],
  )
}

export type ShapeRow = Pick<LayerShapeTable, 'kind'> & { rings: number[][] }

/** The parts of a layer in the box that are wider or higher than `leastDeg`, and its points. */
export const layerShapes = (
  db: Db,
  { market, source }: { market: MarketId; source: string },
  bounds: Bounds,
  leastDeg: number,
  limit: number,
) =>
  rowsOf<ShapeRow>(groupOf(db, market))`
    select kind, rings from layer_shape
    where market = ${market} and source_id = ${source} and value = 'yes' and kind <> 'grid' and bounds && ${boxOf(bounds)}
      and (kind = 'point' or greatest(width(bounds), height(bounds)) > ${leastDeg}::float8)
    limit ${limit}`

export interface Cell {
  lng: number
  lat: number
  count: number
}

/** Divides the box into a grid and counts in each cell. The position is the mean of the counted ones. */
const cellsOf = async (db: Db, from: Sql, where: Sql, location: Sql, bounds: Bounds, perSide: number) => {
  const { west, south, east, north } = bounds
  return rowsOf<Cell>(db)`
    select avg(at[0]) as lng, avg(at[1]) as lat, count(*) as count
    from (select ${location} as at from ${from} where ${where} and ${inBox(location, bounds)}) m
    group by floor((at[0] - ${west}::float8) / ${(east - west) / perSide}::float8),
      floor((at[1] - ${south}::float8) / ${(north - south) / perSide}::float8)`
}

export const listingCells = async (db: Db, query: PropertyQuery, bounds: Bounds, perSide: number): Promise<Cell[]> => {
  const perMarket = query.markets.map((market) => {
    const { from, where } = sourceOf({ ...query, markets: [market] })
    return cellsOf(groupOf(db, market), from, all(where), sql`s.location`, bounds, perSide)
  })
  return (await Promise.all(perMarket)).flat()
}

const permitAt = sql`s.location`
const permits = sql`permit_search s
  join permit p on p.market = s.market and p.city_slug = s.city_slug and p.permit_id = s.permit_id`

const issuedIn = (market: MarketId, city: string | undefined) =>
  sql`s.market = ${market} and s.issued_on is not null and p.removed_at is null
    ${city === undefined ? sql`` : sql`and s.city_slug = ${city}`}`

export const permitCells = (
  db: Db,
  { market, city }: { market: MarketId; city?: string },
  bounds: Bounds,
  perSide: number,
): Promise<Cell[]> => cellsOf(groupOf(db, market), permits, issuedIn(market, city), permitAt, bounds, perSide)

type PermitPoint = Pick<PermitTable, 'citySlug' | 'permitId' | 'permitClass' | 'issuedOn'> & {
  valuation: PermitTable['valuationUsd']
  lng: number
  lat: number
  total: number
}

/** The newest first. `total` counts all in the box. */
export const permitsIn = (
  db: Db,
  { market, city }: { market: MarketId; city?: string },
  bounds: Bounds,
  limit: number,
) =>
  rowsOf<PermitPoint>(groupOf(db, market))`
    select p.city_slug, p.permit_id, p.permit_class, p.issued_on, p.valuation_usd as valuation, p.lng, p.lat,
      count(*) over () as total
    from ${permits} where ${issuedIn(market, city)} and ${inBox(permitAt, bounds)}
    order by p.issued_on desc nulls last, p.permit_id limit ${limit}`

export const outlineOf = async (db: Db, propertyId: string): Promise<ParcelShape['coordinates'] | undefined> => {
  const market = marketOfProperty(propertyId)
  if (!market) return undefined
  return firstValue<ParcelOutlineTable['polygons']>(groupOf(db, market))`
    select polygons from parcel_outline where market = ${market} and property_id = ${propertyId}`
}

/** By property, without those of `hiddenSources`. */
export const outlinesOf = async (tx: Db, propertyIds: readonly string[], hiddenSources: readonly string[]) => {
  const markets = [...new Set(propertyIds.map(marketOfProperty))]
  const rows = await rowsOf<Pick<ParcelOutlineTable, 'propertyId' | 'polygons'>>(tx)`
    select property_id, polygons from parcel_outline
    where market = any(${markets}::text[]) and property_id = any(${propertyIds}::text[])
      and source_id <> all(${hiddenSources}::text[])`
  return new Map(rows.map(({ propertyId, polygons }) => [propertyId, polygons]))
}
