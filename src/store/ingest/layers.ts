// Map layers: their shapes, what they say about each parcel, and the facts of a parcel that follow. Parcels are joined in batches
// of neighbors, each with the shapes around it, so that memory does not grow with the county or with the layer.
import { isDeepStrictEqual } from 'node:util'
import Flatbush from 'flatbush'
import { tableOf } from '../../common/typed.ts'
import type { Overlays } from '../../domain/facts.ts'
import {
  housesOn,
  type LayerShape,
  type LayerValue,
  type LotShape,
  layerResult,
  type MergedFacts,
  mergedFacts,
  reachFt,
} from '../../domain/layers.ts'
import type { LayerSets } from '../../domain/packs/source-config.ts'
import { boxOfRings, type FlatRing, type ShapeBox, turned } from '../../domain/shapes.ts'
import { degreeFeet, type Position, smallestRectangle } from '../../sources/geometry.ts'
import { SourceError } from '../../sources/source.ts'
import { columnsOf, type RowOf, tableOfRows } from '../engine/columns.ts'
import { anyRow, type Db, execute, knownRows, onlyValue, rowsOf, sql } from '../engine/database.ts'
import type { LayerShapeTable, ParcelOutlineTable, PropertyTable } from '../engine/schema.ts'
import type { Sql } from '../search/compile.ts'
import type { Merge, Merged } from './merge.ts'

export interface LayerLoad {
  sets: LayerSets
  /** The configuration is new or changed, so every parcel is joined again. */
  isChanged: boolean
  /** The operator accepts what would otherwise fail the run. */
  isAccepted: boolean
}

interface Layer {
  id: string
  sets: LayerSets
  sample: boolean
}

const parcelsAtOnce = 2000
/** Parts of shapes in memory at once. */
const mostShapes = 20_000
/** More changed shapes than this, and the whole market is joined. */
const mostDirty = 5000
const defaultMaxYesPct = 90
/** Below these numbers of parcels a share says little. */
const fewest = { parcels: 50, yes: 20 }

export const mergeLayer = async (
  tx: Db,
  load: Merge & { layer: LayerLoad; sample: boolean },
): Promise<Merged & { rejected: number; removed: number; returned: number }> => {
  const { sourceId, markets, layer, sample, firstLoad } = load
  const { sets, isAccepted } = layer
  let [inserted, removed] = [0, 0]
  for (const market of markets) {
    if (!sample) await removeSampleLayers(tx, load, market)
    const yesBefore = await countYes(tx, sourceId, market)
    const changed = await replaceShapes(tx, load, market)
    if (!isAccepted && changed.isEmptied)
      throw new SourceError(
        'implausible_layer',
        `The layer has no shape in ${market} any more; it had ${changed.removed.toLocaleString('en-US')}. Nothing was changed. If the layer is right, load it once with --accept "the reason".`,
      )
    inserted += changed.inserted
    removed += changed.removed
    const isAll = firstLoad || layer.isChanged || changed.dirty.length > mostDirty
    if (!isAll && changed.dirty.length === 0) continue
    const which = isAll ? sql`true` : nearBoxes(changed.dirty, reachFt(sets))
    await joinParcels(tx, load, market, [{ id: sourceId, sets, sample }], which)
    if (!isAccepted && sets.overlay) await rejectImplausible(tx, load, market, yesBefore)
  }
  return { inserted, updated: 0, removed, returned: 0, rejected: 0 }
}

const countYes = (tx: Db, sourceId: string, market: string) =>
  onlyValue<number>(tx)`
    select count(*) from parcel_layer where market = ${market} and source_id = ${sourceId} and value = 'yes'`

/** A polygon around the whole county, or a layer that lost half of its area, would change thousands of parcels. */
const rejectImplausible = async (
  tx: Db,
  { sourceId, layer: { sets } }: { sourceId: string; layer: LayerLoad },
  market: string,
  before: number,
): Promise<void> => {
  const all = await onlyValue<number>(tx)`
    select count(*) from property where market = ${market} and lat is not null and removed_at is null`
  const yes = await countYes(tx, sourceId, market)
  const text = (count: number) => count.toLocaleString('en-US')
  const { maxYesPct = defaultMaxYesPct } = sets
  const problem =
    all >= fewest.parcels && yes > (maxYesPct / 100) * all
      ? `${sets.overlay} would be "yes" for ${text(yes)} of ${text(all)} parcels of ${market}, more than ${maxYesPct}% (sets.maxYesPct)`
      : before >= fewest.yes && yes <= before / 2
        ? `parcels of ${market} with ${sets.overlay} "yes" would fall from ${text(before)} to ${text(yes)}`
        : undefined
  if (problem)
    throw new SourceError(
      'implausible_layer',
      `The layer is not plausible: ${problem}. Nothing was changed. If the layer is right, load it once with --accept "the reason".`,
    )
}

