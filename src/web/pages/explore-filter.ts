// The filters of the Explore page: read from the URL, shown in the form, passed to the search. The names are those of the
// criteria; only the page understands "$3M".
import { keysOf } from '../../common/typed.ts'
import type { Condition } from '../../criteria/conditions.ts'
import { withFirmApprovals } from '../../criteria/firm-approvals.ts'
import type { OwnValues } from '../../criteria/own-assumptions.ts'
import type { Criteria } from '../../criteria/vocabulary.ts'
import { type MarketId, shownStatuses } from '../../domain/facts.ts'
import { defaultMarket, marketIds } from '../../domain/packs/markets.ts'
import type { SearchInput } from '../../operations/search-properties.ts'
import { publicPageResults } from '../../wire/plans.ts'
import type { PageNumbers } from '../account/visit.ts'
import { cityIn } from '../city-field.ts'
import { criteriaParams, readCriteria } from '../criteria-form.ts'
import type { HtmlValue } from '../html.ts'
import { numberIn, oneOf, type Query, readerOf, shortened, textIn } from '../query.ts'
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

export type Explore = ReturnType<typeof readExplore>

export const maxPicks = 6

/** The criteria that the page reads and shows in its own way. */
export const ownCriteria = ['market', 'city', 'status']

/** Adds a message to `problems` for each value that could not be used; the other filters still apply. */
export const readExplore = (
  query: Query,
  problems: HtmlValue[] = [],
  numbersIn: (market: MarketId) => PageNumbers = () => ({}),
) => {
  const { read, number, choice } = readerOf(query, problems)
  const market =
    read('market', 'Market', `must be ${marketIds().join(' or ')}`, oneOf(query, 'market', marketIds())) ??
    defaultMarket()
  const status = statusesIn(query, problems)
  const criteria = readCriteria('listings', query, problems, ownCriteria)
  const minScore = number('minScore', 'Min score', 0, 100)
  const sort = choice('sort', 'Sort', keysOf(sortChoices)) ?? '-rankScore'
  const city = cityIn(query, market, problems, '/explore')
  // A drawn area goes first: the map sends its own box with every move.
  const area = drawn(query, problems) ?? circle(query) ?? box(query, problems)
  const assumptions = readOwn(query, problems)
  const numbers = numbersIn(market)
  const firm = withFirmApprovals({ sort: [sort], ...criteria })
  const searched: Criteria = { ...criteria, market, ...(city && { city }), status: [...status], ...area?.input }
  const own = ownIn({ assumptions, numbers })
  const input: SearchInput = { ...searched, ...firm, sort: [sort], limit: publicPageResults, ...own }
  /** Conditions that the criteria do not have. */
  const pageOnly: readonly Condition[] =
    minScore === undefined ? [] : [{ name: 'minScore', type: 'atLeast', field: 'rankScore', value: minScore }]
  return {
    ...{ market, status, sort, criteria, area, input, pageOnly },
    /** City slug, or what was typed where there is no such city. */
    city,
    /** On the score that the list is ranked by. */
    minScore,
    /** The visitor's own in the URL, behind returns. */
    assumptions,
    /** The visitor's set behind them. */
    numbers,
    /** Shortlisted properties. */
    picks: picksIn(query),
    /** The list follows the map: search as I move. */
    follow: textIn(query, 'follow') !== '0',
    /** Every criterion of the search, with the place and the status. */
    searched,
    /** Uses that may be refused are left out of an order by return. */
    leavesOut: firm.sureNewHouse !== undefined,
  }
}

/** As an input of operations. */
export const ownIn = (
  { assumptions, numbers }: { assumptions: OwnValues; numbers: PageNumbers },
  more: Scenario = {},
) => assumptionsIn({ ...assumptions, ...more }, numbers.set?.values)

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

// The area of the Explore page: the part of the map shown, a drawn polygon, or a circle.
interface ExploreArea {
  kind: 'box' | 'drawn' | 'circle'
  /** As criteria. */
  input: Pick<Criteria, 'bbox' | 'lat' | 'lng' | 'radiusMi' | 'within'>
  /** As in the URL of the page. */
  params: Readonly<Record<string, string | number>>
}

const mostCorners = 100

/** `lng,lat;lng,lat;…` */
const drawn = (query: Query, problems: HtmlValue[]): ExploreArea | undefined => {
  const text = textIn(query, 'area', 4_000)
  if (text === undefined) return undefined
  const corners = text.split(';').map((corner) => corner.split(',').map(Number))
  if (corners.length < 3 || corners.length > mostCorners || !corners.every(isPosition)) {
    problems.push(
      `area must have 3 to ${mostCorners} corners, for example -122.2,37.4;-122.1,37.4;-122.1,37.5; “${shortened(text)}” was ignored.`,
    )
    return undefined
  }
  return {
    kind: 'drawn',
    input: { within: { type: 'Polygon', coordinates: [[...corners, corners[0]!]] } },
    params: { area: text },
  }
}

const circle = (query: Query): ExploreArea | undefined => {
  const [lat, lng, radiusMi] = [
    numberIn(query, 'lat', -90, 90),
    numberIn(query, 'lng', -180, 180),
    numberIn(query, 'radiusMi', 0.05, 25),
  ]
  if (lat === undefined || lng === undefined || radiusMi === undefined) return undefined
  return { kind: 'circle', input: { lat, lng, radiusMi }, params: { lat, lng, radiusMi } }
}

const box = (query: Query, problems: HtmlValue[]): ExploreArea | undefined => {
  const text = textIn(query, 'bbox')
  if (text === undefined) return undefined
  const bbox = text.split(',').map(Number)
  const [west, south, east, north] = bbox as [number, number, number, number]
  if (bbox.length !== 4 || !isPosition([west, south]) || !isPosition([east, north]) || south > north || west > east) {
    problems.push(
      `bbox must be west,south,east,north, for example -122.26,37.41,-122.12,37.50; “${shortened(text)}” was ignored.`,
    )
    return undefined
  }
  return { kind: 'box', input: { bbox }, params: { bbox: text } }
}

const isPosition = (position: readonly number[]): boolean =>
  position.length === 2 &&
  position.every(Number.isFinite) &&
  Math.abs(position[0]!) <= 180 &&
  Math.abs(position[1]!) <= 90
