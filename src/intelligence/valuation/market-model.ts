import type { ValuationSettings } from './assumptions.ts'
import type { BoostedTrees } from './boosted-trees.ts'
import type { Hedonic } from './hedonic.ts'
import type { MarketAreas } from './market-areas.ts'
import type { PointIndex } from './nearest-sales.ts'
import type { NeighborColumns } from './neighbor-features.ts'
import type { RatioStudy } from './ratio-study.ts'
import type { RenovatedSales } from './renovated-sales.ts'
import type { SaleColumns } from './sale-columns.ts'
import type { TimeIndex } from './time-index.ts'

/** Everything a market's sales taught, kept in memory for a run. */
export interface MarketModel {
  asOf: string
  settings: ValuationSettings
  sales: SaleColumns
  index: TimeIndex
  areas: MarketAreas
  hedonic: Hedonic
  /** What the hedonic explains of each sale. */
  explained: Float64Array
  /** The area of each sale. */
  area: Int32Array
  /** By area: the log price level at which the trees speak. */
  treeLevel: Float64Array
  /** All sales, and those of each property type that has enough of its own. */
  places: { all: PointIndex; byType: ReadonlyMap<number, PointIndex> }
  neighbors: NeighborColumns
  /** One per fold; a home is judged by the mean of all. */
  ensemble: readonly BoostedTrees[]
  /** Per sale, what a model that never saw it made of it (log price per square foot, at the trees' level). */
  heldOut: Float64Array
  /** Per sale, log price less held-out value at the time of sale: what attributes, place and time leave unexplained. */
  unexplained: Float64Array
  calibration: Calibration
  renewal: RenovatedSales
  /**
   * Condominiums, where there are enough sales of them to learn from. They are a market of their own: pooled with houses they
   * moved the values of houses by several percent.
   */
  condos?: MarketModel
  /** Sales of the last months, by property type and together. */
  recent: { all: PointIndex; byType: ReadonlyMap<number, PointIndex> }
}

/** Predicts how far off a home's value is; one model per fold, of which the mean counts. */
export type ErrorModel = readonly BoostedTrees[]

/** Learned on held-out values only. */
export interface Calibration {
  /** log value += stretch · (log value - center): undoes the drawing of dear and cheap homes towards the middle. */
  stretch: number
  center: number
  shift: number
  /** The usual unexplained part of a sale in this market, absolute log. */
  usualError: number
  /** Median absolute log error of the held-out values. */
  medianError: number
  /** Expects each home's own error; undefined with too few sales to learn it from. */
  errorModel?: ErrorModel
  /** How far the range reaches below and above the value, in units of the home's own expected error. */
  range: { below: number; above: number }
  /** The held-out ratio study, in percent where RatioStudy is. */
  study: RatioStudy | undefined
}

/** The model that values homes of this type. */
export const modelFor = (model: MarketModel, home: { propertyType?: string }): MarketModel =>
  home.propertyType === 'condo' && model.condos ? model.condos : model
