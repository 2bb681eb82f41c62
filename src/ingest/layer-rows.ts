// The rows of a map layer: which shapes are read for which market, what makes a shape unusable, and how it is staged.
import { hash } from 'node:crypto'
import Flatbush from 'flatbush'
import { markets } from '../domain/packs/markets.ts'
import type { LayerSets, SourceConfig } from '../domain/packs/source-config.ts'
import { boxesTouch, boxOfRings, crosses, type FlatRing, partsOf, type ShapeBox } from '../domain/shapes.ts'
import { geojson } from '../sources/geojson.ts'
import { layerShape, offEarth } from '../sources/geometry.ts'
import { sourceOf } from '../sources/kinds.ts'
import {
  type RawRow,
  type ReadContext,
  type Reading,
  type ReadShape,
  type ReadState,
  SourceError,
} from '../sources/source.ts'
import type { StagedRow } from '../store/ingest/stage.ts'
import type { Checker } from './check.ts'
import { condition } from './conditions.ts'
import { mapper, nullsOf } from './map.ts'

type LayerSource = SourceConfig & { sets: LayerSets }

/** Degrees around the box of a market, about seven miles: its parcels may lie a little outside. */
const marginDeg = 0.1

/** For each market of the layer the shapes that touch it, then the mapped area. A file is read once for each market. */
export const layerReading = (config: LayerSource, context: ReadContext): Reading => {
  const state: ReadState = { bytesRead: 0 }
  const map = mapper(config)
  const { extent } = config.sets
  const extentUrl = extent === 'market' || extent === 'unknown' ? undefined : extent
  // The mapped area may change while the layer does not, so neither is left unread because the layer's server reports no change.
  const asked = extentUrl === undefined ? context : { ...context, previous: undefined }
  const layerMarkets = markets().filter(({ id }) => config.market === undefined || id === config.market)
  let read = 0
  let number = 0
  /** Shapes outside the markets, or not on earth, which is what coordinates of another system look like; where the first is. */
  let outside = 0
  let firstOutside: string | undefined
  async function* ofMarket(market: string, box: ShapeBox): Reading['pages'] {
    const { counted, shrank } = state
    const reading = sourceOf(config.kind)(config.where, { ...asked, box })
    for await (const page of reading.pages) {
      Object.assign(state, reading.state)
      yield page.flatMap((row): RawRow[] => {
        const shape = row.shape ?? pointOf(map(row.fields).values)
        read += 1
        const isElsewhere = shape && !shape.unreadable && !boxesTouch(shape.box, box)
        if (isElsewhere || shape?.unreadable?.endsWith(offEarth)) {
          outside += 1
          firstOutside ??= shape.unreadable ?? `it is near ${shape.box[1].toFixed(3)}, ${shape.box[0].toFixed(3)}`
        }
        if (isElsewhere) return []
        number += 1
        return [{ ...row, number, shape, market }]
      })
    }
    // A market that was read badly stays so after the next one.
    Object.assign(state, reading.state, counted === false && { counted }, shrank && { shrank })
    if (extentUrl === undefined) return
    for await (const page of geojson({ url: extentUrl }, { ...asked, box }).pages)
      yield page
        .filter(({ shape }) => shape?.unreadable || (shape && boxesTouch(shape.box, box)))
        .map((row) => {
          number += 1
          return { ...row, number, market, isExtent: true }
        })
  }
  async function* pages(): Reading['pages'] {
    for (const { id, box } of layerMarkets) {
      const { west, south, east, north } = box
      yield* ofMarket(id, [west - marginDeg, south - marginDeg, east + marginDeg, north + marginDeg])
    }
    if (read > 0 && outside === read)
      throw new SourceError(
        'elsewhere',
        `None of the ${read.toLocaleString('en-US')} shapes lies in ${layerMarkets.map(({ name }) => name).join(' or ')}; the first: ${firstOutside}. If its coordinates are in another system, set where.spatialReference, for example "EPSG:2227".`,
      )
  }
  return { state, pages: pages() }
}

const pointOf = ({ lat, lng }: Readonly<Record<string, unknown>>): ReadShape | undefined =>
  lat === undefined || lng === undefined
    ? undefined
    : layerShape('point', [[[[Number(lng), Number(lat)]]]], 'EPSG:4326')

const crossing = 'shape: a ring crosses itself; lots in the box around it stay unknown'
/** More crossing rings than this mean that the layer is broken, not a shape of it. */
const mostCrossingPct = 5

