// Comparable sales: which recent sales are counted, and the grid of adjusted sales behind a value.

import { type Static, Type } from 'typebox'
import { date, number, object, optional, text } from '../../common/shape.ts'
import { pick } from '../../common/typed.ts'
import { factShapes } from '../fact-shapes.ts'
import { point, rooms } from '../searched-row.ts'

/** Which sales `recentSalesCount` and `avgPricePerSqft` cover. Fannie Mae B4-1.3-08 prefers the same market area. */
export const recentSales = { months: 6, days: 182, radiusMiles: 1, radiusKm: 1.609, mostCounted: 50 } as const

export const Comparables = object('Comparables', {
  recentSalesCount: optional.integer(
    `Sales of the same property type within radiusMiles in the last windowMonths; at most ${recentSales.mostCounted} are counted`,
  ),
  avgPricePerSqft: optional.number('Their mean price per square foot, dollars'),
  windowMonths: optional.integer('Months the count covers'),
  radiusMiles: optional.number('Miles around the property the count covers'),
})
export type Comparables = Static<typeof Comparables>

const grid = {
  saleId: text('Identifier of the sale'),
  soldOn: date('Date of sale'),
  priceUsd: number('Sale price, dollars'),
  distanceKm: number('Distance from the property, kilometers'),
  timeAdjustedUsd: number(
    'Sale price, adjusted with the market’s price index to the price level on the day of the assessment, dollars',
  ),
  similarity: number('How alike it is in distance, date, size, age, lot, type and quality: 100 is the same home today'),
  adjustments: Type.Object(
    {
      time: number('Change of market prices since the sale, dollars'),
      size: number('Size, rooms and stories, dollars'),
      lot: number('Lot, dollars'),
      age: number('Age and renovation, dollars'),
      quality: number('Quality, view and waterfront, dollars'),
      condition: number('Condition, dollars'),
      type: number('Property type, dollars'),
    },
    {
      description: 'What was added to the price for each difference. Facts that are not known of both are not adjusted',
    },
  ),
  attributeAdjustmentUsd: number('Sum of the adjustments without time, dollars'),
  adjustedUsd: number('priceUsd plus all adjustments, dollars'),
  weight: number('Weight in the weighted median; all weights add up to 1'),
}

export const GridSale = Type.Object(grid)
export type GridSale = Static<typeof GridSale>

/** The home that was sold, as it is served with a sale. */
const soldHome = {
  propertyId: optional.text('The property that was sold'),
  address: optional.text('Street address'),
  city: optional.text('City name'),
  ...point,
  livingSqft: factShapes.livingSqft,
  lotSqft: factShapes.lotSqft,
  ...rooms,
}

/** As served: with the home that was sold. A sale before the history window of a key is left out. */
export const ComparableSale = object('ComparableSale', {
  ...grid,
  saleId: optional(grid.saleId),
  soldOn: optional(grid.soldOn),
  unexplainedUsd: optional.number(
    'adjustedUsd minus the value estimate: what the adjustments leave unexplained, dollars',
  ),
  unexplainedAdjustmentUsd: Type.Number({
    description: 'Always 0: what stays unexplained is shown in unexplainedUsd and not adjusted away',
    deprecated: true,
  }),
  ...soldHome,
})
export type ComparableSale = Static<typeof ComparableSale>

const resale = {
  ...pick(grid, 'saleId', 'soldOn', 'priceUsd', 'distanceKm'),
  pricePerSqft: number('Sale price per square foot, dollars'),
  timeAdjustedPerSqft: number(
    'The same, adjusted with the local index to the price level on the day of the assessment, dollars',
  ),
  adjustedPerSqft: number('The same, adjusted to a new house of the build size on this lot, dollars'),
  weight: grid.weight,
}

/** A sale of a new, renovated or top-priced home behind `arvPerSqft`, as the assessment stores it. */
export const StoredResaleSale = Type.Object(resale)
export type StoredResaleSale = Static<typeof StoredResaleSale>

/** As served. `arvPerSqft` is the weighted median of `adjustedPerSqft`. */
export const ResaleSale = object('ResaleSale', {
  ...resale,
  saleId: optional(resale.saleId),
  soldOn: optional(resale.soldOn),
  ...soldHome,
})
export type ResaleSale = Static<typeof ResaleSale>
