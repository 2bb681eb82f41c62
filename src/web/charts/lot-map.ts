// The lot and its neighbors as a drawing: outline, side lengths, required yards, streets. It needs no JavaScript, and prints.
import type { Bounds } from '../../criteria/geometry.ts'
import { milesPerDegree } from '../../domain/distance.ts'
import {
  distance,
  fourCorners,
  frontFirst,
  middle,
  type Point,
  setbackLines,
} from '../../intelligence/site/setback-lines.ts'
import type { LotSurroundings } from '../../operations/lot-surroundings.ts'
import type { PropertyDetail } from '../../wire/property.ts'
import { type Html, html } from '../html.ts'

type Shape = NonNullable<PropertyDetail['shape']>

const feetPerDegree = milesPerDegree * 5_280
const marginFt = 130

const outerRings = (shape: Shape): readonly (readonly number[])[][] => shape.coordinates.map(([ring]) => [...ring!])

/** The lot with a margin for its neighbors. */
export const lotBox = (shape: Shape): Bounds => {
  const points = outerRings(shape).flat()
  const lats = points.map(([, lat]) => lat!)
  const lngs = points.map(([lng]) => lng!)
  const [south, north] = [Math.min(...lats), Math.max(...lats)]
  const margin = marginFt / feetPerDegree
  const wide = margin / Math.cos((((south + north) / 2) * Math.PI) / 180)
  return {
    west: Math.min(...lngs) - wide,
    east: Math.max(...lngs) + wide,
    south: south - margin,
    north: north + margin,
  }
}

const onPlane = (shape: Shape, streets: LotSurroundings['streets']) => {
  const box = lotBox(shape)
  const feetPerLng = feetPerDegree * Math.cos((((box.south + box.north) / 2) * Math.PI) / 180)
  const toFeet = ([lng, lat]: readonly number[]): Point => [
    (lng! - box.west) * feetPerLng,
    (box.north - lat!) * feetPerDegree,
  ]
  const roads = streets.map(({ name, path }) => ({ name, path: path.map(toFeet) }))
  const corners = shape.coordinates.length === 1 ? fourCorners(outerRings(shape)[0]!.map(toFeet)) : undefined
  return { box, toFeet, roads, corners }
}

/** The corners of a lot with four sides in feet, those at the street first. */
export const frontCorners = (shape: Shape, { streets }: LotSurroundings): readonly Point[] | undefined => {
  const { corners, roads } = onPlane(shape, streets)
  return (
    corners &&
    frontFirst(
      corners,
      roads.map(({ path }) => path),
    )
  )
}

export const lotMap = (
  { id, address, shape }: Pick<PropertyDetail, 'id' | 'address' | 'shape'>,
  { lots, streets, setbacks }: LotSurroundings,
): Html => {
  if (!shape) return html``
  const { box, toFeet, roads, corners } = onPlane(shape, streets)
  const pathOf = (polygons: readonly (readonly (readonly (readonly number[])[])[])[]): string =>
    polygons.flatMap((rings) => rings.map((ring) => `M${ring.map((at) => text(toFeet(at))).join('L')}Z`)).join('')
  const [width, height] = toFeet([box.east, box.south])
  const yards =
    corners &&
    setbacks &&
    setbackLines(
      corners,
      setbacks,
      roads.map(({ path }) => path),
    )
  return html`<figure class="lot-map"><svg viewBox="0 0 ${width.toFixed(0)} ${height.toFixed(0)}" role="group" aria-label="The lot of ${address} and its neighbors">
${roads.map(({ path }) => html`<path class="street" d="M${path.map(text).join('L')}"/>`)}
${lots
  .filter(({ propertyId }) => propertyId !== id)
  .map(
    ({ propertyId, address: at, polygons }) =>
      html`<a href="/properties/${encodeURIComponent(propertyId)}" aria-label="${at || 'Neighboring lot'}" tabindex="-1"><path class="neighbor" d="${pathOf(polygons as never)}"><title>${at}</title></path></a>`,
  )}
<path class="lot" d="${pathOf(shape.coordinates as never)}"/>
${yards ? html`<path class="yards" d="M${yards.map(text).join('L')}Z"/>` : ''}
${corners ? corners.map((corner, at) => sideLength(corner, corners[(at + 1) % 4]!, corners)) : ''}
${streetNames(roads, [width, height])}</svg>
<figcaption>${yards ? 'Dashed: the area inside the required yards. ' : ''}Lengths in feet, measured on the outline. <a href="/explore?bbox=${[box.west, box.south, box.east, box.north].map((each) => each.toFixed(5)).join()}&amp;view=map">Open the map</a></figcaption></figure>`
}

const text = ([x, y]: Point): string => `${x.toFixed(1)},${y.toFixed(1)}`

const turned = ([x, y]: Point, [dx, dy]: Point): string => {
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI
  return `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${(angle > 90 ? angle - 180 : angle < -90 ? angle + 180 : angle).toFixed(1)})`
}

/** Outside the lot, beside its side. */
const sideLength = (from: Point, to: Point, corners: readonly Point[]): Html => {
  const center = middle(middle(corners[0]!, corners[2]!), middle(corners[1]!, corners[3]!))
  const at = middle(from, to)
  const out = 1 + 9 / distance(center, at)
  const beside: Point = [center[0] + (at[0] - center[0]) * out, center[1] + (at[1] - center[1]) * out]
  return html`<text class="length" transform="${turned(beside, [to[0] - from[0], to[1] - from[1]])}" dy="4">${Math.round(distance(from, to))}</text>`
}

/** Each name once, on its longest straight part inside the drawing. */
const streetNames = (roads: readonly { name: string | null; path: readonly Point[] }[], [width, height]: Point) => {
  const isShown = ([x, y]: Point) => Math.min(x, width - x) > 20 && Math.min(y, height - y) > 10
  const longest = new Map<string, readonly [Point, Point]>()
  for (const { name, path } of roads)
    for (let at = 1; name && at < path.length; at++) {
      const part = clipped(path[at - 1]!, path[at]!, [width, height])
      const before = longest.get(name)
      if (part && isShown(middle(...part)) && (!before || distance(...part) > distance(...before)))
        longest.set(name, part)
    }
  return [...longest].map(
    ([name, [a, b]]) =>
      html`<text class="street-name" transform="${turned(middle(a, b), [b[0] - a[0], b[1] - a[1]])}" dy="4">${name}</text>`,
  )
}

/** The part of a line inside the drawing (Liang–Barsky). */
const clipped = (a: Point, b: Point, [width, height]: Point): readonly [Point, Point] | undefined => {
  let [from, to] = [0, 1]
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  for (const [p, q] of [
    [-dx, a[0]],
    [dx, width - a[0]],
    [-dy, a[1]],
    [dy, height - a[1]],
  ] as const) {
    if (p === 0 && q < 0) return undefined
    if (p < 0) from = Math.max(from, q / p)
    if (p > 0) to = Math.min(to, q / p)
  }
  return from < to
    ? [
        [a[0] + from * dx, a[1] + from * dy],
        [a[0] + to * dx, a[1] + to * dy],
      ]
    : undefined
}
