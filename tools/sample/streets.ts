// Places the neighborhoods of a zone around its anchors and gives each lot its street, house number and outline.

import type { MarketId } from '../../src/domain/facts.ts'
import { type Footprint, footprint, overlaps, pointsOf } from './footprint.ts'
import { landOf } from './land.ts'
import { arrangeLots, type LotSize, type Neighborhood } from './neighborhood.ts'
import { type Random, randomFor } from './random.ts'
import { type Anchor, sampleMarket, type Zone, zones } from './zones.ts'

export type Position = readonly [lng: number, lat: number]

interface LotSite<Lot> {
  lot: Lot
  street: string
  houseNumber: number
  /** The center of the lot. */
  lat: number
  lng: number
  /** The corners of the lot; the first is not repeated at the end. */
  outline: readonly Position[]
  anchor: Anchor
}

export interface SampleStreet {
  market: MarketId
  kind: 'street' | 'road'
  /** Missing for the roads between neighborhoods. */
  name?: string
  path: readonly Position[]
}

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
  streets: readonly SampleStreet[]
  /** The ends of the cross streets, where roads to other neighborhoods begin. */
  ends: readonly Position[]
}

export const emptyPlan = (): StreetPlan => ({ addresses: new Set(), placed: [] })

const metersPerLat = 111_195
/** Minimum distance of a neighborhood from the shore. */
const shoreM = 60
/** Kept free around a neighborhood; half of it is the width of the cross streets. */
const marginM = 20
const lotsPerNeighborhood = { tract: 110, mixed: 90, estate: 40 } as const

export function placeLots<Lot extends LotSize>(
  zone: Zone,
  lots: readonly Lot[],
  seed: number,
  plan: StreetPlan,
): LotSite<Lot>[] {
  const names = streetNames(zone)
  const random = randomFor(seed, 'neighborhoods', zone.city, zone.area ?? '')
  const groups = Math.ceil(lots.length / lotsPerNeighborhood[zone.spread])
  // Fewer neighborhoods than anchors use anchors far from each other in the list.
  const step = Math.max(1, zone.anchors.length / groups)
  /** A neighborhood for which there is no room is split in two. */
  const placeGroup = (anchor: Anchor, group: readonly Lot[]): LotSite<Lot>[] => {
    if (group.length === 0) return []
    const neighborhood = arrangeLots(group)
    const place = findPlace(zone, anchor, neighborhood, random, plan)
    if (place) return lotSites(zone, anchor, neighborhood, place, random, names, plan)
    if (group.length === 1) throw new Error(`no room for ${zone.parcels} lots in ${zone.area ?? zone.city}`)
    return [0, 1].flatMap((half) =>
      placeGroup(
        anchor,
        group.filter((_, i) => i % 2 === half),
      ),
    )
  }
  return Array.from({ length: groups }, (_, at) => {
    const group = lots.filter((_, i) => i % groups === at)
    return placeGroup(zone.anchors[Math.floor(at * step) % zone.anchors.length]!, group)
  }).flat()
}

const attempts = 240

/** Tries random positions, first near the anchor and then farther away. */
function findPlace(
  zone: Zone,
  anchor: Anchor,
  { lengthM, heightM }: Neighborhood<unknown>,
  random: Random,
  plan: StreetPlan,
): Footprint | undefined {
  const taken = plan.placed.filter(({ market }) => market === zone.market).map(({ place }) => place)
  for (let attempt = 0; attempt < attempts; attempt++) {
    const distanceM = anchor.radiusM * (0.5 + (1.3 * attempt) / attempts) * Math.sqrt(random.unit())
    const direction = random.between(0, 2 * Math.PI)
    const turn = random.chance(0.7) ? 0 : 90
    const candidate = footprint({
      lat: anchor.lat + (distanceM * Math.cos(direction)) / metersPerLat,
      lng: anchor.lng + (distanceM * Math.sin(direction)) / metersPerLngAt(anchor.lat),
      bearingDeg: anchor.bearingDeg + turn + random.normal() * (1 + 12 * anchor.hill),
      lengthM: lengthM + 2 * marginM,
      heightM: heightM + 2 * marginM,
    })
    if (!taken.some((other) => overlaps(candidate, other)) && fits(zone, candidate)) return candidate
  }
  return undefined
}

const metersPerLngAt = (lat: number): number => metersPerLat * Math.cos((lat * Math.PI) / 180)

/** Whether all of it is in the zone and on land. */
function fits(zone: Zone, place: Footprint): boolean {
  const land = landOf(zone.market)
  const dLat = shoreM / metersPerLat
  const dLng = shoreM / metersPerLngAt(place.lat)
  const around = [
    [0, 0],
    [dLat, 0],
    [-dLat, 0],
    [0, dLng],
    [0, -dLng],
  ] as const
  return (
    place.corners.every(([lng, lat]) => inBox(zone, lat, lng) && nearestZone(lat, lng, zone.market) === zone) &&
    pointsOf(place, shoreM).every(([lng, lat]) =>
      around.every(([north, east]) => land.contains(lat + north, lng + east)),
    )
  )
}

