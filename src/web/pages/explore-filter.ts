// The filters of the Explore page: read from the URL, shown in the form, passed to the search.
import { addressKey } from '../../contract/address.ts'
import { type MarketId, onMarketStatuses, shownStatuses } from '../../contract/facts.ts'
import { cities, defaultMarket, marketIds, markets } from '../../contract/markets.ts'
import type { ListingFilter } from '../../operations/search-listings.ts'
import { statusWords } from '../formats.ts'
import { type Html, html } from '../html.ts'
import { numberIn, oneOf, type Query, reportInvalid, shortened, someOf, textIn } from '../query.ts'

type ShownStatus = (typeof shownStatuses)[number]

export interface ExploreFilter {
  market: MarketId
  city?: string
  status: ShownStatus[]
  minPrice?: number
  maxPrice?: number
  minScore?: number
  address?: string
}

/** Adds a message to `problems` for each value that could not be used; the other filters still apply. */
export const readFilter = (query: Query, problems: string[] = []): ExploreFilter => {
  const read = <T>(name: string, label: string, accepted: string, value: T | undefined) =>
    reportInvalid(problems, query, { name, label, accepted }, value)
  const market =
    read('market', 'Market', `must be ${marketIds.join(' or ')}`, oneOf(query, 'market', marketIds)) ?? defaultMarket
  const filter: ExploreFilter = {
    market,
    city: undefined,
    status: statusesIn(query, problems),
    minPrice: read('minPrice', 'Min price', dollarsAccepted, numberIn(query, 'minPrice', 0, 1e9)),
    maxPrice: read('maxPrice', 'Max price', dollarsAccepted, numberIn(query, 'maxPrice', 0, 1e9)),
    minScore: read('minScore', 'Min score', 'must be a number from 0 to 100', numberIn(query, 'minScore', 0, 100)),
    address: read(
      'address',
      'Street address',
      'must contain letters or digits, at most 100 characters',
      addressIn(query),
    ),
  }
  filter.city = read('city', 'City', `must be a city in ${marketName(market)}`, cityIn(query, market))
  const { minPrice, maxPrice } = filter
  if (minPrice !== undefined && maxPrice !== undefined && minPrice > maxPrice)
    problems.push('Min price is higher than max price, so no listing can match.')
  return filter
}

const dollarsAccepted = 'must be a number of dollars, for example 1,500,000'

export const marketName = (market: MarketId): string => markets.find(({ id }) => id === market)!.name

const cityIn = (query: Query, market: MarketId): string | undefined => {
  const slug = textIn(query, 'city')
  return cities.find((city) => city.slug === slug && city.market === market)?.slug
}

const addressIn = (query: Query): string | undefined => {
  const text = textIn(query, 'address', 100)
  return text && addressKey(text) ? text : undefined
}

const statusesIn = (query: Query, problems: string[]): ShownStatus[] => {
  const given = someOf(query, 'status', shownStatuses)
  const known = new Set<unknown>(['', ...shownStatuses])
  const invalid = [query.status ?? []].flat().filter((each) => !known.has(each))
  if (invalid.length > 0)
    problems.push(
      `Status must be one of ${shownStatuses.join(', ')}; “${shortened(invalid.map(String).join(', '))}” was ignored.`,
    )
  return given.length > 0 ? given : [...onMarketStatuses]
}

export const listingFilterOf = ({ city, address, ...filter }: ExploreFilter): ListingFilter => ({
  ...filter,
  citySlug: city,
  addressKey: address && addressKey(address),
})

/** The filter as query parameters; the default statuses are left out. */
export const queryParamsOf = ({ status, ...filter }: ExploreFilter) => ({
  ...filter,
  status: status.join() === onMarketStatuses.join() ? undefined : status,
})

export const filterForm = (
  filter: ExploreFilter,
): Html => html`<form class="filters" method="get" action="/explore" data-filters>
<fieldset class="market-choice"><legend>Market</legend>${markets.map(
  ({ id, name }) =>
    html`<label><input type="radio" name="market" value="${id}"${filter.market === id ? html` checked` : ''}><span>${name}</span></label>`,
)}</fieldset>
<label>City<select name="city"><option value="">All cities</option>${cities
  .filter(({ market }) => market === filter.market)
  .map(
    ({ slug, name }) => html`<option value="${slug}"${slug === filter.city ? html` selected` : ''}>${name}</option>`,
  )}</select></label>
<label>Street address<input name="address" type="search" value="${filter.address}" maxlength="100" placeholder="123 Oak"></label>
<label>Min price<input name="minPrice" inputmode="numeric" value="${filter.minPrice}" placeholder="No min"></label>
<label>Max price<input name="maxPrice" inputmode="numeric" value="${filter.maxPrice}" placeholder="No max"></label>
<label>Min score<input name="minScore" inputmode="numeric" value="${filter.minScore}" placeholder="0–100"></label>
<fieldset class="status-choice"><legend>Status</legend>${shownStatuses.map(
  (status) =>
    html`<label><input type="checkbox" name="status" value="${status}"${filter.status.includes(status) ? html` checked` : ''}><span>${statusWords[status]}</span></label>`,
)}</fieldset>
<div class="filter-buttons"><button class="button">Search</button> <a href="/explore?market=${filter.market}">Clear filters</a></div>
</form>`
