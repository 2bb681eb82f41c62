// The criteria of every search, one row each. Read from this table: query parameters, the body of POST /v1/search,
// conditions, the field catalog, page forms and chips, the inputs of agent tools, and near misses.
import { type TSchema, Type } from 'typebox'
import examplePlace from '../../data/examples.json' with { type: 'json' }
import { badRequest } from '../common/errors.ts'
import { commaSeparated } from '../common/list-text.ts'
import { choices, flag, integer, literals, number, text } from '../common/shape.ts'
import { tableOf } from '../common/typed.ts'
import {
  type MarketId,
  type OverlayName,
  onMarketStatuses,
  overlayNames,
  permitClasses,
  permitStatuses,
  propertyTypes,
} from '../domain/facts.ts'
import { approvals, type LeadKind, useSchemes } from '../domain/findings/laws.ts'
import { lotSplitStatuses } from '../domain/findings/lot-split.ts'
import { redevelopmentClasses } from '../domain/findings/redevelopment.ts'
import { schemeKinds } from '../domain/findings/scheme-kinds.ts'
import { citySlug, findCity } from '../domain/packs/markets.ts'
import { addressPatterns } from './address-condition.ts'
import type { Condition } from './conditions.ts'
import { firmApprovals } from './firm-approvals.ts'
import { examplePolygon, GeoJsonMultiPolygon, GeoJsonPolygon } from './geojson.ts'
import { type Area, boxArea, checkPoint, circleArea, polygonArea } from './geometry.ts'
import type { DateField, NumberField, TextField } from './search-columns.ts'

export const searchKinds = ['listings', 'parcels', 'permits', 'sales'] as const
export type SearchKind = (typeof searchKinds)[number]

/** The inputs that take criteria. `parcels`: also the ADU and redevelopment leads. `search`: the body of POST /v1/search. */
export type CriteriaList = SearchKind | 'lot_splits' | 'search'

export type Unit = 'dollars' | 'percent' | 'square feet' | 'points' | 'days' | 'years' | 'miles' | 'degrees' | 'none'

/** Passed to `read` of a criterion. */
export interface ReadingContext {
  name: string
  kind: SearchKind
  /** The leads that the list is about, if it is a list of leads. */
  leads?: LeadKind | 'redevelopment' | undefined
  markets: readonly MarketId[]
  /** The values of criteria that others need, such as `lng` for `lat`. */
  input: TogetherInput
  /** The maximum number of positions in `within`. */
  maxPositions: number
  /** The unrounded score at a percentile, by market. */
  thresholds(field: RankField, percentile: number): Record<string, number>
}
interface TogetherInput {
  exclude?: readonly OverlayName[]
  require?: readonly OverlayName[]
  unknown?: 'keep' | 'drop'
  bbox?: readonly number[]
  lat?: number
  lng?: number
  radiusMi?: number
  within?: object
}
export type RankField = 'teardownRaw' | 'flippabilityRaw'

type Bound =
  | { type: 'atLeast' | 'atMost'; field: NumberField | ((leads: ReadingContext['leads']) => NumberField) }
  | { type: 'from' | 'to'; field: DateField }

interface Reads<Value> {
  read(value: Value, context: ReadingContext): readonly Condition[]
  /** The value that the answer repeats in `applied`. By default the value that was sent. */
  applied?(value: Value): unknown
  /** Set for a minimum, maximum, first or last day. The minimum and the maximum of a value have the same field. */
  bound?: Bound
  /** The served fields that it filters, if they have the name of the column. */
  fields?: readonly string[]
}

/** The groups of a long form, by what a buyer wants to do, with their titles. */
export const formGroups = {
  home: 'House and lot',
  build: 'Build, split or add homes',
  flip: 'Renovate and sell',
  rent: 'Rent out',
} as const
type FormGroup = keyof typeof formGroups

interface Row<Schema extends TSchema, Lists extends readonly CriteriaList[]> {
  schema: Schema
  lists: Lists
  /** The served fields that it filters. The last part of a name is enough, unless other fields end with it too. */
  fields: readonly string[]
  /** Its name on pages: form field, chip and messages. */
  label: string
  /** Defaults to 'none'. */
  unit?: Unit
  /** In page forms: always shown (`first`), under "More filters" (`more` or a group), or only read from the URL (`url`, the default). */
  form?: 'first' | 'more' | FormGroup | 'url'
  /** What an agent needs to know besides the type. */
  note?: string
  /** An example in the form field. */
  placeholder?: string
}

