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
import type { ValueRange } from './value-range.ts'

/** The fitted value model of a market, kept in memory for a run. */
export interface MarketModel {
  asOf: string
  settings: ValuationSettings
  sales: SaleColumns
  index: TimeIndex
  areas: MarketAreas
  hedonic: Hedonic
  /** Per sale: the part of its log price per square foot that the linear model explains. */
  explained: Float64Array
  /** The area of each sale. */
  area: Int32Array
  /** By area: the log price level of the trees' predictions. */
  treeLevel: Float64Array
  /** All sales, and those of each property type that has enough of its own. */
  places: { all: PointIndex; byType: ReadonlyMap<number, PointIndex> }
  neighbors: NeighborColumns
  /** One per fold; a home's value uses the mean of all. */
  ensemble: readonly BoostedTrees[]
  /** Per sale: the prediction of a model fitted without it (log price per square foot at `treeLevel`). */
  heldOut: Float64Array
  /** Per sale: log price minus held-out log value on the sale date. */
  unexplained: Float64Array
  calibration: Calibration
  renovatedSales: RenovatedSales
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

/** Fitted on held-out values only. */
export interface Calibration {
  /** log value += stretch · (log value - center): corrects the regression of expensive and inexpensive homes toward the mean. */
  stretch: number
  center: number
  shift: number
  /** Median absolute unexplained part of a sale, in log terms. */
  usualError: number
  /** Median absolute log error of the held-out values. */
  medianError: number
  /** Predicts each home's error; undefined with too few sales. */
  errorModel?: ErrorModel
  /** How far the range reaches, in multiples of the home's expected error. */
  range: ValueRange
  study: RatioStudy | undefined
}

/** The model that values homes of this type. */
export const modelFor = (model: MarketModel, home: { propertyType?: string }): MarketModel =>
  home.propertyType === 'condo' && model.condos ? model.condos : model
