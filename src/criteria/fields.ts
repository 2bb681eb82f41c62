// What each kind of row serves: names, types and units, and which names sort and which parameters filter them.
import { badRequest } from '../common/errors.ts'
import { didYouMean } from '../common/suggest.ts'
import { type FieldPath, type ServedField, servedField } from '../domain/served-fields.ts'
import { type SearchField, type SearchTable, searchColumns } from './search-columns.ts'
import type { SearchKind } from './table.ts'
import { criteriaOf } from './vocabulary.ts'

export interface Field extends Pick<ServedField, 'type' | 'unit'> {
  /** As served; a dot selects a nested field: `metadata.lotSize`. */
  name: string
  /** The value it is sorted by. Fields without one do not sort. */
  sort?: SortField
}

export type SortField = SearchField | 'city' | 'distanceMi' | 'lotSplitRank' | 'id'

export interface SortKey {
  field: SortField
  descending: boolean
}

/** Sort keys that are not named as their field. */
const sorts: Readonly<Record<string, SortField>> = {
  ...{ id: 'id', permitId: 'id', saleId: 'id', city: 'city', distanceMi: 'distanceMi', sb9Status: 'lotSplitRank' },
  ...{ soldDate: 'soldOn', listedDate: 'listedOn', issuedDate: 'issuedOn', appliedDate: 'appliedOn' },
  ...{ finaledDate: 'finaledOn', developerROI: 'developerRoi', proformaROI: 'proformaRoi', existingSqft: 'sqft' },
  units: 'unitsAdded',
  ...{ 'bestUse.room.usd': 'roomUsd', 'bestUse.room.low': 'roomLow', 'bestUse.maximumOffer': 'bestOffer' },
  'bestUse.homes': 'bestHomes',
  ...{ value: 'valueUsd', amount: 'monthlyRentUsd', profitUsd: 'flipProfitUsd', maximumOffer: 'flipMaximumOffer' },
}

/** A field whose name is that of a number of the search table sorts by it. */
const fieldsIn =
  (table: SearchTable) =>
  (...paths: readonly FieldPath[]): Field[] =>
    paths.map((name) => {
      const { type, unit } = servedField(name)
      const last = name.split('.').at(-1)!
      const column = searchColumns[table].find((each) => each.name === last && each.type === 'number')
      // The last parts of the best use's names mean other values elsewhere.
      const sort = sorts[name] ?? (name.startsWith('bestUse.') ? undefined : (sorts[last] ?? column?.name))
      return { name, type, ...(unit && { unit }), ...(sort && { sort }) }
    })
const homes = fieldsIn('homes')
const permits = fieldsIn('permits')
const sales = fieldsIn('sales')

const bestUse = [
  ...(['bestUse.scheme', 'bestUse.homes', 'bestUse.maximumOffer', 'bestUse.room.usd', 'bestUse.room.low'] as const),
  ...(['bestUse.room.against', 'bestUse.confidence', 'bestUse.ifApproved.scheme'] as const),
  'bestUse.ifApproved.maximumOffer',
] as const

