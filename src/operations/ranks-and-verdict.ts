// The ranks of a property's scores in its market, and the sentence that summarizes them.

import { marketById } from '../contract/markets.ts'
import type { Proforma } from '../contract/proforma.ts'
import { marketOfProperty } from '../contract/property-id.ts'
import { listingScores, type MarketRanks, type RankedScore, type ScoreRanks } from '../contract/score-rank.ts'
import { plural, wholeNumber } from '../intelligence/number-format.ts'
import { isRankedByRenovation } from '../intelligence/rank-score.ts'
import { rankIn } from '../intelligence/score-ranks.ts'
import { hasFewDemolitions, teardownHorizonMonths } from '../intelligence/teardown.ts'
import { verdictOf } from '../intelligence/verdict.ts'

/** Undefined until the market has been assessed as a whole. */
export const ranksOf = (
  market: MarketRanks | undefined,
  scores: Partial<Record<RankedScore, number | undefined>>,
): ScoreRanks | undefined => {
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

export const propertyVerdict = (
  market: MarketRanks | undefined,
  ranks: ScoreRanks | undefined,
  {
    id,
    teardownScore,
    flippabilityScore,
    proforma,
  }: { id: string; teardownScore?: number; flippabilityScore?: number; proforma?: Proforma },
): string => {
  if (!market && teardownScore === undefined && flippabilityScore === undefined && !proforma)
    return 'Not assessed yet: the data of this market is still being loaded or scored.'
  return verdictOf({
    rebuildProbability: teardownScore === undefined ? undefined : teardownScore / 100,
    rebuildPercentile: ranks?.teardownScore?.percentile,
    flipScore: flippabilityScore,
    flipPercentile: ranks?.flippabilityScore?.percentile,
    charmPercentile: ranks?.historicCharm?.percentile,
    rankedByRenovation: isRankedByRenovation(marketById(marketOfProperty(id) ?? '')?.ranking),
    flipPriceBasis: proforma?.expectedPrice ? 'expected' : 'asking',
    returnPct: proforma?.returnPct,
    fewRebuildsKnown: market !== undefined && hasFewDemolitions(market.teardown),
  })
}

const populationOf = (name: RankedScore, count: number): string =>
  (listingScores as readonly string[]).includes(name)
    ? `${wholeNumber(count)} ${count === 1 ? 'home' : 'homes'} on the market`
    : plural(count, 'parcel')
