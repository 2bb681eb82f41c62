import { type Static, Type } from 'typebox'
import { flag, list, literals, number, object, optional, parts, text, texts } from '../../common/shape.ts'
import { assumptionsUsed, ownInputs } from '../../criteria/own-assumptions.ts'
import { searchKinds } from '../../criteria/table.ts'
import { Criteria } from '../../criteria/vocabulary.ts'
import { factShapes } from '../../domain/fact-shapes.ts'
import { ScorePart } from '../../domain/findings/findings.ts'
import { useSchemes } from '../../domain/findings/laws.ts'
import { lotSplitStatuses } from '../../domain/findings/lot-split.ts'
import { redevelopmentClasses } from '../../domain/findings/redevelopment.ts'
import { ValueEstimate } from '../../domain/findings/value.ts'
import { assessedOn, identity, searchedRow } from '../../domain/searched-row.ts'
import { describe } from '../operation.ts'
import { listOf, SearchPagination, searchOf } from '../pagination.ts'
import { Permit } from '../permit.ts'
import { Overlays, PropertySignal } from '../property.ts'
import { examplePlace, listExample, place, source } from './examples.ts'
import { cursor, fieldNames, page, sortKeys } from './paging.ts'

export const ParcelItem = object('ParcelItem', {
  ...identity,
  apn: optional.text('Assessor’s parcel number'),
  zoning: optional.text('Zoning district'),
  lotSize: factShapes.lotSqft,
  yearBuilt: factShapes.yearBuilt,
  existingSqft: factShapes.livingSqft,
  allowableSqft: optional.number('Largest floor area zoning allows, square feet'),
  aduScore: optional.number('ADU score'),
  homes: optional.integer('Most homes that a law allows or likely allows'),
  allows: optional.list(literals(useSchemes), 'Uses that a law allows, some on a condition'),
  redevelopmentScore: optional.number('Redevelopment score'),
  class: optional.literals(redevelopmentClasses, 'Redevelopment class'),
  sb9Status: optional.literals(lotSplitStatuses, 'SB 9 status'),
  onMarket: flag('Whether it is active, coming soon or pending'),
  price: optional.number('Listing price, dollars'),
  valueEstimate: optional(ValueEstimate),
  ...searchedRow,
  asOf: assessedOn,
})
export type ParcelItem = Static<typeof ParcelItem>

const links = object('PropertyLinks', {
  page: text('Web page of the property'),
  api: text('API address of the property'),
})

/** A row of any kind: which fields it has depends on `kind`. */
export const SearchItem = Type.Partial(
  Type.Object({
    ...PropertySignal.properties,
    ...ParcelItem.properties,
    ...Permit.properties,
    status: text('Listing or permit status'),
    overlays: Overlays,
    why: list(ScorePart, 'The three largest parts of the teardown score'),
    links,
  }),
  { $id: 'SearchItem', description: 'A listing, a parcel or a permit' },
)
export type SearchItem = Static<typeof SearchItem>

export const NearMiss = object('NearMiss', {
  item: SearchItem,
  condition: text('The one condition it fails, as a parameter: maxPrice=3000000'),
  value: Type.Union([Type.Number(), Type.String()], { description: 'Its value' }),
  by: number('By how much it fails: in the unit of the value, or in days'),
})
export type NearMiss = Static<typeof NearMiss>

