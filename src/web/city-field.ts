// The city of a page: the same field with suggestions everywhere, and a link to the city that a mistyped name probably means.

import { closestName } from '../common/suggest.ts'
import type { MarketId } from '../domain/facts.ts'
import { cities, cityBySlug, markets } from '../domain/packs/markets.ts'
import { type Html, type HtmlValue, html } from './html.ts'
import { pathWithQuery, type Query, reportInvalid, shortened, textIn } from './query.ts'

/** `value`: a slug, or what was typed. */
export const cityField = (market: MarketId | 'all', value: string | undefined): Html =>
  html`<label>City<input name="city" value="${value && (cityBySlug(value)?.name ?? value)}" list="cities" placeholder="All cities" autocomplete="off"></label>
<datalist id="cities">${cities()
    .filter((city) => market === 'all' || city.market === market)
    .map(({ name }) => html`<option value="${name}"></option>`)}</datalist>`

/** The slug of the city in the URL, by slug or name. A mistyped name is reported with a link to the page of the city it is near. */
export const cityIn = (query: Query, market: MarketId, problems: HtmlValue[], path: string): string | undefined => {
  const given = textIn(query, 'city', 80)
  const own = cities().filter((city) => city.market === market)
  const typed = given?.toLowerCase()
  const named = own.find(({ slug, name }) => slug === typed || name.toLowerCase() === typed)
  if (named) return named.slug
  const marketName = markets().find(({ id }) => id === market)!.name
  const meant =
    given &&
    closestName(
      given,
      own.map(({ name }) => name),
    )
  if (!meant)
    return reportInvalid(
      problems,
      query,
      { name: 'city', label: 'City', accepted: `must be a city in ${marketName}` },
      undefined,
    )
  const { slug, name } = own.find((city) => city.name === meant)!
  const rest = Object.fromEntries(
    Object.entries(query).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  )
  problems.push(
    html`There is no city “${shortened(given)}” in ${marketName}. Did you mean <a href="${pathWithQuery(path, { ...rest, city: slug })}">${name}</a>?`,
  )
  return undefined
}
