import { badRequest } from '../contract/errors.ts'
import type { MarketId } from '../contract/facts.ts'
import { citySlug, defaultMarket, findCity, marketIds, marketOf } from '../contract/markets.ts'

/** The market a caller names by id or alias; the default market when none is named. */
export const requestedMarket = (given: string | undefined): MarketId => {
  if (given === undefined) return defaultMarket
  const market = marketOf(given)
  if (market === undefined)
    throw badRequest(`market must be one of ${marketIds.join(', ')}; it is "${given}". GET /v1/markets lists them.`)
  return market
}

/** The slug of a city by name or slug. A city that is in no pack has the slug of its name, as its rows have. */
export const requestedCitySlug = <C extends string | undefined>(city: C, market: MarketId): C =>
  (city === undefined ? undefined : (findCity(city, market)?.slug ?? citySlug(city))) as C
