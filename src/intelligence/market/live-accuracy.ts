// Scores forecasts against what happened later, by month: figures, the band in which chance alone would keep them, and the alarm.
import { monthAfter } from '../../domain/day.ts'
import type { LiveAccuracy } from '../../domain/findings/coverage-and-accuracy.ts'
import { brierScore } from '../statistics/calibration.ts'
import { valuationSettings } from '../valuation/assumptions.ts'
import { quantileOf } from '../valuation/quantiles.ts'
import { studyRatios } from '../valuation/ratio-study.ts'

export type Outcome = { city: string; month: string } & (
  | { model: 'value'; valueUsd: number; lowUsd?: number; highUsd?: number; priceUsd: number }
  | { model: 'bidding-war' | 'teardown'; probability: number; happened: boolean }
  /** A listing that was withdrawn: counted, not scored. */
  | { model: 'bidding-war'; withdrawn: true }
)

type LiveFigures = Omit<LiveAccuracy, 'market' | 'sample'>

/** Figures of fewer forecasts are withheld, so that none is about one home. */
const fewest = 10
/** Bands and alarms need this many. */
const fewestForBand = 30
/** The share of prices that the stated range is made to contain. */
const rangeShare = valuationSettings().rangeShare

/** By model, month and city; without a city for the whole market. Sorted by month. */
export const liveAccuracy = (outcomes: readonly Outcome[]): LiveFigures[] => {
  const series = Map.groupBy(
    outcomes.flatMap((outcome) => [
      { outcome, of: `${outcome.model}/` },
      { outcome, of: `${outcome.model}/${outcome.city}` },
    ]),
    ({ of }) => of,
  )
  return [...series]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([of, rows]) => {
      const [model, city] = of.split('/') as [LiveAccuracy['model'], string]
      const outcomes = rows.map(({ outcome }) => outcome)
      const months = Map.groupBy(outcomes, ({ month }) => month)
      const figures = [...months]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([month, each]): LiveFigures[] => {
          const measured = model === 'value' ? valueFigures(each) : probabilityFigures(each)
          return measured.n < fewest ? [] : [{ ...(city ? { city } : {}), model, month, ...measured }]
        })
      return withAlarm(figures)
    })
}

const valueFigures = (outcomes: readonly Outcome[]) => {
  const sold = outcomes.filter((each) => each.model === 'value')
  const study = studyRatios(sold)
  if (!study) return { n: 0 }
  const { n, mdape, within10, medianRatio } = study
  const ranged = sold.filter(({ lowUsd, highUsd }) => lowUsd !== undefined && highUsd !== undefined)
  const inside = ranged.filter(({ lowUsd, highUsd, priceUsd }) => priceUsd >= lowUsd! && priceUsd <= highUsd!).length
  const figures = {
    n,
    mdape: rounded(mdape),
    within10: rounded(within10),
    medianRatio: rounded(medianRatio),
    ...(ranged.length > 0 ? { withinRange: rounded((100 * inside) / ranged.length) } : {}),
  }
  if (n < fewestForBand) return figures
  const ratio = medianBand(sold.map(({ valueUsd, priceUsd }) => valueUsd / priceUsd))
  const coverage = ranged.length < fewestForBand ? undefined : coverageBand(ranged.length)
  const outside: ('medianRatio' | 'withinRange')[] = []
  if (medianRatio < ratio.low || medianRatio > ratio.high) outside.push('medianRatio')
  if (coverage && (inside < coverage.low || inside > coverage.high)) outside.push('withinRange')
  const percent = (count: number) => rounded((100 * count) / ranged.length)
  return {
    ...figures,
    band: {
      medianRatio: { low: rounded(ratio.low), high: rounded(ratio.high) },
      ...(coverage ? { withinRange: { low: percent(coverage.low), high: percent(coverage.high) } } : {}),
    },
    outside,
  }
}

const probabilityFigures = (outcomes: readonly Outcome[]) => {
  const scored = outcomes.filter((each) => 'happened' in each)
  const withdrawn = outcomes.length - scored.length
  const happened = scored.map((each) => (each.happened ? 1 : 0))
  const brier = brierScore(
    scored.map(({ probability }) => probability),
    happened,
  )
  return { n: scored.length, brier: rounded(brier), ...(withdrawn > 0 ? { withdrawn } : {}) }
}

/** Around 1, three standard errors of a median each way. The spread is taken from the quartiles, which outliers do not move. */
export const medianBand = (ratios: readonly number[]): { low: number; high: number } => {
  const spread = (quantileOf(ratios, 0.75) - quantileOf(ratios, 0.25)) / 1.349
  const reach = (3 * 1.2533 * spread) / Math.sqrt(ratios.length)
  return { low: 1 - reach, high: 1 + reach }
}

/** The central 99% of a binomial distribution: how many of `n` prices are inside their ranges if each is with 80%. */
export const coverageBand = (n: number): { low: number; high: number } => {
  let logMass = n * Math.log(1 - rangeShare)
  let reached = 0
  let low: number | undefined
  for (let k = 0; k <= n; k++) {
    reached += Math.exp(logMass)
    if (reached >= 0.005) low ??= k
    if (reached >= 0.995) return { low: low!, high: k }
    logMass += Math.log((n - k) / (k + 1)) + Math.log(rangeShare / (1 - rangeShare))
  }
  return { low: low ?? n, high: n }
}

/** The same figure outside its band in the last two months with a band, one directly after the other. */
const withAlarm = (figures: readonly LiveFigures[]): LiveFigures[] => {
  const [before, last] = figures.filter(({ band }) => band).slice(-2)
  if (!before || !last || monthAfter(before.month) !== last.month) return [...figures]
  const alarm = last.outside!.some((name) => before.outside!.includes(name))
  return figures.map((each) => (alarm && each === last ? { ...each, alarm } : each))
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4
