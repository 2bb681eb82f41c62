// The filters of the Permits page: read from the URL, shown in the form, passed to the search. The names are those of the
// criteria; only the page understands "$3M" and an address in `near`.

import { closestName } from '../../common/suggest.ts'
import { keysOf } from '../../common/typed.ts'
import { type Criterion, criteria as criteriaTable } from '../../criteria/table.ts'
import type { MarketId } from '../../domain/facts.ts'
import {
  type City,
  defaultMarket,
  jurisdictions,
  marketById,
  marketIds,
  marketOf,
  markets,
} from '../../domain/packs/markets.ts'
import { inMarket } from '../../domain/packs/pack.ts'
import type { Context } from '../../operations/context.ts'
import type { InputOf } from '../../wire/operation.ts'
import { lookUpAddress } from '../../wire/operations/lookup.ts'
import type { searchPermits } from '../../wire/operations/permits.ts'
import { cityField } from '../city-field.ts'
import { type ChoiceWords, criteriaParams, formFields, readCriteria } from '../criteria-form.ts'
import { permitClassWords, permitStatusWords } from '../formats.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import { pathWithQuery, type Query, readerOf, shortened, textIn } from '../query.ts'
import { runOperation } from '../run-operation.ts'
import { offsetIn } from './search-list.ts'

type PermitInput = InputOf<typeof searchPermits>

export const permitSorts = {
  '-issuedDate': 'Newest',
  issuedDate: 'Oldest',
  '-valuation': 'Highest valuation',
  valuation: 'Lowest valuation',
  distanceMi: 'Nearest',
} as const

type Read = ReturnType<typeof readPermitFilter>
/** The state of the page. Undefined filters are not in use. */
type PermitFilter = Partial<Read> & Pick<Read, 'criteria'>

const defaultRadiusMi = 0.5

/** The criteria that the page reads and shows in its own way. */
const ownCriteria = ['market', 'city']

/** Adds a message to `problems` for each value that could not be used; the other filters still apply. */
export const readPermitFilter = (query: Query, problems: HtmlValue[] = []) => {
  const { read, text, number, choice } = readerOf(query, problems)
  const market = textIn(query, 'market')
  return {
    market: read(
      'market',
      'Market',
      `must be one of ${marketIds().join(', ')}, all`,
      market === 'all' ? market : marketOf(market ?? ''),
    ),
    city: text('city', 'City', 80),
    criteria: readCriteria('permits', query, problems, ownCriteria),
    /** An address, or `lat` and `lng`. */
    near: text('near', 'Near', 200),
    lat: number('lat', 'Latitude', -90, 90, 'degrees'),
    lng: number('lng', 'Longitude', -180, 180, 'degrees'),
    radiusMi: number('radiusMi', 'Radius', 0.05, 25, 'miles'),
    sort: choice('sort', 'Sort', keysOf(permitSorts)),
    offset: offsetIn(query, problems),
  }
}

/** The state of the page as query parameters. */
export const permitParams = ({ criteria, ...filter }: PermitFilter) => ({ ...filter, ...criteriaParams(criteria) })

/** As in the API, the default market if none is named. A city selects its market. Near a point, all markets are searched. */
export const searchedMarket = ({ market, city, near, lat }: PermitFilter): MarketId | 'all' => {
  if (market !== undefined) return market
  const found = citiesNamed(city).map((each) => each.market)
  if (found.length > 0) return found.includes(defaultMarket()) ? defaultMarket() : found[0]!
  return near === undefined && lat === undefined ? defaultMarket() : 'all'
}

/** "on the island"; nothing if there is only one market. */
export const searchedInWords = (filter: PermitFilter): string => {
  const market = searchedMarket(filter)
  if (markets().length < 2) return ''
  return market === 'all' ? ' in all markets' : ` ${inMarket(marketById(market)!)}`
}

/** Where the counted permits are: "in Menlo Park", or the market, also for a city with its name. */
export const countedInWords = (filter: PermitFilter): string => {
  const market = searchedMarket(filter)
  const named = citiesNamed(filter.city).filter((city) => market === 'all' || city.market === market)
  const [city] = named
  return city && named.length === 1 && city.name !== marketById(city.market)?.name
    ? ` in ${city.name}`
    : searchedInWords(filter)
}

/** Part of a name is enough, as in the search. */
const citiesNamed = (text: string | undefined): readonly City[] => {
  const part = text?.toLowerCase()
  if (part === undefined) return []
  return jurisdictions().filter(({ name, slug }) => name.toLowerCase().includes(part) || slug.includes(part))
}

