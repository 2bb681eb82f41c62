// Overlays of the sample's parcels (hazards, historic status, easements). As in real files, many values are unknown.

import type { OverlayName, Overlays, Tristate } from '../contract/facts.ts'
import type { SampleParcel } from './parcel.ts'
import type { Random } from './random.ts'
import { randomFor } from './random.ts'

export function overlaysOf(parcel: SampleParcel, seed: number): Overlays {
  const random = randomFor(seed, 'overlays', parcel.index)
  const overlays =
    parcel.zone.market === 'nantucket' ? islandOverlays(parcel, random) : peninsulaOverlays(parcel, random)
  for (const name of Object.keys(overlays) as OverlayName[]) {
    if (alwaysKnown.has(name)) continue
    const draw = random.unit()
    if (draw < 0.04) overlays[name] = 'unknown'
    else if (draw < 0.06) delete overlays[name]
  }
  return overlays
}

/** Known for every parcel: by law all of Nantucket is a historic district. */
const alwaysKnown = new Set<OverlayName>(['historicDistrict', 'urbanized'])

const yes = (random: Random, probability: number): Tristate => (random.chance(probability) ? 'yes' : 'no')
const mostlyUnknown = (random: Random, unknown: number, probability: number): Tristate =>
  random.chance(unknown) ? 'unknown' : yes(random, probability)

function peninsulaOverlays(parcel: SampleParcel, random: Random): Overlays {
  const { city } = parcel.zone
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
    faultZone: metersToFault(parcel.lat, parcel.lng) < 450 ? 'yes' : 'no',
    coastalZone: inCoastalZone(parcel) ? 'yes' : 'no',
    hazardousWaste: mostlyUnknown(random, 0.12, 0.004),
    wetland: yes(random, parcel.bay >= 0.8 ? 0.02 : 0.001),
    farmland: yes(random, city === 'Half Moon Bay' ? 0.03 : rural ? 0.004 : 0),
    conservationEasement: mostlyUnknown(random, 0.08, rural ? 0.02 : 0.001),
    habitat: mostlyUnknown(random, 0.1, parcel.hill > 0.7 ? 0.04 : 0.002),
    rentControlled: units > 1 && ['East Palo Alto', 'Mountain View'].includes(city) ? 'yes' : 'no',
    affordableDeed: mostlyUnknown(random, 0.08, 0.006),
    tenantLast3y: mostlyUnknown(random, 0.45, 0.16),
    ellisLast15y: mostlyUnknown(random, 0.2, 0.003),
    priorSb9Split: yes(random, 0.003),
    adjacentSb9Split: mostlyUnknown(random, 0.25, 0.006),
    transitHalfMile: metersToStation(parcel.lat, parcel.lng) < 805 ? 'yes' : 'no',
    septic: yes(random, parcel.zone.septicShare),
    urbanized: rural && parcel.hill > 0.75 ? 'no' : 'yes',
  }
}

function islandOverlays(parcel: SampleParcel, random: Random): Overlays {
  const { yearBuilt } = parcel.homes[0] as { yearBuilt: number }
  return {
    historicListed: yes(random, yearBuilt < 1860 ? 0.05 : 0),
    historicDistrict: 'yes',
    // The district's contributing houses are old ones; a house of the 1970s is not among them.
    historicContributing: yes(random, yearBuilt < 1945 ? 0.86 : 0),
    floodZone: yes(random, parcel.bay >= 0.8 ? 0.6 : parcel.bay >= 0.3 ? 0.3 : 0.05),
    wetland: mostlyUnknown(random, 0.15, 0.06),
    conservationEasement: mostlyUnknown(random, 0.2, 0.03),
    habitat: mostlyUnknown(random, 0.2, parcel.zone.lotSqft > 40_000 ? 0.25 : 0.03),
    coastalZone: 'unknown',
    septic: yes(random, parcel.zone.septicShare),
    urbanized: parcel.zone.septicShare < 0.4 ? 'yes' : 'no',
  }
}

const historicStreets: Record<string, readonly string[]> = {
  'Palo Alto': ['Bryant St', 'Waverley St', 'Addison Ave', 'Lincoln Ave'],
  Burlingame: ['Burlingame Ave', 'Bayswater Ave'],
  'Redwood City': ['Brewster Ave'],
  'Half Moon Bay': ['Main St'],
  'San Mateo': ['Delaware St'],
}

const hasHistoricDistrict = (parcel: SampleParcel): boolean =>
  historicStreets[parcel.zone.city]?.includes(parcel.street) ?? false

/** The San Andreas fault, roughly along Interstate 280 and the Crystal Springs lakes. */
const faultTrace: readonly (readonly [lat: number, lng: number])[] = [
  [37.668, -122.494],
  [37.63, -122.453],
  [37.59, -122.42],
  [37.52, -122.362],
  [37.43, -122.257],
  [37.38, -122.22],
  [37.32, -122.165],
]

/** Caltrain and BART stations, to about 100 m. */
const stations: readonly (readonly [lat: number, lng: number])[] = [
  [37.7061, -122.469],
  [37.6846, -122.4663],
  [37.6644, -122.4439],
  [37.6377, -122.4163],
  [37.6557, -122.405],
  [37.6311, -122.4119],
  [37.5999, -122.3866],
  [37.5877, -122.3633],
  [37.5795, -122.345],
  [37.5681, -122.324],
  [37.5525, -122.309],
  [37.5378, -122.2972],
  [37.5207, -122.2759],
  [37.5074, -122.2601],
  [37.4854, -122.2319],
  [37.4646, -122.1978],
  [37.4545, -122.1822],
  [37.4434, -122.1649],
  [37.4293, -122.1422],
  [37.4073, -122.107],
  [37.3945, -122.0764],
]

const eastM = (lng: number): number => lng * 88_300
const northM = (lat: number): number => lat * 111_195

const metersToStation = (lat: number, lng: number): number =>
  Math.min(...stations.map(([y, x]) => Math.hypot(northM(lat - y), eastM(lng - x))))

function metersToFault(lat: number, lng: number): number {
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

/** West of Highway 1, roughly, and all of Half Moon Bay's flat land. */
function inCoastalZone({ zone, lng, hill }: SampleParcel): boolean {
  if (zone.city === 'Half Moon Bay') return hill < 0.5
  if (zone.city === 'Pacifica') return lng < -122.489
  return zone.city === 'Daly City' && lng < -122.494
}