const row = <
  const Lists extends readonly CriteriaList[],
  Schema extends TSchema,
  Value,
  Other extends Partial<Record<CriteriaList, TSchema>> = Record<never, never>,
>(
  reads: Reads<Value>,
  lists: Lists,
  label: string,
  row: Omit<Row<Schema, Lists>, 'lists' | 'label' | 'fields'> & { fields?: readonly string[]; schemaIn?: Other },
) => ({ schemaIn: {} as Other, ...defaults, ...reads, lists, label, ...row, fields: row.fields ?? reads.fields ?? [] })

type Defaulted = Required<Pick<Row<TSchema, readonly CriteriaList[]>, 'unit' | 'form' | 'note'>>
const defaults: Defaulted = { unit: 'none', form: 'url', note: '' }

// Schemas

const opt = Type.Optional
/** A schema of numbers, with the unit of its values. */
const numbers =
  <const Of extends Unit>(unit: Of, options: Type.TNumberOptions, example: number) =>
  (description: string, examples = [example]) => ({
    schema: opt(Type.Number({ ...options, description, examples })),
    unit,
  })
const usd = numbers('dollars', { minimum: 0 }, 3_000_000)
const profit = numbers('dollars', { minimum: -1e9, maximum: 1e9 }, 50_000)
const size = numbers('square feet', { minimum: 0 }, 5_000)
const score = numbers('points', { minimum: 0, maximum: 100 }, 60)
const percent = numbers('percent', { minimum: -1_000, maximum: 10_000 }, 10)
const rooms = numbers('none', { minimum: 0, maximum: 1_000 }, 3)
const year = (description: string) => ({
  schema: opt(integer(description, { minimum: 1_600, maximum: 2_200, examples: [1960] })),
  unit: 'years' as const,
})
const count = (minimum: number, maximum: number, description: string, example: number) => ({
  schema: opt(integer(description, { minimum, maximum, examples: [example] })),
})
/** Names separated by commas. A JSON body may also send a list. */
const namesIn = (schema: Type.TString) => opt(Type.Union([schema, Type.Array(schema, { minItems: 1, maxItems: 100 })]))

// How criteria become conditions

const atLeast = (field: Extract<Bound, { type: 'atLeast' | 'atMost' }>['field']) => numberBound('atLeast', field)
const atMost = (field: NumberField) => numberBound('atMost', field)
const numberBound = (
  type: 'atLeast' | 'atMost',
  field: Extract<Bound, { type: 'atLeast' | 'atMost' }>['field'],
): Reads<number> => ({
  bound: { type, field },
  ...(typeof field === 'string' && { fields: [field] }),
  read: (value, { name, leads }) => [{ name, type, field: typeof field === 'function' ? field(leads) : field, value }],
})
const oneOf = (field: TextField, expanded = (values: readonly string[]) => values): Reads<readonly string[]> => ({
  read: (values, { name }) => [{ name, type: 'oneOf', field, values: expanded(values) }],
  applied: expanded,
  fields: [field],
})
const atPercentile = (field: RankField): Reads<number> => ({
  read: (value, { name, thresholds }) => [
    { name, type: 'rank', field, value, thresholds: thresholds(field, value) },
    // Flips that lose money have no rank, so a percentile never keeps them.
    ...(field === 'flippabilityRaw'
      ? [{ name: 'minFlipProfit', type: 'atLeast', field: 'flipProfitUsd', value: 0 } as const]
      : []),
  ],
})
/** Adds no condition of its own: another criterion reads its value. `check` rejects values that do not go together. */
const readWith = <Value>(check: (context: ReadingContext) => void = () => {}): Reads<Value> => ({
  read: (_, context) => {
    check(context)
    return []
  },
})

/** `for_sale` is active and coming_soon; `onMarket` adds pending. */
const statusFilters = ['active', 'coming_soon', 'pending', 'sold', 'for_sale', 'onMarket'] as const
const statusGroups: Readonly<Record<string, readonly string[]>> = {
  for_sale: ['active', 'coming_soon'],
  onMarket: onMarketStatuses,
}
const statusesOf = (values: readonly string[]): readonly string[] => [
  ...new Set(values.flatMap((value) => statusGroups[value] ?? [value])),
]

/** Whether permits are issued. */
const issuedFilters = ['true', 'false', 'any'] as const

