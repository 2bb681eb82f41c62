// What a lot alone would sell for. A house bought to be torn down sells for its land (Rosenthal & Helsley 1994; McMillen
// 2008), so sales followed by a demolition, and sales of bare land, teach the price of land: a share of the median
// home around, rising with the lot by an elasticity below one, larger where homes are dear, smaller on a steep lot.

export interface Lot {
  readonly lotSqft?: number
  readonly slopePct?: number
  /** The ordinary home around: its price and lot. */
  readonly around: { readonly medianPriceUsd?: number; readonly medianLotSqft?: number }
  /** How dear the spot is against that, log; none counts as ordinary. */
  readonly locationLog?: number
}

export interface LandSale extends Lot {
  /** At today's level. */
  readonly priceUsd: number
}

export interface LandValueModel {
  /** Of the median home's price, for a level lot of the median size in an area of the market's median price. */
  readonly shareOfMedian: number
  readonly elasticity: number
  /** Log share per log of the area's median price against the market's. */
  readonly dearness: number
  /** Log price per 10 points of slope. */
  readonly steepness: number
  readonly marketMedianUsd?: number
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
  dearness: {
    value: 0.1,
    unit: 'log share per log price level',
    range: [0, 0.3],
    reason: 'a house costs much the same to build everywhere, so the dearer the place, the more of it is land',
    source: 'Davis & Palumbo 2008 for the sign; the size is an assumption, replaced by the market’s own sales',
  },
  steepness: {
    value: -0.04,
    unit: 'log price per 10 points of slope',
    range: [-0.12, 0],
    reason: 'foundations, retaining walls and lost floor area take from what a builder can pay for a hillside',
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

/** Steeper than this nothing more is lost: nobody builds there but on the flat part. */
const steepestPct = 40
/** Sweeps over four coefficients; they settle in a few. */
const sweeps = 50

export const fitLandValue = (sales: readonly LandSale[], marketMedianUsd: number | undefined): LandValueModel => {
  const points = sales.flatMap((sale) => {
    const terms = termsOf(sale, marketMedianUsd)
    return terms ? [{ x: terms.x, y: Math.log(sale.priceUsd / terms.medianPriceUsd) - terms.locationLog }] : []
  })
  const { shareOfMedian, elasticity, dearness, steepness, shrinkSales } = landAssumptions
  const prior = [Math.log(shareOfMedian.value), elasticity.value, dearness.value, steepness.value]
  const ranges = [undefined, elasticity.range, dearness.range, steepness.range]
  // Ridge around the assumption: so many pseudo-sales of ordinary spread (a quarter in each term) say what it says.
  const weights = [1, 0.25, 0.25, 1].map((spread) => shrinkSales.value * spread)
  const found = [...prior]
  const residuals = points.map(({ x, y }) => y - x.reduce((sum, value, j) => sum + value * prior[j]!, 0))
  for (let sweep = 0; sweep < sweeps; sweep++)
    found.forEach((before, j) => {
      let pull = weights[j]! * (prior[j]! - before)
      let weight = weights[j]!
      points.forEach(({ x }, i) => {
        pull += x[j]! * residuals[i]!
        weight += x[j]! ** 2
      })
      const [low, high] = ranges[j] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
      const next = Math.min(high, Math.max(low, before + pull / weight))
      points.forEach(({ x }, i) => {
        residuals[i]! -= x[j]! * (next - before)
      })
      found[j] = next
    })
  return {
    shareOfMedian: Math.exp(found[0]!),
    elasticity: found[1]!,
    dearness: found[2]!,
    steepness: found[3]!,
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
    Math.exp(model.elasticity * size! + model.dearness * dear! + model.steepness * steep! + terms.locationLog)
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
      // Not known counts as level, as most lots are.
      Math.min(steepestPct, slopePct ?? 0) / 10,
    ],
  }
}
