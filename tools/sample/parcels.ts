// Builds the parcels as of the start of the simulation: location, lot, house and its condition.

import { pick } from '../../src/common/typed.ts'
import type { Overlays, PropertyType } from '../../src/domain/facts.ts'
import { findCity } from '../../src/domain/packs/markets.ts'
import { medianIfAny } from '../../src/intelligence/statistics/average.ts'
import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { type Day, simulationStart } from './calendar.ts'
import { overlaysOf, zoneFinder } from './overlays.ts'
import { locationFactor, relativeValue } from './price.ts'
import { type Random, randomFor } from './random.ts'
import { type PlacedNeighborhood, placeLots } from './streets.ts'
import { sampleMarket, type Zone, zones } from './zones.ts'

const spreads = {
  tract: { living: 0.22, lot: 0.17, location: 0.05, attached: 0.05 },
  mixed: { living: 0.29, lot: 0.27, location: 0.08, attached: 0.06 },
  estate: { living: 0.38, lot: 0.42, location: 0.12, attached: 0.005 },
} as const

const propertyTypes: readonly PropertyType[] = ['condo', 'townhouse', 'multi_family', 'land', 'single_family']

export function makeTown(seed: number) {
  const plan = { addresses: new Set<string>(), placed: [] as PlacedNeighborhood[] }
  const parcels: SampleParcel[] = []
  for (const [zoneIndex, zone] of zones.entries()) {
    const lots = Array.from({ length: zone.parcels }, (_, i) => drawLot(zone, zoneIndex, i, seed))
    const own = placeLots(zone, lots, seed, plan).map((site, i) => ({
      index: parcels.length + i,
      apn: apnOf(zone, zoneIndex, i),
      ...parcelAt(zone, site, seed, randomFor(seed, 'outlook', zoneIndex, i)),
    }))
    calibrateToMedians(own, zone, seed)
    parcels.push(...own)
  }
  const zonesAt = zoneFinder(plan.placed)
  for (const parcel of parcels) parcel.overlays = overlaysOf(parcel, zonesAt(parcel.outline), seed)
  return { parcels, neighborhoods: plan.placed }
}

export type SampleParcel = ReturnType<typeof parcelAt> & { index: number; apn: string }

export type Lot = ReturnType<typeof drawLot>

/** The size of a lot, before it has a place. The parcel on it continues with the same random generator. */
function drawLot(zone: Zone, zoneIndex: number, i: number, seed: number) {
  const random = randomFor(seed, 'parcel', zoneIndex, i)
  const lotZ = random.normal()
  const lotSqft = Math.round(Math.max(1900, zone.lotSqft * Math.exp(lotZ * spreads[zone.spread].lot)) / 10) * 10
  const lotWidthFt = Math.round(Math.sqrt(lotSqft * random.between(0.38, 0.66)) * 10) / 10
  const lotDepthFt = Math.round((lotSqft / lotWidthFt) * 10) / 10
  const size = { lotSqft, lotWidthFt, lotDepthFt }
  return { random, lotZ, size, widthM: lotWidthFt * 0.3048, depthM: lotDepthFt * 0.3048, corner: random.chance(0.14) }
}

function parcelAt(zone: Zone, site: ReturnType<typeof placeLots>[number], seed: number, outlook: Random) {
  const { anchor, lat, lng, lot } = site
  const { random, lotZ } = lot
  const { lotSqft } = lot.size
  const { location, attached } = spreads[zone.spread]
  const propertyType = propertyTypes[random.weighted([attached * 0.4, attached * 0.4, attached * 0.2, 0.01, 1])]!
  const unit = propertyType === 'condo' ? ` #${random.int(1, 24)}` : ''
  const home = firstHome(random, zone, lotZ, propertyType, lotSqft)
  // Views are from hills and over the water; few lots are on the water.
  const waterfront = outlook.chance(0.04 * anchor.bay)
  const height = Math.max(anchor.hill, waterfront ? 0.75 : 0) * outlook.unit()
  /** 0 none, 25, 50, 75, 100. */
  const view = height < 0.25 ? 0 : 25 * Math.round(4 * height)
  const place = locationFactor(seed, lat, lng, location)
  return {
    zone,
    view,
    waterfront,
    ...lot.size,
    ...pick(site, 'street', 'houseNumber', 'lat', 'lng', 'outline'),
    ...pick(anchor, 'hill', 'bay'),
    address: `${site.houseNumber} ${site.street}${unit}`,
    /** Of the neighborhood; undefined if the pack lists no ZIP code for the city. */
    zip: anchor.zip ?? findCity(zone.city, zone.market)?.zipCodes[0],
    cornerLot: lot.corner,
    slopePct: Math.round(10 * Math.max(0, anchor.hill * random.between(4, 38) + random.between(0, 3))) / 10,
    zoning: (zone.districts.findLast(([, from]) => lotSqft >= from) ?? zone.districts[0]!)[0],
    /** Once all lots have their places. */
    overlays: {} as Overlays,
    /** One for each state of the building, oldest first. */
    homes: [home],
    /** Construction periods. */
    sites: [] as { from: Day; to: Day }[],
    /** Until then no random listing of the parcel starts. At the start owners have held their homes for different times. */
    offMarketUntil: 0,
    // Not in the feeds:
    /** Price factor of the exact location, about 1. */
    locationFactor: place * (1 + view / 1000) * (waterfront ? 1.2 : 1),
    /** The usual new-house size of the zone, larger on a larger lot. */
    envelopeSqft: envelopeOf(zone, lotSqft),
    /** Value of a median home of the zone at the base of the price trend. */
    levelUsd: zone.medianPriceUsd,
  }
}

