// The filters of the Explore page: read from the URL, shown in the form, passed to the search. The names are those of the
// criteria; only the page understands "$3M".
import { addressKey } from '../../contract/address.ts'
import { addressPatterns } from '../../contract/criteria/address-condition.ts'
import type { Condition } from '../../contract/criteria/conditions.ts'
import { type MarketId, shownStatuses } from '../../contract/facts.ts'
import { cities, defaultMarket, marketIds, markets } from '../../contract/markets.ts'
import { publicPageResults } from '../../contract/plans.ts'
import { closestName } from '../../contract/suggest.ts'
import type { ListingInput } from '../../operations/map-listings.ts'
import { type HtmlValue, html } from '../html.ts'
import {
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
import { type ExploreArea, readArea } from './explore-area.ts'

type ShownStatus = (typeof shownStatuses)[number]

const forSale = ['active', 'coming_soon'] as const satisfies readonly ShownStatus[]

export const sortChoices = {
  '-rankScore': 'Best rank',
  '-returnPct': 'Highest return',
  price: 'Lowest price',
  '-price': 'Highest price',
  '-listedDate': 'Newest listing',
  '-lotSize': 'Largest lot',
} as const
type Sort = keyof typeof sortChoices

interface ExploreFilter {
  market: MarketId
  city?: string
  zip?: string
  status: readonly ShownStatus[]
  minPrice?: number
  maxPrice?: number
  minScore?: number
  minReturnPct?: number
  minLotSize?: number
  minBeds?: number
  address?: string
  sort: Sort
}

export interface Explore {
  filter: ExploreFilter
  area?: ExploreArea
  /** Shortlisted properties. */
  picks: readonly string[]
  /** The list follows the map: search as I move. */
  follow: boolean
  input: ListingInput
  /** Conditions that the criteria do not have. */
  own: readonly Condition[]
}

export const maxPicks = 6

/** Adds a message to `problems` for each value that could not be used; the other filters still apply. */
export const readExplore = (query: Query, problems: HtmlValue[] = []): Explore => {
  const filter = readFilter(query, problems)
  const area = readArea(query, problems)
  const { market, city, status, address, minScore, sort, ...bounds } = filter
  const { minPrice, maxPrice } = bounds
  // The search rejects a range that nothing can match; the page keeps the rest and says so.
  if (minPrice !== undefined && maxPrice !== undefined && minPrice > maxPrice) {
    problems.push('Min price is higher than max price, so max price was ignored.')
    delete bounds.maxPrice
  }
  const own: Condition[] = []
  if (minScore !== undefined) own.push({ name: 'minScore', type: 'atLeast', field: 'rankScore', value: minScore })
  if (address !== undefined)
    own.push({ name: 'address', type: 'address', text: address, patterns: addressPatterns(address) })
  return {
    filter,
    ...(area && { area }),
    picks: picksIn(query),
    follow: textIn(query, 'follow') !== '0',
    input: { market, ...(city && { city }), status, sort: [sort], limit: publicPageResults, ...bounds, ...area?.input },
    own,
  }
}

const readFilter = (query: Query, problems: HtmlValue[]): ExploreFilter => {
  const read = <T>(name: string, label: string, accepted: string, value: T | undefined) =>
    reportInvalid(problems, query, { name, label, accepted }, value)
  const market =
    read('market', 'Market', `must be ${marketIds.join(' or ')}`, oneOf(query, 'market', marketIds)) ?? defaultMarket
  const filter: ExploreFilter = {
    market,
    zip: read('zip', 'ZIP code', zipAccepted, zipIn(query)),
    status: statusesIn(query, problems),
    minPrice: read('minPrice', 'Min price', dollarsAccepted, dollarsIn(query, 'minPrice')),
    maxPrice: read('maxPrice', 'Max price', dollarsAccepted, dollarsIn(query, 'maxPrice')),
    minScore: read('minScore', 'Min score', 'must be a number from 0 to 100', numberIn(query, 'minScore', 0, 100)),
    minReturnPct: read(
      'minReturnPct',
      'Min return',
      'must be a percentage, for example 10',
      numberIn(query, 'minReturnPct', -100, 1_000),
    ),
    minLotSize: read(
      'minLotSize',
      'Min lot size',
      'must be square feet, for example 6,000',
      numberIn(query, 'minLotSize', 0, 1e8),
    ),
    minBeds: read('minBeds', 'Min beds', 'must be a number from 0 to 20', numberIn(query, 'minBeds', 0, 20)),
    address: read(
      'address',
      'Street address',
      'must contain letters or digits, at most 100 characters',
      addressIn(query),
    ),
    sort:
      read(
        'sort',
        'Sort',
        `must be one of ${Object.keys(sortChoices).join(', ')}`,
        oneOf(query, 'sort', Object.keys(sortChoices) as Sort[]),
      ) ?? '-rankScore',
  }
  filter.city = cityIn(query, market, problems)
  return filter
}

const dollarsAccepted = 'must be dollars, for example 1,500,000 or $1.5M'

export const marketName = (market: MarketId): string => markets.find(({ id }) => id === market)!.name

/** A slug or a name. A mistyped name gets a link to the city that was probably meant. */
const cityIn = (query: Query, market: MarketId, problems: HtmlValue[]): string | undefined => {
  const given = textIn(query, 'city')
  const own = cities.filter((city) => city.market === market)
  const named = own.find(
    ({ slug, name }) => slug === given?.toLowerCase() || name.toLowerCase() === given?.toLowerCase(),
  )
  if (named) return named.slug
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
      { name: 'city', label: 'City', accepted: `must be a city in ${marketName(market)}` },
      undefined,
    )
  const { slug, name } = own.find((city) => city.name === meant)!
  const rest = Object.fromEntries(
    Object.entries(query).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  )
  problems.push(
    html`There is no city “${shortened(given)}” in ${marketName(market)}. Did you mean <a href="${pathWithQuery('/explore', { ...rest, city: slug })}">${name}</a>?`,
  )
  return undefined
}

