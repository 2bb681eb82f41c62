// The ranks of a property's scores in its market, and the sentence that summarizes them.

import type { Proforma } from '../domain/findings/proforma.ts'
import { listingScores, type MarketRanks, type RankedScore, type ScoreRanks } from '../domain/findings/score-rank.ts'
import { marketById } from '../domain/packs/markets.ts'
import { marketOfProperty } from '../domain/property-id.ts'
import { needsRenovation } from '../intelligence/scores/flippability.ts'
import { plural, wholeNumber } from '../intelligence/scores/number-format.ts'
import { rankIn } from '../intelligence/scores/score-ranks.ts'
import { verdictOf } from '../intelligence/scores/verdict.ts'
import { isRankedByRenovation } from '../intelligence/statistics/rank-score.ts'
import { hasFewDemolitions, teardownHorizonMonths } from '../intelligence/teardown/teardown.ts'

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

/** "More likely than 99% of homes" says nothing among three homes, so the sentence compares only in a larger group. */
const fewestCompared = 20

export const propertyVerdict = (
  market: MarketRanks | undefined,
  ranks: ScoreRanks | undefined,
  {
    id,
    teardownScore,
    flippabilityScore,
    flipProfitUsd,
    conditionScore,
    status,
    proforma,
  }: Partial<Record<'teardownScore' | 'flippabilityScore' | 'flipProfitUsd' | 'conditionScore', number>> & {
    id: string
    status?: string
    proforma?: Proforma
  },
): string => {
  if (!market && teardownScore === undefined && flippabilityScore === undefined && !proforma)
    return 'Not assessed yet: the data of this market is still being loaded or scored.'
  const percentileOf = (name: RankedScore): number | undefined =>
    (market?.distributions[name]?.count ?? 0) < fewestCompared ? undefined : ranks?.[name]?.percentile
  return verdictOf({
    rebuildProbability: teardownScore === undefined ? undefined : teardownScore / 100,
    rebuildPercentile: percentileOf('teardownScore'),
    needsRenovation:
      flippabilityScore === undefined || conditionScore === undefined ? undefined : needsRenovation(conditionScore),
    flipProfitUsd,
    flipPercentile: percentileOf('flippabilityScore'),
    charmPercentile: percentileOf('historicCharm'),
    rankedByRenovation: isRankedByRenovation(marketById(marketOfProperty(id) ?? '')?.ranking),
    flipPriceBasis: proforma?.expectedPrice ? 'expected' : 'asking',
    returnPct: proforma?.returnPct,
    isSold: status === 'sold',
    fewRebuildsKnown: market !== undefined && hasFewDemolitions(market.teardown),
  })
}

const populationOf = (name: RankedScore, count: number): string =>
  (listingScores as readonly string[]).includes(name)
    ? `${wholeNumber(count)} ${count === 1 ? 'home' : 'homes'} on the market`
    : plural(count, 'parcel')
