// A use of the lot as a drawing with the street below: what stays, what is built, new lot lines. Sizes are to scale; where a building
// stands is an example.
import type { Scheme } from '../../domain/findings/schemes.ts'
import { distance, type Point, sharesAccess } from '../../intelligence/site/setback-lines.ts'
import type { LotSurroundings } from '../../operations/lot-surroundings.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { type Html, html } from '../html.ts'
import { frontCorners } from './lot-map.ts'

/** In feet from the left front corner of a rectangle as wide and deep as the lot. */
interface Box {
  x: number
  y: number
  w: number
  d: number
  drawn: 'stays' | 'built' | 'drive'
}
type Lot = Omit<Box, 'drawn'>

/** `label` is for a drawing that stands alone; `detached` are the units to draw instead of the best. */
export type Draw =
  | ((scheme: Pick<Scheme, 'kind' | 'variant' | 'units' | 'builtSqft'>, label?: string, detached?: number[]) => Html)
  | undefined

/** Draws the uses of one lot. Undefined where its sides are not known. */
export const schemeDrawings = (data: PropertyDetail, around: LotSurroundings | undefined): Draw => {
  const { lotWidthFt: wide, lotDepthFt: deep } = data.facts ?? {}
  const corners = data.shape && around ? frontCorners(data.shape, around) : undefined
  const quad = corners
    ? upright(corners)
    : wide && deep
      ? ([...rectangle({ x: 0, y: 0, w: wide, d: -deep })] as const)
      : undefined
  if (!quad) return undefined
  const [a, b, c, d] = quad as readonly [Point, Point, Point, Point]
  const width = (distance(a, b) + distance(c, d)) / 2
  const depth = (distance(a, d) + distance(b, c)) / 2
  const at = ([x, y]: Point): Point => {
    const [s, t] = [x / width, y / depth]
    const mixed = (i: 0 | 1) => (1 - t) * ((1 - s) * a[i] + s * b[i]) + t * ((1 - s) * d[i] + s * c[i])
    return [mixed(0), mixed(1)]
  }
  const path = (points: readonly Point[]) => `M${points.map((each) => each.map((n) => n.toFixed(1)).join()).join('L')}Z`
  const [xs, ys] = [quad.map(([x]) => x), quad.map(([, y]) => y)]
  const [left, top] = [Math.min(...xs) - 4, Math.min(...ys) - 4]
  const box = `${left.toFixed(0)} ${top.toFixed(0)} ${(Math.max(...xs) + 4 - left).toFixed(0)} ${(Math.max(...ys) + 14 - top).toFixed(0)}`
  return (scheme, label, detached) => {
    const { lots, boxes } = planOf(scheme, data, detached, width, depth, around?.setbacks?.front ?? usualFrontFt)
    return html`<svg class="scheme-drawing" viewBox="${box}" ${label === undefined ? html`aria-hidden="true"` : html`role="img" aria-label="${label}"`}><path class="street" d="M${a[0]},${a[1] + 9}L${b[0]},${b[1] + 9}"/><path class="lot" d="${path(quad)}"/>${lots.length > 1 ? lots.map((lot) => html`<path class="new-lot" d="${path(rectangle(lot).map(at))}"/>`) : ''}${boxes.map((each) => html`<path class="${each.drawn}" d="${path(rectangle(each).map(at))}"/>`)}</svg>`
  }
}

const rectangle = ({ x, y, w, d }: Lot): readonly Point[] => [
  [x, y],
  [x + w, y],
  [x + w, y + d],
  [x, y + d],
]

/** Turned until the front, its first side, is below. */
const upright = (corners: readonly Point[]): readonly Point[] => {
  const [a, b, c, d] = corners as readonly [Point, Point, Point, Point]
  const long = distance(a, b)
  const across: Point = [(b[0] - a[0]) / long, (b[1] - a[1]) / long]
  const isLeft = across[0] * (d[1] - a[1]) - across[1] * (d[0] - a[0]) < 0
  const ordered = isLeft ? [a, b, c, d] : [b, a, d, c]
  const [ux, uy] = isLeft ? across : ([-across[0], -across[1]] as const)
  return ordered.map(([x, y]) => [(x - a[0]) * ux + (y - a[1]) * uy, (y - a[1]) * ux - (x - a[0]) * uy])
}

const usualFrontFt = 20
/** From a side or rear line, which is what state law leaves a unit or a new lot. */
const lineFt = 4
const driveFt = 12

