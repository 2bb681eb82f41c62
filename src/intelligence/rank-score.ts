// The score that orders a market's list: teardown on the Peninsula, the mean of flip and charm on Nantucket.

import type { MarketId } from '../contract/facts.ts'

export interface RankedScores {
  readonly teardownScore?: number
  readonly flippabilityScore?: number
  readonly historicCharm?: number
}

/** The market orders its list by renovation and charm, not by the odds of a rebuild. */
export const isRankedByRenovation = (market: MarketId | undefined): boolean => market === 'nantucket'

/** Not rounded, so that rounding does not affect the order; absent when a score it needs is absent. */
export const rankScore = (market: MarketId, scores: RankedScores): number | undefined => {
  if (!isRankedByRenovation(market)) return scores.teardownScore
  const { flippabilityScore, historicCharm } = scores
  return flippabilityScore === undefined || historicCharm === undefined
    ? undefined
    : (flippabilityScore + historicCharm) / 2
}
