// What a map layer says about a lot: the value of an overlay by the share of the lot that is covered, buildings, slope; and how
// the values of several layers and of the parcel's own feed become one.
import { hazards, type OverlayName, type Overlays, type ParcelFacts, type Tristate } from './facts.ts'
import type { LayerSets } from './packs/source-config.ts'
import {
  areaOf,
  boxesTouch,
  boxOfRings,
  type FlatRing,
  isInside,
  lineDistance,
  type ShapeBox,
  sharedArea,
} from './shapes.ts'

export type ShapeKind = 'area' | 'line' | 'point' | 'grid'

/** A part of a layer near a lot, in feet from a common origin. */
export interface LayerShape {
  kind: ShapeKind
  value: Tristate
  rings: readonly FlatRing[]
  box: ShapeBox
  /** Of a station. */
  about?: Omit<Station, 'feet'>
  /** Slope by cell in half percents, from the north-west corner; 255 where it is not known. */
  cells?: { columns: number; rows: number; bytes: Uint8Array }
}

/** A lot in the same feet. Without an outline it is the point. */
export interface LotShape {
  rings: readonly FlatRing[]
  box: ShapeBox
  point: readonly [number, number]
  /** Direction of the longer side of the smallest rectangle around the lot. */
  axis?: readonly [number, number]
  /** Buildings on it, where a map shows them. */
  houses?: readonly LayerShape[]
}

export interface Building {
  sqft: number
  /** Distance to the nearest lot line. */
  toLinesFt: number
  /** From and to, along the longer and the shorter side of the smallest rectangle around the lot. */
  alongFt: readonly [number, number]
  acrossFt: readonly [number, number]
}

/** A station within half a mile, with the distance from the edge of the lot. */
export interface Station {
  name: string
  /** Of the transit law; absent without daily service. */
  tier?: 1 | 2
  feet: number
}

export interface LayerResult {
  value: Tristate
  sharePct?: number
  detail?: number | readonly Building[] | readonly Station[]
}

const defaultMinSharePct = 5
/** Outlines of two maps that only meet can share a few inches. */
const leastTouchSqft = 10

/** Undefined where the layer says nothing about the lot. */
export const layerResult = (sets: LayerSets, lot: LotShape, shapes: readonly LayerShape[]): LayerResult | undefined => {
  if (sets.fact === 'slopePct') return slopeResult(lot, shapes)
  if (sets.fact === 'stations') return stationResult(sets, lot, shapes)
  const { minSharePct = defaultMinSharePct, withinFt = 0, extent } = sets
  const shares = { yes: 0, no: 0, unknown: 0 }
  for (const shape of shapes) shares[shape.value] += shareOf(lot, shape, shape.value === 'yes' ? withinFt : 0)
  const isMapped = extent === 'market' || shares.yes + shares.no >= 100 - minSharePct
  if (sets.fact === 'buildings') {
    const buildings = buildingsOn(lot, shapes)
    return buildings.length > 0 || isMapped ? { value: 'yes', detail: buildings } : undefined
  }
  const sharePct = Math.min(100, Math.round(10 * shares.yes) / 10)
  // A zone that reaches a building concerns the lot, however little of it is covered.
  const reachesHouse = () =>
    (lot.houses ?? []).some((house) =>
      shapes.some(
        ({ kind, value, rings, box }) =>
          value === 'yes' &&
          kind === 'area' &&
          boxesTouch(box, house.box) &&
          sharedArea(house.rings, rings) >= leastTouchSqft,
      ),
    )
  if (shares.yes > 0 && (shares.yes >= minSharePct || reachesHouse())) return { value: 'yes', sharePct }
  return shares.unknown < minSharePct && isMapped ? { value: 'no', sharePct } : undefined
}

/** Within which a shape can concern a lot. */
export const reachFt = ({ fact, withinFt = 0 }: LayerSets): number => (fact === 'stations' ? halfMileFt : withinFt)
const halfMileFt = 2640

const stationResult = (
  { extent }: LayerSets,
  lot: LotShape,
  shapes: readonly LayerShape[],
): LayerResult | undefined => {
  const near = shapes
    .map((shape) => ({ ...(shape.about ?? { name: 'Station' }), feet: Math.round(distanceFt(lot, shape)) }))
    .filter(({ feet }) => feet <= halfMileFt)
    .toSorted((a, b) => a.feet - b.feet)
  return near.length > 0 || extent === 'market' ? { value: 'yes', detail: near } : undefined
}

/** Lines and points cover nothing: a lot that they touch counts as covered. */
const shareOf = (lot: LotShape, shape: LayerShape, withinFt: number): number => {
  if (withinFt > 0) return distanceFt(lot, shape) <= withinFt ? 100 : 0
  if (!boxesTouch(lot.box, shape.box)) return 0
  if (shape.kind !== 'area') return distanceFt(lot, shape) === 0 ? 100 : 0
  if (lot.rings.length === 0) return isInside(...lot.point, shape.rings) ? 100 : 0
  return (100 * Math.max(0, sharedArea(lot.rings, shape.rings))) / areaOf(lot.rings)
}

const distanceFt = (lot: LotShape, { kind, rings }: LayerShape): number => {
  const lotRings = lot.rings.length > 0 ? lot.rings : [lot.point]
  if (lot.rings.length > 0 && rings.some(([x, y]) => isInside(x!, y!, lot.rings))) return 0
  if (kind === 'area' && lotRings.some(([x, y]) => isInside(x!, y!, rings))) return 0
  return lineDistance({ lines: lotRings, closed: lot.rings.length > 0 }, { lines: rings, closed: kind === 'area' })
}

