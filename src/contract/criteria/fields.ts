// What each kind of row serves: names, types and units, and which names sort and which parameters filter them.
import { badRequest } from '../errors.ts'
import type { NumberField, TextField } from './conditions.ts'
import type { SearchKind } from './vocabulary.ts'

export interface Field {
  /** As served; a dot selects a nested field: `metadata.lotSize`. */
  name: string
  type: 'number' | 'integer' | 'text' | 'date' | 'boolean' | 'object' | 'list'
  unit?: string
  /** The value it is sorted by. Fields without one do not sort. */
  sort?: SortField
  /** The parameters that filter by it. */
  filters?: readonly string[]
}

export type SortField = NumberField | TextField | 'city' | 'distanceMi' | 'sb9Rank' | 'id'

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
  f('address', 'text', { filters: ['address'] }),
  f('city', 'text', { sort: 'city', filters: ['market', 'city'] }),
  f('zip', 'text', { filters: ['zip'] }),
]
const distance = f('distanceMi', 'number', { unit: 'miles', sort: 'distanceMi', filters: ['lat', 'lng', 'radiusMi'] })
const area = ['bbox', 'lat', 'lng', 'radiusMi', 'within']
const position = (prefix = '') => [
  f(`${prefix}lat`, 'number', { unit: 'degrees', filters: area }),
  f(`${prefix}lng`, 'number', { unit: 'degrees', filters: area }),
]
const percent = (name: string, sort: NumberField, filter: string) =>
  f(name, 'number', { unit: 'percent', sort, filters: [filter] })
const score = (name: string, sort: NumberField, ...filters: string[]) =>
  f(name, 'integer', { unit: 'points', sort, filters })

export const fieldCatalog: Readonly<Record<SearchKind, readonly Field[]>> = {
  listings: [
    ...place,
    f('price', 'number', { unit: 'dollars', sort: 'price', filters: ['minPrice', 'maxPrice', 'minPriceCutPct'] }),
    f('status', 'text', { filters: ['status'] }),
    f('soldDate', 'date', { sort: 'soldOn', filters: ['soldFrom', 'soldTo'] }),
    score('teardownScore', 'teardownScore', 'minTeardownScore', 'minTeardownPercentile'),
    score('flippabilityScore', 'flippabilityScore', 'minFlippabilityScore', 'minFlippabilityPercentile'),
    score('historicCharm', 'historicCharm'),
    f('ranks', 'object'),
    f('verdict', 'text'),
    f('rankScore', 'number', { unit: 'points', sort: 'rankScore' }),
    percent('returnPct', 'returnPct', 'minReturnPct'),
    percent('developerROI', 'developerRoi', 'minRoi'),
    score('conditionScore', 'conditionScore', 'minConditionScore', 'maxConditionScore'),
    f('listingUrl', 'text'),
    f('photo', 'text'),
    f('visionAnalysis', 'text'),
    percent('proformaROI', 'proformaRoi', 'minProformaRoi'),
    f('proforma', 'object'),
    f('metadata.sqft', 'number', { unit: 'square feet', sort: 'sqft', filters: ['minSqft', 'maxSqft'] }),
    f('metadata.lotSize', 'number', { unit: 'square feet', sort: 'lotSize', filters: ['minLotSize', 'maxLotSize'] }),
    f('metadata.daysOnMarket', 'integer', { unit: 'days', sort: 'daysOnMarket', filters: ['maxDaysOnMarket'] }),
    f('metadata.listedDate', 'date', { sort: 'listedOn', filters: ['listedFrom', 'listedTo'] }),
    f('metadata.yearBuilt', 'integer', { sort: 'yearBuilt', filters: ['minYearBuilt', 'maxYearBuilt'] }),
    f('metadata.beds', 'number', { sort: 'beds', filters: ['minBeds', 'maxBeds'] }),
    f('metadata.baths', 'number', { sort: 'baths', filters: ['minBaths'] }),
    ...position('metadata.'),
    distance,
    f('source', 'object'),
  ],
  parcels: [
    ...place,
    f('apn', 'text'),
    f('zoning', 'text', { filters: ['zoning'] }),
    f('lotSize', 'number', { unit: 'square feet', sort: 'lotSize', filters: ['minLotSize', 'maxLotSize'] }),
    f('yearBuilt', 'integer', { sort: 'yearBuilt', filters: ['minYearBuilt', 'maxYearBuilt'] }),
    f('existingSqft', 'number', { unit: 'square feet', sort: 'sqft', filters: ['minSqft', 'maxSqft'] }),
    f('allowableSqft', 'number', { unit: 'square feet' }),
    score('aduScore', 'aduScore', 'minAduScore'),
    score('redevelopmentScore', 'redevelopmentScore', 'minRedevelopmentScore'),
    f('class', 'text'),
    f('sb9Status', 'text', { sort: 'sb9Rank', filters: ['sb9Status'] }),
    f('onMarket', 'boolean'),
    f('price', 'number', { unit: 'dollars', sort: 'price' }),
    ...position(),
    distance,
    f('source', 'object'),
  ],
  permits: [
    f('permitId', 'text', { sort: 'id', filters: ['q'] }),
    f('city', 'text', { sort: 'city', filters: ['market', 'city', 'zip'] }),
    f('address', 'text', { filters: ['address', 'q'] }),
    f('projectType', 'text', { filters: ['q'] }),
    f('description', 'text', { filters: ['q'] }),
    f('valuation', 'number', { unit: 'dollars', sort: 'valuation', filters: ['minValuation', 'maxValuation'] }),
    f('sqft', 'number', { unit: 'square feet' }),
    f('psf', 'number', { unit: 'dollars per square foot' }),
    f('contractor', 'text', { filters: ['builder', 'q'] }),
    f('architect', 'text', { filters: ['q'] }),
    f('issuedDate', 'date', { sort: 'issuedOn', filters: ['issuedFrom', 'issuedTo'] }),
    f('appliedDate', 'date', { sort: 'appliedOn', filters: ['appliedFrom', 'appliedTo'] }),
    f('finaledDate', 'date', { sort: 'finaledOn', filters: ['finaledFrom', 'finaledTo'] }),
    f('status', 'text', { filters: ['status'] }),
    f('permitUrl', 'text'),
    f('permitClass', 'text', { filters: ['permitClass'] }),
    f('classWords', 'list'),
    f('propertyId', 'text'),
    ...position(),
    distance,
    f('goneAt', 'date'),
    f('source', 'object'),
  ],
  sales: [
    f('saleId', 'text', { sort: 'id' }),
    f('propertyId', 'text'),
    f('address', 'text', { filters: ['address'] }),
    f('city', 'text', { sort: 'city', filters: ['market', 'city'] }),
    f('zip', 'text', { filters: ['zip'] }),
    f('price', 'number', { unit: 'dollars', sort: 'price', filters: ['minPrice', 'maxPrice'] }),
    f('soldDate', 'date', { sort: 'soldOn', filters: ['soldFrom', 'soldTo'] }),
    f('pricePerSqft', 'number', { unit: 'dollars per square foot', sort: 'pricePerSqft' }),
    f('listPrice', 'number', { unit: 'dollars' }),
    f('daysOnMarket', 'integer', { unit: 'days', sort: 'daysOnMarket' }),
    f('propertyType', 'text', { filters: ['propertyType'] }),
    f('sqft', 'number', { unit: 'square feet', sort: 'sqft', filters: ['minSqft', 'maxSqft'] }),
    f('lotSize', 'number', { unit: 'square feet', sort: 'lotSize', filters: ['minLotSize', 'maxLotSize'] }),
    f('beds', 'number', { sort: 'beds', filters: ['minBeds', 'maxBeds'] }),
    f('baths', 'number', { sort: 'baths', filters: ['minBaths'] }),
    f('yearBuilt', 'integer', { sort: 'yearBuilt', filters: ['minYearBuilt', 'maxYearBuilt'] }),
    ...position(),
    distance,
    f('source', 'object'),
  ],
}

