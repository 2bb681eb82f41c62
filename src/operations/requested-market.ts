import { badRequest } from '../common/errors.ts'
import type { MarketId } from '../domain/facts.ts'
import { defaultMarket, marketIds, marketOf } from '../domain/packs/markets.ts'

/** The market a caller names by id or alias; the default market when none is named. */
export const requestedMarket = (name: string | undefined): MarketId => {
  if (name === undefined) return defaultMarket()
  const market = marketOf(name)
  if (market === undefined)
    throw badRequest(`market must be one of ${marketIds().join(', ')}; it is "${name}". GET /v1/markets lists them.`)
  return market
}
