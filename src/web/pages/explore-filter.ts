// The filters of the Explore page: read from the URL, shown in the form, passed to the search. The names are those of the
// criteria; only the page understands "$3M".
import { keysOf } from '../../common/typed.ts'
import type { Condition } from '../../criteria/conditions.ts'
import { withFirmApprovals } from '../../criteria/firm-approvals.ts'
import type { OwnValues } from '../../criteria/own-assumptions.ts'
import type { Criteria, ListCriteria } from '../../criteria/vocabulary.ts'
import { type MarketId, shownStatuses } from '../../domain/facts.ts'
import { defaultMarket, marketIds } from '../../domain/packs/markets.ts'
import type { SearchInput } from '../../operations/search-properties.ts'
import { publicPageResults } from '../../wire/plans.ts'
import type { PageNumbers } from '../account/visit.ts'
import { cityIn } from '../city-field.ts'
import { criteriaParams, readCriteria } from '../criteria-form.ts'
import type { HtmlValue } from '../html.ts'
import { oneOf, type Query, readerOf, shortened, textIn } from '../query.ts'
import { type ExploreArea, readArea } from './explore-area.ts'
import { numbersParam } from './numbers-line.ts'
import { assumptionsIn, readOwn, type Scenario } from './scenario.ts'

type ShownStatus = (typeof shownStatuses)[number]

const forSale = ['active', 'coming_soon'] as const satisfies readonly ShownStatus[]

export const sortChoices = {
  '-rankScore': 'Best rank',
  '-room.low': 'Most room in the low case',
  '-returnAtExpectedPct': 'Highest return at the expected price',
  '-returnPct': 'Highest return at the asking price',
  '-flip.profitUsd': 'Highest flip profit',
  '-hold.capRatePct': 'Highest cap rate',
  priceToValue: 'Lowest price to value',
  price: 'Lowest price',
  '-price': 'Highest price',
  '-listedDate': 'Newest listing',
  '-lotSize': 'Largest lot',
} as const
type Sort = keyof typeof sortChoices

export interface Explore {
  market: MarketId
  /** City slug, or what was typed where there is no such city. */
  city?: string
  status: readonly ShownStatus[]
  /** On the score that the list is ranked by. */
  minScore?: number
  sort: Sort
  /** All other criteria. */
  criteria: ListCriteria<'listings'>
  area?: ExploreArea
  /** The visitor's own in the URL, behind returns. */
  assumptions: OwnValues
  /** The visitor's set behind them. */
  numbers: PageNumbers
  /** Shortlisted properties. */
  picks: readonly string[]
  /** The list follows the map: search as I move. */
  follow: boolean
  /** Every criterion of the search, with the place and the status. */
  searched: Criteria
  input: SearchInput
  /** Uses that may be refused are left out of an order by return. */
  leavesOut: boolean
  /** Conditions that the criteria do not have. */
  pageOnly: readonly Condition[]
}

export const maxPicks = 6

/** The criteria that the page reads and shows in its own way. */
export const ownCriteria = ['market', 'city', 'status']

/** Adds a message to `problems` for each value that could not be used; the other filters still apply. */
export const readExplore = (
  query: Query,
  problems: HtmlValue[] = [],
  numbersIn: (market: MarketId) => PageNumbers = () => ({}),
): Explore => {
  const { read, number, choice } = readerOf(query, problems)
  const market =
    read('market', 'Market', `must be ${marketIds().join(' or ')}`, oneOf(query, 'market', marketIds())) ??
    defaultMarket()
  const status = statusesIn(query, problems)
  const criteria = readCriteria('listings', query, problems, ownCriteria)
  const minScore = number('minScore', 'Min score', 0, 100)
  const sort = choice('sort', 'Sort', keysOf(sortChoices)) ?? '-rankScore'
  const city = cityIn(query, market, problems, '/explore')
  const area = readArea(query, problems)
  const assumptions = readOwn(query, problems)
  const numbers = numbersIn(market)
  const firm = withFirmApprovals({ sort: [sort], ...criteria })
  const searched = { ...criteria, market, ...(city && { city }), status: [...status], ...area?.input }
  return {
    market,
    city,
    status,
    minScore,
    sort,
    criteria,
    area,
    assumptions,
    numbers,
    picks: picksIn(query),
    follow: textIn(query, 'follow') !== '0',
    searched,
    leavesOut: firm.sureNewHouse !== undefined,
    input: { ...searched, ...firm, sort: [sort], limit: publicPageResults, ...ownIn({ assumptions, numbers }) },
    pageOnly:
      minScore === undefined ? [] : [{ name: 'minScore', type: 'atLeast', field: 'rankScore', value: minScore }],
  }
}

/** As an input of operations. */
export const ownIn = ({ assumptions, numbers }: Pick<Explore, 'assumptions' | 'numbers'>, more: Scenario = {}) =>
  assumptionsIn({ ...assumptions, ...more }, numbers.set?.values)

/** `for_sale` is active and coming soon. */
const statusesIn = (query: Query, problems: HtmlValue[]): readonly ShownStatus[] => {
  const given = listIn(query, 'status').flatMap((each): readonly string[] =>
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
  [...new Set(listIn(query, 'pick').filter((id) => /^[\w-]{1,64}$/.test(id)))].slice(0, maxPicks)

/** Repeated or separated by commas. */
const listIn = (query: Query, name: string): string[] =>
  [query[name] ?? []].flat().flatMap((each) => String(each).split(','))

/** The state of the page as query parameters; defaults are left out. */
export const queryParamsOf = (explore: Explore) => ({
  market: explore.market,
  city: explore.city,
  ...criteriaParams(explore.criteria),
  minScore: explore.minScore,
  status: isForSale(explore) ? undefined : explore.status,
  sort: explore.sort === '-rankScore' ? undefined : explore.sort,
  ...explore.area?.params,
  ...explore.assumptions,
  ...numbersParam(explore.numbers),
  follow: explore.follow ? undefined : '0',
  pick: explore.picks.length > 0 ? explore.picks.join(',') : undefined,
})

export const isForSale = ({ status }: Pick<Explore, 'status'>): boolean => status.join() === forSale.join()
