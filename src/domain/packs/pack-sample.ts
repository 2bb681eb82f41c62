// The files packs/<id>/sample/market.json and zones.json: how the generated sample of a market behaves.
import { type Static, Type } from 'typebox'
import { closedObject, integer, list, literals, number, optional, text, texts } from '../../common/shape.ts'
import { tableOf } from '../../common/typed.ts'
import { Box } from './market-pack.ts'

const permitMixKinds = ['adu', 'addition', 'remodel', 'roof', 'solar', 'trades', 'newHouse', 'demolition'] as const

const point = Type.Immutable(Type.Tuple([number('Latitude'), number('Longitude')]))
const months = (description: string) => list(Type.Number(), { minItems: 12, maxItems: 12, description })
const permitMix = closedObject(
  'Relative number of permits by kind',
  tableOf(permitMixKinds, () => Type.Number({ minimum: 0 })),
)

const CityActivity = closedObject({
  city: text('City name'),
  salesPerYear: number('Sales per year'),
  medianDom: number('Median days on market'),
  saleToList: number('Sale price divided by list price'),
  shareAboveList: number('Share of homes sold above list'),
  teardownsPerSale: number('Share of sales that are followed by a teardown'),
  permitsPerMonth: number('Permits per month'),
  permitMix,
})

export const SampleMarketFile = closedObject({
  $schema: optional(Type.String()),
  about: optional(Type.String()),
  historicIsland: optional.flag(
    'Old houses, a long season, slow sales, and a commission that votes on every demolition',
  ),
  parcels: integer('Number of parcels'),
  minParcels: integer('Smallest number of parcels of a zone'),
  salesPerYear: optional.number('Of all cities together; absent where cityActivity says it'),
  permitsPerMonth: optional.number('Of all cities together; absent where cityActivity says it'),
  twoBedroomRentUsd: number('Monthly rent of two bedrooms where the median home costs two million dollars'),
  firstHouseNumber: integer('Above the numbers in use on these streets, so that no sample address is a real one'),
  listingPrefix: text('First letters of listing ids'),
  priceTrend: closedObject({
    points: list(Type.Immutable(Type.Tuple([number('Year'), number('Price level, 2025 = 1')])), { minItems: 1 }),
    later: number('Growth per year after the last point'),
  }),
  priceSeason: months('Prices by month'),
  listingSeason: months('Percentage of a year’s new listings by month'),
  parcelNumbers: Type.Record(Type.String(), Type.String(), {
    description: 'County to the form of its parcel numbers: "3-3-3"',
  }),
  faultTrace: list(point),
  cityActivity: optional.list(CityActivity),
})
export type SampleMarketFile = Static<typeof SampleMarketFile>

const Anchor = closedObject({
  lat: number('Latitude'),
  lng: number('Longitude'),
  radiusM: number('Radius in meters'),
  bearingDeg: number('Main direction of the streets'),
  hill: number('0 flat to 1 steep'),
  bay: number('0 high ground to 1 at water level'),
  zip: optional.text('ZIP code; default: the first of the city', { pattern: '^\\d{5}$' }),
})
export type Anchor = Static<typeof Anchor>

const ZoneEntry = closedObject({
  city: text('City name'),
  area: optional.text('Area of the city'),
  county: text('County'),
  medianPriceUsd: number('Median price'),
  ppsfUsd: number('Median price per square foot'),
  livingSqft: number('Median living area'),
  lotSqft: number('Median lot size'),
  newPpsfUsd: number('Price per square foot of new homes'),
  stock: number('Number of homes in the real zone, or a relative weight'),
  eras: list(Type.Immutable(Type.Tuple([number('From year'), number('To year'), number('Percent')])), {
    minItems: 1,
  }),
  box: Box,
  spread: literals(['tract', 'mixed', 'estate'], { description: 'How much homes differ' }),
  newSqft: Type.Immutable(Type.Tuple([number('Low'), number('High')])),
  districts: list(Type.Immutable(Type.Tuple([text('Zoning district'), number('Smallest lot that gets it')])), {
    minItems: 1,
  }),
  septicShare: number('Share of homes with a septic system'),
  anchors: list(Anchor, { minItems: 1 }),
  streets: texts('Street names'),
  permitPhrase: optional.text('What permits of large projects add: "; CDP on file"'),
  permitTypes: optional.literals(['generic', 'short'], {
    description: 'generic: one project type for all permits, so that classification has to read descriptions',
  }),
  historicStreets: optional.texts('Streets of historic homes'),
  farmlandShare: optional.number('Share of lots that are farmland'),
  rentControl: optional.flag('True under rent control'),
  coastal: optional(
    closedObject('The part in the coastal zone', {
      hillBelow: optional.number('Hill value'),
      westOf: optional.number('Longitude'),
    }),
  ),
  salesPerYear: optional.number('Sales per year; absent where market.json has cityActivity'),
  medianDom: optional.number('Median days on market'),
  saleToList: optional.number('Sale price divided by list price'),
  shareAboveList: optional.number('Share of homes sold above list'),
  permitsPerYear: optional.number('Permits per year'),
  permits: optional(permitMix),
})
export type ZoneEntry = Static<typeof ZoneEntry>

export const SampleZonesFile = closedObject({
  $schema: optional(Type.String()),
  about: optional(Type.String()),
  zones: list(ZoneEntry, { minItems: 1 }),
})
export type SampleZonesFile = Static<typeof SampleZonesFile>
