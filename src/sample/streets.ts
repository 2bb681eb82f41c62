// Lays the streets of a zone through its neighbourhoods and finds the places of its lots along them.

import type { MarketId } from '../contract/facts.ts'
import { landOf } from './land.ts'
import type { Random } from './random.ts'
import { randomFor } from './random.ts'
import type { Anchor, Zone } from './zones.ts'
import { zones } from './zones.ts'

export interface Spot {
  street: string
  houseNumber: number
  lat: number
  lng: number
  anchor: Anchor
}

const metresPerLat = 111_195
/** Nothing built on the very beach. */
const shoreM = 60
/** Two lots' centres are never closer. */
const apartM = 13
/** Beyond the numbers in use on these streets, so that no sample address is a real one. */
export const firstHouseNumber = { 'sf-peninsula': 9001, nantucket: 901 } as const

export function spotsOf(zone: Zone, seed: number, taken: Set<string>): Spot[] {
  const frontM = frontageM(zone)
  const spots: Spot[] = []
  const cells = new Set<number>()
  // Longer walks until there is room: small towns have few streets in the list.
  for (let reach = 1; spots.length < zone.parcels * 1.15 && reach <= 6; reach++) {
    spots.length = 0
    cells.clear()
    streetsOf(zone).forEach((street, i) => {
      const random = randomFor(seed, 'street', zone.city, street, zone.area ?? '')
      const anchor = zone.anchors[i % zone.anchors.length] as Anchor
      spots.push(...along(street, anchor, zone, frontM, reach, random, cells))
    })
  }
  if (spots.length < zone.parcels) throw new Error(`no room for ${zone.parcels} lots in ${zone.area ?? zone.city}`)
  const kept = chosen(spots, zone.parcels, randomFor(seed, 'lots', zone.city, zone.area ?? ''))
  // The same street name in two areas of the island: the second one's numbers go on after the first's.
  for (const spot of kept) {
    while (taken.has(`${zone.city}|${spot.street}|${spot.houseNumber}`)) spot.houseNumber += 400
    taken.add(`${zone.city}|${spot.street}|${spot.houseNumber}`)
  }
  return kept
}

/** About so many of the sample's homes to a street: with fewer streets a city would be a handful of dense rows. */
const homesPerStreet = 26

/** The zone's own streets, and in the larger cities invented ones beside them. */
function streetsOf(zone: Zone): string[] {
  const more = Math.max(0, Math.round(zone.parcels / homesPerStreet) - zone.streets.length)
  const shift = zone.city.length * 5
  const extra = Array.from({ length: more }, (_, i) => inventedStreets[(i + shift) % inventedStreets.length] as string)
  return [...new Set([...zone.streets, ...extra])]
}

const inventedStreets =
  'Alderbrook Ct,Amberleaf Way,Barnswallow Ln,Birchbark Dr,Bluebell Ct,Bramblewood Way,Buckeye Hollow Ln,Candlelight Dr,Chaparral Bend,Cinnabar Way,Clovermeadow Ln,Copperfield Ct,Cottonwood Row,Dovetail Ln,Elderberry Way,Fernbank Dr,Foxglove Ct,Goldenrod Way,Graystone Ln,Harvestmoon Dr,Hawksbeard Ct,Honeysuckle Row,Juniper Bend,Kingfisher Ln,Larkmead Dr,Lupinefield Way,Manzanilla Ct,Meadowrue Ln,Mockingbird Way,Nightingale Ct,Oatgrass Dr,Orchardview Ln,Persimmon Row,Quailbrush Way,Quartermoon Ct,Rosebriar Ln,Sagewood Dr,Snowberry Way,Sorrelwood Ct,Tanbark Ln,Thistledown Way,Vinecrest Dr,Wheatear Ct,Yarrowfield Ln'.split(
    ',',
  )

/** Lots are about twice as deep as they are wide; very deep ones are not wider than an estate's gate needs. */
const frontageM = (zone: Zone): number => Math.min(70, Math.max(10, Math.sqrt(zone.lotSqft * 0.5) * 0.3048))

