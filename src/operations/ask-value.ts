// Asks the value model of a market while a request waits: what would the home be worth with other facts?

import type { HomeFacts, ParcelFacts } from '../domain/facts.ts'
import type { GridSale } from '../domain/findings/comps.ts'
import { comparablesOf, valueOrReason } from '../intelligence/valuation/value-home.ts'
import { valueModel } from '../store/assessments/valuations.ts'
import type { Db } from '../store/engine/database.ts'
import { type SoldHome, soldHomes } from '../store/properties/comparable-sales.ts'

/** The value of a home with some facts changed, in its rated or usual condition, on the day its market was valued; if it has a model. */
export const askValue = async (db: Db, home: ParcelFacts, changed: Partial<HomeFacts> = {}) => {
  const dated = await valueModel(db, home.market)
  return dated && valueOrReason(dated.model, { ...home, propertyId: home.id, ...changed }, dated.on)
}

export type FoundComparable = GridSale & { home: SoldHome }

/** The comparable sales of the stored value. A sale that was removed since is not shown. */
export const askComparables = async (db: Db, home: ParcelFacts): Promise<FoundComparable[]> => {
  const dated = await valueModel(db, home.market)
  const sales = dated ? comparablesOf(dated.model, { ...home, propertyId: home.id }, dated.on) : []
  const homes = await soldHomes(db, home.market, sales)
  return sales.flatMap((sale) => {
    const sold = homes.get(sale.saleId)
    return sold ? [{ ...sale, home: sold }] : []
  })
}
