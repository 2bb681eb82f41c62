// The ranks of a property's scores among those of its market.
import type { Static } from 'typebox'
import { integer, literals, object, optional, text } from '../../common/shape.ts'
import { tableOf } from '../../common/typed.ts'

/** Scores of a listing are ranked among the homes on the market, the others among all parcels. */
export const listingScores = [
  'teardownScore',
  'flippabilityScore',
  'conditionScore',
  'historicCharm',
  'biddingWarPredictor',
] as const
export const parcelScores = ['aduScore', 'redevelopmentScore'] as const
export type RankedScore = (typeof listingScores)[number] | (typeof parcelScores)[number]

export const ScoreRank = object('ScoreRank', {
  percentile: integer('Percent of the population with a lower score, 0 to 99'),
  of: text('The population, for example “213 homes on the market”'),
  grade: literals(['A', 'B', 'C', 'D', 'F'], {
    description: 'A from percentile 90, B from 75, C from 50, D from 25, otherwise F',
  }),
  horizonMonths: optional.integer('Months after a sale that the probability covers; on the teardown score'),
})
export type ScoreRank = Static<typeof ScoreRank>

/** "first 2% of 213 homes for sale or pending": a place in the order, which says nothing about money. */
export const placeWords = ({ percentile, of }: Pick<ScoreRank, 'percentile' | 'of'>): string => {
  const population = of.replace('on the market', 'for sale or pending')
  return percentile >= 50
    ? `first ${100 - percentile}% of ${population}`
    : `last ${Math.max(1, percentile)}% of ${population}`
}

export const ScoreRanks = object(
  'ScoreRanks',
  'The rank of each score in its market',
  tableOf([...listingScores, ...parcelScores], () => optional(ScoreRank)),
)
export type ScoreRanks = Static<typeof ScoreRanks>

/** The scores of a population, thinned to evenly spaced quantiles, lowest first. */
export interface ScoreDistribution {
  readonly count: number
  readonly quantiles: readonly number[]
}

/** Stored quantiles are rounded to this many decimals. A score is rounded in the same way before it is compared with them. */
export const rankDecimals = 4

/** How the scores of a market are distributed, and what its teardown model was learned from. */
export interface MarketRanks {
  readonly distributions: Readonly<Partial<Record<RankedScore, ScoreDistribution>>>
  readonly teardown: { readonly kind: 'prior' | 'fitted'; readonly rows: number; readonly positives: number }
  /** The day the market was assessed for, if an operator chose it because the data ends in the past. */
  readonly asOf?: string
}
