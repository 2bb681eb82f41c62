// The criteria of every search: one parameter, one meaning, wherever it is used. Query parameters, POST /v1/search, agent tools and
// page forms take their schemas from here.
import { type Static, Type } from 'typebox'
import { overlayNames, permitClasses, permitStatuses, propertyTypes } from '../facts.ts'
import { address, city, excludeBlockers, searchedMarket } from '../operations/paging.ts'
import { sb9Statuses } from '../sb9.ts'
import { literals } from '../shape.ts'
import { examplePolygon, GeoJsonMultiPolygon, GeoJsonPolygon } from './geojson.ts'

export const searchKinds = ['listings', 'parcels', 'permits', 'sales'] as const
export type SearchKind = (typeof searchKinds)[number]

/** `for_sale` is active and coming_soon; `onMarket` adds pending. */
const statusFilters = ['active', 'coming_soon', 'pending', 'sold', 'for_sale', 'onMarket'] as const

const opt = Type.Optional
const anyOf = <const T extends readonly string[]>(values: T, description: string) =>
  opt(Type.Array(literals(values), { minItems: 1, uniqueItems: true, description }))
const texts = (description: string, example: string) =>
  opt(Type.Array(Type.String({ maxLength: 80 }), { minItems: 1, maxItems: 50, description, examples: [[example]] }))
const day = (description: string) => opt(Type.String({ format: 'date', description }))
const usd = (description: string) => opt(Type.Number({ minimum: 0, description, examples: [3_000_000] }))
const size = (description: string) => opt(Type.Number({ minimum: 0, description, examples: [5_000] }))
const score = (description: string) => opt(Type.Number({ minimum: 0, maximum: 100, description, examples: [60] }))
const percent = (description: string) =>
  opt(Type.Number({ minimum: -1_000, maximum: 10_000, description, examples: [10] }))
const rooms = (description: string) => opt(Type.Number({ minimum: 0, maximum: 1_000, description, examples: [3] }))
const year = (description: string) =>
  opt(Type.Integer({ minimum: 1_600, maximum: 2_200, description, examples: [1960] }))

/** City, address, ZIP code and area apply to every kind. */
export const placeCriteria = {
  market: searchedMarket,
  city,
  address,
  zip: opt(Type.String({ maxLength: 600, description: 'ZIP codes, separated by commas', examples: ['94025,94301'] })),
  bbox: opt(
    Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: 'Inside this box: west,south,east,north in degrees (WGS 84)',
      examples: [[-122.26, 37.41, -122.12, 37.5]],
    }),
  ),
  lat: opt(Type.Number({ minimum: -90, maximum: 90, description: 'Latitude of a point, with lng', examples: [37.45] })),
  lng: opt(
    Type.Number({ minimum: -180, maximum: 180, description: 'Longitude of the point, with lat', examples: [-122.18] }),
  ),
  radiusMi: opt(
    Type.Number({ minimum: 0.05, maximum: 25, description: 'Within this many miles of the point', examples: [1] }),
  ),
}

const overlayList = `one or more of ${overlayNames.join(', ')}`

export const overlayCriteria = {
  exclude: anyOf(overlayNames, `Drops rows whose parcel has one of these overlays: ${overlayList}`),
  require: anyOf(overlayNames, 'Keeps only rows whose parcel has all of these overlays; names as in exclude'),
  unknown: opt(
    literals(['keep', 'drop'], {
      description:
        'Rows where an overlay of exclude or require is not known: keep (default with exclude; the row names them in unknown) or drop (default with require)',
    }),
  ),
}

const homeCriteria = {
  minBeds: rooms('At least this many bedrooms'),
  maxBeds: rooms('At most this many bedrooms'),
  minBaths: rooms('At least this many bathrooms'),
  minSqft: size('Living area of at least this many square feet'),
  maxSqft: size('Living area of at most this many square feet'),
  minLotSize: size('Lot of at least this many square feet'),
  maxLotSize: size('Lot of at most this many square feet'),
  minYearBuilt: year('Built in this year or later'),
  maxYearBuilt: year('Built in this year or earlier'),
  propertyType: anyOf(propertyTypes, 'Property types, separated by commas'),
}

const siteCriteria = {
  zoning: texts('Zoning districts as the city names them, separated by commas; case does not matter', 'R-1'),
  minTeardownScore: score('Teardown score of at least this, 0 to 100'),
  minFlippabilityScore: score('Flippability score of at least this, 0 to 100'),
  minAduScore: score('ADU score of at least this, 0 to 100'),
  minRedevelopmentScore: score('Redevelopment score of at least this, 0 to 100'),
  minConditionScore: score('Condition score of at least this, 0 to 100'),
  maxConditionScore: score('Condition score of at most this, 0 to 100'),
  sb9Status: anyOf(sb9Statuses, 'SB 9 statuses, separated by commas'),
  minUnits: opt(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      description: 'At least this many units possible under SB 9',
      examples: [2],
    }),
  ),
  excludeBlockers,
  ...overlayCriteria,
}

