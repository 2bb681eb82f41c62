import type { MarketModel } from '../intelligence/valuation/market-model.ts'

/** The model that learned from a sale, and the sale's place in its columns. */
export interface LearnedSale {
  model: MarketModel
  at: number
}

/** Finds by its id the sale as the value model of its market, or of its condominiums, holds it. */
export const saleLookup = (market: MarketModel | undefined): ((saleId: string) => LearnedSale | undefined) => {
  const found = new Map<string, LearnedSale>()
  for (const model of [market, market?.condos])
    model?.sales.saleId.forEach((saleId, at) => {
      found.set(saleId, { model, at })
    })
  return (saleId) => found.get(saleId)
}
