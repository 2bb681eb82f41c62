// Overlays of the sample's parcels (hazards, historic status, easements), and the zones of the map layers that some of them follow.
// As in real files, many values are unknown.

import { keysOf } from '../../src/common/typed.ts'
import type { OverlayName, Overlays, Tristate } from '../../src/domain/facts.ts'
import { packOf } from '../../src/domain/packs/use-packs.ts'
import { areaOf, sharedArea, turned } from '../../src/domain/shapes.ts'
import type { SampleParcel } from './parcels.ts'
import { randomFor } from './random.ts'
import { metersPerLat, type PlacedNeighborhood, type Position, round6 } from './streets.ts'
import { isOnLand, sampleMarket, sampleMarkets } from './zones.ts'

/** As shares of a neighborhood, from the side toward the water to the other one. */
type Band = readonly [from: number, to: number]

const bandsOf = ({ zone, anchor: { hill, bay } }: PlacedNeighborhood): Partial<Record<OverlayName, Band>> =>
  zone.island
    ? {
        floodZone: [0, bay >= 0.8 ? 0.6 : bay >= 0.3 ? 0.3 : 0.05],
        wetland: [0.94, 1],
        habitat: zone.lotSqft > 40_000 ? [0.75, 1] : [0.97, 1],
        historicDistrict: [0, 1],
      }
    : {
        ...(bay >= 0.3 && { floodZone: [0, bay >= 0.8 ? 0.5 : 0.25], liquefaction: [0, 0.8] }),
        ...(hill > 0.35 && { veryHighFire: [hill > 0.55 ? 0.15 : 0.75, 1] }),
        ...(hill > 0.35 && { highFire: hill > 0.55 ? [0, 0.15] : [0.3, 0.75] }),
        ...(hill > 0.55 && { landslide: [0.6, 1] }),
        ...(hill > 0.7 && { habitat: [0.88, 1] }),
        ...(hill < (zone.coastal?.hillBelow ?? 0) && { coastalZone: [0, 1] }),
      }

/** Zones of all markets. The parcel feeds agree with them where they have a value. */
export const zonesOf = (neighborhoods: readonly PlacedNeighborhood[]) => {
  const found = new Map<string, { market: string; overlay: OverlayName; ring: readonly Position[] }>()
  const add = (market: string, overlay: OverlayName, ring: readonly Position[]) =>
    found.set(JSON.stringify([market, overlay, ring]), { market, overlay, ring })
  for (const each of neighborhoods) {
    const { market, zone } = each
    const { west, south, north } = zone.box
    const { westOf } = zone.coastal ?? {}
    if (westOf !== undefined) add(market, 'coastalZone', boxRing(west - 0.02, south, westOf, north))
    const bands = bandsOf(each)
    for (const name of keysOf(bands)) add(market, name, bandRing(each, bands[name]!))
  }
  for (const market of sampleMarkets) {
    const { faultTrace } = sampleMarket(market)
    if (faultTrace.length > 0) add(market, 'faultZone', alongTrace(faultTrace))
  }
  return [...found.values()]
}

const boxRing = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
]

/** Edges inside a neighborhood are waves. */
const bandRing = ({ market, place }: PlacedNeighborhood, [from, to]: Band): Position[] => {
  const { lengthM, heightM, position } = place
  const landOn = (side: number): number =>
    Array.from({ length: 10 }, (_, at) => position(0, side * (heightM / 2 + 300 * (at + 1)))).filter((point) =>
      isOnLand(market, point),
    ).length
  const side = landOn(-1) <= landOn(1) ? 1 : -1
  const waveM = Math.min(20, 0.25 * (to - from) * heightM)
  const edge = (share: number): Position[] =>
    Array.from({ length: 17 }, (_, at) => {
      const isOutside = share === 0 || share === 1
      const across = isOutside ? (share - 0.5) * (heightM + 30) : (share - 0.5) * heightM + waveM * Math.sin(at)
      return position((at / 16 - 0.5) * (lengthM + 30), side * across)
    })
  return [...edge(from), ...edge(to).reverse()]
}

const faultZoneM = 450
const perLng = 88_300

/** A strip along the trace. */
const alongTrace = (trace: readonly (readonly [lat: number, lng: number])[]): Position[] => {
  const side = (sign: number): Position[] =>
    trace.map(([lat, lng], at) => {
      const [before, after] = [trace[Math.max(0, at - 1)]!, trace[at + 1] ?? trace[at]!]
      const [x, y] = [(after[1] - before[1]) * perLng, (after[0] - before[0]) * metersPerLat]
      const scale = (sign * faultZoneM) / Math.hypot(x, y)
      return [round6(lng - (y * scale) / perLng), round6(lat + (x * scale) / metersPerLat)]
    })
  return [...side(1), ...side(-1).reverse()]
}

