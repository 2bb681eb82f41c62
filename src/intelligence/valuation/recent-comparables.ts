import { recentSales } from '../../domain/findings/comps.ts'
import { type MarketModel, modelFor } from './market-model.ts'
import { findNearest, makeNearest } from './nearest-sales.ts'
import { isPoint, typeCode, unknownType } from './sale-columns.ts'
import { dayOf, eastKmOf, northKmOf, type ValuationHome } from './valuation-facts.ts'

/** Sales of the same type (any type if unknown) within the radius and time of `recentSales`, and their unweighted mean price. */
export function recentComparables(market: MarketModel, subject: ValuationHome, asOf: string) {
  const model = modelFor(market, subject)
  const { sales } = model
  if (!isPoint(subject)) return { recentSalesCount: 0 }
  const day = dayOf(asOf)
  const type = typeCode(subject)
  const index = type === unknownType ? model.recent.all : model.recent.byType.get(type)
  if (!index) return { recentSalesCount: 0 }
  const near = findNearest(
    index,
    Math.fround(eastKmOf(subject, sales.projection)),
    Math.fround(northKmOf(subject, sales.projection)),
    makeNearest(recentSales.mostCounted),
    (id) => sales.day[id]! >= day || sales.day[id]! < day - recentSales.days,
    recentSales.radiusKm,
  )
  let count = 0
  let sum = 0
  for (let k = 0; k < near.count && near.distanceKm[k]! <= recentSales.radiusKm; k++) {
    count++
    sum += Math.exp(sales.logPpsf[near.ids[k]!]!)
  }
  return count === 0 ? { recentSalesCount: 0 } : { recentSalesCount: count, avgPricePerSqft: sum / count }
}
