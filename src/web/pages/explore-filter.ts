// What a reader asked the ranked list for: read from the address, shown in the form, and asked of the store.
import { addressKey } from '../../contract/address.ts'
import { forSaleStatuses, type MarketId, marketIds, shownStatuses } from '../../contract/facts.ts'
import { cities, markets } from '../../contract/markets.ts'
import type { ListingFilter } from '../../operations/search-listings.ts'
import { statusWords } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { noted, numberIn, oneOf, type Query, shortened, someOf, textIn } from '../query.ts'

export interface Chosen {
  market: MarketId
  city?: string
  status: (typeof shownStatuses)[number][]
  minPrice?: number
  maxPrice?: number
  minScore?: number
  address?: string
}

/** `problems` takes what could not be used, in words for the reader; the rest holds. */
export const chosenIn = (query: Query, problems: string[] = []): Chosen => {
  const read = <T>(name: string, label: string, accepted: string, value: T | undefined) =>
    noted(problems, query, { name, label, accepted }, value)
  const market = read('market', 'Market', `there are ${marketIds.join(' and ')}`, oneOf(query, 'market', marketIds))
  const chosen: Chosen = {
    market: market ?? 'sf-peninsula',
    city: undefined,
    status: statusesIn(query, problems),
    minPrice: read('minPrice', 'Price from', inDollars, numberIn(query, 'minPrice', 0, 1e9)),
    maxPrice: read('maxPrice', 'Price to', inDollars, numberIn(query, 'maxPrice', 0, 1e9)),
    minScore: read('minScore', 'Score from', 'scores go from 0 to 100', numberIn(query, 'minScore', 0, 100)),
    address: read('address', 'Address', 'it takes a part of an address, up to 100 characters', addressIn(query)),
  }
  chosen.city = read('city', 'City', `${nameOf(chosen.market)} has no such city`, cityIn(query, chosen.market))
  const { minPrice, maxPrice } = chosen
  if (minPrice !== undefined && maxPrice !== undefined && minPrice > maxPrice)
    problems.push('Price from is above price to, so nothing can match.')
  return chosen
}

const inDollars = 'it takes dollars, such as 1,500,000'

export const nameOf = (market: MarketId): string => markets.find(({ id }) => id === market)!.name

const cityIn = (query: Query, market: MarketId): string | undefined => {
  const asked = textIn(query, 'city')
  return cities.find((city) => city.slug === asked && city.market === market)?.slug
}

const addressIn = (query: Query): string | undefined => {
  const text = textIn(query, 'address', 100)
  return text && addressKey(text) ? text : undefined
}

const statusesIn = (query: Query, problems: string[]): Chosen['status'] => {
  const given = someOf(query, 'status', shownStatuses)
  const odd = [query.status ?? []].flat().filter((each) => each !== '' && !given.includes(each as never))
  if (odd.length > 0)
    problems.push(
      `Status “${shortened(odd.map(String).join(', '))}” was left out: there are ${shownStatuses.join(', ')}.`,
    )
  // Unless the reader asks for others, what one can still buy.
  return given.length > 0 ? given : [...forSaleStatuses]
}

export const filterOf = ({ market, city, status, minPrice, maxPrice, minScore, address }: Chosen): ListingFilter => ({
  market,
  citySlug: city,
  status,
  minPrice,
  maxPrice,
  minScore,
  addressKey: address && addressKey(address),
})

export const paramsOf = ({ market, status, ...rest }: Chosen) => ({
  market,
  ...rest,
  status: status.join() === forSaleStatuses.join() ? undefined : status,
})

export const filterForm = (
  chosen: Chosen,
): Html => html`<form class="filters" method="get" action="/explore" data-filters>
<fieldset class="market-choice"><legend>Market</legend>${markets.map(
  ({ id, name }) =>
    html`<label><input type="radio" name="market" value="${id}"${chosen.market === id ? html` checked` : ''}><span>${name}</span></label>`,
)}</fieldset>
<label>City<select name="city"><option value="">All</option>${cities
  .filter(({ market }) => market === chosen.market)
  .map(
    ({ slug, name }) => html`<option value="${slug}"${slug === chosen.city ? html` selected` : ''}>${name}</option>`,
  )}</select></label>
<label>Address<input name="address" type="search" value="${chosen.address}" maxlength="100" placeholder="Part of it"></label>
<label>Price from<input name="minPrice" inputmode="numeric" value="${chosen.minPrice}" placeholder="Any"></label>
<label>Price to<input name="maxPrice" inputmode="numeric" value="${chosen.maxPrice}" placeholder="Any"></label>
<label>Score from<input name="minScore" inputmode="numeric" value="${chosen.minScore}" placeholder="0"></label>
<fieldset class="status-choice"><legend>Status</legend>${shownStatuses.map(
  (status) =>
    html`<label><input type="checkbox" name="status" value="${status}"${chosen.status.includes(status) ? html` checked` : ''}><span>${statusWords[status]}</span></label>`,
)}</fieldset>
<div class="filter-buttons"><button class="button">Show</button> <a href="/explore?market=${chosen.market}">Clear</a></div>
</form>`
