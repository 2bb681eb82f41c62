// The streets of a market as a map shows them: those of the neighborhoods, and the roads between them.
import type { MarketId } from '../../src/domain/facts.ts'
import { isInside } from '../../src/domain/shapes.ts'
import { metersBetween } from './footprint.ts'
import { landOf } from './land.ts'
import type { PlacedNeighborhood, Position, SampleStreet } from './streets.ts'

export function streetsOf(market: MarketId, placed: readonly PlacedNeighborhood[]): SampleStreet[] {
  const own = placed.filter((each) => each.market === market)
  return [...own.flatMap(({ streets }) => streets), ...roadsBetween(market, own)]
}

const longestRoadM = 15_000
const stepM = 20

/** Joins two neighborhoods if no third one is in the circle between them (a Gabriel graph): everything is connected, few roads cross. */
function roadsBetween(market: MarketId, placed: readonly PlacedNeighborhood[]): SampleStreet[] {
  const land = landOf(market)
  return placed.flatMap((from, i) => {
    const near = placed.filter((each) => each !== from && metersBetween(from.place, each.place) < longestRoadM)
    return near.flatMap((to): SampleStreet[] => {
      const between = metersBetween(from.place, to.place)
      const isBetween = ({ place }: PlacedNeighborhood): boolean =>
        place !== to.place && Math.hypot(metersBetween(from.place, place), metersBetween(to.place, place)) < between
      if (placed.indexOf(to) < i || near.some(isBetween)) return []
      const blocks = [from, ...near].map((each) => each.blocks.flat())
      const path = shortestRoad(from, to, ([lng, lat]) => land.contains(lat, lng) && !isInside(lng, lat, blocks))
      return path ? [{ market, kind: 'road', path }] : []
    })
  })
}

/** The shortest straight road from a street end of one to a street end of the other that crosses neither lots nor water. */
function shortestRoad(
  from: PlacedNeighborhood,
  to: PlacedNeighborhood,
  free: (point: Position) => boolean,
): Position[] | undefined {
  const { lngScale } = from.place
  const metersOf = ([a, b]: readonly [Position, Position]): number =>
    111_195 * Math.hypot(a[1] - b[1], (a[0] - b[0]) * lngScale)
  return from.ends
    .flatMap((a) => to.ends.map((b) => [a, b] as const))
    .toSorted((one, other) => metersOf(one) - metersOf(other))
    .find((pair) => {
      const steps = Math.ceil(metersOf(pair) / stepM)
      const [a, b] = pair
      return Array.from({ length: steps + 1 }, (_, at) => at / steps).every((t) =>
        free([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]),
      )
    }) as Position[] | undefined
}
