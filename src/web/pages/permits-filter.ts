// The filters of the Permits page: read from the URL, shown in the form, passed to the search. The names are those of the
// criteria; only the page understands "$3M" and an address in `near`.
import { type MarketId, permitClasses, permitStatuses } from '../../contract/facts.ts'
import {
  type City,
  cities,
  defaultMarket,
  inMarket,
  jurisdictions,
  marketById,
  marketIds,
  marketOf,
  markets,
} from '../../contract/markets.ts'
import type { InputOf } from '../../contract/operation.ts'
import { lookUpAddress } from '../../contract/operations/lookup.ts'
import type { searchPermits } from '../../contract/operations/permits.ts'
import { closestName } from '../../contract/suggest.ts'
import type { Context } from '../../operations/context.ts'
import { permitClassWords, permitStatusWords } from '../formats.ts'
import { type Html, type HtmlValue, html } from '../html.ts'
import {
  dateIn,
  dollarsIn,
  numberIn,
  oneOf,
  pathWithQuery,
  type Query,
  reportInvalid,
  shortened,
  textIn,
  zipAccepted,
  zipIn,
} from '../query.ts'
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
type PermitSort = keyof typeof permitSorts

/** The state of the page. Undefined filters are not in use. */
export interface PermitFilter {
  market?: MarketId | 'all'
  q?: string
  city?: string
  zip?: string
  permitClass?: (typeof permitClasses)[number]
  status?: (typeof permitStatuses)[number]
  minValuation?: number
  maxValuation?: number
  builder?: string
  issuedFrom?: string
  issuedTo?: string
  appliedFrom?: string
  appliedTo?: string
  finaledFrom?: string
  finaledTo?: string
  /** An address, or `lat` and `lng`. */
  near?: string
  lat?: number
  lng?: number
  radiusMi?: number
  sort?: PermitSort
  offset?: number
}

const defaultRadiusMi = 0.5

/** Adds a message to `problems` for each value that could not be used; the other filters still apply. */
export const readPermitFilter = (query: Query, problems: HtmlValue[] = []): PermitFilter => {
  const read = <T>(name: string, label: string, accepted: string, value: T | undefined) =>
    reportInvalid(problems, query, { name, label, accepted }, value)
  const text = (name: string, label: string, most: number) =>
    read(name, label, `must be one text of at most ${most} characters`, textIn(query, name, most))
  const dollars = (name: string, label: string) =>
    read(name, label, 'must be dollars, for example 100,000 or $1.5M', dollarsIn(query, name))
  const day = (name: string, label: string) =>
    read(name, label, 'must be a date, for example 2026-03-09', dateIn(query, name))
  const choice = <T extends string>(name: string, label: string, allowed: readonly T[]) =>
    read(name, label, `must be one of ${allowed.join(', ')}`, oneOf(query, name, allowed))
  const degrees = (name: string, label: string, most: number) =>
    read(name, label, `must be degrees from -${most} to ${most}`, numberIn(query, name, -most, most))
  const market = textIn(query, 'market')
  const filter: PermitFilter = {
    market: read(
      'market',
      'Market',
      `must be one of ${marketIds.join(', ')}, all`,
      market === 'all' ? market : marketOf(market ?? ''),
    ),
    city: text('city', 'City', 80),
    zip: read('zip', 'ZIP code', zipAccepted, zipIn(query)),
    q: text('q', 'Keywords', 200),
    permitClass: choice('permitClass', 'Kind of work', permitClasses),
    status: choice('status', 'Status', permitStatuses),
    minValuation: dollars('minValuation', 'Min valuation'),
    maxValuation: dollars('maxValuation', 'Max valuation'),
    builder: text('builder', 'Contractor', 200),
    issuedFrom: day('issuedFrom', 'Issued from'),
    issuedTo: day('issuedTo', 'Issued to'),
    appliedFrom: day('appliedFrom', 'Applied from'),
    appliedTo: day('appliedTo', 'Applied to'),
    finaledFrom: day('finaledFrom', 'Finaled from'),
    finaledTo: day('finaledTo', 'Finaled to'),
    near: text('near', 'Near', 200),
    lat: degrees('lat', 'Latitude', 90),
    lng: degrees('lng', 'Longitude', 180),
    radiusMi: read('radiusMi', 'Radius', 'must be miles from 0.05 to 25', numberIn(query, 'radiusMi', 0.05, 25)),
    sort: choice('sort', 'Sort', Object.keys(permitSorts) as PermitSort[]),
    offset: offsetIn(query, problems),
  }
  const { minValuation, maxValuation } = filter
  if (minValuation !== undefined && maxValuation !== undefined && minValuation > maxValuation) {
    problems.push('Min valuation is higher than max valuation, so max valuation was ignored.')
    delete filter.maxValuation
  }
  return filter
}

/** As in the API, the default market if none is named. A city selects its market. Near a point, all markets are searched. */
export const searchedMarket = ({ market, city, near, lat }: PermitFilter): MarketId | 'all' => {
  if (market !== undefined) return market
  const found = citiesNamed(city).map((each) => each.market)
  if (found.length > 0) return found.includes(defaultMarket) ? defaultMarket : found[0]!
  return near === undefined && lat === undefined ? defaultMarket : 'all'
}

/** "on the island"; nothing if there is only one market. */
export const searchedInWords = (filter: PermitFilter): string => {
  const market = searchedMarket(filter)
  if (markets.length < 2) return ''
  return market === 'all' ? ' in all markets' : ` ${inMarket(marketById(market)!)}`
}

