// The simulated probability that a home is torn down after a sale. The feeds do not contain it; models must infer it.

import type { Day } from './calendar.ts'
import { overlaysOf } from './overlays.ts'
import type { Home, SampleParcel } from './parcel.ts'
import { homeAt } from './parcels.ts'
import { landUsd, valueUsd } from './price.ts'
import { cityActivity, isHistoricIsland } from './zones.ts'

export interface TeardownModel {
  /** That a sale on that day is followed by a teardown. */
  probability(parcel: SampleParcel, day: Day): number
}

/** Fits one intercept per city so that its share of sales followed by a teardown matches the real city. */
export function fitTeardownModel(parcels: readonly SampleParcel[], seed: number, startDay: Day): TeardownModel {
  const isProtected = (parcel: SampleParcel): boolean => {
    const { historicListed, historicContributing, conservationEasement } = overlaysOf(parcel, seed)
    return [historicListed, historicContributing, conservationEasement].includes('yes')
  }
  const intercepts = new Map<string, number>()
  for (const activity of cityActivity()) {
    const scores = parcels
      .filter((p) => p.zone.city === activity.city)
      .map((p) => ({
        score: isProtected(p) ? undefined : logit(p, homeAt(p, startDay), startDay),
        share: approvalRate(p, homeAt(p, startDay)),
      }))
    let low = -14
    let high = 6
    for (let i = 0; i < 40; i++) {
      const mid = (low + high) / 2
      const mean =
        scores.reduce((sum, { score, share }) => sum + (score === undefined ? 0 : share * sigmoid(score + mid)), 0) /
        scores.length
      if (mean < activity.teardownsPerSale) low = mid
      else high = mid
    }
    intercepts.set(activity.city, (low + high) / 2)
  }
  return {
    probability: (parcel, day) => {
      const home = homeAt(parcel, day)
      const score = isProtected(parcel) ? undefined : logit(parcel, home, day)
      if (score === undefined) return 0
      return approvalRate(parcel, home) * sigmoid(score + (intercepts.get(parcel.zone.city) as number))
    },
  }
}

/** On a historic island a commission votes on every demolition and denies more of them the older the house is. */
function approvalRate(parcel: SampleParcel, { yearBuilt }: Home): number {
  if (!isHistoricIsland(parcel.zone.market)) return 1
  if (yearBuilt < 1900) return 0.15
  if (yearBuilt < 1940) return 0.45
  return yearBuilt < 1970 ? 0.7 : 0.95
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

function logit(parcel: SampleParcel, home: Home, day: Day): number | undefined {
  if (home.propertyType !== 'single_family') return undefined
  const used = home.livingSqft / parcel.envelopeSqft
  const landShare = landUsd(parcel, day) / valueUsd(parcel, home, day)
  let score = 3.2 * (0.6 - used) + 4 * (0.45 - home.condition) + 6 * (landShare - 0.75)
  // Builders avoid recent houses and prefer lots that use less than half of the allowed floor area.
  if (home.yearBuilt > 1995) score -= 6
  else if (home.yearBuilt > 1978) score -= 2
  else if (home.yearBuilt < 1965) score += 0.5
  if (used < 0.5) score += 0.8
  if (home.condition < 0.3) score += 0.6
  if (parcel.slopePct > 25) score -= 0.9
  return score
}
