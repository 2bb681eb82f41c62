// Places the streets of a zone in its neighborhoods and the lots along the streets.

import type { MarketId } from '../contract/facts.ts'
import { landOf } from './land.ts'
import type { Random } from './random.ts'
import { randomFor } from './random.ts'
import type { Anchor, Zone } from './zones.ts'
import { zones } from './zones.ts'

export interface LotSite {
  street: string
  houseNumber: number
  lat: number
  lng: number
  anchor: Anchor
}

const metersPerLat = 111_195
/** Minimum distance of a lot from the shore. */
const shoreM = 60
/** Grid size for lot centers: at most one lot per cell. */
const cellM = 13
/** Above the numbers in use on these streets, so that no sample address is a real one. */
export const firstHouseNumber = { 'sf-peninsula': 9001, nantucket: 901 } as const

export function lotSitesOf(zone: Zone, seed: number, taken: Set<string>): LotSite[] {
  const frontM = frontageM(zone)
  const lotSites: LotSite[] = []
  const cells = new Set<number>()
  // Lengthens the streets until there is room: small towns have few streets in the list.
  for (let reach = 1; lotSites.length < zone.parcels * 1.15 && reach <= 6; reach++) {
    lotSites.length = 0
    cells.clear()
    streetsOf(zone).forEach((street, i) => {
      const random = randomFor(seed, 'street', zone.city, street, zone.area ?? '')
      const anchor = zone.anchors[i % zone.anchors.length] as Anchor
      lotSites.push(...lotSitesAlong(street, anchor, zone, frontM, reach, random, cells))
    })
  }
  if (lotSites.length < zone.parcels) throw new Error(`no room for ${zone.parcels} lots in ${zone.area ?? zone.city}`)
  const kept = drawSites(lotSites, zone.parcels, randomFor(seed, 'lots', zone.city, zone.area ?? ''))
  // A street name can occur in two areas of the island; the second one then uses higher house numbers.
  for (const site of kept) {
    while (taken.has(`${zone.city}|${site.street}|${site.houseNumber}`)) site.houseNumber += 400
    taken.add(`${zone.city}|${site.street}|${site.houseNumber}`)
  }
  return kept
}

/** Approximate homes per street. With fewer streets a large city would be a few dense rows. */
const homesPerStreet = 26

/** The zone's own streets, plus invented ones in larger cities. */
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

/** Lots are about twice as deep as wide; the width is capped at 70 m for estates. */
const frontageM = (zone: Zone): number => Math.min(70, Math.max(10, Math.sqrt(zone.lotSqft * 0.5) * 0.3048))

function lotSitesAlong(
  street: string,
  anchor: Anchor,
  zone: Zone,
  frontM: number,
  reach: number,
  random: Random,
  cells: Set<number>,
): LotSite[] {
  const land = landOf(zone.market)
  const metersPerLng = metersPerLat * Math.cos((anchor.lat * Math.PI) / 180)
  const bearing = ((anchor.bearingDeg + (random.chance(0.55) ? 0 : 90) + random.normal() * 3) * Math.PI) / 180
  const offsetM = random.between(-0.85, 0.85) * anchor.radiusM
  const half = random.between(0.45, 0.95) * anchor.radiusM * (0.7 + 0.3 * reach)
  const bendM = (20 + 160 * anchor.hill) * random.between(0.3, 1)
  const bendWave = random.between(500, 1100)
  const phase = random.between(0, 6.28)
  // There is far more room than homes, so most positions are skipped before the expensive checks below.
  const tried = Math.min(1, (reach * 2.2 * homesPerStreet * frontM) / (4 * half))
  const lotSites: LotSite[] = []
  let number = firstHouseNumber[zone.market] + 2 * random.int(0, 12)
  for (let t = -half; t < half; t += frontM * random.between(0.95, 1.12)) {
    number += 2 * random.int(1, 2)
    const bend = bendM * Math.sin((t / bendWave) * 6.28 + phase)
    for (const side of [-1, 1]) {
      if (!random.chance(tried)) continue
      const off = offsetM + bend + side * (9 + frontM * random.between(0.75, 0.9))
      const northM = t * Math.cos(bearing) - off * Math.sin(bearing)
      const eastM = t * Math.sin(bearing) + off * Math.cos(bearing)
      const lat = anchor.lat + northM / metersPerLat
      const lng = anchor.lng + eastM / metersPerLng
      const houseNumber = side < 0 ? number : number + 1
      if (!inBox(zone, lat, lng) || nearestZone(lat, lng, zone.market) !== zone) continue
      if (!onLand(land, lat, lng, metersPerLng)) continue
      if (!claimCell(cells, lat, lng, metersPerLng)) continue
      lotSites.push({ street, houseNumber, lat: round5(lat), lng: round5(lng), anchor })
    }
  }
  return lotSites
}

const round5 = (value: number): number => Math.round(value * 1e5) / 1e5

const inBox = ({ box }: Zone, lat: number, lng: number): boolean =>
  lat > box.south + 1e-4 && lat < box.north - 1e-4 && lng > box.west + 1e-4 && lng < box.east - 1e-4

/** A point belongs to the zone of the nearest neighborhood, so that cities do not overlap. */
function nearestZone(lat: number, lng: number, market: MarketId): Zone | undefined {
  let best: Zone | undefined
  let least = Number.POSITIVE_INFINITY
  for (const { zone, y, x, perRadius2 } of neighborhoods[market]) {
    const d = ((lat - y) ** 2 + ((lng - x) * 0.78) ** 2) * perRadius2
    if (d < least) {
      least = d
      best = zone
    }
  }
  return best
}

const neighborhoodsOf = (market: MarketId): { zone: Zone; y: number; x: number; perRadius2: number }[] =>
  zones
    .filter((zone) => zone.market === market)
    .flatMap((zone) =>
      zone.anchors.map(({ lat, lng, radiusM }) => ({ zone, y: lat, x: lng, perRadius2: 1 / radiusM ** 2 })),
    )

const neighborhoods: Record<MarketId, ReturnType<typeof neighborhoodsOf>> = {
  'sf-peninsula': neighborhoodsOf('sf-peninsula'),
  nantucket: neighborhoodsOf('nantucket'),
}

function onLand(land: ReturnType<typeof landOf>, lat: number, lng: number, metersPerLng: number): boolean {
  const dLat = shoreM / metersPerLat
  const dLng = shoreM / metersPerLng
  return (
    land.contains(lat, lng) &&
    land.contains(lat + dLat, lng) &&
    land.contains(lat - dLat, lng) &&
    land.contains(lat, lng + dLng) &&
    land.contains(lat, lng - dLng)
  )
}

/** Reserves a grid cell; false if it is already taken. */
function claimCell(cells: Set<number>, lat: number, lng: number, metersPerLng: number): boolean {
  const y = Math.round((lat * metersPerLat) / cellM)
  const x = Math.round((lng * metersPerLng) / cellM)
  const cell = y * 10_000_000 + x
  if (cells.has(cell)) return false
  cells.add(cell)
  return true
}

/** A random sample of exactly `count` lot sites, in street order. */
function drawSites(lotSites: readonly LotSite[], count: number, random: Random): LotSite[] {
  const kept: LotSite[] = []
  lotSites.forEach((site, i) => {
    if (random.unit() < (count - kept.length) / (lotSites.length - i)) kept.push(site)
  })
  return kept
}
