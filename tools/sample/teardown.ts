// The simulated probability that a home is torn down after a sale. The feeds do not contain it; models must infer it.

import { type Day, simulationStart } from './calendar.ts'
import { homeAt, type SampleParcel } from './parcels.ts'
import { landUsd, valueUsd } from './price.ts'
import { cityActivity } from './zones.ts'

/** That a sale on a day is followed by a teardown, with an intercept per city so that its share of such sales is the real one. */
export function fitTeardownModel(parcels: readonly SampleParcel[]) {
  const intercepts = new Map<string, number>()
  for (const { city, teardownsPerSale } of cityActivity) {
    const odds = parcels.filter(({ zone }) => zone.city === city).map((parcel) => oddsOf(parcel, simulationStart))
    let low = -14
    let high = 6
    for (let i = 0; i < 40; i++) {
      const mid = (low + high) / 2
      const sum = odds.reduce((sum, { approved, score }) => sum + approved * sigmoid(score + mid), 0)
      if (sum / odds.length < teardownsPerSale) low = mid
      else high = mid
    }
    intercepts.set(city, (low + high) / 2)
  }
  return (parcel: SampleParcel, day: Day): number => {
    const { approved, score } = oddsOf(parcel, day)
    return approved * sigmoid(score + intercepts.get(parcel.zone.city)!)
  }
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

function oddsOf(parcel: SampleParcel, day: Day): { approved: number; score: number } {
  const home = homeAt(parcel, day)
  const { propertyType, yearBuilt, condition } = home
  const { historicListed, historicContributing, conservationEasement } = parcel.overlays
  const isProtected = [historicListed, historicContributing, conservationEasement].includes('yes')
  // On a historic island a commission votes on every demolition and denies more of them the older the house is.
  const onIsland = yearBuilt < 1900 ? 0.15 : yearBuilt < 1940 ? 0.45 : yearBuilt < 1970 ? 0.7 : 0.95
  const approved = isProtected || propertyType !== 'single_family' ? 0 : parcel.zone.island ? onIsland : 1
  const used = home.livingSqft / parcel.envelopeSqft
  const landShare = landUsd(parcel, day) / valueUsd(parcel, home, day)
  let score = 3.2 * (0.6 - used) + 4 * (0.45 - condition) + 6 * (landShare - 0.75)
  // Builders avoid recent houses and prefer lots that use less than half of the allowed floor area.
  score += yearBuilt > 1995 ? -6 : yearBuilt > 1978 ? -2 : yearBuilt < 1965 ? 0.5 : 0
  if (used < 0.5) score += 0.8
  if (condition < 0.3) score += 0.6
  if (parcel.slopePct > 25) score -= 0.9
  return { approved, score }
}