/** Writes the shapes that are new and deletes those that are gone; the boxes of both are where parcels have to be joined again. */
const replaceShapes = async (tx: Db, { sourceId, stage }: Merge, market: string) => {
  const ofSource = sql`market = ${market} and source_id = ${sourceId}`
  const gone = await rowsOf<Pick<LayerShapeTable, 'hash' | 'bounds'>>(tx)`
    delete from layer_shape where ${ofSource} and hash not in (select hash from ${stage.rows} where market = ${market})
    returning hash, bounds::text`
  const added = await rowsOf<Pick<LayerShapeTable, 'hash' | 'bounds'>>(tx)`
    insert into layer_shape (market, source_id, hash, part, kind, value, about, rings, bounds)
    select s.market, ${sourceId}::text, s.hash, p.part, s.kind, s.value, s.about, p.item->'rings', (p.item->>'box')::box
    from (select distinct on (hash) * from ${stage.rows} where market = ${market} and hash not in (
      select hash from layer_shape where ${ofSource}) order by hash, n) s
    cross join lateral json_array_elements(s.parts) with ordinality as p (item, part)
    returning hash, bounds::text`
  const shapes = (rows: readonly { hash: string }[]) => new Set(rows.map(({ hash }) => hash)).size
  return {
    inserted: shapes(added),
    removed: shapes(gone),
    /** The market had shapes and has none. */
    isEmptied: gone.length > 0 && !(await anyRow(tx)`select 1 from ${stage.rows} where market = ${market} limit 1`),
    dirty: [...gone, ...added].map(({ bounds }) => bounds),
  }
}

/** Parcels whose outline or point is in or near one of the boxes. */
const nearBoxes = (boxes: readonly string[], withinFt: number): Sql => {
  const near = boxes.map((text) => boxText(padded(boxOfText(text), withinFt)))
  return sql`exists (select 1 from unnest(${near}::text[]) d (bounds)
    where d.bounds::box && coalesce(o.bounds, box(point(p.lng, p.lat))))`
}

/** Real layers replace generated ones that set the same. */
const removeSampleLayers = async (tx: Db, load: Merge & { layer: LayerLoad }, market: string): Promise<void> => {
  const { overlay, fact } = load.layer.sets
  for (const layer of await layersOf(tx, market))
    if (layer.sample && layer.sets.overlay === overlay && layer.sets.fact === fact)
      await removeLayer(tx, load, market, layer)
}

/** In the schema of the market's group. Undoes what the layer has set. */
export const removeLayer = async (tx: Db, merge: Touch, market: string, layer: Layer): Promise<void> => {
  const { id, sets } = layer
  const ofSource = sql`market = ${market} and source_id = ${id}`
  await execute(tx)`delete from layer_shape where ${ofSource}`
  const which = sql`exists (select 1 from parcel_layer l where l.market = p.market and l.property_id = p.id and l.source_id = ${id})`
  await joinParcels(tx, merge, market, [{ ...layer, sets: { ...sets, extent: 'unknown' } }], which)
}

/** The layers of a market that are loaded. A sample layer that a real one has replaced has no shapes left. */
export const layersOf = (tx: Db, market: string) =>
  rowsOf<Layer>(tx)`
    select s.id, s.config->'sets' as sets, s.sample from source s
    where s.holds = 'layer' and coalesce(s.market, ${market}) = ${market}
      and exists (select 1 from ingest_run r where r.source_id = s.id and r.state = 'completed')
      and (not s.sample or exists (select 1 from layer_shape l where l.market = ${market} and l.source_id = s.id))
    order by s.id`