export type Home = ReturnType<typeof firstHome>

function firstHome(random: Random, zone: Zone, lotZ: number, propertyType: PropertyType, lotSqft: number) {
  const era = random.weighted(zone.eras.map(([, , percent]) => percent))
  const [from, to] = zone.eras[era]!
  // Construction grew over a city's first era, so its later years are more likely.
  const yearBuilt = Math.round(from + (to - from) * (era === 0 ? Math.sqrt(random.unit()) : random.unit()))
  const eraSize = yearBuilt >= 2000 ? 1.55 : yearBuilt >= 1970 ? 1.14 : yearBuilt >= 1950 ? 0.94 : 0.9
  const z = 0.45 * lotZ + 0.89 * random.normal()
  const attached = propertyType === 'condo' ? 0.62 : propertyType === 'townhouse' ? 0.8 : 1
  const livingSqft =
    Math.min(zone.livingSqft * eraSize * Math.exp(z * spreads[zone.spread].living), lotSqft * 1.1) * attached
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
    fireplaces: zone.island && yearBuilt < 1900 ? random.int(2, 5) : random.int(0, 2),
    units: propertyType === 'multi_family' ? random.int(2, 4) : 1,
    /** Not in the feeds: 0 uninhabitable .. 1 new. */
    condition,
    assessedLandUsd: 0,
    assessedImprovementUsd: 0,
  }
}

/** Scales sizes and price level to the zone's medians, then sets the rooms and assessed values that depend on them. */
function calibrateToMedians(parcels: readonly SampleParcel[], zone: Zone, seed: number): void {
  const medianOfHouses = (value: (home: Home, parcel: SampleParcel) => number): number =>
    medianIfAny(parcels.flatMap((parcel) => parcel.homes.filter(isHouse).map((home) => value(home, parcel))))!
  const isHouse = ({ propertyType }: Home): boolean => propertyType === 'single_family'
  // Rebuilding raises the median home over the simulated years, so the starting level is lower by that amount.
  const startLevel = 0.98 - 0.7 * zone.activity.teardownsPerSale
  const sizeScale = (zone.livingSqft * startLevel) / medianOfHouses(({ livingSqft }) => livingSqft)
  for (const { index, homes, lotSqft } of parcels) {
    const home = homes[0]!
    home.livingSqft = Math.round((home.livingSqft * sizeScale) / 5) * 5
    // On a small lot the rooms are above the garage.
    if (home.livingSqft + home.garageSqft > 0.5 * lotSqft) home.stories = 2
    Object.assign(home, roomsFor(home.livingSqft, randomFor(seed, 'rooms', index)))
  }
  const levelUsd = (zone.medianPriceUsd * startLevel) / medianOfHouses((home, parcel) => relativeValue(parcel, home))
  for (const parcel of parcels) {
    const home = parcel.homes[0]!
    parcel.levelUsd = levelUsd
    const random = randomFor(seed, 'assessed', parcel.index)
    // Where assessments rise slowly by law, a long-held home is assessed far below its price; elsewhere they only lag.
    const share = zone.island ? random.between(0.38, 0.6) : random.between(0.08, 0.75)
    const value = levelUsd * relativeValue(parcel, home) * share
    const land = home.propertyType === 'land' ? 1 : random.between(0.5, 0.78)
    home.assessedLandUsd = Math.round(value * land)
    home.assessedImprovementUsd = Math.round(value * (1 - land))
  }
}

export function roomsFor(livingSqft: number, random: Random): { beds: number; baths: number } {
  const beds = clamp(Math.round(1.65 + 1.75 * Math.log(livingSqft / 700) + random.normal() * 0.42), 1, 7)
  const baths = clamp(Math.round((livingSqft / 880 + random.normal() * 0.35 + 0.3) * 2) / 2, 1, 8)
  return { beds, baths: Math.min(baths, beds + 1.5) }
}

function envelopeOf(zone: Zone, lotSqft: number): number {
  const [low, high] = zone.newSqft
  const usual = ((low + high) / 2) * (lotSqft / zone.lotSqft) ** 0.55
  return clamp(usual, low * 0.6, high * 1.5)
}

/** No county uses assessor books from 900 up, so no sample number is a real one. */
function apnOf({ market, county }: Zone, zoneIndex: number, i: number): string {
  const book = 900 + zoneIndex
  const padded = (number: number, digits = 3): string => String(number).padStart(digits, '0')
  const form = sampleMarket(market).parcelNumbers[county]
  if (!form) return `${book}-${padded(i + 1)}`
  const [page, parcel] = [Math.floor(i / 40) + 1, (i % 40) + 1]
  return form === '3-3-3'
    ? `${book}-${padded(page)}-${padded(parcel * 10)}`
    : `${book}-${padded(page, 2)}-${padded(parcel)}`
}

export const homeAt = ({ homes }: SampleParcel, day: Day): Home =>
  homes.findLast(({ from }) => from <= day) ?? homes[0]!