function along(
  street: string,
  anchor: Anchor,
  zone: Zone,
  frontM: number,
  reach: number,
  random: Random,
  cells: Set<number>,
): Spot[] {
  const land = landOf(zone.market)
  const metresPerLng = metresPerLat * Math.cos((anchor.lat * Math.PI) / 180)
  const bearing = ((anchor.bearingDeg + (random.chance(0.55) ? 0 : 90) + random.normal() * 3) * Math.PI) / 180
  const aside = random.between(-0.85, 0.85) * anchor.radiusM
  const half = random.between(0.45, 0.95) * anchor.radiusM * (0.7 + 0.3 * reach)
  const bendM = (20 + 160 * anchor.hill) * random.between(0.3, 1)
  const bendWave = random.between(500, 1100)
  const phase = random.between(0, 6.28)
  // Far more room than homes: most of it is passed by before the dear questions are asked.
  const tried = Math.min(1, (reach * 2.2 * homesPerStreet * frontM) / (4 * half))
  const spots: Spot[] = []
  let number = firstHouseNumber[zone.market] + 2 * random.int(0, 12)
  for (let t = -half; t < half; t += frontM * random.between(0.95, 1.12)) {
    number += 2 * random.int(1, 2)
    const bend = bendM * Math.sin((t / bendWave) * 6.28 + phase)
    for (const side of [-1, 1]) {
      if (!random.chance(tried)) continue
      const off = aside + bend + side * (9 + frontM * random.between(0.75, 0.9))
      const northM = t * Math.cos(bearing) - off * Math.sin(bearing)
      const eastM = t * Math.sin(bearing) + off * Math.cos(bearing)
      const lat = anchor.lat + northM / metresPerLat
      const lng = anchor.lng + eastM / metresPerLng
      const houseNumber = side < 0 ? number : number + 1
      if (!inBox(zone, lat, lng) || nearestZone(lat, lng, zone.market) !== zone) continue
      if (!onDryGround(land, lat, lng, metresPerLng)) continue
      if (!claim(cells, lat, lng, metresPerLng)) continue
      spots.push({ street, houseNumber, lat: round5(lat), lng: round5(lng), anchor })
    }
  }
  return spots
}

const round5 = (value: number): number => Math.round(value * 1e5) / 1e5

const inBox = ({ box }: Zone, lat: number, lng: number): boolean =>
  lat > box.south + 1e-4 && lat < box.north - 1e-4 && lng > box.west + 1e-4 && lng < box.east - 1e-4

/** A place belongs to the zone of the nearest neighbourhood, so that cities lie beside, not over each other. */
function nearestZone(lat: number, lng: number, market: MarketId): Zone | undefined {
  let best: Zone | undefined
  let least = Number.POSITIVE_INFINITY
  for (const { zone, y, x, perRadius2 } of neighbourhoods[market]) {
    const d = ((lat - y) ** 2 + ((lng - x) * 0.78) ** 2) * perRadius2
    if (d < least) {
      least = d
      best = zone
    }
  }
  return best
}

const neighbourhoodsOf = (market: MarketId): { zone: Zone; y: number; x: number; perRadius2: number }[] =>
  zones
    .filter((zone) => zone.market === market)
    .flatMap((zone) =>
      zone.anchors.map(({ lat, lng, radiusM }) => ({ zone, y: lat, x: lng, perRadius2: 1 / radiusM ** 2 })),
    )

const neighbourhoods: Record<MarketId, ReturnType<typeof neighbourhoodsOf>> = {
  'sf-peninsula': neighbourhoodsOf('sf-peninsula'),
  nantucket: neighbourhoodsOf('nantucket'),
}

function onDryGround(land: ReturnType<typeof landOf>, lat: number, lng: number, metresPerLng: number): boolean {
  const dLat = shoreM / metresPerLat
  const dLng = shoreM / metresPerLng
  return (
    land.contains(lat, lng) &&
    land.contains(lat + dLat, lng) &&
    land.contains(lat - dLat, lng) &&
    land.contains(lat, lng + dLng) &&
    land.contains(lat, lng - dLng)
  )
}

/** Takes a cell of a fine grid; refused when it is taken. */
function claim(cells: Set<number>, lat: number, lng: number, metresPerLng: number): boolean {
  const y = Math.round((lat * metresPerLat) / apartM)
  const x = Math.round((lng * metresPerLng) / apartM)
  const cell = y * 10_000_000 + x
  if (cells.has(cell)) return false
  cells.add(cell)
  return true
}

/** An exact number of the spots, at random but in street order. */
function chosen(spots: readonly Spot[], count: number, random: Random): Spot[] {
  const kept: Spot[] = []
  spots.forEach((spot, i) => {
    if (random.unit() < (count - kept.length) / (spots.length - i)) kept.push(spot)
  })
  return kept
}