/** Joins the parcels that the run has changed with every layer of their market. */
export const joinTouched = (tx: Db, merge: Merge): Promise<void> =>
  joinLayers(
    tx,
    merge,
    sql`exists (select 1 from touched_property t
      where t.market = p.market and t.property_id = p.id and t.touched_at = ${merge.touchedAt})`,
  )

/** `which` selects parcels by `p`. */
export const joinLayers = async (tx: Db, merge: Touch & Pick<Merge, 'markets'>, which: Sql): Promise<void> => {
  for (const market of merge.markets) {
    const layers = await layersOf(tx, market)
    if (layers.length > 0) await joinParcels(tx, merge, market, layers, which)
  }
}

type Touch = Pick<Merge, 'touchedAt'>

const from = sql`
  property p left join parcel_outline o on o.market = p.market and o.property_id = p.id
  left join source s on s.id = p.source_id`

const ofParcel = columnsOf<PropertyTable>()('id slopePct overlays feedOverlays overlaySources buildings stations')
type StoredFacts = RowOf<typeof ofParcel>
type Parcel = StoredFacts & {
  lat: number
  lng: number
  own: Overlays
  sample: boolean | null
  polygons: ParcelOutlineTable['polygons'] | null
}

const joinParcels = async (tx: Db, merge: Touch, market: string, changed: readonly Layer[], which: Sql) => {
  const all = await layersOf(tx, market)
  const houses = [...new Set([...changed, ...all].filter(isHouses).map(({ id }) => id))]
  // Whether a zone reaches a building changes with the map of buildings.
  const others = changed.some(isHouses) ? all.filter(({ id }) => changed.every((layer) => layer.id !== id)) : []
  const layers = [...changed, ...others]
  // From south to north in strips, every other one from east to west, so that each batch lies close together.
  await execute(tx)`
    declare layer_parcels no scroll cursor for
    select ${ofParcel('p')}, p.lat, p.lng, coalesce(p.feed_overlays, p.overlays) as own, s.sample, o.polygons
    from ${from} where p.market = ${market} and p.lat is not null and p.lng is not null and ${which}
    order by floor(p.lat * 50), case when floor(p.lat * 50)::int % 2 = 0 then p.lng else -p.lng end, p.id`
  for (;;) {
    const rows = await rowsOf<Parcel>(tx)`fetch ${sql.raw(String(parcelsAtOnce))} from layer_parcels`
    if (rows.length === 0) break
    await joinBatch(tx, merge, market, { layers, houses }, rows)
  }
  await execute(tx)`close layer_parcels`
}

const isHouses = ({ sets }: Layer): boolean => sets.fact === 'buildings'

