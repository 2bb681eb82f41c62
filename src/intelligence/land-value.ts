// What a lot alone would sell for. A house bought to be torn down sells for its land (Rosenthal & Helsley 1994; McMillen
// 2008), so sales followed by a demolition, and sales of bare land, teach the price of land: a share of the city's median
// home, rising with the lot by an elasticity below one.
import type { CityLevels } from './city-levels.ts'

export interface LandSale {
  readonly citySlug: string
  readonly priceUsd: number
  readonly lotSqft?: number
  /** How dear the spot is against its city, log; none counts as ordinary. */
  readonly placeLog?: number
}

export interface LandValueModel {
  /** Of the median home's price, for a lot of the median size. */
  readonly shareOfMedian: number
  readonly elasticity: number
  readonly sales: number
}

export const landAssumptions = {
  shareOfMedian: {
    value: 0.7,
    unit: 'fraction',
    range: [0.6, 0.85],
    reason: 'land is 60-85 % of single-family value on the Peninsula',
    source: 'general knowledge, medium belief',
  },
  elasticity: {
    value: 0.5,
    unit: 'log price per log lot',
    range: [0.3, 0.8],
    reason: 'a lot twice as large sells for well under twice as much where only one house may stand on it',
    source: 'assumption, replaced by the market’s own sales',
  },
  shrinkSales: {
    value: 15,
    unit: 'sales',
    range: [5, 40],
    reason: 'how many land sales outweigh the assumption',
    source: 'assumption',
  },
} as const

export const fitLandValue = (sales: readonly LandSale[], levels: CityLevels): LandValueModel => {
  const points = sales.flatMap(({ citySlug, priceUsd, lotSqft, placeLog = 0 }) => {
    const { medianPriceUsd, medianLotSqft } = levels.of(citySlug)
    return lotSqft && medianPriceUsd && medianLotSqft
      ? [{ x: Math.log(lotSqft / medianLotSqft), y: Math.log(priceUsd / medianPriceUsd) - placeLog }]
      : []
  })
  const k = landAssumptions.shrinkSales.value
  const priorLog = Math.log(landAssumptions.shareOfMedian.value)
  const priorSlope = landAssumptions.elasticity.value
  const n = points.length
  // Ridge around the assumption: k pseudo-sales of ordinary spread say what it says.
  const spread = 0.25
  const residual = points.map(({ x, y }) => ({ x, d: y - priorLog - priorSlope * x }))
  const meanD = residual.reduce((sum, point) => sum + point.d, 0) / (n + k)
  const slopeShift =
    residual.reduce((sum, point) => sum + point.x * (point.d - meanD), 0) /
    (residual.reduce((sum, point) => sum + point.x ** 2, 0) + k * spread)
  const [low, high] = landAssumptions.elasticity.range
  return {
    shareOfMedian: Math.exp(priorLog + meanD),
    elasticity: Math.min(high, Math.max(low, priorSlope + slopeShift)),
    sales: n,
  }
}

export const landValueUsd = (
  model: LandValueModel,
  levels: CityLevels,
  { citySlug, lotSqft, placeLog = 0 }: { citySlug: string; lotSqft?: number; placeLog?: number },
): number | undefined => {
  const { medianPriceUsd, medianLotSqft } = levels.of(citySlug)
  if (!lotSqft || !medianPriceUsd || !medianLotSqft) return undefined
  return medianPriceUsd * model.shareOfMedian * (lotSqft / medianLotSqft) ** model.elasticity * Math.exp(placeLog)
}
