// What a lot alone would sell for. A house bought to be torn down sells for its land (Rosenthal & Helsley 1994; McMillen
// 2008), so the model learns from sales followed by a demolition and sales of vacant land. The value is a share of the
// median home price nearby; it rises less than proportionally with lot size, and falls with slope.

import { clamp } from '../statistics/clamp.ts'

interface Lot {
  readonly lotSqft?: number
  readonly slopePct?: number
  /** Median price and lot size of the homes nearby. */
  readonly around: { readonly medianPriceUsd?: number; readonly medianLotSqft?: number }
  /** Log of how much more expensive this exact location is than the homes nearby; defaults to 0. */
  readonly locationLog?: number
}

export interface LandSale extends Lot {
  /** Adjusted to today's price level. */
  readonly priceUsd: number
}

export type LandValueModel = ReturnType<typeof fitLandValue>

/** Replaced by the market's own sales, as far as there are some; the ranges also limit what is learned. */
export const landAssumptions = {
  /** Land is 60-85% of single-family value on the Peninsula. */
  shareOfMedian: 0.7,
  /** Log price per log lot: a lot twice as large sells for well under twice as much where only one house is allowed on it. */
  elasticity: { value: 0.5, range: [0.3, 0.8] },
  /**
   * Log share per log price level: building costs are similar everywhere, so in expensive areas more of the price is land (Davis &
   * Palumbo 2008 for the sign; the size is an assumption).
   */
  priceLevelEffect: { value: 0.1, range: [0, 0.3] },
  /** Log price per 10 points of slope: foundations, retaining walls and lost floor area reduce what a builder can pay. */
  slopeEffect: { value: -0.04, range: [-0.12, 0] },
  /** Land sales that count as much as the assumptions, 5 to 40. */
  shrinkSales: 15,
} as const

/** Beyond this slope the value does not fall further: only the flatter part of such a lot is built on. */
const maxSlopePct = 40
/** Coordinate-descent sweeps over four coefficients; a few are enough to converge. */
const sweeps = 50

export const fitLandValue = (sales: readonly LandSale[], marketMedianUsd: number | undefined) => {
  const points = sales.flatMap((sale) => {
    const terms = termsOf(sale, marketMedianUsd)
    return terms ? [{ x: terms.x, y: Math.log(sale.priceUsd / terms.medianPriceUsd) - terms.locationLog }] : []
  })
  const { shareOfMedian, elasticity, priceLevelEffect, slopeEffect, shrinkSales } = landAssumptions
  const prior = [Math.log(shareOfMedian), elasticity.value, priceLevelEffect.value, slopeEffect.value]
  const ranges = [undefined, elasticity.range, priceLevelEffect.range, slopeEffect.range]
  // Ridge regression toward the assumptions: the weights act like that many sales that agree with them exactly.
  const weights = [1, 0.25, 0.25, 1].map((spread) => shrinkSales * spread)
  const coefficients = [...prior]
  const residuals = points.map(({ x, y }) => y - x.reduce((sum, value, j) => sum + value * prior[j]!, 0))
  for (let sweep = 0; sweep < sweeps; sweep++)
    coefficients.forEach((before, j) => {
      let pull = weights[j]! * (prior[j]! - before)
      let weight = weights[j]!
      points.forEach(({ x }, i) => {
        pull += x[j]! * residuals[i]!
        weight += x[j]! ** 2
      })
      const [low, high] = ranges[j] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
      const next = clamp(before + pull / weight, low, high)
      points.forEach(({ x }, i) => {
        residuals[i]! -= x[j]! * (next - before)
      })
      coefficients[j] = next
    })
  return {
    /** Share of the median home price, for a flat lot of median size in an area with the market's median price. */
    shareOfMedian: Math.exp(coefficients[0]!),
    elasticity: coefficients[1]!,
    /** Change of the log share per log of the area's median price over the market's. */
    priceLevelEffect: coefficients[2]!,
    /** Change of the log price per 10 points of slope. */
    slopeEffect: coefficients[3]!,
    marketMedianUsd,
    sales: points.length,
  }
}

export const landValueUsd = (model: LandValueModel, lot: Lot): number | undefined => {
  const terms = termsOf(lot, model.marketMedianUsd)
  if (!terms) return undefined
  const [, size, dear, steep] = terms.x
  return (
    terms.medianPriceUsd *
    model.shareOfMedian *
    Math.exp(model.elasticity * size! + model.priceLevelEffect * dear! + model.slopeEffect * steep! + terms.locationLog)
  )
}

const termsOf = ({ around, lotSqft, slopePct, locationLog = 0 }: Lot, marketMedianUsd: number | undefined) => {
  const { medianPriceUsd, medianLotSqft } = around
  if (!lotSqft || !medianPriceUsd || !medianLotSqft) return undefined
  return {
    medianPriceUsd,
    locationLog,
    x: [
      1,
      Math.log(lotSqft / medianLotSqft),
      Math.log(medianPriceUsd / (marketMedianUsd ?? medianPriceUsd)),
      // An unknown slope counts as flat, as most lots are.
      Math.min(maxSlopePct, slopePct ?? 0) / 10,
    ],
  }
}