const joinBatch = async (
  tx: Db,
  merge: Touch,
  market: string,
  joined: { layers: readonly Layer[]; houses: readonly string[] },
  parcels: readonly Parcel[],
): Promise<void> => {
  const { layers, houses } = joined
  const lots = parcels.map(({ polygons, lat, lng }) =>
    polygons
      ? polygons.flatMap((polygon) => polygon.map((ring, at) => turned((ring as readonly Position[]).flat(), at > 0)))
      : [[lng, lat]],
  )
  const reach = Math.max(0, ...layers.map(({ sets }) => reachFt(sets)))
  const area = padded(boxOfRings(lots.flat()), reach)
  const shapeRows = await rowsOf<ShapeRow & Pick<LayerShapeTable, 'sourceId'>>(tx)`
    select source_id, kind, value, about, rings, bounds::text from layer_shape
    where market = ${market} and source_id = any(${[...layers.map(({ id }) => id), ...houses]}) and bounds && ${boxText(area)}::box
    limit ${mostShapes + 1}`
  if (shapeRows.length > mostShapes && parcels.length > 1) {
    const half = parcels.length >> 1
    await joinBatch(tx, merge, market, joined, parcels.slice(0, half))
    await joinBatch(tx, merge, market, joined, parcels.slice(half))
    return
  }
  const plane = planeAt(area)
  const bySource = Map.groupBy(shapeRows, ({ sourceId }) => sourceId)
  const layerFinders = layers.map((layer) => ({ layer, near: shapeFinder(bySource.get(layer.id) ?? [], plane) }))
  const houseRows = houses.flatMap((id) => bySource.get(id) ?? [])
  const nearHouses = shapeFinder(houseRows, plane)
  const before = await heldResults(tx, market, parcels)
  const ids = new Set(layers.map(({ id }) => id))
  const written: Result[] = []
  const deleted: Result[] = []
  const facts: StoredFacts[] = []
  for (const [index, parcel] of parcels.entries()) {
    const bare = lotShape(lots[index]!, plane, parcel)
    const lot = { ...bare, houses: housesOn(bare, nearHouses(bare.box, 0)) }
    const known = before.get(parcel.id) ?? []
    const values = known.filter(({ sourceId }) => !ids.has(sourceId))
    for (const { layer, near } of layerFinders) {
      const { id: sourceId, sets } = layer
      // A generated zone says nothing about a real parcel.
      const isOther = layer.sample && parcel.sample !== true
      const result = isOther ? undefined : layerResult(sets, lot, near(lot.box, reachFt(sets)))
      const old = known.find((each) => each.sourceId === sourceId)
      if (!result) {
        if (old) deleted.push(old)
        continue
      }
      const now = { propertyId: parcel.id, sourceId, sets, ...result }
      values.push(now)
      if (!isSame(old, now, ['value', 'sharePct', 'detail'])) written.push(now)
    }
    const merged = storedFacts(parcel, mergedFacts(parcel.own, values))
    if (!isSame(parcel, merged, [...writtenFacts, 'slopePct'])) facts.push(merged)
  }
  await deleteResults(tx, market, deleted)
  await writeResults(tx, market, written)
  await writeFacts(tx, market, facts)
  // A new source of the same value changes nothing that follows from it.
  const byId = new Map(parcels.map((parcel) => [parcel.id, parcel]))
  const moved = facts.filter(
    (each) => !isSame(byId.get(each.id), each, ['overlays', 'buildings', 'stations', 'slopePct']),
  )
  await execute(tx)`
    insert into touched_property (market, property_id, touched_at)
    select ${market}, id, ${merge.touchedAt}::timestamptz from unnest(${moved.map(({ id }) => id)}::text[]) as m (id)
    on conflict (market, property_id) do update set touched_at = excluded.touched_at`
}

const isSame = <T extends object>(one: T | undefined, other: T, names: readonly (keyof T)[]): boolean =>
  one !== undefined && names.every((name) => isDeepStrictEqual(one[name] ?? null, other[name] ?? null))

type Result = LayerValue & { propertyId: string }

/** What layers have said of these parcels so far. */
const heldResults = async (tx: Db, market: string, parcels: readonly Parcel[]): Promise<Map<string, Result[]>> => {
  const rows = await knownRows<Result>(tx)`
    select l.property_id, l.source_id, l.value, l.share_pct, l.detail, s.config->'sets' as sets
    from parcel_layer l join source s on s.id = l.source_id
    where l.market = ${market} and l.property_id = any(${parcels.map(({ id }) => id)})`
  return Map.groupBy(rows, ({ propertyId }) => propertyId)
}

/** The feed's own slope counts before that of a grid. */
const storedFacts = (parcel: Parcel, { overlays, sources, slopePct, buildings, stations }: MergedFacts) => {
  const { slopePct: slopeSource, ...others } = sources
  const isFromGrid = parcel.slopePct === null || parcel.overlaySources?.slopePct !== undefined
  const named = slopeSource !== undefined && isFromGrid ? sources : others
  return {
    id: parcel.id,
    overlays,
    feedOverlays: Object.keys(others).some((name) => name !== 'buildings' && name !== 'stations') ? parcel.own : null,
    overlaySources: Object.keys(named).length > 0 ? named : null,
    buildings: buildings ?? null,
    stations: stations ?? null,
    slopePct: isFromGrid ? (slopePct ?? null) : parcel.slopePct,
  }
}

const deleteResults = async (tx: Db, market: string, results: readonly Result[]): Promise<void> => {
  if (results.length === 0) return
  await execute(tx)`
    delete from parcel_layer l using ${tableOfRows(results, { propertyId: 'text', sourceId: 'text' }, 'g')}
    where l.market = ${market} and l.property_id = g.property_id and l.source_id = g.source_id`
}

