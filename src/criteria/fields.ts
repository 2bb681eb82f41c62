// What each kind of row serves: names, types and units, and which names sort and which parameters filter them.
import { badRequest } from '../common/errors.ts'
import { didYouMean } from '../common/suggest.ts'
import type { NumberField, SearchField } from './search-columns.ts'
import type { SearchKind } from './table.ts'
import { criteriaOf } from './vocabulary.ts'

export interface Field {
  /** As served; a dot selects a nested field: `metadata.lotSize`. */
  name: string
  type: 'number' | 'integer' | 'text' | 'date' | 'boolean' | 'object' | 'list'
  unit?: string
  /** The value it is sorted by. Fields without one do not sort. */
  sort?: SortField
}

export type SortField = SearchField | 'city' | 'distanceMi' | 'sb9Rank' | 'id'

export interface SortKey {
  field: SortField
  descending: boolean
}

const f = (name: string, type: Field['type'], rest: Omit<Field, 'name' | 'type'> = {}): Field => ({
  name,
  type,
  ...rest,
})

const place = [
  f('id', 'text', { sort: 'id' }),
  f('address', 'text'),
  f('city', 'text', { sort: 'city' }),
  f('zip', 'text'),
]
const distance = f('distanceMi', 'number', { unit: 'miles', sort: 'distanceMi' })
const position = (prefix = '') => [
  f(`${prefix}lat`, 'number', { unit: 'degrees' }),
  f(`${prefix}lng`, 'number', { unit: 'degrees' }),
]
const percent = (name: string, sort: NumberField) => f(name, 'number', { unit: 'percent', sort })
const score = (name: string, sort: NumberField) => f(name, 'integer', { unit: 'points', sort })

export const fieldCatalog: Readonly<Record<SearchKind, readonly Field[]>> = {
  listings: [
    ...place,
    f('price', 'number', { unit: 'dollars', sort: 'price' }),
    f('status', 'text'),
    f('soldDate', 'date', { sort: 'soldOn' }),
    score('teardownScore', 'teardownScore'),
    score('flippabilityScore', 'flippabilityScore'),
    score('historicCharm', 'historicCharm'),
    f('ranks', 'object'),
    f('verdict', 'text'),
    f('rankScore', 'number', { unit: 'points', sort: 'rankScore' }),
    f('expectedPrice', 'object'),
    percent('returnPct', 'returnPct'),
    percent('returnAtExpectedPct', 'returnAtExpectedPct'),
    percent('developerROI', 'developerRoi'),
    score('conditionScore', 'conditionScore'),
    f('listingUrl', 'text'),
    f('photo', 'text'),
    f('visionAnalysis', 'text'),
    percent('proformaROI', 'proformaRoi'),
    f('proforma', 'object'),
    f('metadata.sqft', 'number', { unit: 'square feet', sort: 'sqft' }),
    f('metadata.lotSize', 'number', { unit: 'square feet', sort: 'lotSize' }),
    f('metadata.daysOnMarket', 'integer', { unit: 'days', sort: 'daysOnMarket' }),
    f('metadata.listedDate', 'date', { sort: 'listedOn' }),
    f('metadata.yearBuilt', 'integer', { sort: 'yearBuilt' }),
    f('metadata.beds', 'number', { sort: 'beds' }),
    f('metadata.baths', 'number', { sort: 'baths' }),
    ...position('metadata.'),
    distance,
    f('source', 'object'),
    f('notAssessed', 'text'),
  ],
  parcels: [
    ...place,
    f('apn', 'text'),
    f('zoning', 'text'),
    f('lotSize', 'number', { unit: 'square feet', sort: 'lotSize' }),
    f('yearBuilt', 'integer', { sort: 'yearBuilt' }),
    f('existingSqft', 'number', { unit: 'square feet', sort: 'sqft' }),
    f('allowableSqft', 'number', { unit: 'square feet' }),
    score('aduScore', 'aduScore'),
    score('redevelopmentScore', 'redevelopmentScore'),
    f('class', 'text'),
    f('sb9Status', 'text', { sort: 'sb9Rank' }),
    f('onMarket', 'boolean'),
    f('price', 'number', { unit: 'dollars', sort: 'price' }),
    ...position(),
    distance,
    f('source', 'object'),
  ],
  permits: [
    f('permitId', 'text', { sort: 'id' }),
    f('city', 'text', { sort: 'city' }),
    f('address', 'text'),
    f('projectType', 'text'),
    f('description', 'text'),
    f('valuation', 'number', { unit: 'dollars', sort: 'valuation' }),
    f('sqft', 'number', { unit: 'square feet' }),
    f('units', 'integer', { unit: 'dwelling units', sort: 'unitsAdded' }),
    f('psf', 'number', { unit: 'dollars per square foot' }),
    f('contractor', 'text'),
    f('builderId', 'text'),
    f('architect', 'text'),
    f('issuedDate', 'date', { sort: 'issuedOn' }),
    f('appliedDate', 'date', { sort: 'appliedOn' }),
    f('finaledDate', 'date', { sort: 'finaledOn' }),
    f('status', 'text'),
    f('permitUrl', 'text'),
    f('permitClass', 'text'),
    f('classWords', 'list'),
    f('propertyId', 'text'),
    ...position(),
    distance,
    f('goneAt', 'date'),
    f('source', 'object'),
    f('citySlug', 'text'),
  ],
  sales: [
    f('saleId', 'text', { sort: 'id' }),
    f('propertyId', 'text'),
    f('address', 'text'),
    f('city', 'text', { sort: 'city' }),
    f('zip', 'text'),
    f('price', 'number', { unit: 'dollars', sort: 'price' }),
    f('soldDate', 'date', { sort: 'soldOn' }),
    f('pricePerSqft', 'number', { unit: 'dollars per square foot', sort: 'pricePerSqft' }),
    f('listPrice', 'number', { unit: 'dollars' }),
    f('daysOnMarket', 'integer', { unit: 'days', sort: 'daysOnMarket' }),
    f('propertyType', 'text'),
    f('sqft', 'number', { unit: 'square feet', sort: 'sqft' }),
    f('lotSize', 'number', { unit: 'square feet', sort: 'lotSize' }),
    f('beds', 'number', { sort: 'beds' }),
    f('baths', 'number', { sort: 'baths' }),
    f('yearBuilt', 'integer', { sort: 'yearBuilt' }),
    ...position(),
    distance,
    f('source', 'object'),
  ],
}