/** A sliver of a neighbor's roof is not a building of the lot. */
const leastBuildingSqft = 80
const leastBuildingPct = 20

/** Shapes of buildings that stand on the lot. */
export const housesOn = (lot: LotShape, shapes: readonly LayerShape[]): LayerShape[] =>
  shapes.filter(({ kind, value, box, rings }) => {
    if (kind !== 'area' || value !== 'yes' || !lot.axis || !boxesTouch(box, lot.box)) return false
    const sqft = sharedArea(lot.rings, rings)
    return sqft >= leastBuildingSqft && sqft >= (leastBuildingPct / 100) * areaOf(rings)
  })

const buildingsOn = (lot: LotShape, shapes: readonly LayerShape[]): Building[] => {
  const { rings, axis } = lot
  if (!axis) return []
  return housesOn(lot, shapes)
    .map((shape): Building => {
      const toLines = lineDistance({ lines: rings, closed: true }, { lines: shape.rings, closed: true })
      return {
        sqft: Math.round(sharedArea(rings, shape.rings)),
        toLinesFt: Math.round(10 * toLines) / 10,
        alongFt: span(shape.rings, rings, axis[0], axis[1]),
        acrossFt: span(shape.rings, rings, -axis[1], axis[0]),
      }
    })
    .toSorted((a, b) => b.sqft - a.sqft)
}

/** From where to where the building reaches in a direction, measured from the first line of the lot. */
const span = (building: readonly FlatRing[], lot: readonly FlatRing[], dx: number, dy: number): [number, number] => {
  const reach = (rings: readonly FlatRing[]) => {
    const box = boxOfRings(
      rings.map((ring) => ring.map((value, at) => (at % 2 === 0 ? value * dx + ring[at + 1]! * dy : 0))),
    )
    return [box[0], box[2]] as const
  }
  const [from, to] = reach(lot)
  const fromLine = (value: number) => Math.round(10 * (Math.min(to, Math.max(from, value)) - from)) / 10
  const [first, last] = reach(building)
  return [fromLine(first), fromLine(last)]
}

/** The mean of the cells inside the lot, or the cell of its point where it has none. */
const slopeResult = (lot: LotShape, shapes: readonly LayerShape[]): LayerResult | undefined => {
  let [sum, count] = [0, 0]
  for (const isAtPoint of [false, true]) {
    for (const { box, cells } of shapes) {
      if (!cells || !boxesTouch(box, lot.box)) continue
      const { columns, rows, bytes } = cells
      const [width, height] = [(box[2] - box[0]) / columns, (box[3] - box[1]) / rows]
      const within: ShapeBox = isAtPoint ? [...lot.point, ...lot.point] : lot.box
      const from = (at: number, most: number) => Math.max(0, Math.min(most - 1, Math.floor(at)))
      for (let row = from((box[3] - within[3]) / height, rows); row <= from((box[3] - within[1]) / height, rows); row++)
        for (
          let column = from((within[0] - box[0]) / width, columns);
          column <= from((within[2] - box[0]) / width, columns);
          column++
        ) {
          const slope = bytes[row * columns + column]!
          const [x, y] = [box[0] + (column + 0.5) * width, box[3] - (row + 0.5) * height]
          if (slope === unknownSlope || !(isAtPoint ? boxesTouch(box, within) : isInside(x, y, lot.rings))) continue
          sum += slope * slopeStep
          count += 1
        }
    }
    if (count > 0) return { value: 'yes', detail: Math.round((10 * sum) / count) / 10 }
  }
  return undefined
}
export const unknownSlope = 255
export const slopeStep = 0.5

export interface LayerValue extends LayerResult {
  sourceId: string
  sets: LayerSets
}

export type MeasuredFact = NonNullable<LayerSets['fact']>
export const measuredFacts: readonly MeasuredFact[] = ['slopePct', 'buildings', 'stations']

export interface MergedFacts extends Pick<ParcelFacts, 'overlays' | 'slopePct' | 'buildings' | 'stations'> {
  /** By overlay, slopePct, buildings or stations: the layer that the value is from. */
  sources: Readonly<Partial<Record<OverlayName | MeasuredFact, string>>>
}

/** For a hazard any yes counts; else the layer of the highest priority, else what the parcel's own feed says. */
export const mergedFacts = (feedOverlays: Overlays, layers: readonly LayerValue[]): MergedFacts => {
  const overlays: Overlays = { ...feedOverlays }
  const sources: Record<string, string> = {}
  const measured: Pick<MergedFacts, MeasuredFact> = {}
  const ranked = layers.toSorted(
    (a, b) => (b.sets.priority ?? 0) - (a.sets.priority ?? 0) || (a.sourceId < b.sourceId ? -1 : 1),
  )
  for (const { sets, value, sourceId, detail } of ranked) {
    const { overlay: name, fact } = sets
    if (fact) {
      if (fact === 'stations')
        measured.stations = [...(measured.stations ?? []), ...(detail as readonly Station[])].toSorted(
          (a, b) => a.feet - b.feet,
        )
      else if (sources[fact] === undefined) Object.assign(measured, { [fact]: detail })
      sources[fact] ??= sourceId
    }
    if (name === undefined) continue
    const isHazard = hazards.includes(name)
    const isSurer = sources[name] === undefined ? !(isHazard && feedOverlays[name] === 'yes' && value === 'no') : false
    if (!isSurer && !(isHazard && value === 'yes' && overlays[name] !== 'yes')) continue
    overlays[name] = value
    sources[name] = sourceId
  }
  return { overlays, sources, ...measured }
}
