// The share of demolitions that historic preservation would allow.

import { percent } from '../scores/number-format.ts'
import { historicDoubt } from '../site/historic-doubt.ts'
import type { TeardownFacts } from './teardown-facts.ts'

interface DemolitionCeiling {
  /** Share of proposed demolitions that would be allowed. */
  readonly share: number
  readonly because: string
}

/**
 * Where all of a market is a historic district, no building may be demolished without approval. The shares are assumptions by age
 * and historic status.
 */
const demolitionShares = {
  listed: {
    value: 0.02,
    range: [0, 0.1],
    reason: 'a listed building is demolished only when every alternative has failed',
  },
  contributing: {
    value: 0.02,
    range: [0, 0.1],
    reason: 'the commission keeps contributing buildings; some may be moved',
  },
  presumed: { value: 0.02, range: [0, 0.1], reason: 'as old as contributing houses, and its status is unknown' },
  doubtful: { value: 0.15, range: [0.1, 0.4], reason: 'votes are split, and its status is unknown' },
  reviewedBefore1945: { value: 0.4, range: [0.3, 0.6], reason: 'votes are split' },
  reviewedBefore1975: { value: 0.65, range: [0.5, 0.8], reason: 'some mid-century houses are judged significant' },
  reviewedLater: { value: 0.9, range: [0.8, 1], reason: 'move-off or demolition is usually granted' },
  reviewedUnknown: { value: 0.5, range: [0.1, 0.9], reason: 'year built unknown' },
} as const

export const demolitionCeiling = (facts: TeardownFacts): DemolitionCeiling | undefined => {
  const pick = (key: keyof typeof demolitionShares, status: string): DemolitionCeiling => ({
    share: demolitionShares[key].value,
    because: `${status}: about ${percent(demolitionShares[key].value)} of proposed demolitions are expected to be approved`,
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