/** A state belongs to the city before it: "Springfield, IL, Menlo Park" names two cities. */
export const cityNames = (given: string | readonly string[]): string[] => {
  const names: string[] = []
  for (const part of typeof given === 'string' ? commaSeparated(given) : given.flatMap(commaSeparated))
    if (/^[A-Z]{2}$/.test(part) && names.length > 0) names.push(`${names.pop()}, ${part}`)
    else names.push(part)
  return names
}

const inCities: Reads<string | readonly string[]> = {
  read: (given, { name, kind, markets }) => {
    const names = cityNames(given)
    if (kind === 'permits') {
      // Permits store city names without the state.
      const parts = names.map((each) => each.toLowerCase().replace(/, [a-z]{2}$/, ''))
      return parts.length > 0 ? [{ name, type: 'cityPart', parts }] : []
    }
    const market = markets.length === 1 ? markets[0] : undefined
    return [{ name, type: 'city', slugs: names.map((each) => findCity(each, market)?.slug ?? citySlug(each)) }]
  },
  applied: (given) => cityNames(given).join(', '),
}

export const zipsIn = (given: string | readonly string[]): string[] =>
  typeof given === 'string' ? commaSeparated(given) : given.flatMap(commaSeparated)

const inZips: Reads<string | readonly string[]> = {
  read: (given, { name }) => [{ name, type: 'zip', values: zipsIn(given) }],
  applied: (given) => zipsIn(given).join(','),
}

const overlays = (wanted: 'exclude' | 'require'): Reads<readonly OverlayName[]> => ({
  read: (names, { name, input: { exclude, require, unknown } }) => {
    const both = exclude?.find((each) => require?.includes(each))
    if (both) throw badRequest(`exclude and require must not both name ${both}; for example exclude=${both}.`)
    const known = wanted === 'exclude' ? ('no' as const) : ('yes' as const)
    const keeps = (unknown ?? (wanted === 'exclude' ? 'keep' : 'drop')) === 'keep'
    return names.map((overlay) => ({ name, type: 'overlay', overlay, accepted: keeps ? [known, 'unknown'] : [known] }))
  },
})

const oneArea = ({ input: { bbox, lat, within } }: ReadingContext) => {
  const areas = Object.entries({ bbox, lat, within }).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (areas.length > 1)
    throw badRequest(
      `${areas.join(' and ')} cannot be combined; give one area, for example bbox=-122.26,37.41,-122.12,37.50.`,
    )
}
const wholeCircle = (context: ReadingContext) => {
  const { lat, lng, radiusMi } = context.input
  oneArea(context)
  if (lat === undefined || lng === undefined || radiusMi === undefined)
    throw badRequest('lat, lng and radiusMi go together, for example lat=37.45&lng=-122.18&radiusMi=1.')
}

/** Reads an area. A request with two areas is a 400. */
const inArea = <Value>(areaOf: (value: Value, context: ReadingContext) => Area): Reads<Value> => ({
  read: (value, context) => {
    oneArea(context)
    return [{ name: context.name, type: 'area', area: areaOf(value, context) }]
  },
})
const inCircle: Reads<number> = {
  read: (radiusMi, context) => {
    wholeCircle(context)
    const { lat = 0, lng = 0 } = context.input
    checkPoint({ lat, lng })
    return [{ name: context.name, type: 'area', area: circleArea({ lat, lng }, radiusMi) }]
  },
}
const containing = (field: TextField): Reads<string> => ({
  read: (value, { name }) => [{ name, type: 'contains', field, text: value.trim() }],
})
const inWords: Reads<string> = {
  read: (text, { name }) => {
    const words = text.split(/\s+/).filter(Boolean)
    return words.length > 0 ? [{ name, type: 'words', words }] : []
  },
}
/** `true` adds the condition. `false` adds no condition. */
const where = (condition: (name: string) => Condition): Reads<boolean> => ({
  read: (isSet, { name }) => (isSet ? [condition(name)] : []),
})

const everyList = ['listings', 'parcels', 'permits', 'sales', 'lot_splits', 'search'] as const
const properties = ['listings', 'parcels', 'lot_splits', 'search'] as const
const homes = ['listings', 'parcels', 'sales', 'lot_splits', 'search'] as const
const deals = ['listings', 'lot_splits', 'search'] as const
const prices = ['listings', 'sales', 'lot_splits', 'search'] as const
const permits = ['permits', 'search'] as const