/** Names that sort a kind. The last part of a name is enough: `lotSize` for `metadata.lotSize`. */
export const sortNames = (kind: SearchKind): ReadonlyMap<string, SortField> => {
  const kinds = kind === 'listings' || kind === 'parcels' ? (['parcels', 'listings'] as const) : [kind]
  const names = new Map<string, SortField>()
  for (const { name, sort } of kinds.flatMap((each) => fieldCatalog[each]))
    if (sort) names.set(name, sort).set(name.split('.').at(-1)!, sort)
  // Served by the SB 9 list only.
  if (kind === 'listings') names.set('maxUnits', 'maxUnits')
  return names
}

/** The order as `sort` takes it: `-issuedDate`. */
export const sortText = (kind: SearchKind, sort: readonly SortKey[]): string[] => {
  const names = [...sortNames(kind)].reverse()
  return sort.map(({ field, descending }) => {
    const name = names.find(([, each]) => each === field)?.[0] ?? field
    return descending ? `-${name}` : name
  })
}

const mostSortKeys = 3

/** Reads `sort=-developerROI,price`. Undefined without a sort. */
export const readSort = (
  given: readonly string[] | undefined,
  kind: SearchKind,
  hasPoint: boolean,
): SortKey[] | undefined => {
  if (given === undefined || given.length === 0) return undefined
  const names = sortNames(kind)
  const shown = [...fieldCatalog[kind]].flatMap(({ name, sort }) => (sort ? [name.split('.').at(-1)!] : [])).join(', ')
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
        `sort must be up to ${mostSortKeys} of ${shown}, each with a leading - for highest first, for example sort=-${shown.split(', ')[2]}; it is "${each}".`,
      )
    if (field === 'distanceMi' && !hasPoint)
      throw badRequest('sort=distanceMi needs a point, for example lat=37.45&lng=-122.18&radiusMi=1&sort=distanceMi.')
    return { field, descending }
  })
}
