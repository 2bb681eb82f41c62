// The share of demolitions that historic preservation would allow.

import { percent } from '../scores/number-format.ts'
import { historicDoubt } from '../site/historic-doubt.ts'
import type { TeardownFacts } from './teardown-facts.ts'

/**
 * Where all of a market is a historic district, no building may be demolished without approval. The shares are assumptions by age
 * and historic status.
 */
const demolitionShares = {
  /** Demolished only when every alternative has failed. */
  listed: 0.02,
  /** The commission keeps contributing buildings; some may be moved. */
  contributing: 0.02,
  /** As old as contributing houses, and its status is unknown. */
  presumed: 0.02,
  /** Votes are split, and its status is unknown. */
  doubtful: 0.15,
  /** Votes are split; some mid-century houses are judged significant; later ones may usually be moved off or demolished. */
  reviewedBefore1945: 0.4,
  reviewedBefore1975: 0.65,
  reviewedLater: 0.9,
  reviewedUnknown: 0.5,
} as const

/** `share`: of proposed demolitions that would be allowed. */
export const demolitionCeiling = (facts: TeardownFacts) => {
  const pick = (key: keyof typeof demolitionShares, status: string) => ({
    share: demolitionShares[key],
    because: `${status}: about ${percent(demolitionShares[key])} of proposed demolitions are expected to be approved`,
  })
  if (facts.historicListed === 'yes') return pick('listed', 'Listed as historic')
  if (facts.historicContributing === 'yes') return pick('contributing', 'Contributes to a historic district')
  const { review } = facts
  if (!review) return undefined
  const built = facts.yearBuilt
  if (built === undefined) return pick('reviewedUnknown', `${review.name}, year built unknown`)
  const doubt = historicDoubt({ ...facts, overlays: facts }, review)
  if (doubt) return pick(doubt, `${review.name}, built ${built}, historic status not known`)
  if (built < 1945) return pick('reviewedBefore1945', `${review.name}, built ${built}`)
  if (built < 1975) return pick('reviewedBefore1975', `${review.name}, built ${built}`)
  return pick('reviewedLater', `${review.name}, built ${built}`)
}
