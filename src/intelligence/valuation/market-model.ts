import type { ValuationSettings } from './assumptions.ts'
import type { BoostedTrees } from './boosted-trees.ts'
import type { calibrate } from './calibration.ts'
import type { Hedonic } from './hedonic.ts'
import type { NeighborColumns } from './neighbor-features.ts'
import type { RenovatedSales } from './renovated-sales.ts'
import type { SaleColumns, SalesByType } from './sale-columns.ts'
import type { SupportLimits } from './support.ts'
import type { TimeIndex } from './time-index.ts'

/** The fitted value model of a market, kept in memory for a run. */
export interface MarketModel {
  asOf: string
  settings: ValuationSettings
  sales: SaleColumns
  index: TimeIndex
  hedonic: Hedonic
  /** All sales, and those of each property type that has enough of its own. */
  places: SalesByType
  neighbors: NeighborColumns
  /** One per fold; a home's value uses the mean of all. */
  ensemble: readonly BoostedTrees[]
  /** Per sale: the prediction of a model fitted without it (log price per square foot at the price level of `asOf`). */
  heldOut: Float64Array
  /** Per sale: log price minus held-out log value on the sale date. */
  unexplained: Float64Array
  /** Fitted on held-out values only. */
  calibration: ReturnType<typeof calibrate>
  support: SupportLimits
  renovatedSales: RenovatedSales
  /**
   * Condominiums, where there are enough sales of them to learn from. They are a market of their own: pooled with houses they
   * moved the values of houses by several percent.
   */
  condos?: MarketModel
  /** Sales of the last year, by property type and together. */
  recent: SalesByType
}

/** Predicts how far off a home's value is; one model per fold, of which the mean counts. */
export type ErrorModel = readonly BoostedTrees[]

export const modelFor = (model: MarketModel, home: { propertyType?: string }): MarketModel =>
  home.propertyType === 'condo' && model.condos ? model.condos : model