const inBox = ({ box }: Zone, lat: number, lng: number): boolean =>
  lat > box.south + 1e-4 && lat < box.north - 1e-4 && lng > box.west + 1e-4 && lng < box.east - 1e-4

/** A point belongs to the zone of the nearest neighborhood, so that cities do not overlap. */
function nearestZone(lat: number, lng: number, market: MarketId): Zone | undefined {
  let best: Zone | undefined
  let least = Number.POSITIVE_INFINITY
  for (const zone of zones())
    for (const anchor of zone.market === market ? zone.anchors : []) {
      const d = ((lat - anchor.lat) ** 2 + ((lng - anchor.lng) * 0.78) ** 2) / anchor.radiusM ** 2
      if (d < least) {
        least = d
        best = zone
      }
    }
  return best
}

function lotSites<Lot extends LotSize>(
  zone: Zone,
  anchor: Anchor,
  { lots, facing, crossings, lengthM, heightM }: Neighborhood<Lot>,
  place: Footprint,
  random: Random,
  names: StreetNames,
  plan: StreetPlan,
): LotSite<Lot>[] {
  const at = ([x, y]: readonly [number, number]): Position => place.position(x - lengthM / 2, y - heightM / 2)
  const named = facing.map(names.facing)
  const street = (ends: readonly (readonly [number, number])[], name: string, isRoad: boolean): SampleStreet => ({
    market: zone.market,
    kind: isRoad ? 'road' : 'street',
    name,
    path: ends.map(at),
  })
  plan.placed.push({
    market: zone.market,
    zone,
    anchor,
    place,
    blocks: (
      [
        [0, 0],
        [lengthM, 0],
        [lengthM, heightM],
        [0, heightM],
      ] as const
    ).map(at),
    // The roads between neighborhoods continue through it: along the cross streets and the middle street.
    streets: [
      ...facing.map((ends, i) => street(ends, named[i]!, i === facing.length >> 1)),
      ...crossings.map((ends) => street(ends, names.crossing(), true)),
    ],
    ends: crossings.flatMap((ends) => ends.map(at)),
  })
  const nextNumber = new Map<string, number>()
  return lots.map(({ lot, street, side, corners }) => {
    const name = named[street] as string
    const row = `${street} ${side}`
    const before =
      nextNumber.get(row) ??
      sampleMarket(zone.market).firstHouseNumber + (side === 'odd' ? 0 : 1) + 2 * random.int(0, 6)
    let houseNumber = before
    // A street name can occur in two areas of the island; the second one then uses higher house numbers.
    while (plan.addresses.has(`${zone.city}|${name}|${houseNumber}`)) houseNumber += 400
    plan.addresses.add(`${zone.city}|${name}|${houseNumber}`)
    nextNumber.set(row, houseNumber + 2 * random.int(1, 3))
    const [a, , c] = corners
    const [lng, lat] = at([(a[0] + c[0]) / 2, (a[1] + c[1]) / 2])
    return { lot, street: name, houseNumber, lat: round(lat, 5), lng: round(lng, 5), outline: corners.map(at), anchor }
  })
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

type StreetNames = ReturnType<typeof streetNames>

/** Street names of a zone: its own, then invented ones. The sample needs more names than the list of real ones has. */
function streetNames(zone: Zone) {
  const used = new Set(zone.streets)
  const own = [...zone.streets]
  let at = zone.city.length * 5
  const invented = (): string => {
    for (;;) {
      const name = inventedName(at++)
      if (used.has(name)) continue
      used.add(name)
      return name
    }
  }
  /** For streets that lots face, and for cross streets. */
  return { facing: () => own.shift() ?? invented(), crossing: invented }
}

/** Each round through the stems uses the next suffix, so that all combinations occur before the names are used up. */
function inventedName(at: number): string {
  const stem = at % stems.length
  const round = Math.floor(at / stems.length)
  const repeated = round < suffixes.length ? '' : ` ${Math.floor(round / suffixes.length) + 1}`
  return `${stems[stem]} ${suffixes[(stem + round) % suffixes.length]}${repeated}`
}

const stems =
  'Alderbrook,Amberleaf,Barnswallow,Birchbark,Bluebell,Bramblewood,Buckeye Hollow,Candlelight,Chaparral,Cinnabar,Clovermeadow,Copperfield,Cottonwood,Dovetail,Elderberry,Fernbank,Foxglove,Goldenrod,Graystone,Harvestmoon,Hawksbeard,Honeysuckle,Juniper,Kingfisher,Larkmead,Lupinefield,Manzanilla,Meadowrue,Mockingbird,Nightingale,Oatgrass,Orchardview,Persimmon,Quailbrush,Quartermoon,Rosebriar,Sagewood,Snowberry,Sorrelwood,Tanbark,Thistledown,Vinecrest,Wheatear'.split(
    ',',
  )

const suffixes = ['Way', 'Ln', 'Dr', 'Ct', 'Row', 'Bend', 'Ter', 'Pl']
