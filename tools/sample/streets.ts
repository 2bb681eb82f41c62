// Places the neighborhoods of a zone around its anchors and gives each lot its street, house number and outline.

import type { MarketId } from '../../src/domain/facts.ts'
import { sharedArea, turned } from '../../src/domain/shapes.ts'
import type { Street } from '../../src/store/map/streets.ts'
import { arrangeLots, type Point } from './neighborhood.ts'
import type { Lot } from './parcels.ts'
import { type Random, randomFor } from './random.ts'
import texts from './texts.json' with { type: 'json' }
import { isOnLand, sampleMarket, type Zone, zones } from './zones.ts'

type Anchor = Zone['anchors'][number]

/** Minimum distance of a neighborhood from the shore. */
const shoreM = 60
/** Kept free around a neighborhood; half of it is the width of the cross streets. */
const marginM = 20
const lotsPerNeighborhood = { tract: 110, mixed: 90, estate: 40 } as const

/** What has been placed so far, so that neighborhoods do not overlap and no address occurs twice. */
interface StreetPlan {
  addresses: Set<string>
  placed: PlacedNeighborhood[]
}

export interface PlacedNeighborhood {
  market: MarketId
  zone: Zone
  anchor: Anchor
  place: Footprint
  /** The corners of the area that its blocks fill. */
  blocks: readonly Position[]
  streets: readonly Street[]
  /** The ends of the cross streets, where roads to other neighborhoods begin. */
  ends: readonly Position[]
}

export function placeLots(zone: Zone, lots: readonly Lot[], seed: number, plan: StreetPlan) {
  const { city, market, anchors } = zone
  const own = [...zone.streets]
  const invented = inventedNames(zone)
  const random = randomFor(seed, 'neighborhoods', city, zone.area ?? '')
  const groups = Math.ceil(lots.length / lotsPerNeighborhood[zone.spread])
  // Fewer neighborhoods than anchors use anchors far from each other in the list.
  const step = Math.max(1, anchors.length / groups)
  return Array.from({ length: groups }, (_, group) => {
    const anchor = anchors[Math.floor(group * step) % anchors.length]!
    const { lots: arranged, facing, crossings, ...size } = arrangeLots(lots.filter((_, i) => i % groups === group))
    const place = findPlace(zone, anchor, size.lengthM, size.heightM, random, plan)
    const at = ([x, y]: Point): Position => place.position(x - size.lengthM / 2, y - size.heightM / 2)
    const street = (kind: Street['kind'], ends: readonly Point[], name: string): Street => {
      return { market, kind, name, path: ends.map(at) }
    }
    const names = facing.map(() => own.shift() ?? invented())
    plan.placed.push({
      market,
      zone,
      anchor,
      place,
      blocks: size.corners.map(at),
      // The roads between neighborhoods continue through it: along the cross streets and the middle street.
      streets: [
        ...facing.map((ends, i) => street(i === facing.length >> 1 ? 'road' : 'street', ends, names[i]!)),
        ...crossings.map((ends) => street('road', ends, invented())),
      ],
      ends: crossings.flatMap((ends) => ends.map(at)),
    })
    const nextNumber = new Map<string, number>()
    return arranged.map(({ lot, street, isOdd, corners }) => {
      const row = `${street} ${isOdd}`
      let houseNumber =
        nextNumber.get(row) ?? sampleMarket(market).firstHouseNumber + (isOdd ? 0 : 1) + 2 * random.int(0, 6)
      const address = () => `${city}|${names[street]}|${houseNumber}`
      // A street name can occur in two areas of the island; the second one then uses higher house numbers.
      while (plan.addresses.has(address())) houseNumber += 400
      plan.addresses.add(address())
      nextNumber.set(row, houseNumber + 2 * random.int(1, 3))
      const [a, , c] = corners
      const [lng, lat] = at([(a[0] + c[0]) / 2, (a[1] + c[1]) / 2]).map((value) => Math.round(value * 1e5) / 1e5)
      return { lot, street: names[street]!, houseNumber, lat: lat!, lng: lng!, outline: corners.map(at), anchor }
    })
  }).flat()
}

const attempts = 240

