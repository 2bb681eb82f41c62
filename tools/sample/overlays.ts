// Overlays of the sample's parcels (hazards, historic status, easements). As in real files, many values are unknown.

import { keysOf } from '../../src/common/typed.ts'
import type { OverlayName, Overlays, Tristate } from '../../src/domain/facts.ts'
import { packOf } from '../../src/domain/packs/use-packs.ts'
import type { SampleParcel } from './parcel.ts'
import { type Random, randomFor } from './random.ts'
import { isHistoricIsland } from './zones.ts'

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

/** As the map has it. The draw keeps those of the other overlays as they were before there were maps. */
const mapped = (parcel: SampleParcel, name: OverlayName, random?: Random): Tristate => {
  random?.unit()
  return parcel.zones.has(name) ? 'yes' : 'no'
}

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
    veryHighFire: mapped(parcel, 'veryHighFire', random),
    floodZone: mapped(parcel, 'floodZone', random),
    faultZone: mapped(parcel, 'faultZone'),
    coastalZone: mapped(parcel, 'coastalZone'),
    hazardousWaste: mostlyUnknown(random, 0.12, 0.004),
    wetland: yes(random, parcel.bay >= 0.8 ? 0.02 : 0.001),
    farmland: yes(random, zone.farmlandShare ?? (rural ? 0.004 : 0)),
    conservationEasement: mostlyUnknown(random, 0.08, rural ? 0.02 : 0.001),
    habitat: random.chance(0.1) ? 'unknown' : mapped(parcel, 'habitat', random),
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
    floodZone: mapped(parcel, 'floodZone', random),
    wetland: random.chance(0.15) ? 'unknown' : mapped(parcel, 'wetland', random),
    conservationEasement: mostlyUnknown(random, 0.2, 0.03),
    habitat: random.chance(0.2) ? 'unknown' : mapped(parcel, 'habitat', random),
    coastalZone: 'unknown',
    septic: yes(random, parcel.zone.septicShare),
    urbanized: parcel.zone.septicShare < 0.4 ? 'yes' : 'no',
  }
}

const hasHistoricDistrict = (parcel: SampleParcel): boolean =>
  parcel.zone.historicStreets?.includes(parcel.street) ?? false

const eastM = (lng: number): number => lng * 88_300
const northM = (lat: number): number => lat * 111_195

const metersToStation = ({ zone, lat, lng }: SampleParcel): number => {
  const stops = packOf(zone.market)?.market.transitStops ?? []
  return Math.min(...stops.map((stop) => Math.hypot(northM(lat - stop.lat), eastM(lng - stop.lng))))
}
