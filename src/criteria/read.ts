// Reads the parameters of a search into conditions, or answers with a 400 that names the parameter, what is accepted and an example.
import { badRequest } from '../common/errors.ts'
import { keysOf } from '../common/typed.ts'
import type { MarketId } from '../domain/facts.ts'
import { defaultMarket, type LatLng, marketIds, marketOf } from '../domain/packs/markets.ts'
import { marketOfProperty } from '../domain/property-id.ts'
import type { Condition } from './conditions.ts'
import { cityHints, idHints, unknownZipHints, zipHints } from './place-hints.ts'
import {
  type CriteriaInput,
  type CriterionName,
  cityNames,
  criteria,
  type ReadingContext,
  type SearchKind,
  zipsIn,
} from './table.ts'
import type { AppliedCriteria } from './vocabulary.ts'

export interface Reading {
  kind: SearchKind
  leads?: ReadingContext['leads']
  /** The maximum number of positions in `within`. */
  maxPositions?: number
  /** The unrounded score at a percentile, by market. */
  thresholds?: ReadingContext['thresholds']
}

export interface Search {
  kind: SearchKind
  markets: readonly MarketId[]
  conditions: readonly Condition[]
  /** Given by lat and lng: rows have their distance from it. */
  point?: LatLng
  /** The criteria as understood, for the answer. */
  applied: AppliedCriteria
  /** Corrections for cities, ZIP codes and ids that are not in the markets searched. */
  suggestions: readonly string[]
  /** Further suggestions, which are served only if the list is empty. */
  ifEmpty: readonly string[]
}

const names = keysOf(criteria)

/** Permits are issued ones by default; a status before `issued` asks for both. */
const withIssued = (input: CriteriaInput): CriteriaInput => ({
  ...input,
  issued:
    input.issued ??
    (input.status?.some((status) => ['applied', 'in_review', 'approved'].includes(status)) ? 'any' : 'true'),
})

/** `input` has been checked against the schemas of the list. */
export const readSearch = (
  given: CriteriaInput,
  { kind, leads, maxPositions = 2_000, thresholds = () => ({}) }: Reading,
): Search => {
  const markets = marketsSearched(given)
  const input = kind === 'permits' ? withIssued(given) : given
  const context = { kind, leads, markets, input, maxPositions, thresholds }
  const conditions = names
    .flatMap((name) => conditionsOf(name, input, context))
    .sort((a, b) => conditionOrder.indexOf(a.type) - conditionOrder.indexOf(b.type))
  checkRanges(conditions)
  const { lat, lng } = input
  const zips = input.zip === undefined ? [] : zipsIn(input.zip)
  return {
    kind,
    markets,
    conditions,
    applied: {
      ...Object.fromEntries(names.flatMap((name) => appliedOf(name, input.issued === 'true' ? given : input))),
      ...appliedUnknown(input),
      market: markets.length === 1 ? markets[0] : 'all',
    },
    suggestions: [
      ...cityHints(input.city === undefined ? [] : cityNames(input.city), kind, markets),
      ...zipHints(zips, markets),
      ...idHints(input.id ?? [], markets),
    ],
    ifEmpty: [...unknownZipHints(zips), ...defaultMarketHints(given)],
    ...(lat !== undefined && lng !== undefined ? { point: { lat, lng } } : {}),
  }
}

/** No market means those of the ids, without ids the default market. */
export const marketsSearched = ({ market, id = [] }: Pick<CriteriaInput, 'market' | 'id'>): readonly MarketId[] => {
  if (market === 'all') return marketIds()
  const ofIds = market === undefined ? [...new Set(id.flatMap((each) => marketOfProperty(each) ?? []))] : []
  return ofIds.length > 0 ? ofIds : [(market === undefined ? undefined : marketOf(market)) ?? defaultMarket()]
}

/** For an empty list: the default market may have no data where the operator has loaded another. */
const defaultMarketHints = ({ market, id = [], city, zip }: CriteriaInput): readonly string[] =>
  market !== undefined || id.length > 0 || city !== undefined || zip !== undefined || marketIds().length === 1
    ? []
    : [`market: only ${defaultMarket()} was searched, the default; market=all searches every market.`]

type Values = { [Name in CriterionName]: NonNullable<CriteriaInput[Name]> }
const readers: { [Name in CriterionName]: Reader<Values[Name]> } = criteria

interface Reader<Value> {
  read(value: Value, context: ReadingContext): readonly Condition[]
  applied?(value: Value): unknown
}

const conditionsOf = <Name extends CriterionName>(
  name: Name,
  input: { [Each in CriterionName]?: Values[Each] },
  context: Omit<ReadingContext, 'name'>,
): readonly Condition[] => {
  const value = input[name]
  return value === undefined ? [] : readers[name].read(value, { ...context, name })
}

const appliedOf = <Name extends CriterionName>(name: Name, input: { [Each in CriterionName]?: Values[Each] }) => {
  const value = input[name]
  // A flag that is false asks for nothing.
  if (value === undefined || value === false) return []
  return [[name, readers[name].applied?.(value) ?? value]]
}

/** The default of `unknown` is a part of what was understood. */
const appliedUnknown = ({ exclude = [], require = [], unknown }: CriteriaInput) =>
  exclude.length + require.length === 0
    ? {}
    : { unknown: unknown ?? (exclude.length === 0 ? ('drop' as const) : ('keep' as const)) }

/** In the funnel: places first, areas last. */
const conditionOrder: readonly Condition['type'][] = [
  'city',
  'cityPart',
  'zip',
  'address',
  'ids',
  'oneOf',
  'atLeast',
  'atMost',
  'from',
  'to',
  'rank',
  'words',
  'contains',
  'notBlocked',
  'issued',
  'overlay',
  'area',
]

/** A minimum above its maximum is a typing error: nothing could match. */
const checkRanges = (conditions: readonly Condition[]) => {
  for (const least of conditions)
    for (const most of conditions) {
      const isReversed =
        (least.type === 'atLeast' && most.type === 'atMost' && least.value > most.value) ||
        (least.type === 'from' && most.type === 'to' && least.value > most.value)
      if (isReversed && least.field === most.field)
        throw badRequest(
          `${least.name} is above ${most.name}: ${least.name}=${least.value}, ${most.name}=${most.value}. Swap them or leave one out.`,
        )
    }
}