const cityText = text(
  `City names or slugs, any case, separated by commas: "${examplePlace.city}", ${examplePlace.citySlug}`,
  { maxLength: 500, 'x-comma-list': true, examples: [examplePlace.city] },
)
const zipText = text('ZIP codes, separated by commas', {
  format: 'zip-codes',
  'x-comma-list': true,
  maxLength: 600,
  examples: ['94025,94301'],
})

/** A minimum and a maximum, for example `minBeds` and `maxBeds`. Forms show each one whose `form` is set. */
const range = <Name extends string, Schema extends TSchema, const Lists extends readonly CriteriaList[]>(
  name: Name,
  field: NumberField,
  schema: (at: 'least' | 'most') => Pick<Row<Schema, Lists>, 'schema' | 'unit'>,
  lists: Lists,
  label: string,
  {
    min,
    max,
    ...shared
  }: Partial<Pick<Row<Schema, Lists>, 'fields' | 'note'>> & {
    min?: Pick<Row<Schema, Lists>, 'form' | 'placeholder'>
    max?: Pick<Row<Schema, Lists>, 'form' | 'placeholder'>
  },
) =>
  tableOf([`min${name}`, `max${name}`] as const, (each) =>
    each === `min${name}`
      ? row(atLeast(field), lists, `Min ${label}`, { ...schema('least'), ...shared, ...min })
      : row(atMost(field), lists, `Max ${label}`, { ...schema('most'), ...shared, ...max }),
  )

/** A first and a last day, for example `issuedFrom` and `issuedTo`. */
const days = <
  Name extends 'listed' | 'sold' | 'issued' | 'applied' | 'finaled',
  const Lists extends readonly CriteriaList[],
>(
  name: Name,
  phrase: string,
  { lists, form }: Pick<Row<TSchema, Lists>, 'lists' | 'form'>,
) =>
  tableOf([`${name}From`, `${name}To`] as const, (each) => {
    const [type, side] = each === `${name}From` ? (['from', 'after'] as const) : (['to', 'before'] as const)
    const field: DateField = `${name}On`
    const reads: Reads<string> = { bound: { type, field }, read: (value) => [{ name: each, type, field, value }] }
    return row(reads, lists, `${phrase.replace(/ .*/, '')} ${type}`, {
      schema: opt(text(`${phrase} on or ${side} this date, YYYY-MM-DD`, { format: 'date' })),
      fields: [`${name}Date`],
      unit: 'days',
      form,
      note: 'YYYY-MM-DD',
    })
  })

