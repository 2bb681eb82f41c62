// City names link to the page of the city.
import { findCity, marketById } from '../domain/packs/markets.ts'
import { type Html, html } from './html.ts'

export const marketPath = (market: string, citySlug?: string): string =>
  `/markets/${encodeURIComponent(market)}${citySlug === undefined ? '' : `/${encodeURIComponent(citySlug)}`}`

/** The name alone where no market has such a city. */
export const cityLink = (name: string, market?: string): Html => {
  const city = findCity(name, market)
  if (!city) return html`${name}`
  // A market of one city has one page.
  const path =
    marketById(city.market)?.name === city.name ? marketPath(city.market) : marketPath(city.market, city.slug)
  return html`<a class="city" href="${path}">${name}</a>`
}
