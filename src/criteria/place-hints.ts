// Hints for cities, ZIP codes and ids that a search names and that are not in the markets it searches: an empty list alone does not tell a
// typing error from a city without matches.

import { closestName } from '../common/suggest.ts'
import type { MarketId } from '../domain/facts.ts'
import { findCity, jurisdictions } from '../domain/packs/markets.ts'
import { marketOfProperty } from '../domain/property-id.ts'
import type { SearchKind } from './table.ts'

export const cityHints = (names: readonly string[], kind: SearchKind, searched: readonly MarketId[]) => {
  const searchedCities = jurisdictions().filter(({ market }) => searched.includes(market))
  return names.flatMap((name) => {
    const safeName = name.replace(/\p{Cc}/gu, '·').slice(0, longestName)
    if (searchedCities.some((city) => isNamed(name, city, kind))) return []
    const other = findCity(name)
    if (other) return elsewhere(`city: ${other.name}`, other.market)
    const close = closestName(
      name,
      searchedCities.map((city) => city.name),
    )
    return [
      close === undefined
        ? `city: "${safeName}" is not a city of the markets searched; GET /v1/markets lists them.`
        : `city: "${safeName}" is not a city of the markets searched; did you mean ${close}?`,
    ]
  })
}

/** For ZIP codes that only other markets list. */
export const zipHints = (zips: readonly string[], searched: readonly MarketId[]): readonly string[] =>
  zips.flatMap((zip) => {
    const places = marketsWithZip(zip)
    return places.some((market) => searched.includes(market)) ? [] : elsewhere(`zip: ${zip}`, places[0])
  })

/** For the homes of other markets. */
export const idHints = (ids: readonly string[], searched: readonly MarketId[]): readonly string[] =>
  ids.flatMap((id) => {
    const market = marketOfProperty(id)
    return market !== undefined && searched.includes(market) ? [] : elsewhere(`id: ${id}`, market)
  })

const elsewhere = (what: string, market: MarketId | undefined): string[] =>
  market === undefined ? [] : [`${what} is in the market ${market}; did you mean market=${market}?`]

/** For an empty list: a ZIP code that no market lists may still be that of a parcel outside the cities. */
export const unknownZipHints = (zips: readonly string[]): readonly string[] =>
  zips
    .filter((zip) => marketsWithZip(zip).length === 0)
    .map((zip) => `zip: no city of the loaded markets has ${zip}; GET /v1/markets lists the cities.`)

const marketsWithZip = (zip: string): readonly MarketId[] =>
  jurisdictions()
    .filter(({ zipCodes }) => zipCodes.includes(zip))
    .map(({ market }) => market)

const longestName = 60

/** Permits match a part of a name, all others the whole name. */
const isNamed = (name: string, city: { name: string; slug: string; market: MarketId }, kind: SearchKind): boolean => {
  const lower = name.toLowerCase()
  if (kind === 'permits' && (city.name.toLowerCase().includes(lower) || city.slug.includes(lower))) return true
  return findCity(name, city.market)?.slug === city.slug
}