const addressIn = (query: Query): string | undefined => {
  const text = textIn(query, 'address', 100)
  return text && addressKey(text) ? text : undefined
}

/** Repeated or separated by commas; `for_sale` is active and coming soon. */
const statusesIn = (query: Query, problems: HtmlValue[]): readonly ShownStatus[] => {
  const given = [query.status ?? []]
    .flat()
    .flatMap((each) => String(each).split(','))
    .flatMap((each): readonly string[] =>
      each === 'for_sale' ? forSale : each === 'onMarket' ? [...forSale, 'pending'] : [each],
    )
  const known: readonly string[] = ['', ...shownStatuses]
  const invalid = given.filter((each) => !known.includes(each))
  if (invalid.length > 0)
    problems.push(`Status must be one of ${shownStatuses.join(', ')}; “${shortened(invalid.join(', '))}” was ignored.`)
  const chosen = shownStatuses.filter((status) => given.includes(status))
  return chosen.length > 0 ? chosen : forSale
}

const picksIn = (query: Query): string[] =>
  [
    ...new Set(
      [query.pick ?? []]
        .flat()
        .flatMap((each) => String(each).split(','))
        .filter((id) => /^[\w-]{1,64}$/.test(id)),
    ),
  ].slice(0, maxPicks)

/** The state of the page as query parameters; defaults are left out. */
export const queryParamsOf = ({ filter: { status, sort, ...filter }, area, picks, follow }: Explore) => ({
  ...filter,
  status: status.join() === forSale.join() ? undefined : status,
  sort: sort === '-rankScore' ? undefined : sort,
  ...area?.params,
  follow: follow ? undefined : '0',
  pick: picks.length > 0 ? picks.join(',') : undefined,
})

export const isForSale = (filter: ExploreFilter): boolean => filter.status.join() === forSale.join()
