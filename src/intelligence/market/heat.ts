// The market heat index of one city and property type: how strongly buyers compete, 0-100, where 50 is a typical US
// market. It is the sale-to-list ratio on a fixed curve instead of a rank among nearby cities: where every city is hot
// each should score high, and an island has no nearby cities.
import type { Confidence, SaleFacts } from '../../domain/facts.ts'
import type { Finding, HeatFinding, ScorePart } from '../../domain/findings/findings.ts'
import { percent, plural } from '../scores/number-format.ts'
import { scorePart } from '../scores/score-part.ts'
import { meanIfAny, medianIfAny } from '../statistics/average.ts'

/** Statistics of a city and property type over the last 90 days. */
export interface HeatStatistics {
  /** Closed sales behind the figures. */
  readonly sales: number
  /** Mean of sale price over last list price. */
  readonly saleToList?: number
  readonly shareAboveList?: number
  readonly daysToPending?: number
}

/** An index that also weighed months of supply, days to pending, pending share and price cuts ranked metros no better (rank correlation 0.85 with both). */
export const heatInputs = ['saleToList'] as const

const heatAssumptions = {
  /**
   * Sale price over list price, 0.96 to 0.99: the ratio of a typical US metro, which scores 50. Least squares
   * against the published index of 290 metros, 2023 to 2026.
   */
  center: 0.975,
  /**
   * Sale price over list price, 0.02 to 0.06: the change that moves the score from 50 to 73. Least squares
   * against the published index of 290 metros, 2023 to 2026.
   */
  spread: 0.04,
  /** Sales, 10 to 40: with 20 sales a city counts as much as its county. Empirical-Bayes practice. */
  shrinkSales: 20,
  /** Sales, 3 to 10: fewer sales do not describe a market. Practice of published indexes. */
  minSales: 5,
} as const

/** `region` is the market around the city; a city with few sales is shrunk toward it. */
export const marketHeat = (city: HeatStatistics, region?: HeatStatistics): Finding => {
  const { saleToList, sales } = city
  const tooFewSales = sales < heatAssumptions.minSales
  if (tooFewSales || saleToList === undefined) {
    const missing = [...(saleToList === undefined ? heatInputs : []), ...(tooFewSales ? ['sales'] : [])]
    return { parts: [], used: heatInputs.filter((input) => !missing.includes(input)), missing, confidence: 'low' }
  }
  const cityLevel = heatLevel(saleToList)
  const around = region?.saleToList
  const k = heatAssumptions.shrinkSales
  const score = around === undefined ? cityLevel : (sales * cityLevel + k * heatLevel(around)) / (sales + k)
  const shrunk =
    around === undefined ? '' : ` (${plural(sales, 'sale')}); adjusted toward ${percent(around, 1)} in the whole market`
  return {
    score,
    parts: [
      { name: 'base', points: 50, because: 'A typical US market' },
      scorePart('saleToList', score - 50, `Sale price to list price: ${percent(saleToList, 1)}${shrunk}`),
    ],
    used: heatInputs,
    missing: [],
    confidence: confidenceOf(sales),
  }
}

/** The finding behind a stored index. */
export const storedHeat = (index: { heatIndex?: number; parts: readonly ScorePart[]; sales: number }): HeatFinding => ({
  score: index.heatIndex,
  parts: [...index.parts],
  used: index.heatIndex === undefined ? [] : heatInputs,
  missing: index.heatIndex === undefined ? heatInputs : [],
  confidence: confidenceOf(index.sales),
  sales: index.sales,
})

export const heatLevel = (saleToList: number): number =>
  100 / (1 + Math.exp((heatAssumptions.center - saleToList) / heatAssumptions.spread))

const confidenceOf = (sales: number): Confidence => (sales >= 40 ? 'high' : sales >= 15 ? 'medium' : 'low')

type HeatSale = Pick<SaleFacts, 'soldOn' | 'priceUsd' | 'listPriceUsd' | 'listedOn' | 'daysOnMarket'>

const windowDays = 90

/** Uses the sales of the window up to and including `on`. */
export const heatStatistics = (sales: readonly HeatSale[], on: string): HeatStatistics => {
  const from = new Date(Date.parse(`${on}T00:00:00Z`) - windowDays * 86_400_000).toISOString().slice(0, 10)
  const closed = sales.filter((sale) => sale.soldOn > from && sale.soldOn <= on)
  const ratios = closed.flatMap((sale) => {
    const ratio = sale.listPriceUsd ? sale.priceUsd / sale.listPriceUsd : undefined
    // A ratio beyond ±50% is more often a data error than a sale (Redfin's rule).
    return ratio !== undefined && ratio > 0.5 && ratio < 1.5 ? [ratio] : []
  })
  const daysOnMarket = closed.flatMap((sale) =>
    sale.daysOnMarket !== undefined && sale.daysOnMarket >= 0 ? [sale.daysOnMarket] : [],
  )
  return {
    sales: closed.length,
    saleToList: meanIfAny(ratios),
    shareAboveList: meanIfAny(ratios.map((ratio) => Number(ratio > 1))),
    daysToPending: medianIfAny(daysOnMarket),
  }
}
