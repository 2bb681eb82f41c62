// What a market's list is ordered by: teardown potential on the Peninsula, renovation and charm on the island.

import type { MarketId } from '../contract/facts.ts'

export interface RankedScores {
  readonly teardownScore?: number
  readonly flippabilityScore?: number
  readonly historicCharm?: number
}

/** Unrounded, so that the order does not depend on rounding; absent when what it is made of is. */
export const rankScore = (market: MarketId, scores: RankedScores): number | undefined => {
  if (market === 'sf-peninsula') return scores.teardownScore
  const { flippabilityScore, historicCharm } = scores
  return flippabilityScore === undefined || historicCharm === undefined
    ? undefined
    : (flippabilityScore + historicCharm) / 2
}
