// The streets of a market as a map shows them: those with lots, the streets that continue their pattern around each
// neighborhood, and the roads between neighborhoods.
import type { MarketId } from '../contract/facts.ts'
import { contains, type Footprint, metersBetween } from './footprint.ts'
import { landOf } from './land.ts'
import type { PlacedNeighborhood, Position, SampleStreet } from './streets.ts'

const stepM = 20

export function streetsOf(market: MarketId, placed: readonly PlacedNeighborhood[]): SampleStreet[] {
  const own = placed.filter((each) => each.market === market)
  return [
    ...own.flatMap((each) => aroundNeighborhood(each, own)),
    ...roadsBetween(
      market,
      own.map(({ place }) => place),
    ),
  ]
}

/** The pattern continues this far from the center of a neighborhood, or to half the way to the next one. */
const reachM = { tract: 500, mixed: 500, estate: 640 } as const

function aroundNeighborhood(neighborhood: PlacedNeighborhood, all: readonly PlacedNeighborhood[]): SampleStreet[] {
  const { market, zone, place } = neighborhood
  const reach = Math.max(reachM[zone.spread], place.radiusM + 60)
  const others = all
    .map((each) => each.place)
    .filter((other) => other !== place && metersBetween(place, other) < 2 * reach + other.radiusM)
  const land = landOf(market)
  const isFree = ([lng, lat]: Position): boolean => {
    const toCenter = metersBetween(place, { lat, lng })
    return (
      (contains(place, [lng, lat]) ||
        (toCenter < reach &&
          others.every((other) => toCenter < metersBetween(other, { lat, lng }) && !contains(other, [lng, lat])))) &&
      land.contains(lat, lng)
    )
  }
  return continued(neighborhood, reach).flatMap(({ name, from, to }) => {
    const points = alongLine(from, to).map(([x, y]) => place.position(x, y))
    return piecesWhere(points, isFree).map((path) => ({ market, kind: 'street' as const, ...(name && { name }), path }))
  })
}

interface Line {
  name?: string
  from: readonly [number, number]
  to: readonly [number, number]
}

/** Every line across the whole reach, and more lines at the same spacing beyond the first and the last. */
function continued({ lines: { along, across }, place }: PlacedNeighborhood, reach: number): Line[] {
  const extend = (lines: readonly { at: number; name?: string }[], sizeM: number): { at: number; name?: string }[] => {
    // Outside of the lots, which can be deeper than the spacing.
    const edge = sizeM / 2 - 12
    const first = lines[0]?.at ?? 0
    const last = lines.at(-1)?.at ?? 0
    const spacing = lines.length > 1 ? (last - first) / (lines.length - 1) : 90
    const more: { at: number }[] = []
    for (let at = Math.min(first - spacing, -edge); at > -reach; at -= spacing) more.push({ at })
    for (let at = Math.max(last + spacing, edge); at < reach; at += spacing) more.push({ at })
    return [...lines, ...more]
  }
  return [
    ...extend(along, place.heightM).map(({ at, name }): Line => ({ name, from: [-reach, at], to: [reach, at] })),
    ...extend(across, place.lengthM).map(({ at, name }): Line => ({ name, from: [at, -reach], to: [at, reach] })),
  ]
}

function alongLine([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): [number, number][] {
  const steps = Math.max(1, Math.ceil(Math.hypot(x2 - x1, y2 - y1) / stepM))
  return Array.from({ length: steps + 1 }, (_, at) => [x1 + ((x2 - x1) * at) / steps, y1 + ((y2 - y1) * at) / steps])
}

/** The pieces of a straight line on which the condition holds, each as its two ends. */
function piecesWhere(points: readonly Position[], holds: (point: Position) => boolean): Position[][] {
  const pieces: Position[][] = []
  let piece: Position[] = []
  for (const point of [...points, undefined]) {
    if (point && holds(point)) {
      piece.push(point)
      continue
    }
    if (piece.length > 2) pieces.push([rounded(piece[0] as Position), rounded(piece.at(-1) as Position)])
    piece = []
  }
  return pieces
}

const rounded = ([lng, lat]: Position): Position => [Math.round(lng * 1e6) / 1e6, Math.round(lat * 1e6) / 1e6]

const longestRoadM = 3_000

/** Joins two neighborhoods if no third one is nearer to both. Such roads never cross. */
function roadsBetween(market: MarketId, places: readonly Footprint[]): SampleStreet[] {
  const land = landOf(market)
  const roads: SampleStreet[] = []
  for (const [i, from] of places.entries()) {
    const near = places.filter((place) => place !== from && metersBetween(from, place) < longestRoadM)
    for (const to of near) {
      if (places.indexOf(to) < i) continue
      const between = metersBetween(from, to)
      if (near.some((other) => Math.max(metersBetween(from, other), metersBetween(other, to)) < between)) continue
      const steps = Math.ceil(between / stepM)
      const points = Array.from(
        { length: steps + 1 },
        (_, at): Position => [
          from.lng + ((to.lng - from.lng) * at) / steps,
          from.lat + ((to.lat - from.lat) * at) / steps,
        ],
      )
      if (!points.every(([lng, lat]) => land.contains(lat, lng))) continue
      const beside = [...near, from].filter((place) => metersBetween(place, from) < between + place.radiusM)
      const outside = (point: Position): boolean => !beside.some((place) => contains(place, point))
      roads.push(...piecesWhere(points, outside).map((path) => ({ market, kind: 'road' as const, path })))
    }
  }
  return roads
}
