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
import { boxArea, checkPoint, circleArea, polygonArea } from './geometry.ts'
import type { DateField, NumberField, TextField } from './search-columns.ts'

export const searchKinds = ['listings', 'parcels', 'permits', 'sales'] as const
export type SearchKind = (typeof searchKinds)[number]

/** The inputs that take criteria. `parcels`: also the ADU and redevelopment leads. `search`: the body of POST /v1/search. */
export type CriteriaList = SearchKind | 'lot_splits' | 'search'

export type Unit = 'dollars' | 'percent' | 'square feet' | 'points' | 'days' | 'years' | 'miles' | 'degrees' | 'none'

/** What a criterion knows while it is read. */
export interface ReadingContext {
  name: string
  kind: SearchKind
  /** The leads that the list is about, if it is a list of leads. */
  leads?: LeadKind | 'redevelopment' | undefined
  markets: readonly MarketId[]
  /** The criteria that are read together with others. */
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
  /** The value as understood, for the answer; the value itself by default. */
  applied?(value: Value): unknown
  /** Set for a criterion that bounds one value. Its counterpart, if there is one, has the same field. */
  bound?: Bound
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
  /** The served fields that it filters, by the last part of their names, or by the whole name where that part has other meanings. */
  fields: readonly string[]
  /** Its name on pages: form field, chip and messages. */
  label: string
  /** None by default. */
  unit?: Unit
  /** In page forms: always shown, behind "More filters" (`more`, or a group by task), or by default accepted in the URL only. */
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
  row: Row<Schema, Lists> & { schemaIn?: Other },
) => ({ schemaIn: {} as Other, ...defaults, ...reads, ...row })

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
/** Separated by commas, or in a body also as a list. */
const namesIn = (schema: Type.TString) => opt(Type.Union([schema, Type.Array(schema, { minItems: 1, maxItems: 100 })]))

// How criteria become conditions

const atLeast = (field: Extract<Bound, { type: 'atLeast' | 'atMost' }>['field']) => numberBound('atLeast', field)
const atMost = (field: NumberField) => numberBound('atMost', field)
const numberBound = (
  type: 'atLeast' | 'atMost',
  field: Extract<Bound, { type: 'atLeast' | 'atMost' }>['field'],
): Reads<number> => ({
  bound: { type, field },
  read: (value, { name, leads }) => [{ name, type, field: typeof field === 'function' ? field(leads) : field, value }],
})
const oneOf = (field: TextField, expanded = (values: readonly string[]) => values): Reads<readonly string[]> => ({
  read: (values, { name }) => [{ name, type: 'oneOf', field, values: expanded(values) }],
  applied: expanded,
})
const atPercentile = (field: RankField): Reads<number> => ({
  read: (value, { name, thresholds }) => [{ name, type: 'rank', field, value, thresholds: thresholds(field, value) }],
})
/** Read together with another criterion. */
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

/** A state after a city belongs to it: "Springfield, IL, Menlo Park" are two cities. */
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
      // The state is not a part of the name. A part of a name may be blank: every city contains it.
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

/** At least and at most, for example `minBeds` and `maxBeds`. Forms show those with a place in them. */
const range = <Name extends string, Schema extends TSchema, const Lists extends readonly CriteriaList[]>(
  name: Name,
  field: NumberField,
  schema: (at: 'least' | 'most') => Pick<Row<Schema, Lists>, 'schema' | 'unit'>,
  {
    label,
    min,
    max,
    ...shared
  }: Pick<Row<Schema, Lists>, 'lists' | 'fields' | 'label' | 'note'> & {
    min?: Pick<Row<Schema, Lists>, 'form' | 'placeholder'>
    max?: Pick<Row<Schema, Lists>, 'form' | 'placeholder'>
  },
) =>
  tableOf([`min${name}`, `max${name}`] as const, (each) =>
    each === `min${name}`
      ? row(atLeast(field), { ...schema('least'), ...shared, label: `Min ${label}`, ...min })
      : row(atMost(field), { ...schema('most'), ...shared, label: `Max ${label}`, ...max }),
  )

/** From a date and to a date, for example `issuedFrom` and `issuedTo`. */
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
    return row(reads, {
      schema: opt(text(`${phrase} on or ${side} this date, YYYY-MM-DD`, { format: 'date' })),
      lists,
      fields: [`${name}Date`],
      label: `${phrase.replace(/ .*/, '')} ${type}`,
      unit: 'days',
      form,
      note: 'YYYY-MM-DD',
    })
  })

