// Overlays of the sample's parcels (hazards, historic status, easements). As in real files, many values are unknown.

import { keysOf } from '../../src/common/typed.ts'
import type { OverlayName, Overlays, Tristate } from '../../src/domain/facts.ts'
import { packOf } from '../../src/domain/packs/use-packs.ts'
import type { SampleParcel } from './parcel.ts'
import type { Random } from './random.ts'
import { randomFor } from './random.ts'
import { isHistoricIsland, sampleMarket } from './sample-market.ts'

export function overlaysOf(parcel: SampleParcel, seed: number): Overlays {
  const random = randomFor(seed, 'overlays', parcel.index)
  const overlays = isHistoricIsland(parcel.zone.market)
    ? islandOverlays(parcel, random)
    : suburbOverlays(parcel, random)
  for (const name of keysOf(overlays)) {
    if (alwaysKnown.has(name)) continue
    const draw = random.unit()
    if (draw < 0.04) overlays[name] = 'unknown'
    else if (draw < 0.06) delete overlays[name]
  }
  return overlays
}

/** Known for every parcel: a historic island is a historic district as a whole. */
const alwaysKnown = new Set<OverlayName>(['historicDistrict', 'urbanized'])

const yes = (random: Random, probability: number): Tristate => (random.chance(probability) ? 'yes' : 'no')
const mostlyUnknown = (random: Random, unknown: number, probability: number): Tristate =>
  random.chance(unknown) ? 'unknown' : yes(random, probability)

function suburbOverlays(parcel: SampleParcel, random: Random): Overlays {
  const { zone } = parcel
  const { yearBuilt, units } = parcel.homes[0] as { yearBuilt: number; units: number }
  const old = yearBuilt < 1945
  const inDistrict = old && hasHistoricDistrict(parcel)
  const rural = parcel.zone.lotSqft > 35_000
  return {
    historicListed: yes(random, old ? 0.03 : yearBuilt < 1966 ? 0.004 : 0),
    historicDistrict: inDistrict ? 'yes' : 'no',
    historicContributing: inDistrict ? yes(random, 0.7) : 'no',
    veryHighFire: yes(random, parcel.hill > 0.55 ? 0.85 : parcel.hill > 0.35 ? 0.25 : 0),
    floodZone: yes(random, parcel.bay >= 0.8 ? 0.5 : parcel.bay >= 0.3 ? 0.25 : 0.01),
    faultZone: metersToFault(parcel) < 450 ? 'yes' : 'no',
    coastalZone: inCoastalZone(parcel) ? 'yes' : 'no',
    hazardousWaste: mostlyUnknown(random, 0.12, 0.004),
    wetland: yes(random, parcel.bay >= 0.8 ? 0.02 : 0.001),
    farmland: yes(random, zone.farmlandShare ?? (rural ? 0.004 : 0)),
    conservationEasement: mostlyUnknown(random, 0.08, rural ? 0.02 : 0.001),
    habitat: mostlyUnknown(random, 0.1, parcel.hill > 0.7 ? 0.04 : 0.002),
    rentControlled: units > 1 && zone.rentControl ? 'yes' : 'no',
    affordableDeed: mostlyUnknown(random, 0.08, 0.006),
    tenantLast3y: mostlyUnknown(random, 0.45, 0.16),
    ellisLast15y: mostlyUnknown(random, 0.2, 0.003),
    priorSb9Split: yes(random, 0.003),
    adjacentSb9Split: mostlyUnknown(random, 0.25, 0.006),
    transitHalfMile: metersToStation(parcel) < 805 ? 'yes' : 'no',
    septic: yes(random, parcel.zone.septicShare),
    urbanized: rural && parcel.hill > 0.75 ? 'no' : 'yes',
  }
}

function islandOverlays(parcel: SampleParcel, random: Random): Overlays {
  const { yearBuilt } = parcel.homes[0] as { yearBuilt: number }
  return {
    historicListed: yes(random, yearBuilt < 1860 ? 0.05 : 0),
    historicDistrict: 'yes',
    // The district's contributing houses are the old ones, and every one from before 1900.
    historicContributing: yes(random, yearBuilt < 1900 ? 1 : yearBuilt < 1945 ? 0.86 : 0),
    floodZone: yes(random, parcel.bay >= 0.8 ? 0.6 : parcel.bay >= 0.3 ? 0.3 : 0.05),
    wetland: mostlyUnknown(random, 0.15, 0.06),
    conservationEasement: mostlyUnknown(random, 0.2, 0.03),
    habitat: mostlyUnknown(random, 0.2, parcel.zone.lotSqft > 40_000 ? 0.25 : 0.03),
    coastalZone: 'unknown',
    septic: yes(random, parcel.zone.septicShare),
    urbanized: parcel.zone.septicShare < 0.4 ? 'yes' : 'no',
  }
}

const hasHistoricDistrict = (parcel: SampleParcel): boolean =>
  parcel.zone.historicStreets?.includes(parcel.street) ?? false

const eastM = (lng: number): number => lng * 88_300
const northM = (lat: number): number => lat * 111_195

const metersToStation = ({ zone, lat, lng }: SampleParcel): number =>
  Math.min(
    ...(packOf(zone.market)?.market.transitStops ?? []).map((stop) =>
      Math.hypot(northM(lat - stop.lat), eastM(lng - stop.lng)),
    ),
  )

function metersToFault({ zone, lat, lng }: SampleParcel): number {
  const { faultTrace } = sampleMarket(zone.market)
  let least = Number.POSITIVE_INFINITY
  for (let i = 1; i < faultTrace.length; i++) {
    const [ay, ax] = faultTrace[i - 1] as readonly [number, number]
    const [by, bx] = faultTrace[i] as readonly [number, number]
    const dx = eastM(bx - ax)
    const dy = northM(by - ay)
    const px = eastM(lng - ax)
    const py = northM(lat - ay)
    const t = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)))
    least = Math.min(least, Math.hypot(px - t * dx, py - t * dy))
  }
  return least
}

function inCoastalZone({ zone, lng, hill }: SampleParcel): boolean {
  const { hillBelow, westOf } = zone.coastal ?? {}
  return (hillBelow !== undefined && hill < hillBelow) || (westOf !== undefined && lng < westOf)
}