export const layerChecker = (config: LayerSource): Checker => {
  const { sets } = config
  const map = mapper(config)
  const conditions = (config.require ?? []).map((one) => condition(one, nullsOf(config)))
  const leftOut = new Map<string, number>()
  const leave = (reason: string) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1)
  let [shapes, unreadable] = [0, 0]
  return {
    leftOut,
    check: (row) => {
      const { shape } = row
      if (row.problem) return { rejected: row.problem }
      if (!row.isExtent)
        for (const failure of conditions) {
          const reason = failure(row.fields)
          if (reason) return { rejected: { code: 'requirement', reason } }
        }
      if (!shape) return { rejected: { code: 'no_shape', reason: 'The row has no shape and no point' } }
      if (shape.unreadable) {
        unreadable += 1
        return { rejected: { code: 'shape', reason: `The shape cannot be read: ${shape.unreadable}` } }
      }
      shapes += 1
      const { values } = map(row.fields)
      const given = row.isExtent ? 'no' : sets.value === undefined ? 'yes' : ((values.value as string) ?? 'unknown')
      const isCrossing = shape.kind === 'area' && shape.rings.some(crossesItself)
      if (isCrossing) leave(crossing)
      const value = isCrossing ? 'unknown' : given
      const tier = [1, 2].includes(values.tier as number) ? values.tier : undefined
      const about = sets.fact === 'stations' ? { name: values.name ?? 'Station', tier } : undefined
      const parts = JSON.stringify(storedParts(isCrossing ? boxShape(shape.box) : shape))
      const staged: StagedRow = { n: row.number, market: row.market, kind: shape.kind, value, about, parts }
      staged.hash = hash('md5', `${value} ${JSON.stringify(about)} ${parts}`)
      return { staged }
    },
    problems: () => [
      ...(shapes === 0 && unreadable === 0 ? ['the layer has no shape in the market'] : []),
      ...((leftOut.get(crossing) ?? 0) > Math.max(1, (mostCrossingPct / 100) * shapes)
        ? [`${leftOut.get(crossing)} of ${shapes} shapes have a ring that crosses itself`]
        : []),
      ...(unreadable > 0 && sets.extent !== undefined
        ? [`${unreadable} shapes cannot be read, and lots under them would be called "no"`]
        : []),
    ],
  }
}

const boxShape = ([west, south, east, north]: ShapeBox): ReadShape => {
  const ring = [west, south, east, south, east, north, west, north]
  return { kind: 'area', rings: [ring], box: [west, south, east, north] }
}

/** Longest part of a line. */
const mostOfLine = 64

const storedParts = ({ kind, rings, box, cells }: ReadShape) => {
  if (cells) return [{ box: boxText(box), rings: { ...cells, bytes: Buffer.from(cells.bytes).toString('base64') } }]
  const parts =
    kind === 'area' ? partsOf(rings) : kind === 'line' ? rings.flatMap(linesOf) : rings.map((ring) => [ring])
  return parts.map((part) => ({
    box: boxText(boxOfRings(part)),
    rings: part.map((ring) => ring.map((degrees) => Math.round(degrees * 1e7) / 1e7)),
  }))
}
const linesOf = (line: FlatRing): FlatRing[][] => {
  const lines: FlatRing[][] = []
  for (let at = 0; at < line.length - 2 || at === 0; at += 2 * (mostOfLine - 1))
    lines.push([line.slice(at, at + 2 * mostOfLine)])
  return lines
}
const boxText = ([west, south, east, north]: ShapeBox): string => `(${east},${north}),(${west},${south})`

const fewPositions = 40
const crossesItself = (ring: FlatRing): boolean => {
  const count = ring.length / 2
  const segment = (at: number) => {
    const next = at + 1 === count ? 0 : 2 * at + 2
    return [ring[2 * at]!, ring[2 * at + 1]!, ring[next]!, ring[next + 1]!] as const
  }
  const boxOf = (at: number): ShapeBox => boxOfRings([segment(at)])
  let index: Flatbush | undefined
  if (count > fewPositions) {
    index = new Flatbush(count)
    for (let at = 0; at < count; at += 1) index.add(...boxOf(at))
    index.finish()
  }
  for (let at = 0; at < count; at += 1) {
    const edge = segment(at)
    if (index) {
      if (index.search(...boxOf(at), (other) => other > at && crosses(edge, segment(other))).length > 0) return true
    } else for (let other = at + 1; other < count; other += 1) if (crosses(edge, segment(other))) return true
  }
  return false
}
