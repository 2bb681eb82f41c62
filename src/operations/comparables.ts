// The comparable sales of a home, computed when it is read: nothing is stored per home, and new sales count at once.

import type { ParcelFacts } from '../domain/facts.ts'
import type { GridSale } from '../domain/findings/comps.ts'
import {
  comparableSearches,
  comparablesOf,
  comparablesValue,
  type PriceAdjustments,
} from '../intelligence/valuation/comparables.ts'
import { latestModel } from '../store/assessments/models.ts'
import type { Db } from '../store/engine/database.ts'
import { salesAround } from '../store/properties/comparable-sales.ts'

const enough = 12
const mostRead = 3_000

export type FoundComparable = GridSale & { home: Awaited<ReturnType<typeof salesAround>>[number] }

interface FoundComparables {
  sales: FoundComparable[]
  value: number | undefined
}

/** `on` is the day of the value. Undefined if the location or size is unknown, or the market has no price index yet. */
export const findComparables = async (
  db: Db,
  facts: ParcelFacts,
  on: string,
): Promise<FoundComparables | undefined> => {
  const { lat, lng, livingSqft } = facts
  if (lat === undefined || lng === undefined || !livingSqft) return undefined
  const stored = await latestModel<PriceAdjustments>(db, 'price-adjustments', facts.market)
  if (!stored) return undefined
  const subject = { ...facts, lat, lng, propertyId: facts.id }
  for (const { km, years } of comparableSearches) {
    const since = `${Number(on.slice(0, 4)) - years}${on.slice(4)}`
    const near = await salesAround(db, facts.market, { lat, lng }, { km, since, most: mostRead })
    const sales = comparablesOf(stored.body, subject, near, on)
    if (sales.length < enough && km !== comparableSearches.at(-1)!.km) continue
    const homes = new Map(near.map((sale) => [sale.saleId, sale]))
    return { sales: sales.map((sale) => ({ ...sale, home: homes.get(sale.saleId)! })), value: comparablesValue(sales) }
  }
  return undefined
}