/** The criteria that filter by a field of a kind. */
export const filtersOf = (kind: SearchKind, { name }: Field): string[] => {
  const last = name.split('.').at(-1)!
  return criteriaOf(kind).flatMap(([each, { fields }]) => (fields.includes(last) ? [each] : []))
}

/** Names that sort a kind. The last part of a name is enough: `lotSize` for `metadata.lotSize`. */
export const sortNames = (kind: SearchKind): ReadonlyMap<string, SortField> => {
  const kinds = kind === 'listings' || kind === 'parcels' ? (['parcels', 'listings'] as const) : [kind]
  const names = new Map<string, SortField>()
  for (const { name, sort } of kinds.flatMap((each) => fieldCatalog[each]))
    if (sort) names.set(name, sort).set(name.split('.').at(-1)!, sort)
  for (const [name, sort] of Object.entries(leadSorts[kind] ?? {})) names.set(name, sort)
  return names
}

/** Names that sort a kind and are served by one list of leads only: `maxUnits` by SB 9, the others by ADU leads. */
const leadSorts: Partial<Record<SearchKind, Readonly<Record<string, SortField>>>> = {
  listings: { maxUnits: 'maxUnits' },
  parcels: { 'adu.economics.returnPct': 'aduReturnPct', 'adu.economics.paybackYears': 'aduPaybackYears' },
}

/** The order as `sort` takes it: `-issuedDate`. */
export const sortText = (kind: SearchKind, sort: readonly SortKey[]): string[] => {
  const names = [...sortNames(kind)].reverse()
  return sort.map(({ field, descending }) => {
    const name = names.find(([, each]) => each === field)?.[0] ?? field
    return descending ? `-${name}` : name
  })
}

/** Scores are served as whole numbers. Homes with the same score are ordered by the unrounded one, after all that was asked for. */
export const withUnrounded = (sort: readonly SortKey[]): readonly SortKey[] => [
  ...sort,
  ...sort.flatMap(({ field, descending }) =>
    field === 'teardownScore' || field === 'flippabilityScore' ? [{ field: unrounded[field], descending }] : [],
  ),
]

const unrounded = { teardownScore: 'teardownRaw', flippabilityScore: 'flippabilityRaw' } as const

const mostSortKeys = 3

/** Reads `sort=-developerROI,price`. Undefined without a sort. */
export const readSort = (
  given: readonly string[] | undefined,
  kind: SearchKind,
  hasPoint: boolean,
): SortKey[] | undefined => {
  if (given === undefined || given.length === 0) return undefined
  const names = sortNames(kind)
  const known = fieldCatalog[kind].flatMap(({ name, sort }) => (sort ? [name.split('.').at(-1)!] : []))
  const shown = [...known, ...Object.keys(leadSorts[kind] ?? {})].join(', ')
  if (given.length > mostSortKeys)
    throw badRequest(
      `sort must have at most ${mostSortKeys} fields, for example sort=-${shown.split(', ')[2]}; it has ${given.length}.`,
    )
  return given.map((each) => {
    const descending = each.startsWith('-')
    const name = each.replace(/^[-+ ]/, '')
    const field = names.get(name)
    if (field === undefined)
      throw badRequest(
        `sort must be up to ${mostSortKeys} of ${shown}, each with a leading - for highest first, for example sort=-${shown.split(', ')[2]}; it is "${each}".${didYouMean(name, [...names.keys()])}`,
      )
    if (field === 'distanceMi' && !hasPoint)
      throw badRequest('sort=distanceMi needs a point, for example lat=37.45&lng=-122.18&radiusMi=1&sort=distanceMi.')
    return { field, descending }
  })
}
