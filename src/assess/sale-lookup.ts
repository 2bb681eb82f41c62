import type { MarketModel } from '../intelligence/valuation/market-model.ts'

/** The model that was fitted on a sale, and the sale's index in its columns. */
export interface ModelSale {
  model: MarketModel
  at: number
}

/** Finds a sale by its id in the value model of its market or in that of its condominiums. */
export const saleLookup = (market: MarketModel | undefined): ((saleId: string) => ModelSale | undefined) => {
  const found = new Map<string, ModelSale>()
  for (const model of [market, market?.condos])
    model?.sales.saleId.forEach((saleId, at) => {
      found.set(saleId, { model, at })
    })
  return (saleId) => found.get(saleId)
}