/** In the order of the documentation. */
export const criteria = {
  market: row(readWith<string>(), {
    schema: opt(
      text('Market id, or all for every market; without it, the default market', {
        format: 'searched-market',
        maxLength: 60,
      }),
    ),
    lists: everyList,
    fields: ['city'],
    label: 'Market',
    form: 'first',
    note: 'Market id',
  }),
  city: row(inCities, {
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
    lists: everyList,
    fields: ['city'],
    label: 'City',
    form: 'first',
    note: 'Name or slug',
  }),
  address: row(
    { read: (text: string, { name }) => [{ name, type: 'address', text, patterns: addressPatterns(text) }] },
    {
      schema: opt(
        text('Part of an address, or a whole one as people type it: 123 main st #2, menlo park, ca', {
          maxLength: 500,
          examples: ['123 main st'],
        }),
      ),
      lists: everyList,
      fields: ['address'],
      label: 'Street address',
      form: 'more',
      note: 'Part of an address',
      placeholder: '123 Oak',
    },
  ),
  zip: row(inZips, {
    schema: opt(zipText),
    schemaIn: { search: namesIn(zipText) },
    lists: everyList,
    fields: ['zip', 'address'],
    label: 'ZIP code',
    form: 'more',
    placeholder: '94025',
  }),
  id: row(
    { read: (values: readonly string[], { name }) => [{ name, type: 'ids', values }] },
    {
      schema: opt(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          minItems: 1,
          maxItems: 100,
          description: 'Property ids, separated by commas, at most 100',
          examples: [['p_001m2kk87yd509bz5mh']],
        }),
      ),
      lists: properties,
      fields: ['id'],
      label: 'Property id',
      note: 'Property ids',
    },
  ),
  bbox: row(
    {
      read: (box: readonly number[], context) => {
        oneArea(context)
        return [{ name: context.name, type: 'area', area: boxArea(box) }]
      },
    },
    {
      schema: opt(
        Type.Array(Type.Number(), {
          minItems: 4,
          maxItems: 4,
          description: 'Inside this box: west,south,east,north in degrees (WGS 84)',
          examples: [[-122.26, 37.41, -122.12, 37.5]],
        }),
      ),
      lists: everyList,
      fields: ['lat', 'lng'],
      label: 'Map area',
      unit: 'degrees',
      note: 'west,south,east,north',
    },
  ),
  lat: row(readWith<number>(wholeCircle), {
    schema: opt(number('Latitude of a point, with lng', { minimum: -90, maximum: 90, examples: [37.45] })),
    lists: everyList,
    fields: ['lat', 'lng', 'distanceMi'],
    label: 'Latitude',
    unit: 'degrees',
  }),
  lng: row(readWith<number>(wholeCircle), {
    schema: opt(number('Longitude of the point, with lat', { minimum: -180, maximum: 180, examples: [-122.18] })),
    lists: everyList,
    fields: ['lat', 'lng', 'distanceMi'],
    label: 'Longitude',
    unit: 'degrees',
  }),
  radiusMi: row(
    {
      read: (radiusMi: number, context) => {
        wholeCircle(context)
        const { lat = 0, lng = 0 } = context.input
        checkPoint({ lat, lng })
        return [{ name: context.name, type: 'area', area: circleArea({ lat, lng }, radiusMi) }]
      },
    },
    {
      schema: opt(number('Within this many miles of the point', { minimum: 0.05, maximum: 25, examples: [1] })),
      lists: everyList,
      fields: ['lat', 'lng', 'distanceMi'],
      label: 'Radius',
      unit: 'miles',
      note: 'With lat and lng',
    },
  ),
  within: row(
    {
      read: (shape: object, context) => {
        oneArea(context)
        return [{ name: context.name, type: 'area', area: polygonArea(shape, context.maxPositions) }]
      },
    },
    {
      schema: opt(
        Type.Union([GeoJsonPolygon, GeoJsonMultiPolygon], {
          description: 'Inside this GeoJSON Polygon or MultiPolygon and outside its holes',
          examples: [examplePolygon],
          'x-checked-by-operation': 'a GeoJSON Polygon or MultiPolygon',
        }),
      ),
      lists: ['search'],
      fields: ['lat', 'lng'],
      label: 'Drawn area',
    },
  ),
  status: row(oneOf('status', statusesOf), {
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
    lists: ['listings', 'permits', 'search'],
    fields: ['status'],
    label: 'Status',
    form: 'more',
  }),
  listingStatus: row(oneOf('status', statusesOf), {
    schema: choices(
      ['active', 'coming_soon', 'pending', 'for_sale', 'onMarket'],
      'Listing statuses, separated by commas; for_sale is active and coming_soon, onMarket adds pending. Lists of lot splits default to for_sale, lists of parcels to all',
    ),
    // The SB 9 list has a `status` of its own.
    lists: ['lot_splits', 'parcels'],
    fields: ['status'],
    label: 'Listing status',
  }),
  minPrice: row(atLeast('price'), {
    ...usd('Price of at least this many dollars'),
    lists: prices,
    fields: ['price'],
    label: 'Min price',
    form: 'more',
    note: 'Dollars',
    placeholder: 'No min',
  }),
  maxPrice: row(atMost('price'), {
    ...usd('Price of at most this many dollars'),
    lists: prices,
    fields: ['price'],
    label: 'Max price',
    form: 'first',
    note: 'Dollars',
    placeholder: '$3M',
  }),
  minReturnPct: row(atLeast('returnPct'), {
    ...percent('returnPct of at least this: return after contingency and financing, percent'),
    lists: deals,
    fields: ['returnPct'],
    label: 'Min return',
    form: 'build',
    note: 'Percent after all costs; 0 for positive',
    placeholder: '10',
  }),
  minReturnAtExpectedPct: row(atLeast('returnAtExpectedPct'), {
    ...percent('returnAtExpectedPct of at least this: the return at the price it probably sells for, percent'),
    lists: deals,
    fields: ['returnAtExpectedPct'],
    label: 'Min return at expected price',
    form: 'build',
  }),
  minRoi: row(atLeast('developerRoi'), {
    ...percent('developerROI of at least this: the return adjusted toward the market average, percent'),
    lists: deals,
    fields: ['developerROI'],
    label: 'Min adjusted return',
  }),
  minProformaRoi: row(atLeast('proformaRoi'), {
    ...percent('proformaROI of at least this: return before contingency and financing, percent'),
    lists: deals,
    fields: ['proformaROI'],
    label: 'Min return before financing',
  }),
  minFlipProfit: row(atLeast('flipProfitUsd'), {
    ...profit(
      'flip.profitUsd of at least this: what renovating and reselling it earns, dollars; 0 for those that earn',
    ),
    lists: deals,
    fields: ['profitUsd'],
    label: 'Min flip profit',
    form: 'flip',
    placeholder: '$50K',
  }),
  minCapRatePct: row(atLeast('capRatePct'), {
    ...percent('hold.capRatePct of at least this: net operating income in percent of the price', [4]),
    lists: deals,
    fields: ['capRatePct'],
    label: 'Min cap rate',
    form: 'rent',
    placeholder: '4',
  }),
  minGrossYieldPct: row(atLeast('grossYieldPct'), {
    ...percent('hold.grossYieldPct of at least this: rent of a year in percent of the price', [5]),
    lists: deals,
    fields: ['grossYieldPct'],
    label: 'Min gross yield',
    form: 'rent',
    placeholder: '5',
  }),
  maxPriceToValue: row(atMost('priceToValue'), {
    schema: opt(
      number('Price of at most this share of the value estimate: 0.95 for 5% below it', {
        minimum: 0,
        maximum: 100,
        examples: [0.95],
      }),
    ),
    lists: deals,
    fields: ['priceToValue'],
    label: 'Max price to value',
    form: 'more',
    note: '0.95: 5% below',
    placeholder: '0.95',
  }),
  approval: row(oneOf('approval'), {
    schema: choices(approvals, 'What the use in decision needs; discretionary may be refused'),
    lists: deals,
    fields: ['approval'],
    label: 'Approval',
  }),
  sureNewHouse: row(
    {
      read: (sure: boolean, { name }) =>
        sure ? [{ name, type: 'oneOf', field: 'newHouseApproval', values: firmApprovals }] : [],
    },
    {
      schema: opt(flag('true leaves out homes whose new house may be refused')),
      lists: deals,
      fields: ['returnPct'],
      label: 'A new house cannot be refused',
    },
  ),
  minTeardownPercentile: row(atPercentile('teardownRaw'), {
    ...score('Teardown score at this percentile of its market or above'),
    lists: deals,
    fields: ['teardownScore'],
    label: 'Min teardown percentile',
  }),
  minFlippabilityPercentile: row(atPercentile('flippabilityRaw'), {
    ...score('Flippability score at this percentile of its market or above'),
    lists: deals,
    fields: ['flippabilityScore'],
    label: 'Min flip percentile',
  }),
  ...days('listed', 'Listed', { lists: deals, form: 'url' }),
  ...days('sold', 'Sold', { lists: prices, form: 'url' }),
  maxDaysOnMarket: row(atMost('daysOnMarket'), {
    schema: opt(integer('At most this many days on the market', { minimum: 0, examples: [30] })),
    lists: deals,
    fields: ['daysOnMarket'],
    label: 'Max days on market',
    unit: 'days',
    form: 'more',
  }),
  minPriceCutPct: row(atLeast('priceCutPct'), {
    schema: opt(
      number('Price at least this many percent below the first list price', {
        minimum: 0,
        maximum: 100,
        examples: [5],
      }),
    ),
    lists: deals,
    fields: ['price'],
    label: 'Min price cut',
    unit: 'percent',
    form: 'more',
  }),
  ...range('Beds', 'beds', (at) => rooms(`At ${at} this many bedrooms`), {
    lists: homes,
    fields: ['beds'],
    label: 'beds',
    min: { form: 'home', placeholder: 'Any' },
  }),
  ...range('Baths', 'baths', (at) => rooms(`At ${at} this many bathrooms`), {
    lists: homes,
    fields: ['baths'],
    label: 'baths',
    min: { form: 'home', placeholder: 'Any' },
  }),
  ...range('Sqft', 'sqft', (at) => size(`Living area of at ${at} this many square feet`), {
    lists: homes,
    fields: ['sqft', 'existingSqft'],
    label: 'house',
    note: 'Living area',
    min: { form: 'home' },
    max: { form: 'home' },
  }),
  ...range('LotSize', 'lotSize', (at) => size(`Lot of at ${at} this many square feet`), {
    lists: homes,
    fields: ['lotSize'],
    label: 'lot',
    note: 'Sq ft',
    min: { form: 'home', placeholder: '6,000' },
    max: { form: 'home' },
  }),
  minYearBuilt: row(atLeast('yearBuilt'), {
    ...year('Built in this year or later'),
    lists: homes,
    fields: ['yearBuilt'],
    label: 'Built from',
    form: 'home',
  }),
  maxYearBuilt: row(atMost('yearBuilt'), {
    ...year('Built in this year or earlier'),
    lists: homes,
    fields: ['yearBuilt'],
    label: 'Built to',
    form: 'home',
  }),
  minGarageSqft: row(atLeast('garageSqft'), {
    ...size('Garage of at least this many square feet'),
    lists: properties,
    fields: ['garageSqft'],
    label: 'Min garage',
  }),
  propertyType: row(oneOf('propertyType'), {
    schema: choices(propertyTypes, 'Property types, separated by commas'),
    lists: homes,
    fields: ['propertyType'],
    label: 'Property type',
    form: 'home',
  }),
  zoning: row(oneOf('zoning'), {
    schema: opt(
      Type.Array(Type.String({ maxLength: 80 }), {
        minItems: 1,
        maxItems: 50,
        description: 'Zoning districts as the city names them, separated by commas; case does not matter',
        examples: [['R-1']],
      }),
    ),
    lists: properties,
    fields: ['zoning'],
    label: 'Zoning',
    form: 'home',
  }),
  minTeardownScore: row(atLeast('teardownScore'), {
    ...score('Teardown score of at least this, 0 to 100'),
    lists: properties,
    fields: ['teardownScore'],
    label: 'Min teardown score',
    form: 'build',
  }),
  minFlippabilityScore: row(atLeast('flippabilityScore'), {
    ...score('Flippability score of at least this, 0 to 100'),
    lists: properties,
    fields: ['flippabilityScore'],
    label: 'Min flip score',
    form: 'flip',
  }),
  minAduScore: row(atLeast('aduScore'), {
    ...score('ADU score of at least this, 0 to 100'),
    lists: properties,
    fields: ['aduScore'],
    label: 'Min ADU score',
  }),
  minRedevelopmentScore: row(atLeast('redevelopmentScore'), {
    ...score('Redevelopment score of at least this, 0 to 100'),
    lists: properties,
    fields: ['redevelopmentScore'],
    label: 'Min redevelopment score',
  }),
  redevelopmentClass: row(oneOf('redevelopmentClass'), {
    schema: choices(redevelopmentClasses, 'Redevelopment classes, separated by commas'),
    lists: ['parcels', 'search'],
    fields: ['class'],
    label: 'Redevelopment class',
  }),
  ...range('ConditionScore', 'conditionScore', (at) => score(`Condition score of at ${at} this, 0 to 100`), {
    lists: properties,
    fields: ['conditionScore'],
    label: 'condition score',
    max: { form: 'flip', placeholder: '0–100' },
  }),
  sb9Status: row(oneOf('sb9Status'), {
    schema: choices(lotSplitStatuses, 'SB 9 statuses, separated by commas'),
    lists: ['listings', 'parcels', 'search'],
    fields: ['sb9Status'],
    label: 'SB 9 status',
    form: 'build',
  }),
  minUnits: row(
    atLeast((leads) => (leads === 'accessory_unit' ? 'aduMaxUnits' : 'maxUnits')),
    {
      ...count(1, 10, 'At least this many units possible under SB 9; in the ADU leads, at least this maxUnits', 2),
      lists: properties,
      fields: ['maxUnits'],
      label: 'Min units',
      form: 'build',
      placeholder: '1',
    },
  ),
  scheme: row(oneOf('bestScheme'), {
    schema: choices(schemeKinds, 'The best use of the lot, which nobody may refuse'),
    lists: properties,
    fields: ['bestUse.scheme'],
    label: 'Best use',
  }),
  minRoom: row(atLeast('roomUsd'), {
    ...profit('bestUse.room.usd of at least this: what the best use could bear, less the price to beat, dollars'),
    lists: properties,
    fields: ['bestUse.room.usd'],
    label: 'Min room',
    form: 'build',
    placeholder: '$200K',
  }),
  minRoomLow: row(atLeast('roomLow'), {
    ...profit('bestUse.room.low of at least this: the same in the low case, dollars'),
    lists: properties,
    fields: ['bestUse.room.low'],
    label: 'Min room, low case',
    placeholder: '$0',
  }),
  minBestHomes: row(atLeast('bestHomes'), {
    ...count(1, 1000, 'The best use has at least this many homes', 2),
    lists: properties,
    fields: ['bestUse.homes'],
    label: 'Min homes of the best use',
    placeholder: '2',
  }),
  minHomes: row(atLeast('homes'), {
    ...count(1, 1000, 'A law allows or likely allows at least this many homes on the lot', 5),
    lists: properties,
    fields: ['homes'],
    label: 'Min homes by law',
    placeholder: '1',
  }),
  allows: row(
    { read: (use: string, { name }) => [{ name, type: 'contains', field: 'allows', text: use }] },
    {
      schema: opt(literals(useSchemes, 'A use that a law allows, likely allows or allows on a condition')),
      lists: properties,
      fields: ['allows'],
      label: 'Allowed use',
      form: 'build',
    },
  ),
  excludeBlockers: row(
    { read: (excluded: boolean, { name }) => (excluded ? [{ name, type: 'notBlocked' }] : []) },
    {
      schema: opt(flag('true leaves out rows with a blocker or block reason')),
      lists: properties,
      fields: [],
      label: 'Hide blocked lots',
    },
  ),
  q: row(
    {
      read: (text: string, { name }) => {
        const words = text.split(/\s+/).filter(Boolean)
        return words.length > 0 ? [{ name, type: 'words', words }] : []
      },
    },
    {
      schema: opt(
        text('Keywords, any case; all must match, each in any field', { maxLength: 200, examples: ['new house'] }),
      ),
      lists: permits,
      fields: ['permitId', 'address', 'projectType', 'description', 'contractor', 'architect'],
      label: 'Keywords',
      form: 'first',
      note: 'All words must match',
      placeholder: 'Address, type of work, contractor or permit number',
    },
  ),
  issued: row(
    {
      read: (value: (typeof issuedFilters)[number], { name }) =>
        value === 'any' ? [] : [{ name, type: 'issued', is: value === 'true' }],
    },
    {
      schema: opt(
        literals(
          issuedFilters,
          'true (default): issued permits. false: permits not issued, newest application first. any: both, those not issued last. A status before issued implies any',
        ),
      ),
      lists: permits,
      fields: ['issuedDate'],
      label: 'Issued',
      form: 'more',
      note: 'false: applied for, not issued',
      placeholder: 'Issued only',
    },
  ),
  permitClass: row(oneOf('permitClass'), {
    schema: choices(permitClasses, 'Kinds of work, separated by commas'),
    lists: permits,
    fields: ['permitClass'],
    label: 'Kind of work',
    form: 'first',
    placeholder: 'All kinds',
  }),
  minValuation: row(atLeast('valuation'), {
    ...usd('Only permits valued at or above this, dollars; permits without a valuation are left out', [500_000]),
    lists: permits,
    fields: ['valuation'],
    label: 'Min valuation',
    form: 'first',
    note: 'Dollars; drops permits without a valuation',
    placeholder: '$500k',
  }),
  maxValuation: row(atMost('valuation'), {
    ...usd('Only permits valued at or below this, dollars; permits without a valuation are left out', [2_000_000]),
    lists: permits,
    fields: ['valuation'],
    label: 'Max valuation',
    form: 'more',
    placeholder: '$2M',
  }),
  minUnitsAdded: row(atLeast('unitsAdded'), {
    ...count(0, 10_000, 'At least this many dwelling units added; permits whose units are not known are left out', 5),
    lists: permits,
    fields: ['units'],
    label: 'Min units added',
    form: 'more',
    note: 'Dwelling units added',
    placeholder: '5',
  }),
  ...days('issued', 'Issued', { lists: permits, form: 'more' }),
  ...days('applied', 'Applied for', { lists: permits, form: 'more' }),
  ...days('finaled', 'Finaled', { lists: permits, form: 'more' }),
  builder: row(
    { read: (text: string, { name }) => [{ name, type: 'contains', field: 'contractor', text: text.trim() }] },
    {
      schema: opt(text('Part of the contractor’s name, any case', { maxLength: 200, examples: ['Acme'] })),
      lists: permits,
      fields: ['contractor'],
      label: 'Contractor',
      form: 'more',
      placeholder: 'Part of the name',
    },
  ),
  builderId: row(
    { read: (id: string, { name }) => [{ name, type: 'oneOf', field: 'builderId', values: [id] }] },
    {
      schema: opt(
        text('Builder identifier, as in builderId of a permit', {
          maxLength: 120,
          examples: ['sf-peninsula-3fa2c81b90de'],
        }),
      ),
      lists: permits,
      fields: ['builderId'],
      label: 'Builder',
    },
  ),
  exclude: row(overlays('exclude'), {
    schema: choices(
      overlayNames,
      `Drops rows whose parcel has one of these overlays: one or more of ${overlayNames.join(', ')}`,
    ),
    lists: everyList,
    fields: [],
    label: 'Without',
    note: 'Overlays the lot must not have: floodZone, veryHighFire, …',
  }),
  require: row(overlays('require'), {
    schema: choices(overlayNames, 'Keeps only rows whose parcel has all of these overlays; names as in exclude'),
    lists: everyList,
    fields: [],
    label: 'With',
  }),
  unknown: row(
    readWith<'keep' | 'drop'>(({ input: { exclude = [], require = [] } }) => {
      if (exclude.length + require.length === 0)
        throw badRequest('unknown needs exclude or require, for example exclude=floodZone&unknown=drop.')
    }),
    {
      schema: opt(
        literals(
          ['keep', 'drop'],
          'Rows where an overlay of exclude or require is not known: keep (default with exclude; the row names them in unknown) or drop (default with require)',
        ),
      ),
      lists: everyList,
      fields: [],
      label: 'Unknown overlays',
    },
  ),
}

export type CriterionName = keyof typeof criteria

/** The values of criteria, as any list takes them. */
export type CriteriaInput = { [Name in CriterionName]?: Parameters<(typeof criteria)[Name]['read']>[0] }

type Criteria = typeof criteria
type SchemaIn<Name extends CriterionName, List> = List extends keyof Criteria[Name]['schemaIn']
  ? Criteria[Name]['schemaIn'][List]
  : Criteria[Name]['schema']

/** The schemas of a list's criteria, by name. */
export type SchemasOf<List extends CriteriaList> = {
  [Name in CriterionName as List extends Criteria[Name]['lists'][number] ? Name : never]: SchemaIn<Name, List>
}

/** A row as code that handles all of them sees it. */
export interface Criterion<Value = never>
  extends Reads<Value>,
    Defaulted,
    Omit<Row<TSchema, readonly CriteriaList[]>, 'schema' | keyof Defaulted> {
  schema: TSchema
  schemaIn: Partial<Record<CriteriaList, TSchema>>
}