const writeResults = async (tx: Db, market: string, results: readonly Result[]): Promise<void> => {
  if (results.length === 0) return
  const types = { propertyId: 'text', sourceId: 'text', value: 'text', sharePct: 'float8', detail: 'jsonb' }
  await execute(tx)`
    insert into parcel_layer (market, property_id, source_id, value, share_pct, detail)
    select ${market}, * from ${tableOfRows(results, types)}
    on conflict (market, property_id, source_id) do update
      set value = excluded.value, share_pct = excluded.share_pct, detail = excluded.detail`
}

const writtenFacts = ['overlays', 'feedOverlays', 'overlaySources', 'buildings', 'stations'] as const

const writeFacts = async (tx: Db, market: string, facts: readonly StoredFacts[]): Promise<void> => {
  if (facts.length === 0) return
  const types = { id: 'text', ...tableOf(writtenFacts, () => 'jsonb'), slopePct: 'float8' }
  await execute(tx)`
    update property p set overlays = g.overlays, feed_overlays = g.feed_overlays, overlay_sources = g.overlay_sources,
      buildings = g.buildings, stations = g.stations, slope_pct = g.slope_pct
    from ${tableOfRows(facts, types, 'g')}
    where p.market = ${market} and p.id = g.id`
}

/** Degrees as feet from a corner. Over a few miles the earth counts as flat. */
interface Plane {
  x: (lng: number) => number
  y: (lat: number) => number
}
const planeAt = ([west, south, , north]: ShapeBox): Plane => {
  const [east, up] = degreeFeet((south + north) / 2)
  return { x: (lng) => (lng - west) * east, y: (lat) => (lat - south) * up }
}
const flattened = (ring: FlatRing, { x, y }: Plane): FlatRing =>
  ring.map((degrees, at) => (at % 2 === 0 ? x(degrees) : y(degrees)))

const lotShape = (rings: readonly FlatRing[], plane: Plane, { lat, lng, polygons }: Parcel): LotShape => {
  const flat = rings.map((ring) => flattened(ring, plane))
  const point = [plane.x(lng), plane.y(lat)] as const
  if (!polygons) return { rings: [], box: [...point, ...point], point }
  const largest = flat.reduce((a, b) => (b.length > a.length ? b : a))
  const positions = Array.from(
    { length: largest.length / 2 },
    (_, at): Position => [largest[2 * at]!, largest[2 * at + 1]!],
  )
  return { rings: flat, box: boxOfRings(flat), point, axis: smallestRectangle(positions).axis }
}

type ShapeRow = Pick<LayerShapeTable, 'kind' | 'value' | 'about' | 'rings' | 'bounds'>

const shapeFinder = (shapeRows: readonly ShapeRow[], plane: Plane) => {
  if (shapeRows.length === 0) return () => []
  const shapes = shapeRows.map((shape) => layerShapeOf(shape, plane))
  const index = new Flatbush(shapes.length)
  for (const { box } of shapes) index.add(...box)
  index.finish()
  return ([west, south, east, north]: ShapeBox, reach: number): LayerShape[] =>
    index.search(west - reach, south - reach, east + reach, north + reach).map((at) => shapes[at]!)
}

const layerShapeOf = ({ kind, value, about, rings, bounds }: ShapeRow, plane: Plane): LayerShape => {
  const named = { kind, value, ...(about ? { about } : {}) }
  if ('bytes' in rings) {
    const [west, south, east, north] = boxOfText(bounds)
    const cells = { ...rings, bytes: Buffer.from(rings.bytes, 'base64') }
    return { ...named, rings: [], box: [plane.x(west), plane.y(south), plane.x(east), plane.y(north)], cells }
  }
  const flat = rings.map((ring) => flattened(ring, plane))
  return { ...named, rings: flat, box: boxOfRings(flat) }
}

const padded = ([west, south, east, north]: ShapeBox, feet: number): ShapeBox => {
  const [wide, high] = degreeFeet((south + north) / 2)
  return [west - feet / wide, south - feet / high, east + feet / wide, north + feet / high]
}

/** PostgreSQL's text of a box begins with its upper right corner. */
const boxText = ([west, south, east, north]: ShapeBox): string => `(${east},${north}),(${west},${south})`
const boxOfText = (text: string): ShapeBox => {
  const [east, north, west, south] = text.replace(/[()]/g, '').split(',').map(Number) as unknown as ShapeBox
  return [west, south, east, north]
}
