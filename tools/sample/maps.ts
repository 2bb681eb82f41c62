// What maps of a market show: zones, lots, footprints of houses, stations, the streets of the neighborhoods and the roads between them.
import type { MarketId } from '../../src/domain/facts.ts'
import { packOf } from '../../src/domain/packs/use-packs.ts'
import { isInside } from '../../src/domain/shapes.ts'
import type { SampleLayer, SampleShape } from '../../src/ingest/sample-data.ts'
import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import type { Street } from '../../src/store/map/streets.ts'
import type { Day } from './calendar.ts'
import type { SampleData } from './generate.ts'
import { zonesOf } from './overlays.ts'
import { homeAt, type SampleParcel } from './parcels.ts'
import { randomFor } from './random.ts'
import { metersBetween, type PlacedNeighborhood, type Position, round6 } from './streets.ts'
import { isOnLand } from './zones.ts'

/** Every layer of a market that has one, with its shapes. */
export const layersOf = ({ seed, parcels, neighborhoods }: SampleData, market: MarketId, day: Day) => {
  const found: Partial<Record<SampleLayer, SampleShape[]>> = {}
  const add = (layer: SampleLayer, type: string, coordinates: unknown, properties: object = {}) => {
    found[layer] ??= []
    found[layer].push({ type: 'Feature', properties, geometry: { type, coordinates } })
  }
  const addArea = (layer: SampleLayer, ring: readonly Position[]) => add(layer, 'Polygon', [[...ring, ring[0]]])
  for (const zone of zonesOf(neighborhoods)) if (zone.market === market) addArea(zone.overlay as SampleLayer, zone.ring)
  for (const parcel of parcels.filter(({ zone }) => zone.market === market)) {
    const { historicDistrict, hazardousWaste } = parcel.overlays
    if (historicDistrict === 'yes' && !parcel.zone.island) addArea('historicDistrict', parcel.outline)
    if (hazardousWaste === 'yes') add('hazardousWaste', 'Point', [parcel.lng, parcel.lat])
    if (homeAt(parcel, day).propertyType !== 'land') addArea('buildings', houseOn(parcel, seed, day))
  }
  for (const { name, tier, lat, lng } of packOf(market)?.market.transitStops ?? [])
    add('stations', 'Point', [lng, lat], { name, tier })
  return found
}

/** A house 20 ft from the street where there is room, on its ground floor with the garage. The lot begins at the street. */
const houseOn = (parcel: SampleParcel, seed: number, day: Day): Position[] => {
  const { lotWidthFt: width, lotDepthFt: depth, outline } = parcel
  const { livingSqft, stories, garageSqft } = homeAt(parcel, day)
  const sqft = Math.min(livingSqft / stories + garageSqft, 0.55 * width * depth)
  const random = randomFor(seed, 'footprint', parcel.index)
  const wide = Math.min(width - 2 * clamp(0.1 * width, 4, 12), 1.7 * Math.sqrt(sqft))
  const deep = sqft / wide
  const left = (width - wide) * random.between(0.4, 0.6)
  const front = Math.min(20, (depth - deep) / 2)
  const [a, b, , d] = outline as [Position, Position, Position, Position]
  const at = (x: number, y: number): Position => {
    const along = (axis: 0 | 1) =>
      round6(a[axis] + ((b[axis] - a[axis]) * x) / width + ((d[axis] - a[axis]) * y) / depth)
    return [along(0), along(1)]
  }
  return [at(left, front), at(left + wide, front), at(left + wide, front + deep), at(left, front + deep)]
}

export function streetsOf(market: MarketId, neighborhoods: readonly PlacedNeighborhood[]): Street[] {
  const own = neighborhoods.filter((each) => each.market === market)
  return [...own.flatMap(({ streets }) => streets), ...roadsBetween(market, own)]
}

const stepM = 20

/** Joins two neighborhoods if no third one is in the circle between them (a Gabriel graph): everything is connected, few roads cross. */
const roadsBetween = (market: MarketId, placed: readonly PlacedNeighborhood[]): Street[] => {
  const blocks = placed.map((each) => each.blocks.flat())
  const isFree = (point: Position): boolean => isOnLand(market, point) && !isInside(...point, blocks)
  return placed.flatMap((from, i) => {
    const metersTo = (to: PlacedNeighborhood): number => metersBetween(from.place.center, to.place.center)
    return placed.slice(i + 1).flatMap((to): Street[] => {
      const others = placed.filter((each) => each !== from && each !== to)
      const isBetween = (each: PlacedNeighborhood): boolean =>
        Math.hypot(metersTo(each), metersBetween(to.place.center, each.place.center)) < metersTo(to)
      const path = others.some(isBetween) ? undefined : shortestRoad(from, to, isFree)
      return path ? [{ market, kind: 'road', path }] : []
    })
  })
}

/** The shortest straight road from a street end of one to a street end of the other that crosses neither lots nor water. */
const shortestRoad = (from: PlacedNeighborhood, to: PlacedNeighborhood, isFree: (point: Position) => boolean) =>
  from.ends
    .flatMap((a) => to.ends.map((b) => ({ path: [a, b], meters: metersBetween(a, b), a, b })))
    .toSorted((one, other) => one.meters - other.meters)
    .find(({ meters, a, b }) => {
      const steps = Math.ceil(meters / stepM)
      return Array.from({ length: steps + 1 }, (_, at) => at / steps).every((t) =>
        isFree([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]),
      )
    })?.path
