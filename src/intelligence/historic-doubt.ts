// Where all of a market is a historic district, an old house of unknown historic status is not free to be demolished.
import type { Overlays } from '../contract/facts.ts'
import type { Market } from '../contract/markets.ts'

interface HistoricFacts {
  yearBuilt?: number
  overlays: Pick<Overlays, 'historicListed' | 'historicContributing'>
}

/** `presumed`: as old as the houses that the commission keeps. `doubtful`: decisions differ. The years are those of the market pack. */
export const historicDoubt = (
  { yearBuilt, overlays }: HistoricFacts,
  review: Market['demolitionReview'],
): 'presumed' | 'doubtful' | undefined => {
  const isKnown = overlays.historicListed === 'no' && overlays.historicContributing === 'no'
  if (!review || yearBuilt === undefined || isKnown) return undefined
  if (yearBuilt < (review.presumedHistoricBefore ?? 0)) return 'presumed'
  return yearBuilt < (review.doubtfulBefore ?? 0) ? 'doubtful' : undefined
}
