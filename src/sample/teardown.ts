// Which homes are torn down after a sale. Hidden from the feeds: a model has to find it from what it can see.

import type { Day } from './calendar.ts'
import { overlaysOf } from './overlays.ts'
import type { Home, SampleParcel } from './parcel.ts'
import { homeAt } from './parcels.ts'
import { landUsd, valueUsd } from './price.ts'
import { cityPaces } from './zones.ts'

export interface TeardownOdds {
  /** Of a teardown after a sale on that day. For tests and evaluation only. */
  at(parcel: SampleParcel, day: Day): number
}

/** Sets each city's intercept so that its sales end in a teardown as often as that city's do. */
export function teardownOdds(parcels: readonly SampleParcel[], seed: number, startDay: Day): TeardownOdds {
  const blocked = new Map<number, boolean>()
  const isBlocked = (parcel: SampleParcel): boolean => {
    let answer = blocked.get(parcel.index)
    if (answer === undefined) {
      const overlays = overlaysOf(parcel, seed)
      const contributing = overlays.historicContributing === 'yes'
      answer = overlays.historicListed === 'yes' || contributing || overlays.conservationEasement === 'yes'
      blocked.set(parcel.index, answer)
    }
    return answer
  }
  const intercepts = new Map<string, number>()
  for (const pace of cityPaces) {
    const scores = parcels
      .filter((p) => p.zone.city === pace.city)
      .map((p) => ({
        score: isBlocked(p) ? undefined : logit(p, homeAt(p, startDay), startDay),
        share: allowedShare(p, homeAt(p, startDay)),
      }))
    let low = -14
    let high = 6
    for (let i = 0; i < 40; i++) {
      const mid = (low + high) / 2
      const mean =
        scores.reduce((sum, { score, share }) => sum + (score === undefined ? 0 : share * sigmoid(score + mid)), 0) /
        scores.length
      if (mean < pace.teardownsPerSale) low = mid
      else high = mid
    }
    intercepts.set(pace.city, (low + high) / 2)
  }
  return {
    at: (parcel, day) => {
      const home = homeAt(parcel, day)
      const score = isBlocked(parcel) ? undefined : logit(parcel, home, day)
      if (score === undefined) return 0
      return allowedShare(parcel, home) * sigmoid(score + (intercepts.get(parcel.zone.city) as number))
    },
  }
}

/** On the island a commission votes on every demolition, and the older the house, the more often against it. */
function allowedShare(parcel: SampleParcel, { yearBuilt }: Home): number {
  if (parcel.zone.market !== 'nantucket') return 1
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
  // Thresholds a builder works by: nobody buys a recent house to pull it down, and a half-used lot draws the eye.
  if (home.yearBuilt > 1995) score -= 6
  else if (home.yearBuilt > 1978) score -= 2
  else if (home.yearBuilt < 1965) score += 0.5
  if (used < 0.5) score += 0.8
  if (home.condition < 0.3) score += 0.6
  if (parcel.slopePct > 25) score -= 0.9
  return score
}
