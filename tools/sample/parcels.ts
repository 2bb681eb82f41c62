// Builds the parcels as of the start of the simulation: location, lot, house and its condition.

import { pick } from '../../src/common/typed.ts'
import type { PropertyType } from '../../src/domain/facts.ts'
import { findCity } from '../../src/domain/packs/markets.ts'
import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { type Day, simulationStart } from './calendar.ts'
import { zoneFinder, zonesOf } from './layers.ts'
import type { Home, SampleParcel } from './parcel.ts'
import { locationFactor, relativeValue } from './price.ts'
import { type Random, randomFor } from './random.ts'
import { emptyPlan, placeLots } from './streets.ts'
import { cityActivity, isHistoricIsland, sampleMarket, type Zone, zones } from './zones.ts'

const spreads = {
  tract: { living: 0.22, lot: 0.17, location: 0.05 },
  mixed: { living: 0.29, lot: 0.27, location: 0.08 },
  estate: { living: 0.38, lot: 0.42, location: 0.12 },
} as const

export function makeTown(seed: number) {
  const plan = emptyPlan()
  const parcels: SampleParcel[] = []
  zones().forEach((zone, zoneIndex) => {
    const first = parcels.length
    const firstZip = findCity(zone.city, zone.market)?.zipCodes[0]
    const lots = Array.from({ length: zone.parcels }, (_, i) => drawLot(zone, zoneIndex, i, seed))
    placeLots(zone, lots, seed, plan).forEach(({ lot, ...site }, i) => {
      const { random, lotZ, lotSqft } = lot
      const propertyType = drawPropertyType(random, zone)
      const unit = propertyType === 'condo' ? ` #${random.int(1, 24)}` : ''
      const home = firstHome(random, zone, lotZ, propertyType, lotSqft)
      const { view, waterfront } = outlookOf(site.anchor, randomFor(seed, 'outlook', zoneIndex, i))
      parcels.push({
        index: parcels.length,
        zone,
        apn: apnOf(zone, zoneIndex, i),
        address: `${site.houseNumber} ${site.street}${unit}`,
        zip: site.anchor.zip ?? firstZip,
        ...pick(site, 'street', 'houseNumber', 'lat', 'lng', 'outline'),
        lotSqft,
        lotWidthFt: lot.widthFt,
        lotDepthFt: lot.depthFt,
        cornerLot: lot.corner,
        slopePct: Math.round(10 * Math.max(0, site.anchor.hill * random.between(4, 38) + random.between(0, 3))) / 10,
        view,
        waterfront,
        ...pick(site.anchor, 'hill', 'bay'),
        zones: new Set(),
        zoning: districtOf(zone, lotSqft),
        locationFactor:
          locationFactor(seed, site.lat, site.lng, spreads[zone.spread].location) *
          (1 + view / 1000) *
          (waterfront ? 1.2 : 1),
        envelopeSqft: envelopeOf(zone, lotSqft),
        levelUsd: zone.medianPriceUsd,
        homes: [home],
      })
    })
    calibrateToMedians(parcels.slice(first), zone, seed)
  })
  const inZones = zoneFinder(zonesOf(plan.placed))
  for (const parcel of parcels) parcel.zones = inZones(parcel.zone.market, parcel.outline)
  return { parcels, neighborhoods: plan.placed }
}

/** Views are from hills and over the water; few lots are on the water. */
function outlookOf(
  { hill, bay }: { hill: number; bay: number },
  random: Random,
): { view: number; waterfront: boolean } {
  const waterfront = random.chance(0.04 * bay)
  const height = Math.max(hill, waterfront ? 0.75 : 0) * random.unit()
  return { view: height < 0.25 ? 0 : 25 * Math.round(4 * Math.min(1, height)), waterfront }
}

/** The size of a lot, before it has a place. The parcel on it continues with the same random generator. */
function drawLot(zone: Zone, zoneIndex: number, i: number, seed: number) {
  const random = randomFor(seed, 'parcel', zoneIndex, i)
  const lotZ = random.normal()
  const lotSqft = Math.round(Math.max(1900, zone.lotSqft * Math.exp(lotZ * spreads[zone.spread].lot)) / 10) * 10
  const widthFt = Math.round(Math.sqrt(lotSqft * random.between(0.38, 0.66)) * 10) / 10
  const depthFt = Math.round((lotSqft / widthFt) * 10) / 10
  const corner = random.chance(0.14)
  return { random, lotZ, lotSqft, widthFt, depthFt, corner, widthM: widthFt * 0.3048, depthM: depthFt * 0.3048 }
}

function drawPropertyType(random: Random, zone: Zone): PropertyType {
  const attached = zone.spread === 'tract' ? 0.05 : zone.spread === 'mixed' ? 0.06 : 0.005
  return (['condo', 'townhouse', 'multi_family', 'land', 'single_family'] as const)[
    random.weighted([attached * 0.4, attached * 0.4, attached * 0.2, 0.01, 1])
  ] as PropertyType
}

