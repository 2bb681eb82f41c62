// The city of a page: the same field with suggestions everywhere, and a link to the city that a mistyped name probably means.

import { closestName } from '../common/suggest.ts'
import { cityHints } from '../criteria/place-hints.ts'
import { cityNames } from '../criteria/table.ts'
import type { MarketId } from '../domain/facts.ts'
import { cities, cityBySlug, findCity, marketById } from '../domain/packs/markets.ts'
import { inMarket } from '../domain/packs/pack.ts'
import { type Html, type HtmlValue, html } from './html.ts'
import { pathWithQuery, type Query, readerOf, shortened } from './query.ts'

/** `value`: a slug, or what was typed. */
export const cityField = (market: MarketId | 'all', value: string | undefined): Html =>
  html`<label>City<input name="city" value="${value && (cityBySlug(value)?.name ?? value)}" list="cities" placeholder="All cities" autocomplete="off"></label>
<datalist id="cities">${cities()
    .filter((city) => market === 'all' || city.market === market)
    .map(({ name }) => html`<option value="${name}"></option>`)}</datalist>`

/**
 * The city in the URL: its slug, or what was typed where there is no such city, so that the list is empty. The message then has a
 * link to the city that was probably meant.
 */
export const cityIn = (query: Query, market: MarketId, problems: HtmlValue[], path: string): string | undefined => {
  const given = readerOf(query, problems).text('city', 'City', 80)
  if (given === undefined) return undefined
  const named = findCity(given, market)
  if (named) return named.slug
  if (cityHints(cityNames(given), 'listings', [market]).length === 0) return given
  const searched = cities().filter((city) => city.market === market)
  const close = closestName(
    given,
    searched.map(({ name }) => name),
  )
  const meant = findCity(given) ?? searched.find(({ name }) => name === close)
  const rest = Object.fromEntries(
    Object.entries(query).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  )
  const link = meant && { ...rest, ...(meant.market !== market && { market: meant.market }), city: meant.slug }
  problems.push(
    html`There is no city “${shortened(given)}” ${inMarket(marketById(market)!)}.${link ? html` Did you mean <a href="${pathWithQuery(path, link)}">${meant.name}</a>?` : ''}`,
  )
  return given
}
