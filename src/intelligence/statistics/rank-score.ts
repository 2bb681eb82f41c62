// The score that orders a market's list. The market's pack chooses the rule.

import type { RankingRule } from '../../domain/packs/market-pack.ts'

interface RankedScores {
  readonly teardownScore?: number
  readonly flippabilityScore?: number
  readonly historicCharm?: number
  readonly redevelopmentScore?: number
}

/** Not rounded, so that rounding does not affect the order; absent when a score it needs is absent. */
export const rankScore = (rule: RankingRule, scores: RankedScores): number | undefined => rules[rule](scores)

const rules: Readonly<Record<RankingRule, (scores: RankedScores) => number | undefined>> = {
  teardown: ({ teardownScore }) => teardownScore,
  flip: ({ flippabilityScore }) => flippabilityScore,
  flip_and_charm: ({ flippabilityScore, historicCharm }) =>
    flippabilityScore === undefined || historicCharm === undefined
      ? undefined
      : (flippabilityScore + historicCharm) / 2,
  redevelopment: ({ redevelopmentScore }) => redevelopmentScore,
}