/** In the order of the documentation. */
export const criteria = {
  market: row(readWith<string>(), everyList, 'Market', {
    schema: opt(
      text('Market id, or all for every market; without it, the default market', {
        format: 'searched-market',
        maxLength: 60,
      }),
    ),
    form: 'first',
    note: 'Market id',
    fields: ['city'],
  }),
  city: row(inCities, everyList, 'City', {
    schema: opt(cityText),
    schemaIn: {
      permits: opt(
        text(
          `City names, separated by commas; a part of a name is enough. A slug (${examplePlace.citySlug}) is that city only`,
          { maxLength: 500, 'x-comma-list': true, examples: [examplePlace.city] },
        ),
      ),
      search: namesIn(cityText),
    },
    form: 'first',
    note: 'Name or slug',
    fields: ['city'],
  }),
  address: row(
    { read: (text: string, { name }) => [{ name, type: 'address', text, patterns: addressPatterns(text) }] },
    everyList,
    'Street address',
    {
      schema: opt(
        text('Part of an address, or a whole one as people type it: 123 main st #2, menlo park, ca', {
          maxLength: 500,
          examples: ['123 main st'],
        }),
      ),
      fields: ['address'],
      form: 'more',
      note: 'Part of an address',
      placeholder: '123 Oak',
    },
  ),
  zip: row(inZips, everyList, 'ZIP code', {
    schema: opt(zipText),
    schemaIn: { search: namesIn(zipText) },
    form: 'more',
    placeholder: '94025',
    fields: ['zip', 'address'],
  }),
  id: row(
    { read: (values: readonly string[], { name }) => [{ name, type: 'ids', values }] },
    properties,
    'Property id',
    {
      schema: opt(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          minItems: 1,
          maxItems: 100,
          description:
            'Property ids, separated by commas, at most 100. If market is omitted, the markets of these ids are searched.',
          examples: [['p_001m2kk87yd509bz5mh']],
        }),
      ),
      fields: ['id'],
      note: 'Property ids',
    },
  ),
  bbox: row(inArea<readonly number[]>(boxArea), everyList, 'Map area', {
    schema: opt(
      Type.Array(Type.Number(), {
        minItems: 4,
        maxItems: 4,
        description: 'Inside this box: west,south,east,north in degrees (WGS 84)',
        examples: [[-122.26, 37.41, -122.12, 37.5]],
      }),
    ),
    fields: ['lat', 'lng'],
    unit: 'degrees',
    note: 'west,south,east,north',
  }),
  lat: row(readWith<number>(wholeCircle), everyList, 'Latitude', {
    schema: opt(number('Latitude of a point, with lng', { minimum: -90, maximum: 90, examples: [37.45] })),
    unit: 'degrees',
    fields: ['lat', 'lng', 'distanceMi'],
  }),
  lng: row(readWith<number>(wholeCircle), everyList, 'Longitude', {
    schema: opt(number('Longitude of the point, with lat', { minimum: -180, maximum: 180, examples: [-122.18] })),
    unit: 'degrees',
    fields: ['lat', 'lng', 'distanceMi'],
  }),
  radiusMi: row(inCircle, everyList, 'Radius', {
    schema: opt(number('Within this many miles of the point', { minimum: 0.05, maximum: 25, examples: [1] })),
    fields: ['lat', 'lng', 'distanceMi'],
    unit: 'miles',
    note: 'With lat and lng',
  }),
  within: row(
    inArea<object>((shape, { maxPositions }) => polygonArea(shape, maxPositions)),
    ['search'],
    'Drawn area',
    {
      schema: opt(
        Type.Union([GeoJsonPolygon, GeoJsonMultiPolygon], {
          description: 'Inside this GeoJSON Polygon or MultiPolygon and outside its holes',
          examples: [examplePolygon],
          'x-checked-by-operation': 'a GeoJSON Polygon or MultiPolygon',
        }),
      ),
      fields: ['lat', 'lng'],
    },
  ),
  status: row(oneOf('status', statusesOf), ['listings', 'permits', 'search'], 'Status', {
    schema: choices(
      statusFilters,
      'Listing statuses, separated by commas; for_sale is active and coming_soon, onMarket adds pending',
    ),
    schemaIn: {
      permits: choices(permitStatuses, 'Permit statuses, separated by commas'),
      search: choices(
        [...statusFilters, ...permitStatuses],
        `Listings: ${statusFilters.join(', ')}. Permits: ${permitStatuses.join(', ')}`,
      ),
    },
    form: 'more',
  }),
  listingStatus: row(oneOf('status', statusesOf), ['lot_splits', 'parcels'], 'Listing status', {
    schema: choices(
      ['active', 'coming_soon', 'pending', 'for_sale', 'onMarket'],
      'Listing statuses, separated by commas; for_sale is active and coming_soon, onMarket adds pending. Lists of lot splits default to for_sale, lists of parcels to all',
    ),
    // Not named `status`, because the list of lot splits has a `status` of its own.
  }),
  minPrice: row(atLeast('price'), prices, 'Min price', {
    ...usd('Price of at least this many dollars'),
    form: 'more',
    note: 'Dollars',
    placeholder: 'No min',
  }),
  maxPrice: row(atMost('price'), prices, 'Max price', {
    ...usd('Price of at most this many dollars'),
    form: 'first',
    note: 'Dollars',
    placeholder: '$3M',
  }),
  minReturnPct: row(atLeast('returnPct'), deals, 'Min return', {
    ...percent('returnPct of at least this: return after contingency and financing, percent'),
    form: 'build',
    note: 'Percent after all costs; 0 for positive',
    placeholder: '10',
  }),
  minReturnAtExpectedPct: row(atLeast('returnAtExpectedPct'), deals, 'Min return at expected price', {
    ...percent('returnAtExpectedPct of at least this: the return at the price it probably sells for, percent'),
    form: 'build',
  }),
  minRoi: row(atLeast('developerRoi'), deals, 'Min adjusted return', {
    ...percent('developerROI of at least this: the return adjusted toward the market average, percent'),
    fields: ['developerROI'],
  }),
  minProformaRoi: row(atLeast('proformaRoi'), deals, 'Min return before financing', {
    ...percent('proformaROI of at least this: return before contingency and financing, percent'),
    fields: ['proformaROI'],
  }),
  minFlipProfit: row(atLeast('flipProfitUsd'), deals, 'Min flip profit', {
    ...profit(
      'flip.profitUsd of at least this: what renovating and reselling it earns, dollars; 0 for those that earn',
    ),
    form: 'flip',
    placeholder: '$50K',
    fields: ['profitUsd'],
  }),
  minCapRatePct: row(atLeast('capRatePct'), deals, 'Min cap rate', {
    ...percent('hold.capRatePct of at least this: net operating income in percent of the price', [4]),
    form: 'rent',
    placeholder: '4',
  }),
  minGrossYieldPct: row(atLeast('grossYieldPct'), deals, 'Min gross yield', {
    ...percent('hold.grossYieldPct of at least this: rent of a year in percent of the price', [5]),
    form: 'rent',
    placeholder: '5',
  }),
  maxPriceToValue: row(atMost('priceToValue'), deals, 'Max price to value', {
    schema: opt(
      number('Price of at most this share of the value estimate: 0.95 for 5% below it', {
        minimum: 0,
        maximum: 100,
        examples: [0.95],
      }),
    ),
    form: 'more',
    note: '0.95: 5% below',
    placeholder: '0.95',
  }),
  approval: row(oneOf('approval'), deals, 'Approval', {
    schema: choices(approvals, 'What the use in decision needs; discretionary may be refused'),
  }),
  sureNewHouse: row(
    where((name) => ({ name, type: 'oneOf', field: 'newHouseApproval', values: firmApprovals })),
    deals,
    'A new house cannot be refused',
    { schema: opt(flag('true leaves out homes whose new house may be refused')), fields: ['returnPct'] },
  ),
  minTeardownPercentile: row(atPercentile('teardownRaw'), deals, 'Min teardown percentile', {
    ...score('Teardown score at this percentile of its market or above'),
    fields: ['teardownScore'],
  }),
  minFlippabilityPercentile: row(atPercentile('flippabilityRaw'), deals, 'Min flip percentile', {
    ...score('Flippability score at this percentile of its market or above'),
    fields: ['flippabilityScore'],
  }),
  ...days('listed', 'Listed', { lists: deals, form: 'url' }),
  ...days('sold', 'Sold', { lists: prices, form: 'url' }),
  maxDaysOnMarket: row(atMost('daysOnMarket'), deals, 'Max days on market', {
    schema: opt(integer('At most this many days on the market', { minimum: 0, examples: [30] })),
    unit: 'days',
    form: 'more',
  }),
  minPriceCutPct: row(atLeast('priceCutPct'), deals, 'Min price cut', {
    schema: opt(
      number('Price at least this many percent below the first list price', {
        minimum: 0,
        maximum: 100,
        examples: [5],
      }),
    ),
    unit: 'percent',
    form: 'more',
    fields: ['price'],
  }),
  ...range('Beds', 'beds', (at) => rooms(`At ${at} this many bedrooms`), homes, 'beds', {
    min: { form: 'home', placeholder: 'Any' },
  }),
  ...range('Baths', 'baths', (at) => rooms(`At ${at} this many bathrooms`), homes, 'baths', {
    min: { form: 'home', placeholder: 'Any' },
  }),
  ...range('Sqft', 'sqft', (at) => size(`Living area of at ${at} this many square feet`), homes, 'house', {
    fields: ['sqft', 'existingSqft'],
    note: 'Living area',
    min: { form: 'home' },
    max: { form: 'home' },
  }),
  ...range('LotSize', 'lotSize', (at) => size(`Lot of at ${at} this many square feet`), homes, 'lot', {
    note: 'Sq ft',
    min: { form: 'home', placeholder: '6,000' },
    max: { form: 'home' },
  }),
  minYearBuilt: row(atLeast('yearBuilt'), homes, 'Built from', {
    ...year('Built in this year or later'),
    form: 'home',
  }),
  maxYearBuilt: row(atMost('yearBuilt'), homes, 'Built to', {
    ...year('Built in this year or earlier'),
    form: 'home',
  }),
  minGarageSqft: row(atLeast('garageSqft'), properties, 'Min garage', size('Garage of at least this many square feet')),
  propertyType: row(oneOf('propertyType'), homes, 'Property type', {
    schema: choices(propertyTypes, 'Property types, separated by commas'),
    form: 'home',
  }),
  zoning: row(oneOf('zoning'), properties, 'Zoning', {
    schema: opt(
      Type.Array(Type.String({ maxLength: 80 }), {
        minItems: 1,
        maxItems: 50,
        description: 'Zoning districts as the city names them, separated by commas; case does not matter',
        examples: [['R-1']],
      }),
    ),
    form: 'home',
  }),
  minTeardownScore: row(atLeast('teardownScore'), properties, 'Min teardown score', {
    ...score('Teardown score of at least this, 0 to 100'),
    form: 'build',
  }),
  minFlippabilityScore: row(atLeast('flippabilityScore'), properties, 'Min flip score', {
    ...score('Flippability score of at least this, 0 to 100'),
    form: 'flip',
  }),
  minAduScore: row(atLeast('aduScore'), properties, 'Min ADU score', score('ADU score of at least this, 0 to 100')),
  minRedevelopmentScore: row(
    atLeast('redevelopmentScore'),
    properties,
    'Min redevelopment score',
    score('Redevelopment score of at least this, 0 to 100'),
  ),
  redevelopmentClass: row(oneOf('redevelopmentClass'), ['parcels', 'search'], 'Redevelopment class', {
    schema: choices(redevelopmentClasses, 'Redevelopment classes, separated by commas'),
    fields: ['class'],
  }),
  ...range(
    'ConditionScore',
    'conditionScore',
    (at) => score(`Condition score of at ${at} this, 0 to 100`),
    properties,
    'condition score',
    { max: { form: 'flip', placeholder: '0–100' } },
  ),
  sb9Status: row(oneOf('sb9Status'), ['listings', 'parcels', 'search'], 'SB 9 status', {
    schema: choices(lotSplitStatuses, 'SB 9 statuses, separated by commas'),
    form: 'build',
  }),
  minUnits: row(
    atLeast((leads) => (leads === 'accessory_unit' ? 'aduMaxUnits' : 'maxUnits')),
    properties,
    'Min units',
    {
      ...count(1, 10, 'At least this many units possible under SB 9; in the ADU leads, at least this maxUnits', 2),
      fields: ['maxUnits'],
      form: 'build',
      placeholder: '1',
    },
  ),
  scheme: row(oneOf('bestScheme'), properties, 'Best use', {
    schema: choices(schemeKinds, 'The best use of the lot, which nobody may refuse'),
    fields: ['bestUse.scheme'],
  }),
  minRoom: row(atLeast('roomUsd'), properties, 'Min room', {
    ...profit('bestUse.room.usd of at least this: what the best use could bear, less the price to beat, dollars'),
    form: 'build',
    placeholder: '$200K',
    fields: ['bestUse.room.usd'],
  }),
  minRoomLow: row(atLeast('roomLow'), properties, 'Min room, low case', {
    ...profit('bestUse.room.low of at least this: the same in the low case, dollars'),
    placeholder: '$0',
    fields: ['bestUse.room.low'],
  }),
  minBestHomes: row(atLeast('bestHomes'), properties, 'Min homes of the best use', {
    ...count(1, 1000, 'The best use has at least this many homes', 2),
    placeholder: '2',
    fields: ['bestUse.homes'],
  }),
  minHomes: row(atLeast('homes'), properties, 'Min homes by law', {
    ...count(1, 1000, 'A law allows or likely allows at least this many homes on the lot', 5),
    placeholder: '1',
  }),
  allows: row(containing('allows'), properties, 'Allowed use', {
    schema: opt(literals(useSchemes, 'A use that a law allows, likely allows or allows on a condition')),
    fields: ['allows'],
    form: 'build',
  }),
  excludeBlockers: row(
    where((name) => ({ name, type: 'notBlocked' })),
    properties,
    'Hide blocked lots',
    {
      schema: opt(flag('true leaves out rows with a blocker or block reason')),
      fields: [],
    },
  ),
  q: row(inWords, permits, 'Keywords', {
    schema: opt(
      text('Keywords, any case; all must match, each in any field', { maxLength: 200, examples: ['new house'] }),
    ),
    fields: ['permitId', 'address', 'projectType', 'description', 'contractor', 'architect'],
    form: 'first',
    note: 'All words must match',
    placeholder: 'Address, type of work, contractor or permit number',
  }),
  issued: row(
    {
      read: (value: (typeof issuedFilters)[number], { name }) =>
        value === 'any' ? [] : [{ name, type: 'issued', is: value === 'true' }],
    },
    permits,
    'Issued',
    {
      schema: opt(
        literals(
          issuedFilters,
          'true (default): issued permits. false: permits not issued, newest application first. any: both, those not issued last. A status before issued implies any',
        ),
      ),
      fields: ['issuedDate'],
      form: 'more',
      note: 'false: applied for, not issued',
      placeholder: 'Issued only',
    },
  ),
  permitClass: row(oneOf('permitClass'), permits, 'Kind of work', {
    schema: choices(permitClasses, 'Kinds of work, separated by commas'),
    form: 'first',
    placeholder: 'All kinds',
  }),
  minValuation: row(atLeast('valuation'), permits, 'Min valuation', {
    ...usd('Only permits valued at or above this, dollars; permits without a valuation are left out', [500_000]),
    form: 'first',
    note: 'Dollars; drops permits without a valuation',
    placeholder: '$500k',
  }),
  maxValuation: row(atMost('valuation'), permits, 'Max valuation', {
    ...usd('Only permits valued at or below this, dollars; permits without a valuation are left out', [2_000_000]),
    form: 'more',
    placeholder: '$2M',
  }),
  minUnitsAdded: row(atLeast('unitsAdded'), permits, 'Min units added', {
    ...count(0, 10_000, 'At least this many dwelling units added; permits whose units are not known are left out', 5),
    form: 'more',
    note: 'Dwelling units added',
    placeholder: '5',
    fields: ['units'],
  }),
  ...days('issued', 'Issued', { lists: permits, form: 'more' }),
  ...days('applied', 'Applied for', { lists: permits, form: 'more' }),
  ...days('finaled', 'Finaled', { lists: permits, form: 'more' }),
  builder: row(containing('contractor'), permits, 'Contractor', {
    schema: opt(text('Part of the contractor’s name, any case', { maxLength: 200, examples: ['Acme'] })),
    fields: ['contractor'],
    form: 'more',
    placeholder: 'Part of the name',
  }),
  builderId: row(
    { read: (id: string, { name }) => [{ name, type: 'oneOf', field: 'builderId', values: [id] }] },
    permits,
    'Builder',
    {
      schema: opt(
        text('Builder identifier, as in builderId of a permit', {
          maxLength: 120,
          examples: ['sf-peninsula-3fa2c81b90de'],
        }),
      ),
      fields: ['builderId'],
    },
  ),
  exclude: row(overlays('exclude'), everyList, 'Without', {
    schema: choices(
      overlayNames,
      `Drops rows whose parcel has one of these overlays: one or more of ${overlayNames.join(', ')}`,
    ),
    note: 'Overlays the lot must not have: floodZone, veryHighFire, …',
    fields: [],
  }),
  require: row(overlays('require'), everyList, 'With', {
    schema: choices(overlayNames, 'Keeps only rows whose parcel has all of these overlays; names as in exclude'),
    fields: [],
  }),
  unknown: row(
    readWith<'keep' | 'drop'>(({ input: { exclude = [], require = [] } }) => {
      if (exclude.length + require.length === 0)
        throw badRequest('unknown needs exclude or require, for example exclude=floodZone&unknown=drop.')
    }),
    everyList,
    'Unknown overlays',
    {
      schema: opt(
        literals(
          ['keep', 'drop'],
          'Rows where an overlay of exclude or require is not known: keep (default with exclude; the row names them in unknown) or drop (default with require)',
        ),
      ),
      fields: [],
    },
  ),
}

export type CriterionName = keyof typeof criteria

/** The values of all criteria, by name. A list accepts some of them. */
export type CriteriaInput = { [Name in CriterionName]?: Parameters<(typeof criteria)[Name]['read']>[0] }

type Criteria = typeof criteria
type SchemaIn<Name extends CriterionName, List> = List extends keyof Criteria[Name]['schemaIn']
  ? Criteria[Name]['schemaIn'][List]
  : Criteria[Name]['schema']

/** The schemas of a list's criteria, by name. */
export type SchemasOf<List extends CriteriaList> = {
  [Name in CriterionName as List extends Criteria[Name]['lists'][number] ? Name : never]: SchemaIn<Name, List>
}

/** The type of a row in code that handles every criterion. */
export interface Criterion<Value = never>
  extends Omit<Reads<Value>, 'fields'>,
    Defaulted,
    Omit<Row<TSchema, readonly CriteriaList[]>, 'schema' | keyof Defaulted> {
  schema: TSchema
  schemaIn: Partial<Record<CriteriaList, TSchema>>
}