function firstHome(random: Random, zone: Zone, lotZ: number, propertyType: PropertyType, lotSqft: number): Home {
  const era = random.weighted(zone.eras.map(([, , percent]) => percent))
  const [from, to] = zone.eras[era] as readonly [number, number, number]
  // Construction grew over a city's first era, so its later years are more likely.
  const yearBuilt = Math.round(from + (to - from) * (era === 0 ? Math.sqrt(random.unit()) : random.unit()))
  const eraSize = yearBuilt >= 2000 ? 1.55 : yearBuilt >= 1970 ? 1.14 : yearBuilt >= 1950 ? 0.94 : 0.9
  const spread = spreads[zone.spread].living
  const z = 0.45 * lotZ + 0.89 * random.normal()
  const attached = propertyType === 'condo' ? 0.62 : propertyType === 'townhouse' ? 0.8 : 1
  const livingSqft = Math.min(zone.livingSqft * eraSize * Math.exp(z * spread), lotSqft * 1.1) * attached
  const age = 2018 - yearBuilt
  const renovated = age > 18 && random.chance(0.3)
  const typicalCondition = Math.max(0.28, 0.92 - age * 0.007)
  const condition = clamp(renovated ? random.between(0.62, 0.9) : typicalCondition + random.normal() * 0.14, 0.03, 0.98)
  return {
    from: simulationStart,
    propertyType,
    livingSqft: Math.max(480, 0.4 * zone.livingSqft * attached, livingSqft),
    beds: 0,
    baths: 0,
    yearBuilt,
    ...(renovated && { yearRenovated: random.int(Math.max(yearBuilt + 12, 1996), 2017) }),
    stories: random.chance(yearBuilt >= 1985 ? 0.72 : yearBuilt >= 1950 ? 0.28 : 0.42) ? 2 : 1,
    garageSqft: propertyType === 'condo' ? 0 : random.chance(0.88) ? 20 * random.int(10, 28) : 0,
    // Few houses in these markets have a finished basement.
    basementSqft: propertyType === 'single_family' && lotZ > 1.2 ? 10 * Math.round(40 + 30 * (lotZ - 1.2)) : 0,
    fireplaces: isHistoricIsland(zone.market) && yearBuilt < 1900 ? random.int(2, 5) : random.int(0, 2),
    units: propertyType === 'multi_family' ? random.int(2, 4) : 1,
    condition,
    assessedLandUsd: 0,
    assessedImprovementUsd: 0,
  }
}

/** Scales sizes and price level to the zone's medians, then sets the rooms and assessed values that depend on them. */
function calibrateToMedians(parcels: readonly SampleParcel[], zone: Zone, seed: number): void {
  const houses = parcels.filter((p) => p.homes[0]?.propertyType === 'single_family')
  const sizeScale = (zone.livingSqft * startLevel(zone)) / median(houses.map((p) => (p.homes[0] as Home).livingSqft))
  for (const parcel of parcels) {
    const home = parcel.homes[0] as Home
    const random = randomFor(seed, 'rooms', parcel.index)
    home.livingSqft = Math.round((home.livingSqft * sizeScale) / 5) * 5
    // On a small lot the rooms are above the garage.
    if (home.livingSqft + home.garageSqft > 0.5 * parcel.lotSqft) home.stories = 2
    Object.assign(home, roomsFor(home.livingSqft, random))
  }
  const levelUsd =
    (zone.medianPriceUsd * startLevel(zone)) / median(houses.map((p) => relativeValue(p, p.homes[0] as Home)))
  for (const parcel of parcels) {
    const home = parcel.homes[0] as Home
    parcel.levelUsd = levelUsd
    const random = randomFor(seed, 'assessed', parcel.index)
    // Where assessments rise slowly by law, a long-held home is assessed far below its price; elsewhere they only lag.
    const share = isHistoricIsland(zone.market) ? random.between(0.38, 0.6) : random.between(0.08, 0.75)
    const value = levelUsd * relativeValue(parcel, home) * share
    const land = home.propertyType === 'land' ? 1 : random.between(0.5, 0.78)
    home.assessedLandUsd = Math.round(value * land)
    home.assessedImprovementUsd = Math.round(value * (1 - land))
  }
}

/** Rebuilding raises the median home over the simulated years, so the starting level is lower by that amount. */
function startLevel(zone: Zone): number {
  const activity = cityActivity().find(({ city }) => city === zone.city)
  return 0.98 - 0.7 * (activity?.teardownsPerSale ?? 0)
}

export function roomsFor(livingSqft: number, random: Random): { beds: number; baths: number } {
  const beds = clamp(Math.round(1.65 + 1.75 * Math.log(livingSqft / 700) + random.normal() * 0.42), 1, 7)
  const baths = clamp(Math.round((livingSqft / 880 + random.normal() * 0.35 + 0.3) * 2) / 2, 1, 8)
  return { beds, baths: Math.min(baths, beds + 1.5) }
}

/** The usual new-house size of the zone, larger on a larger lot. */
function envelopeOf(zone: Zone, lotSqft: number): number {
  const [low, high] = zone.newSqft
  const usual = ((low + high) / 2) * (lotSqft / zone.lotSqft) ** 0.55
  return clamp(usual, low * 0.6, high * 1.5)
}

function districtOf(zone: Zone, lotSqft: number): string {
  const fitting = zone.districts.filter(([, from]) => lotSqft >= from)
  return (fitting.at(-1) ?? zone.districts[0])?.[0] as string
}

/** No county uses assessor books from 900 up, so no sample number is a real one. */
function apnOf(zone: Zone, zoneIndex: number, i: number): string {
  const book = 900 + zoneIndex
  const page = Math.floor(i / 40) + 1
  const parcel = (i % 40) + 1
  const three = (n: number): string => String(n).padStart(3, '0')
  const form = sampleMarket(zone.market).parcelNumbers[zone.county]
  if (form === '3-3-3') return `${book}-${three(page)}-${three(parcel * 10)}`
  if (form === '3-2-3') return `${book}-${String(page).padStart(2, '0')}-${three(parcel)}`
  return `${book}-${three(i + 1)}`
}

export const homeAt = (parcel: SampleParcel, day: Day): Home =>
  parcel.homes.findLast((home) => home.from <= day) ?? (parcel.homes[0] as Home)

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const mid = sorted.length >> 1
  return sorted.length % 2 ? (sorted[mid] as number) : ((sorted[mid - 1] as number) + (sorted[mid] as number)) / 2
}