/** Gives the zones that cover at least a twentieth of a lot. */
export const zoneFinder = (neighborhoods: readonly PlacedNeighborhood[]) => {
  const zones = zonesOf(neighborhoods).map(({ overlay, ring }) => ({ overlay, rings: [turned(ring.flat(), false)] }))
  return (outline: readonly Position[]): ReadonlySet<OverlayName> => {
    const lot = [turned(outline.flat(), false)]
    const covers = zones.filter(({ rings }) => sharedArea(lot, rings) >= 0.05 * areaOf(lot))
    return new Set(covers.map(({ overlay }) => overlay))
  }
}

/** `zones`: those of the map layers that the parcel is in. */
export function overlaysOf(parcel: SampleParcel, zones: ReadonlySet<OverlayName>, seed: number): Overlays {
  const { zone, hill, bay, street } = parcel
  const { yearBuilt, units } = parcel.homes[0]!
  const random = randomFor(seed, 'overlays', parcel.index)
  const yesIf = (isYes: boolean): Tristate => (isYes ? 'yes' : 'no')
  const yes = (probability: number): Tristate => yesIf(random.chance(probability))
  const mostlyUnknown = (unknown: number, probability: number): Tristate =>
    random.chance(unknown) ? 'unknown' : yes(probability)
  /** As a probability, so that it takes a draw: the other overlays are as they were before there were maps. */
  const onMap = (name: OverlayName): number => (zones.has(name) ? 1 : 0)
  const isOld = yearBuilt < 1945
  const isRural = zone.lotSqft > 35_000
  const inDistrict = isOld && zone.historicStreets?.includes(street) === true
  const overlays: Overlays = zone.island
    ? {
        historicListed: yes(yearBuilt < 1860 ? 0.05 : 0),
        historicDistrict: 'yes',
        // The district's contributing houses are the old ones, and every one from before 1900.
        historicContributing: yes(yearBuilt < 1900 ? 1 : isOld ? 0.86 : 0),
        floodZone: yes(onMap('floodZone')),
        wetland: mostlyUnknown(0.15, onMap('wetland')),
        conservationEasement: mostlyUnknown(0.2, 0.03),
        habitat: mostlyUnknown(0.2, onMap('habitat')),
        coastalZone: 'unknown',
        septic: yes(zone.septicShare),
        urbanized: yesIf(zone.septicShare < 0.4),
      }
    : {
        historicListed: yes(isOld ? 0.03 : yearBuilt < 1966 ? 0.004 : 0),
        historicDistrict: yesIf(inDistrict),
        historicContributing: inDistrict ? yes(0.7) : 'no',
        veryHighFire: yes(onMap('veryHighFire')),
        floodZone: yes(onMap('floodZone')),
        faultZone: yesIf(zones.has('faultZone')),
        coastalZone: yesIf(zones.has('coastalZone')),
        hazardousWaste: mostlyUnknown(0.12, 0.004),
        wetland: yes(bay >= 0.8 ? 0.02 : 0.001),
        farmland: yes(zone.farmlandShare ?? (isRural ? 0.004 : 0)),
        conservationEasement: mostlyUnknown(0.08, isRural ? 0.02 : 0.001),
        habitat: mostlyUnknown(0.1, onMap('habitat')),
        rentControlled: yesIf(units > 1 && zone.rentControl === true),
        affordableDeed: mostlyUnknown(0.08, 0.006),
        tenantLast3y: mostlyUnknown(0.45, 0.16),
        ellisLast15y: mostlyUnknown(0.2, 0.003),
        priorSb9Split: yes(0.003),
        adjacentSb9Split: mostlyUnknown(0.25, 0.006),
        transitHalfMile: yesIf(isNearStation(parcel)),
        septic: yes(zone.septicShare),
        urbanized: yesIf(!isRural || hill <= 0.75),
      }
  for (const name of keysOf(overlays)) {
    // Known for every parcel: a historic island is a historic district as a whole.
    if (name === 'historicDistrict' || name === 'urbanized') continue
    const draw = random.unit()
    if (draw < 0.04) overlays[name] = 'unknown'
    else if (draw < 0.06) delete overlays[name]
  }
  return overlays
}

const isNearStation = ({ zone, lat, lng }: SampleParcel): boolean =>
  packOf(zone.market)!.market.transitStops!.some(
    (stop) => Math.hypot((lat - stop.lat) * metersPerLat, (lng - stop.lng) * perLng) < 805,
  )