const planOf = (
  scheme: Pick<Scheme, 'kind' | 'variant' | 'units' | 'builtSqft'>,
  { facts, adu }: PropertyDetail,
  detached: readonly number[] | undefined,
  width: number,
  depth: number,
  frontFt: number,
): { lots: readonly Lot[]; boxes: readonly Box[] } => {
  const { kind, variant, units, builtSqft = 0 } = scheme
  const stays = keepsHouse(scheme)
  const shares = lotShares(scheme, facts?.lotSqft ?? width * depth, stays)
  const stacked = kind === 'small_lots' || (kind === 'split' && sharesAccess(facts ?? {}))
  const lots = lotsOf(shares, width, depth, stacked)
  const boxes: Box[] = stacked && lots.length > 1 ? [{ x: 0, y: 0, w: driveFt, d: lots.at(-1)!.y, drawn: 'drive' }] : []
  const front = lots.length > 1 && !stays ? 2 * lineFt : frontFt
  const [first] = lots
  if (stays) {
    const { buildings = [], livingSqft, stories = 1, garageSqft = 0 } = facts ?? {}
    const area = buildings[0]?.sqft ?? (livingSqft === undefined ? 0 : livingSqft / Math.max(1, stories) + garageSqft)
    const added =
      kind === 'add_unit'
        ? (detached ??
          (variant === 'set' ? (adu?.bestSet?.units ?? []) : adu?.economics ? [adu.economics.unit] : [])
            .filter((unit) => unit.kind === 'detached')
            .map((unit) => unit.sqft))
        : units.slice(1).flatMap(({ role, sqft = 0 }) => (role === 'lot' ? [] : [sqft]))
    boxes.push(...inLot(first!, { front, homes: [area], behind: added, drawn: 'stays' }))
  } else if (kind === 'transit') boxes.push(...inLot(first!, { front, homes: [builtSqft / 3] }))
  else if (lots.length > 1) {
    const home = units.find(({ role }) => role !== 'lot')?.sqft
    if (home) boxes.push(...lots.flatMap((lot) => inLot(lot, { front, homes: [home / (stacked ? 3 : 2)] })))
  } else {
    // A basement is under its house.
    const main = units.some(({ role }) => role === 'house') ? 'house' : 'home'
    const of = (wanted: string, floors: number) =>
      units.flatMap(({ role, count, sqft = 0 }) => (role === wanted ? Array<number>(count).fill(sqft / floors) : []))
    boxes.push(...inLot(first!, { front, homes: of(main, 2), behind: of('unit', 1) }))
  }
  return { lots, boxes }
}

const houseStays: ReadonlySet<Scheme['kind']> = new Set(['keep', 'renovate', 'rent', 'add_unit', 'local_dwellings'])
export const keepsHouse = ({ kind, variant }: Pick<Scheme, 'kind' | 'variant'>): boolean =>
  variant === 'house_stays' || houseStays.has(kind)

/** Of the land, from the street or from the left. */
const lotShares = ({ kind, units }: Pick<Scheme, 'kind' | 'units'>, lotSqft: number, stays: boolean) => {
  const sold = units.find(({ role }) => role === 'lot')
  if (sold?.sqft !== undefined && stays) {
    const each = Math.min(sold.sqft / lotSqft, 0.9 / sold.count)
    return [1 - each * sold.count, ...Array<number>(sold.count).fill(each)]
  }
  const many = sold?.count ?? (kind === 'split' || kind === 'small_lots' ? (units[0]?.count ?? 1) : 1)
  return Array<number>(many).fill(1 / many)
}

/** One behind the other, the last reached by a drive, or side by side. */
const lotsOf = (shares: readonly number[], width: number, depth: number, stacked: boolean): readonly Lot[] =>
  shares.map((share, at) => {
    const before = shares.slice(0, at).reduce((sum, each) => sum + each, 0)
    const inset = stacked && at < shares.length - 1 ? driveFt : 0
    return stacked
      ? { x: inset, y: before * depth, w: width - inset, d: share * depth }
      : { x: before * width, y: 0, w: share * width, d: depth }
  })

interface Buildings {
  front: number
  homes: readonly number[]
  behind?: readonly number[]
  drawn?: Box['drawn']
}

/** Homes wall to wall behind the front yard; what is behind them in the rear corner, or beside them where the lot is shallow. */
const inLot = (lot: Lot, { front, homes, behind = [], drawn = 'built' }: Buildings): Box[] => {
  const inner = { x: lot.x + lineFt, y: lot.y + lineFt, w: lot.w - 2 * lineFt, d: lot.d - 2 * lineFt }
  const rear = rowOf(inner, behind)
  const [rearWide, rearDeep] = [sum(rear.map(({ w }) => w)), rear[0]?.d ?? 0]
  const room = { ...inner, y: lot.y + front, d: lot.d - front - lineFt }
  const isShallow = rear.length > 0 && rowOf(room, homes).some(({ y, d }) => y + d > inner.y + inner.d - rearDeep)
  const beside = isShallow ? { ...room, w: inner.w - rearWide - lineFt } : room
  return [
    ...rowOf(beside, homes).map((box) => ({ ...box, drawn })),
    ...rear.map((box) => ({ ...box, x: box.x + (inner.w - rearWide) / 2, y: inner.y + inner.d - rearDeep })),
  ]
}

const sum = (areas: readonly number[]): number => areas.reduce((all, each) => all + each, 0)

/** Side by side in the middle of the room; nothing where nothing fits. */
const rowOf = (room: Lot, areas: readonly number[]): Box[] => {
  const area = sum(areas)
  if (area <= 0 || room.w <= 0 || room.d <= 0) return []
  const wide = Math.min(room.w, Math.max(Math.sqrt(1.5 * area), area / room.d))
  const deep = Math.min(room.d, area / wide)
  let x = room.x + (room.w - wide) / 2
  return areas.map((each) => {
    const w = (wide * each) / area
    x += w
    return { x: x - w, y: room.y, w, d: deep, drawn: 'built' }
  })
}
