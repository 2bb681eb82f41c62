// The two slowest fits. They need only their rows, so they can run in this thread or in another.
import type { BiddingWarModel } from '../intelligence/bidding-war/bidding-war.ts'
import type { BiddingRow } from '../intelligence/bidding-war/bidding-war-design.ts'
import { fitBiddingWar } from '../intelligence/bidding-war/bidding-war-fit.ts'
import { type FitOptions, fitMarket } from '../intelligence/valuation/fit-market.ts'
import type { MarketModel } from '../intelligence/valuation/market-model.ts'
import { seededRandom } from '../intelligence/valuation/seeded-random.ts'
import type { ValuationSale } from '../intelligence/valuation/valuation-facts.ts'

export interface ModelFits {
  /** Undefined when there are too few sales. */
  values(
    sales: readonly ValuationSale[],
    asOf: string,
    options?: Pick<FitOptions, 'onProgress'>,
  ): Promise<MarketModel | undefined>
  biddingWar(rows: readonly BiddingRow[]): Promise<BiddingWarModel>
}

export const fitsInThisThread: ModelFits = {
  values: async (sales, asOf, options) => fitMarket(sales, asOf, options),
  biddingWar: async (rows) => fitBiddingWar(rows, seededRandom(23)),
}