/** Tries random positions, first near the anchor and then farther away. */
function findPlace(zone: Zone, anchor: Anchor, lengthM: number, heightM: number, random: Random, plan: StreetPlan) {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const distanceM = anchor.radiusM * (0.5 + (1.3 * attempt) / attempts) * Math.sqrt(random.unit())
    const direction = random.between(0, 2 * Math.PI)
    const turn = random.chance(0.7) ? 0 : 90
    const lat = anchor.lat + (distanceM * Math.cos(direction)) / metersPerLat
    const lng = anchor.lng + (distanceM * Math.sin(direction)) / metersPerLng(anchor.lat)
    const bearingDeg = anchor.bearingDeg + turn + random.normal() * (1 + 12 * anchor.hill)
    const place = footprint([lng, lat], bearingDeg, lengthM + 2 * marginM, heightM + 2 * marginM)
    if (!plan.placed.some((other) => overlaps(place, other.place)) && fits(zone, place)) return place
  }
  throw new Error(`no room for ${zone.parcels} lots in ${zone.area ?? zone.city}: add an anchor`)
}

/** Whether all of it is in the zone and on land. */
function fits(zone: Zone, place: Footprint): boolean {
  const { center, bearingDeg, lengthM, heightM } = place
  const withShore = footprint(center, bearingDeg, lengthM + 2 * shoreM, heightM + 2 * shoreM)
  return (
    place.corners.every((corner) => inBox(zone, corner) && nearestZone(corner) === zone) &&
    pointsOf(withShore, shoreM).every((point) => isOnLand(zone.market, point))
  )
}

const inBox = ({ box }: Zone, [lng, lat]: Position): boolean =>
  lat > box.south + 1e-4 && lat < box.north - 1e-4 && lng > box.west + 1e-4 && lng < box.east - 1e-4

/** A point belongs to the zone of the nearest neighborhood, so that cities do not overlap. */
const nearestZone = ([lng, lat]: Position): Zone =>
  zones
    .flatMap((zone) =>
      zone.anchors.map((anchor) => ({
        zone,
        distance: ((lat - anchor.lat) ** 2 + ((lng - anchor.lng) * 0.78) ** 2) / anchor.radiusM ** 2,
      })),
    )
    .reduce((best, each) => (each.distance < best.distance ? each : best)).zone

const { stems, suffixes } = texts.streets

/** The sample needs more names than the list of real ones has. */
function inventedNames(zone: Zone): () => string {
  let at = zone.city.length * 5
  // Each round through the stems uses the next suffix, so that all combinations occur before the names are used up.
  return () => {
    const stem = at % stems.length
    const round = Math.floor(at++ / stems.length)
    return `${stems[stem]} ${suffixes[(stem + round) % suffixes.length]}`
  }
}

// A rotated rectangle on the ground, for placing neighborhoods without overlap.
export type Position = readonly [lng: number, lat: number]

type Footprint = ReturnType<typeof footprint>

export const metersPerLat = 111_195
const metersPerLng = (lat: number): number => metersPerLat * Math.cos((lat * Math.PI) / 180)

function footprint([lng, lat]: Position, bearingDeg: number, lengthM: number, heightM: number) {
  const bearing = (bearingDeg * Math.PI) / 180
  const [sin, cos] = [Math.sin(bearing), Math.cos(bearing)]
  /** The position x meters along the bearing and y meters to its right, from the center. */
  const position = (x: number, y: number): Position => [
    round6(lng + (x * sin + y * cos) / metersPerLng(lat)),
    round6(lat + (x * cos - y * sin) / metersPerLat),
  ]
  const [x, y] = [lengthM / 2, heightM / 2]
  const corners = [position(-x, -y), position(x, -y), position(x, y), position(-x, y)]
  return {
    center: [lng, lat] as Position,
    bearingDeg,
    lengthM,
    heightM,
    corners,
    ring: turned(corners.flat(), false),
    position,
  }
}

/** 11 cm. */
export const round6 = (value: number): number => Math.round(value * 1e6) / 1e6

/** Points of a grid over the rectangle, at most `stepM` apart, with its edges. */
function pointsOf({ lengthM, heightM, position }: Footprint, stepM: number): Position[] {
  const shares = (length: number): number[] => {
    const steps = Math.ceil(length / stepM)
    return Array.from({ length: steps + 1 }, (_, at) => (at / steps - 0.5) * length)
  }
  return shares(lengthM).flatMap((x) => shares(heightM).map((y) => position(x, y)))
}

/** By more than a tenth of a square meter, as positions are rounded. */
const overlaps = (a: Footprint, b: Footprint): boolean => sharedArea([a.ring], [b.ring]) > 1e-11

export const metersBetween = (a: Position, b: Position): number =>
  Math.hypot((a[1] - b[1]) * metersPerLat, (a[0] - b[0]) * metersPerLng(a[1]))