/** Part of a name is enough, as in the search. */
const citiesNamed = (text: string | undefined): readonly City[] => {
  const part = text?.toLowerCase()
  if (part === undefined) return []
  return jurisdictions.filter(({ name, slug }) => name.toLowerCase().includes(part) || slug.includes(part))
}

/** The filter as criteria. An address in `near` is looked up; one that is not found exactly is a problem, not a guess. */
export const permitInput = async (
  context: Context,
  filter: PermitFilter,
  problems: HtmlValue[] = [],
): Promise<PermitInput> => {
  const { near, lat, lng, radiusMi, permitClass, status, sort, ...rest } = filter
  const point = near === undefined ? pointOf(lat, lng) : await pointNear(context, filter, near, problems)
  if (sort === 'distanceMi' && point === undefined) problems.push('Nearest first needs an address in Near.')
  const order = sort === 'distanceMi' && point === undefined ? undefined : sort
  return {
    ...rest,
    market: searchedMarket(filter),
    ...(permitClass && { permitClass: [permitClass] }),
    ...(status && { status: [status] }),
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
    return html` <a href="${pathWithQuery('/permits', { ...filter, near: name, offset: undefined })}">${name}</a>`
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
  const names = jurisdictions.map(({ name }) => name)
  const meant = named[0]?.name ?? closestName(filter.city.toLowerCase(), names)
  const none = html`There is no city “${shortened(filter.city)}”${named.length > 0 ? searchedInWords(filter) : ''}.`
  // Without a market, the link searches that of the city.
  const link = pathWithQuery('/permits', { ...filter, city: meant, market: undefined, offset: undefined })
  return meant === undefined ? none : html`${none} Did you mean <a href="${link}">${meant}</a>?`
}

export const isFiltered = ({ market: _, offset: __, sort: ___, radiusMi: ____, ...filters }: PermitFilter): boolean =>
  Object.values(filters).some((value) => value !== undefined)

export const permitForm = (filter: PermitFilter): Html => {
  const more = [
    'status',
    'issuedFrom',
    'issuedTo',
    'maxValuation',
    'builder',
    'zip',
    'near',
    'radiusMi',
    'appliedFrom',
    'appliedTo',
    'finaledFrom',
    'finaledTo',
  ]
  const market = searchedMarket(filter)
  const isOpen = more.some((name) => filter[name as keyof PermitFilter] !== undefined)
  return html`<form class="filters explore-filters permits" method="get" action="/permits" role="search">
<label class="grow">Keywords<input name="q" type="search" value="${filter.q}" maxlength="200" placeholder="Address, type of work, contractor or permit number"></label>
${markets.length > 1 ? html`<label>Market<select name="market">${[...markets, { id: 'all', name: 'All markets' }].map(({ id, name }) => html`<option value="${id === defaultMarket ? '' : id}"${id === market ? html` selected` : ''}>${name}</option>`)}</select></label>` : ''}
<label>City<input name="city" value="${filter.city}" list="cities" placeholder="All cities"></label>
<datalist id="cities">${cities.filter((city) => market === 'all' || city.market === market).map(({ name }) => html`<option value="${name}"></option>`)}</datalist>
<label>Kind of work${select('permitClass', filter.permitClass, 'All kinds', permitClasses, permitClassWords)}</label>
<label>Min valuation<input name="minValuation" value="${filter.minValuation}" placeholder="$500k"></label>
<label>Sort<select name="sort">${Object.entries(permitSorts).map(([value, name]) => html`<option value="${value === '-issuedDate' ? '' : value}"${value === filter.sort ? html` selected` : ''}>${name}</option>`)}</select></label>
<details class="more-filters"${isOpen ? html` open` : ''}><summary>More filters</summary><div class="filters">
<label>Status${select('status', filter.status, 'Any status', permitStatuses, permitStatusWords)}</label>
${dayField('issuedFrom', 'Issued from', filter)}${dayField('issuedTo', 'Issued to', filter)}
<label>Max valuation<input name="maxValuation" value="${filter.maxValuation}" placeholder="$2M"></label>
<label>Contractor<input name="builder" value="${filter.builder}" maxlength="200" placeholder="Part of the name"></label>
<label>ZIP code<input name="zip" inputmode="numeric" value="${filter.zip}" placeholder="94025"></label>
<label>Near<input name="near" value="${filter.near}" maxlength="200" placeholder="123 Oak St"></label>
<label>Within, miles<input name="radiusMi" inputmode="decimal" value="${filter.radiusMi}" placeholder="${defaultRadiusMi}"></label>
${dayField('appliedFrom', 'Applied from', filter)}${dayField('appliedTo', 'Applied to', filter)}
${dayField('finaledFrom', 'Finaled from', filter)}${dayField('finaledTo', 'Finaled to', filter)}</div></details>
${filter.lat === undefined ? '' : html`<input type="hidden" name="lat" value="${filter.lat}">`}${filter.lng === undefined ? '' : html`<input type="hidden" name="lng" value="${filter.lng}">`}
<div class="filter-buttons"><button class="button">Search</button> <a href="/permits">Clear filters</a></div></form>`
}

const select = <T extends string>(
  name: string,
  chosen: T | undefined,
  all: string,
  values: readonly T[],
  words: Readonly<Record<T, string>>,
): Html =>
  html`<select name="${name}"><option value="">${all}</option>${values.map((value) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${words[value]}</option>`)}</select>`

const dayField = (
  name: 'issuedFrom' | 'issuedTo' | 'appliedFrom' | 'appliedTo' | 'finaledFrom' | 'finaledTo',
  label: string,
  filter: PermitFilter,
): Html => html`<label>${label}<input name="${name}" type="date" value="${filter[name]}"></label>`
