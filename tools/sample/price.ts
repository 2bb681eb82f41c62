// The simulated value of a home: a hedonic product that a valuation model can learn, with the land value as a floor.

import type { MarketId } from '../../src/domain/facts.ts'
import { interpolated } from '../../src/intelligence/statistics/interpolate.ts'
import { type Day, monthOf, yearFraction } from './calendar.ts'
import type { Home, SampleParcel } from './parcels.ts'
import { randomFor } from './random.ts'
import { sampleMarket } from './zones.ts'

export const valueUsd = (parcel: SampleParcel, home: Home, day: Day): number =>
  parcel.levelUsd *
  relativeValue(parcel, home) *
  trend(parcel.zone.market, day) *
  sampleMarket(parcel.zone.market).priceSeason[monthOf(day)]!

export const landUsd = (parcel: SampleParcel, day: Day): number =>
  parcel.levelUsd * relativeLand(parcel) * trend(parcel.zone.market, day)

/** Value as a multiple of the zone's level: the larger of the house as it is and the land under it. */
export function relativeValue(parcel: SampleParcel, home: Home): number {
  const land = relativeLand(parcel)
  if (home.propertyType === 'land') return land
  const isAttached = home.propertyType === 'condo' || home.propertyType === 'townhouse'
  const house =
    (home.yearBuilt >= newFromYear && !isAttached ? newBuilding(parcel, home) : oldBuilding(parcel, home)) *
    (parcel.lotSqft / parcel.zone.lotSqft) ** 0.22 *
    parcel.locationFactor *
    (parcel.cornerLot ? 0.985 : 1)
  // A smooth maximum: where both values are close, both contribute.
  return isAttached ? house * 0.8 : (house ** 8 + land ** 8) ** (1 / 8)
}

const newFromYear = 2008

function newBuilding({ zone }: SampleParcel, { livingSqft, condition }: Home): number {
  const usualSqft = (zone.newSqft[0] + zone.newSqft[1]) / 2
  const usual = (zone.newPpsfUsd * usualSqft) / zone.medianPriceUsd
  return usual * (livingSqft / usualSqft) ** 0.85 * Math.exp(0.55 * (condition - 0.98))
}

function oldBuilding({ zone }: SampleParcel, { livingSqft, condition, yearBuilt }: Home): number {
  const size = (livingSqft / zone.livingSqft) ** (zone.spread === 'estate' ? 0.72 : 0.64)
  // On a historic island houses built before 1900 sell at a premium.
  return size * Math.exp(0.55 * (condition - 0.55)) * (zone.island && yearBuilt < 1900 ? 1.1 : 1)
}

/** Median lot over median home on Nantucket, 2022 to 2026: 0.31 to 0.57. */
const islandLandShare = 0.45

/** Land is a larger share of value where homes sell for much more than they cost to build. */
const relativeLand = ({ zone, lotSqft, locationFactor, slopePct }: SampleParcel): number =>
  (zone.island ? islandLandShare : Math.min(0.8, 0.46 + zone.ppsfUsd / 5500)) *
  (lotSqft / zone.lotSqft) ** 0.42 *
  locationFactor *
  (1 - Math.min(0.2, slopePct / 150))

export function trend(market: MarketId, day: Day): number {
  const { points, later } = sampleMarket(market).priceTrend
  const year = yearFraction(day)
  const [lastYear, last] = points.at(-1)!
  return year > lastYear ? last * (1 + later) ** (year - lastYear) : interpolated(points, year)
}

/** A smooth function of location: nearby homes have similar factors, distant ones differ. */
export function locationFactor(seed: number, lat: number, lng: number, amplitude: number): number {
  let sum = 0
  for (const wave of [0, 1, 2, 3]) {
    const random = randomFor(seed, 'micro', wave)
    const direction = random.between(0, 2 * Math.PI)
    const lengthM = random.between(140, 480)
    const along = lat * 111_195 * Math.sin(direction) + lng * 88_000 * Math.cos(direction)
    sum += Math.sin(along / lengthM + random.between(0, 6.28))
  }
  return Math.exp((amplitude * sum) / Math.sqrt(2))
}