export const fieldCatalog: Readonly<Record<SearchKind, readonly Field[]>> = {
  listings: [
    ...homes('id', 'address', 'city', 'zip', 'price', 'status', 'soldDate', 'teardownScore', 'flippabilityScore'),
    ...homes('historicCharm', 'ranks', 'verdict', 'rankScore', 'expectedPrice', 'returnPct', 'returnAtExpectedPct'),
    ...homes('priceTension'),
    ...homes('developerROI', 'conditionScore', 'listingUrl', 'photo', 'visionAnalysis', 'proformaROI', 'proforma'),
    ...homes('metadata.sqft', 'metadata.lotSize', 'metadata.daysOnMarket', 'metadata.listedDate', 'metadata.yearBuilt'),
    ...homes('metadata.beds', 'metadata.baths', 'metadata.lat', 'metadata.lng', 'distanceMi', 'source', 'notAssessed'),
    ...homes('decision.scheme', 'decision.text', 'decision.worthUpTo', 'decision.worthUpToLow', 'decision.room.usd'),
    ...homes('decision.room.low', 'decision.room.against', 'decision.approval', 'decision.confidence', 'decision.asOf'),
    ...homes(
      'valueEstimate.value',
      'valueEstimate.low',
      'valueEstimate.high',
      'valueEstimate.confidence',
      'valueEstimate.asOf',
    ),
    ...homes('priceToValue', 'monthlyRent.amount', 'hold.capRatePct', 'hold.grossYieldPct', 'flip.profitUsd'),
    ...homes('flip.maximumOffer', ...bestUse),
  ],
  parcels: [
    ...homes('id', 'address', 'city', 'zip', 'apn', 'zoning', 'lotSize', 'yearBuilt', 'existingSqft', 'allowableSqft'),
    ...homes('homes', 'allows'),
    ...homes('aduScore', 'redevelopmentScore', 'class', 'sb9Status', 'onMarket', 'price', 'lat', 'lng', 'distanceMi'),
    ...homes('source', 'asOf', ...bestUse),
  ],
  permits: [
    ...permits('permitId', 'city', 'address', 'projectType', 'description', 'valuation', 'sqft', 'units', 'psf'),
    ...permits('contractor', 'builderId', 'architect', 'issuedDate', 'appliedDate', 'finaledDate', 'status'),
    ...permits('permitUrl', 'permitClass', 'classWords', 'propertyId', 'lat', 'lng', 'distanceMi', 'goneAt', 'source'),
    ...permits('citySlug'),
  ],
  sales: [
    ...sales('saleId', 'propertyId', 'address', 'city', 'zip', 'price', 'soldDate', 'pricePerSqft', 'listPrice'),
    ...sales('daysOnMarket', 'propertyType', 'sqft', 'lotSize', 'beds', 'baths', 'yearBuilt', 'lat', 'lng'),
    ...sales('distanceMi', 'source'),
  ],
}

export const filtersOf = (kind: SearchKind, { name }: Field): string[] => {
  const last = name.split('.').at(-1)!
  return criteriaOf(kind).flatMap(([each, { fields }]) =>
    fields.includes(name) || (fields.includes(last) && !name.startsWith('bestUse.')) ? [each] : [],
  )
}

/** Names that sort a kind. The last part of a name is enough: `lotSize` for `metadata.lotSize`. */
export const sortNames = (kind: SearchKind): ReadonlyMap<string, SortField> => {
  const kinds = kind === 'listings' || kind === 'parcels' ? (['parcels', 'listings'] as const) : [kind]
  const names = new Map<string, SortField>()
  for (const { name, sort } of kinds.flatMap((each) => fieldCatalog[each])) if (sort) names.set(name, sort)
  // The last part of a name is enough, except of the best use: its names are also those of a flip, a value and a law.
  for (const { name, sort } of kinds.flatMap((each) => fieldCatalog[each]))
    if (sort && !name.startsWith('bestUse.')) names.set(name.split('.').at(-1)!, sort)
  for (const [name, sort] of Object.entries(leadSorts[kind] ?? {})) names.set(name, sort)
  return names
}

/** Names that sort a kind and are served by one list of leads only: `maxUnits` by SB 9, the others by ADU leads. */
const leadSorts: Partial<Record<SearchKind, Readonly<Record<string, SortField>>>> = {
  listings: { maxUnits: 'maxUnits', 'room.usd': 'roomUsd', 'room.low': 'roomLow' },
  parcels: {
    ...{ 'room.usd': 'roomUsd', 'room.low': 'roomLow' },
    'adu.economics.gainUsd': 'aduGainUsd',
    'adu.economics.returnPct': 'aduReturnPct',
    'adu.economics.paybackYears': 'aduPaybackYears',
  },
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
  const known = fieldCatalog[kind].flatMap(({ name, sort }) => {
    const last = name.split('.').at(-1)!
    return sort ? [names.get(last) === sort ? last : name] : []
  })
  const accepted = [...new Set([...known, ...Object.keys(leadSorts[kind] ?? {})])].join(', ')
  if (given.length > mostSortKeys)
    throw badRequest(
      `sort must have at most ${mostSortKeys} fields, for example sort=-${accepted.split(', ')[2]}; it has ${given.length}.`,
    )
  return given.map((each) => {
    const descending = each.startsWith('-')
    const name = each.replace(/^[-+ ]/, '')
    const field = names.get(name)
    if (field === undefined)
      throw badRequest(
        `sort must be up to ${mostSortKeys} of ${accepted}, each with a leading - for highest first, for example sort=-${accepted.split(', ')[2]}; it is "${each}".${didYouMean(name, [...names.keys()])}`,
      )
    if (field === 'distanceMi' && !hasPoint)
      throw badRequest('sort=distanceMi needs a point, for example lat=37.45&lng=-122.18&radiusMi=1&sort=distanceMi.')
    return { field, descending }
  })
}
