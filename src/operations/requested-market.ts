import { badRequest } from '../common/errors.ts'
import type { MarketId } from '../domain/facts.ts'
import { defaultMarket, marketIds, marketOf } from '../domain/packs/markets.ts'

/** The market a caller names by id or alias; the default market when none is named. */
export const requestedMarket = (given: string | undefined): MarketId => {
  if (given === undefined) return defaultMarket()
  const market = marketOf(given)
  if (market === undefined)
    throw badRequest(`market must be one of ${marketIds().join(', ')}; it is "${given}". GET /v1/markets lists them.`)
  return market
}