export const searchAll = describe({
  name: 'search',
  onlyReads: true,
  // 2,000 positions in full precision.
  maxBodyKiB: 256,
  title: 'Search',
  tag: 'Properties',
  method: 'POST',
  path: '/v1/search',
  summary: 'Listings, parcels or permits that meet every criterion, with how each criterion narrowed the result.',
  description:
    'The criteria are the query parameters of the lists, and within: a GeoJSON polygon. Rows where a bounded value is unknown are left out. GET /v1/fields lists names and units.',
  input: Type.Object({
    kind: literals(['listings', 'parcels', 'permits'], 'What to search'),
    criteria: Type.Optional(Criteria),
    sort: sortKeys('As in the lists'),
    fields: fieldNames('As in the lists'),
    explain: parts(
      ['funnel', 'nearMisses', 'why', 'overlays'],
      'funnel: rows left after each condition. nearMisses: up to three properties that fail one bound by the least. why: largest parts of the teardown score. overlays: the overlays of the parcel',
    ),
    ...ownInputs,
    ...page,
    cursor,
  }),
  output: Type.Object({
    ...searchOf(SearchItem, SearchPagination).properties,
    ...assumptionsUsed,
    nearMisses: optional.list(NearMiss, 'With explain nearMisses'),
    notIssued: optional.integer('Permits not issued that the default leaves out; counted to 10,000'),
  }),
  example: {
    input: {
      kind: 'listings',
      criteria: { city: examplePlace.city, status: ['for_sale'], maxPrice: 3_000_000, exclude: ['floodZone'] },
      sort: ['-returnPct'],
      explain: ['funnel', 'nearMisses'],
      limit: 3,
    },
    output: {
      ...listExample(
        {
          ...place,
          price: 2_681_500,
          status: 'active',
          teardownScore: 31,
          metadata: { lotSize: 7_500 },
          links: {
            page: `http://localhost:3000/properties/${place.id}`,
            api: `http://localhost:3000/api/v1/properties/${place.id}`,
          },
          source,
        },
        { limit: 3 },
      ),
      applied: {
        market: examplePlace.market,
        city: examplePlace.city,
        status: ['active', 'coming_soon'],
        maxPrice: 3_000_000,
        exclude: ['floodZone'],
        unknown: 'keep',
        sort: ['-returnPct'],
      },
      funnel: [{ condition: 'maxPrice=3000000', remaining: 1, wouldRemainWithout: 4, unknown: 0 }],
      nearMisses: [
        { item: { ...place, price: 3_050_000 }, condition: 'maxPrice=3000000', value: 3_050_000, by: 50_000 },
      ],
    },
  },
})

const FieldInfo = object('FieldInfo', {
  name: text('As served; a dot selects a nested field'),
  type: literals(['number', 'integer', 'text', 'date', 'boolean', 'object', 'list'], 'Type'),
  unit: optional.text('Unit'),
  sortable: flag('Whether sort accepts it'),
  filterable: flag('Whether a criterion filters by it'),
  filters: texts('The criteria that filter by it'),
  fillPct: optional.number('Percent of rows that have a value'),
})

const HouseFact = object('HouseFact', {
  name: text('Name in facts'),
  type: literals(['number', 'integer', 'boolean'], 'Type'),
  unit: optional.text('Unit'),
  fillPct: optional.number('Percent of the rows of the feeds that have a value'),
})

const FieldList = object('FieldList', {
  kind: literals(searchKinds, 'What is searched'),
  criteria: texts('Every criterion that applies'),
  fields: list(FieldInfo),
  houseFacts: optional.list(
    HouseFact,
    'Facts of the house in the feeds of this kind, used for values and served by /v1/properties/{id}',
  ),
})

export const listFields = describe({
  name: 'list_fields',
  title: 'Fields',
  tag: 'Properties',
  path: '/v1/fields',
  shared: true,
  summary: 'The fields of each kind of row: type, unit, whether they sort and filter, and how many rows have a value.',
  input: Type.Object({}),
  output: object('FieldCatalog', listOf(FieldList).properties),
  example: {
    input: {},
    output: listExample(
      {
        kind: 'listings' as const,
        criteria: ['market', 'city', 'minPrice', 'maxPrice'],
        fields: [
          {
            name: 'price',
            type: 'number' as const,
            unit: 'dollars',
            sortable: true,
            filterable: true,
            filters: ['minPrice', 'maxPrice', 'minPriceCutPct'],
            fillPct: 99.8,
          },
        ],
        houseFacts: [{ name: 'quality', type: 'number' as const, unit: '0 to 100', fillPct: 84.7 }],
      },
      { limit: 4 },
    ),
  },
})
