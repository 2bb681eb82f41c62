// The two long fits that need nothing but their rows, so that they can be done wherever there is a core to spare.
import { type BiddingWarModel, fitBiddingWar } from '../intelligence/bidding-war.ts'
import type { BiddingRow } from '../intelligence/bidding-war-design.ts'
import { type FitOptions, fitMarket } from '../intelligence/valuation/fit-market.ts'
import type { MarketModel } from '../intelligence/valuation/market-model.ts'
import { seededRandom } from '../intelligence/valuation/seeded-random.ts'
import type { ValuationSale } from '../intelligence/valuation/valuation-facts.ts'

export interface Fits {
  /** Undefined where there are too few sales to learn from. */
  values(
    sales: readonly ValuationSale[],
    asOf: string,
    options?: Pick<FitOptions, 'onProgress'>,
  ): Promise<MarketModel | undefined>
  biddingWar(rows: readonly BiddingRow[]): Promise<BiddingWarModel>
}

export const fitsHere: Fits = {
  values: async (sales, asOf, options) => fitMarket(sales, asOf, options),
  biddingWar: async (rows) => fitBiddingWar(rows, { random: seededRandom(23) }),
}
