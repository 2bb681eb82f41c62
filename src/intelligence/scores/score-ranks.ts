// The rank of a score among the scores of its market: percentile and grade.
import type { SearchRow } from '../../criteria/conditions.ts'
import {
  type MarketRanks,
  rankDecimals,
  type ScoreDistribution,
  type ScoreRank,
} from '../../domain/findings/score-rank.ts'

/** The share of the population with a lower score, in percent; of equal scores, half count as lower. */
export const percentileIn = ({ quantiles }: ScoreDistribution, score: number): number => {
  const rounded = Number(score.toFixed(rankDecimals))
  let lower = 0
  let equal = 0
  for (const value of quantiles) {
    if (value < rounded) lower += 1
    else if (value === rounded) equal += 1
    else break
  }
  return (100 * (lower + equal / 2)) / quantiles.length
}

/** Rounded down, so that the grade agrees with the percentile shown and no rank is 100%. */
export const rankIn = (
  distribution: ScoreDistribution | undefined,
  score: number | undefined,
): Pick<ScoreRank, 'percentile' | 'grade'> | undefined => {
  if (!distribution || distribution.quantiles.length === 0 || score === undefined) return undefined
  const percentile = Math.min(99, Math.floor(percentileIn(distribution, score)))
  return { percentile, grade: gradeOf(percentile) }
}

const gradeOf = (percentile: number): ScoreRank['grade'] =>
  percentile >= 90 ? 'A' : percentile >= 75 ? 'B' : percentile >= 50 ? 'C' : percentile >= 25 ? 'D' : 'F'

/** The row with the percentiles that searches may test. */
export const withPercentiles = (row: SearchRow, ranks: MarketRanks | undefined): SearchRow => {
  const teardown = rankIn(ranks?.distributions.teardownScore, row.numbers.teardownRaw)
  const flip = rankIn(ranks?.distributions.flippabilityScore, row.numbers.flippabilityRaw)
  return {
    ...row,
    percentiles: { teardownRaw: teardown?.percentile, flippabilityRaw: flip?.percentile },
  }
}

/** The lowest score whose rank, as served, reaches this percentile; undefined if none does. */
export const scoreAtPercentile = ({ quantiles }: ScoreDistribution, percentile: number): number | undefined => {
  const reaches = (score: number) =>
    (rankIn({ count: quantiles.length, quantiles }, score)?.percentile ?? -1) >= percentile
  const step = 10 ** -rankDecimals
  for (const value of [-Infinity, ...quantiles]) {
    if (value !== -Infinity && reaches(value)) return value - step / 2
    const above = value === -Infinity ? (quantiles[0] ?? 0) - 1 : value + step
    if (reaches(above)) return value === -Infinity ? -Infinity : above - step / 2
  }
  return undefined
}
