// The ranks of a property's scores in its market.

import { listingScores, type MarketRanks, type RankedScore, type ScoreRanks } from '../domain/findings/score-rank.ts'
import { plural, wholeNumber } from '../intelligence/scores/number-format.ts'
import { rankIn } from '../intelligence/scores/score-ranks.ts'
import { teardownHorizonMonths } from '../intelligence/teardown/teardown.ts'

/** Undefined until the market has been assessed as a whole. */
export const ranksOf = (market: MarketRanks | undefined, scores: Partial<Record<RankedScore, number | undefined>>) => {
  if (!market) return undefined
  const ranks: ScoreRanks = {}
  for (const [name, score] of Object.entries(scores) as [RankedScore, number | undefined][]) {
    const distribution = market.distributions[name]
    const rank = rankIn(distribution, score)
    if (!rank || !distribution) continue
    ranks[name] = {
      ...rank,
      of: populationOf(name, distribution.count),
      ...(name === 'teardownScore' ? { horizonMonths: teardownHorizonMonths } : {}),
    }
  }
  return ranks
}

const populationOf = (name: RankedScore, count: number): string =>
  (listingScores as readonly string[]).includes(name)
    ? `${wholeNumber(count)} ${count === 1 ? 'home' : 'homes'} on the market`
    : plural(count, 'parcel')