/** The filter as criteria. An address in `near` is looked up; one that is not found exactly is a problem, not a guess. */
export const permitInput = async (
  context: Context,
  filter: PermitFilter,
  problems: HtmlValue[] = [],
): Promise<PermitInput> => {
  const { near, lat, lng, radiusMi, sort, criteria, city, offset } = filter
  const point = near === undefined ? pointOf(lat, lng) : await pointNear(context, filter, near, problems)
  if (sort === 'distanceMi' && point === undefined) problems.push('Nearest first needs an address in Near.')
  const order = sort === 'distanceMi' && point === undefined ? undefined : sort
  return {
    ...criteria,
    city,
    offset,
    market: searchedMarket(filter),
    ...(point && { ...point, radiusMi: radiusMi ?? defaultRadiusMi }),
    ...(order && { sort: [order] }),
  }
}

const pointOf = (lat: number | undefined, lng: number | undefined) =>
  lat === undefined || lng === undefined ? undefined : { lat, lng }

const pointNear = async (context: Context, filter: PermitFilter, near: string, problems: HtmlValue[]) => {
  const { data } = await runOperation(lookUpAddress, context, { address: near })
  const [best] = data.candidates
  if (best && ['exact', 'unit_missing'].includes(data.match)) {
    const point = pointOf(best.lat, best.lng)
    if (!point) problems.push(`The position of ${best.address}, ${best.city} is not known, so Near was ignored.`)
    return point
  }
  const meant = data.candidates.slice(0, 3).map(({ address, city }) => {
    const name = `${address}, ${city}`
    return html` <a href="${pathWithQuery('/permits', { ...permitParams(filter), near: name, offset: undefined })}">${name}</a>`
  })
  problems.push(
    html`No address “${shortened(near)}” was found, so Near was ignored.${meant.length > 0 ? html` Did you mean${meant}?` : ' Give a street address with its city.'}`,
  )
  return undefined
}

/** For a city that no name in the market contains: the one that was probably meant. */
export const cityProblem = (filter: PermitFilter): Html | undefined => {
  if (filter.city === undefined) return undefined
  const market = searchedMarket(filter)
  const named = citiesNamed(filter.city)
  if (named.some((city) => market === 'all' || city.market === market)) return undefined
  const names = jurisdictions().map(({ name }) => name)
  const meant = named[0]?.name ?? closestName(filter.city.toLowerCase(), names)
  const none = html`There is no city “${shortened(filter.city)}”${named.length > 0 ? searchedInWords(filter) : ''}.`
  // Without a market, the link searches that of the city.
  const link = pathWithQuery('/permits', { ...permitParams(filter), city: meant, market: undefined, offset: undefined })
  return meant === undefined ? none : html`${none} Did you mean <a href="${link}">${meant}</a>?`
}

export const isFiltered = ({ criteria, city, near, lat }: PermitFilter): boolean =>
  Object.keys(criteria).length > 0 || [city, near, lat].some((value) => value !== undefined)

const words: ChoiceWords = {
  permitClass: permitClassWords,
  status: permitStatusWords,
  issued: { true: 'Issued only', false: 'Not issued', any: 'Issued or not' },
}

export const permitForm = (filter: PermitFilter): Html => {
  const { criteria } = filter
  const market = searchedMarket(filter)
  const isMore = Object.entries<Criterion>(criteriaTable).some(
    ([name, { form }]) => form === 'more' && Object.hasOwn(criteria, name),
  )
  const isOpen = isMore || filter.near !== undefined || filter.radiusMi !== undefined
  return html`<form class="filters explore-filters permits" method="get" action="/permits" role="search" aria-label="Permits">
${formFields('permits', 'first', criteria, words, ownCriteria)}
${markets().length > 1 ? html`<label>Market<select name="market">${[...markets(), { id: 'all', name: 'All markets' }].map(({ id, name }) => html`<option value="${id === defaultMarket() ? '' : id}"${id === market ? html` selected` : ''}>${name}</option>`)}</select></label>` : ''}
${cityField(market, filter.city)}
<label>Sort<select name="sort">${Object.entries(permitSorts).map(([value, name]) => html`<option value="${value === '-issuedDate' ? '' : value}"${value === filter.sort ? html` selected` : ''}>${name}</option>`)}</select></label>
<details class="more-filters"${isOpen ? html` open` : ''}><summary>More filters</summary><div class="filters">
${formFields('permits', 'more', criteria, words, ownCriteria)}
<label>Near<input name="near" value="${filter.near}" maxlength="200" placeholder="123 Oak St"></label>
<label>Within, miles<input name="radiusMi" inputmode="decimal" value="${filter.radiusMi}" placeholder="${defaultRadiusMi}"></label></div></details>
${filter.lat === undefined ? '' : html`<input type="hidden" name="lat" value="${filter.lat}">`}${filter.lng === undefined ? '' : html`<input type="hidden" name="lng" value="${filter.lng}">`}
<div class="filter-buttons"><button class="button">Search</button> <a href="/permits">Clear filters</a></div></form>`
}
