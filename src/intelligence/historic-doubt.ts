// Where all of a market is a historic district, an old house of unknown historic status is not free to be demolished.
import type { MarketId, Overlays } from '../contract/facts.ts'
import { marketById } from '../contract/markets.ts'

interface HistoricFacts {
  market: MarketId
  yearBuilt?: number
  overlays: Pick<Overlays, 'historicListed' | 'historicContributing'>
}

/** `presumed`: as old as the houses that the commission keeps. `doubtful`: decisions differ. The years are those of the market pack. */
export const historicDoubt = ({ market, yearBuilt, overlays }: HistoricFacts): 'presumed' | 'doubtful' | undefined => {
  const review = marketById(market)?.demolitionReview
  const isKnown = overlays.historicListed === 'no' && overlays.historicContributing === 'no'
  if (!review || yearBuilt === undefined || isKnown) return undefined
  if (yearBuilt < (review.presumedHistoricBefore ?? 0)) return 'presumed'
  return yearBuilt < (review.doubtfulBefore ?? 0) ? 'doubtful' : undefined
}
