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
import { numberIn, oneOf, type Query, reportInvalid, shortened, textIn } from '../query.ts'
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
  own: readonly Condition[]
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
  const read = <T>(name: string, label: string, accepted: string, value: T | undefined) =>
    reportInvalid(problems, query, { name, label, accepted }, value)
  const market =
    read('market', 'Market', `must be ${marketIds().join(' or ')}`, oneOf(query, 'market', marketIds())) ??
    defaultMarket()
  const status = statusesIn(query, problems)
  const criteria = readCriteria('listings', query, problems, ownCriteria)
  const minScore = read('minScore', 'Min score', 'must be a number from 0 to 100', numberIn(query, 'minScore', 0, 100))
  const sort =
    read(
      'sort',
      'Sort',
      `must be one of ${Object.keys(sortChoices).join(', ')}`,
      oneOf(query, 'sort', keysOf(sortChoices)),
    ) ?? '-rankScore'
  const city = cityIn(query, market, problems, '/explore')
  const area = readArea(query, problems)
  const assumptions = readOwn(query, problems)
  const numbers = numbersIn(market)
  const firm = withFirmApprovals({ sort: [sort], ...criteria })
  const searched = { ...criteria, market, ...(city && { city }), status: [...status], ...area?.input }
  return {
    market,
    ...(city && { city }),
    status,
    ...(minScore !== undefined && { minScore }),
    sort,
    criteria,
    ...(area && { area }),
    assumptions,
    numbers,
    picks: picksIn(query),
    follow: textIn(query, 'follow') !== '0',
    searched,
    leavesOut: firm.sureNewHouse !== undefined,
    input: { ...searched, ...firm, sort: [sort], limit: publicPageResults, ...ownIn({ assumptions, numbers }) },
    own: minScore === undefined ? [] : [{ name: 'minScore', type: 'atLeast', field: 'rankScore', value: minScore }],
  }
}

/** As an input of operations. */
export const ownIn = ({ assumptions, numbers }: Pick<Explore, 'assumptions' | 'numbers'>, more: Scenario = {}) =>
  assumptionsIn({ ...assumptions, ...more }, numbers.set?.values)

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
export const queryParamsOf = ({
  market,
  city,
  status,
  minScore,
  sort,
  criteria,
  area,
  assumptions,
  numbers,
  picks,
  follow,
}: Explore) => ({
  market,
  city,
  ...criteriaParams(criteria),
  minScore,
  status: status.join() === forSale.join() ? undefined : status,
  sort: sort === '-rankScore' ? undefined : sort,
  ...area?.params,
  ...assumptions,
  ...numbersParam(numbers),
  follow: follow ? undefined : '0',
  pick: picks.length > 0 ? picks.join(',') : undefined,
})

export const isForSale = ({ status }: Pick<Explore, 'status'>): boolean => status.join() === forSale.join()
