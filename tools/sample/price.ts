// The simulated value of a home: a hedonic product that a valuation model can learn, with the land value as a floor.

import type { MarketId } from '../../src/domain/facts.ts'
import { type Day, monthOf, yearFraction } from './calendar.ts'
import type { Home, SampleParcel } from './parcel.ts'
import { randomFor } from './random.ts'
import { isHistoricIsland, sampleMarket, type Zone } from './zones.ts'

export const valueUsd = (parcel: SampleParcel, home: Home, day: Day): number =>
  parcel.levelUsd * relativeValue(parcel, home) * trend(parcel.zone.market, day) * season(parcel.zone.market, day)

export const landUsd = (parcel: SampleParcel, day: Day): number =>
  parcel.levelUsd * relativeLand(parcel) * trend(parcel.zone.market, day)

/** Value as a multiple of the zone's level: the larger of the house as it is and the land under it. */
export function relativeValue(parcel: SampleParcel, home: Home): number {
  if (home.propertyType === 'land') return relativeLand(parcel)
  const house = relativeHouse(parcel, home)
  if (home.propertyType === 'condo' || home.propertyType === 'townhouse') return house * 0.8
  // A smooth maximum: where both values are close, both contribute.
  return (house ** 8 + relativeLand(parcel) ** 8) ** (1 / 8)
}

function relativeHouse(parcel: SampleParcel, home: Home): number {
  const { zone } = parcel
  return (
    relativeBuilding(zone, home) *
    (parcel.lotSqft / zone.lotSqft) ** 0.22 *
    parcel.locationFactor *
    (parcel.cornerLot ? 0.985 : 1)
  )
}

const newFromYear = 2008

function relativeBuilding(zone: Zone, home: Home): number {
  const attached = home.propertyType === 'condo' || home.propertyType === 'townhouse'
  if (home.yearBuilt >= newFromYear && !attached) {
    const usualSqft = (zone.newSqft[0] + zone.newSqft[1]) / 2
    const usual = (zone.newPpsfUsd * usualSqft) / zone.medianPriceUsd
    return usual * (home.livingSqft / usualSqft) ** 0.85 * Math.exp(0.55 * (home.condition - 0.98))
  }
  const sizeExponent = zone.spread === 'estate' ? 0.72 : 0.64
  // On a historic island houses built before 1900 sell at a premium.
  const historicFactor = isHistoricIsland(zone.market) && home.yearBuilt < 1900 ? 1.1 : 1
  return (home.livingSqft / zone.livingSqft) ** sizeExponent * Math.exp(0.55 * (home.condition - 0.55)) * historicFactor
}

/** Median lot over median home on Nantucket, 2022 to 2026: 0.31 to 0.57. */
const islandLandShare = 0.45

/** Land is a larger share of value where homes sell for much more than they cost to build. */
function relativeLand(parcel: SampleParcel): number {
  const { market, ppsfUsd } = parcel.zone
  const share = isHistoricIsland(market) ? islandLandShare : Math.min(0.8, 0.46 + ppsfUsd / 5500)
  return (
    share *
    (parcel.lotSqft / parcel.zone.lotSqft) ** 0.42 *
    parcel.locationFactor *
    (1 - Math.min(0.2, parcel.slopePct / 150))
  )
}

export function trend(market: MarketId, day: Day): number {
  const { points, later } = sampleMarket(market).priceTrend
  const year = yearFraction(day)
  const next = points.findIndex(([at]) => at > year)
  if (next === -1) {
    const [at, level] = points.at(-1) as readonly [number, number]
    return level * (1 + later) ** (year - at)
  }
  if (next === 0) return (points[0] as readonly [number, number])[1]
  const [a, low] = points[next - 1] as readonly [number, number]
  const [b, high] = points[next] as readonly [number, number]
  return low + ((high - low) * (year - a)) / (b - a)
}

const season = (market: MarketId, day: Day): number => sampleMarket(market).priceSeason[monthOf(day)] as number

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