const dealCriteria = {
  minPrice: usd('Price of at least this many dollars'),
  maxPrice: usd('Price of at most this many dollars'),
  minReturnPct: percent('returnPct of at least this: return after contingency and financing, percent'),
  minRoi: percent('developerROI of at least this: the return adjusted toward the market average, percent'),
  minProformaRoi: percent('proformaROI of at least this: return before contingency and financing, percent'),
  minTeardownPercentile: score('Teardown score at this percentile of its market or above'),
  minFlippabilityPercentile: score('Flippability score at this percentile of its market or above'),
  listedFrom: day('Listed on or after this date, YYYY-MM-DD'),
  listedTo: day('Listed on or before this date, YYYY-MM-DD'),
  soldFrom: day('Sold on or after this date, YYYY-MM-DD'),
  soldTo: day('Sold on or before this date, YYYY-MM-DD'),
  maxDaysOnMarket: opt(
    Type.Integer({ minimum: 0, description: 'At most this many days on the market', examples: [30] }),
  ),
  minPriceCutPct: opt(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Price at least this many percent below the first list price',
      examples: [5],
    }),
  ),
}

const listingStatusCriteria = {
  status: anyOf(
    statusFilters,
    'Listing statuses, separated by commas; for_sale is active and coming_soon, onMarket adds pending',
  ),
}

export const permitCriteria = {
  q: opt(
    Type.String({
      maxLength: 200,
      description: 'Keywords, any case; all must match, each in any field',
      examples: ['new house'],
    }),
  ),
  status: anyOf(permitStatuses, 'Permit statuses, separated by commas'),
  permitClass: anyOf(permitClasses, 'Kinds of work, separated by commas'),
  minValuation: opt(
    Type.Number({
      minimum: 0,
      description: 'Only permits valued at or above this, dollars; permits without a valuation are left out',
      examples: [500_000],
    }),
  ),
  maxValuation: opt(
    Type.Number({
      minimum: 0,
      description: 'Only permits valued at or below this, dollars; permits without a valuation are left out',
      examples: [2_000_000],
    }),
  ),
  issuedFrom: day('Issued on or after this date, YYYY-MM-DD'),
  issuedTo: day('Issued on or before this date, YYYY-MM-DD'),
  appliedFrom: day('Applied for on or after this date, YYYY-MM-DD'),
  appliedTo: day('Applied for on or before this date, YYYY-MM-DD'),
  finaledFrom: day('Finaled on or after this date, YYYY-MM-DD'),
  finaledTo: day('Finaled on or before this date, YYYY-MM-DD'),
  builder: opt(
    Type.String({ maxLength: 200, description: 'Part of the contractor’s name, any case', examples: ['Acme'] }),
  ),
}

export const listingCriteria = {
  ...placeCriteria,
  ...listingStatusCriteria,
  ...dealCriteria,
  ...homeCriteria,
  ...siteCriteria,
}

export const parcelCriteria = {
  ...placeCriteria,
  ...homeCriteria,
  ...siteCriteria,
}

/** SB 9 has its own `status`, so the listing's is `listingStatus`. */
const { sb9Status: _, ...siteOfSb9 } = siteCriteria
export const sb9Criteria = {
  ...placeCriteria,
  listingStatus: anyOf(
    ['active', 'coming_soon', 'pending', 'for_sale', 'onMarket'],
    'Listing statuses, separated by commas; defaults to all on the market',
  ),
  ...dealCriteria,
  ...homeCriteria,
  ...siteOfSb9,
}

export const saleCriteria = {
  ...placeCriteria,
  minPrice: dealCriteria.minPrice,
  maxPrice: dealCriteria.maxPrice,
  soldFrom: dealCriteria.soldFrom,
  soldTo: dealCriteria.soldTo,
  ...homeCriteria,
  ...overlayCriteria,
}

/** Everything that POST /v1/search accepts in `criteria`; which of it applies depends on `kind`. */
export const Criteria = Type.Object(
  {
    ...parcelCriteria,
    ...listingCriteria,
    ...permitCriteria,
    status: opt(
      Type.Array(literals([...statusFilters, ...permitStatuses]), {
        minItems: 1,
        uniqueItems: true,
        description: `Listings: ${statusFilters.join(', ')}. Permits: ${permitStatuses.join(', ')}`,
      }),
    ),
    within: opt(
      Type.Union([GeoJsonPolygon, GeoJsonMultiPolygon], {
        description: 'Inside this GeoJSON Polygon or MultiPolygon and outside its holes',
        examples: [examplePolygon],
        'x-checked-by-operation': 'a GeoJSON Polygon or MultiPolygon',
      }),
    ),
  },
  { $id: 'Criteria', description: 'The conditions of a search; all must be met' },
)
export type Criteria = Static<typeof Criteria>

/** The criteria of an answer, as they were understood. */
export const AppliedCriteria = Type.Object(
  {
    ...Criteria.properties,
    market: opt(Type.String({ description: 'The market searched, or all' })),
    status: opt(Type.Array(Type.String(), { description: 'Statuses' })),
    listingStatus: opt(Type.Array(Type.String(), { description: 'Listing statuses' })),
    class: opt(Type.String({ description: 'Redevelopment class' })),
    minScore: opt(Type.Number({ description: 'Lowest score listed' })),
    sort: opt(Type.Array(Type.String(), { description: 'The order of the rows' })),
  },
  { $id: 'AppliedCriteria', description: 'The criteria as understood, with defaults filled in' },
)
export type AppliedCriteria = Static<typeof AppliedCriteria>

/** The names that apply to each kind. */
export const criteriaOf: Readonly<Record<SearchKind, readonly string[]>> = {
  listings: [...Object.keys(listingCriteria), 'within'],
  parcels: [...Object.keys(parcelCriteria), 'within'],
  permits: [...Object.keys(placeCriteria), ...Object.keys(overlayCriteria), ...Object.keys(permitCriteria), 'within'],
  sales: [...Object.keys(saleCriteria)],
}
