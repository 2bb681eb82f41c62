// The files of a market pack, packs/<id>/. The JSON Schemas in packs/schema are generated from these values.
import { type Static, Type } from 'typebox'
import { closedObject, flag, integer, list, literals, number, optional, text } from '../../common/shape.ts'
import { confidences, overlayNames } from '../facts.ts'

const object = <T extends Type.TProperties>(properties: T) =>
  closedObject({ $schema: optional(Type.String()), ...properties })

const day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const slug = (description: string) => text(description, { pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', maxLength: 60 })
const words = (description: string) => text(description, { minLength: 1, maxLength: 2_000 })
const latitude = Type.Number({ minimum: -90, maximum: 90 })
const longitude = Type.Number({ minimum: -180, maximum: 180 })

const LatLng = closedObject({ lat: latitude, lng: longitude })
export const Box = closedObject('In degrees. Covers the inhabited part of a place, not its legal limits.', {
  south: latitude,
  north: latitude,
  west: longitude,
  east: longitude,
})
export type LatLng = Static<typeof LatLng>
export type Box = Static<typeof Box>

/** The rules that can order a market's list: see src/intelligence/statistics/rank-score.ts. */
export const rankingRules = ['teardown', 'flip_and_charm', 'flip', 'redevelopment'] as const
export type RankingRule = (typeof rankingRules)[number]
/** The ranking rule in words. */
export const rankingLabels: Readonly<Record<RankingRule, string>> = {
  teardown: 'teardown score',
  flip_and_charm: 'average of flip and charm scores',
  flip: 'flip score',
  redevelopment: 'redevelopment score',
}

/** How a county writes its parcel numbers. */
const ApnForm = Type.Union(
  [
    closedObject({
      county: words('County'),
      digits: integer('Spreadsheets drop leading zeros: numbers are padded to this length.', {
        minimum: 3,
        maximum: 20,
      }),
    }),
    closedObject({
      county: words('County'),
      blockAndLot: Type.Literal(true, {
        description: 'A block of four digits and a lot of three, each with an optional letter: 0026T/061.',
      }),
    }),
    closedObject({
      county: words('County'),
      parts: Type.Literal(true, {
        description: 'Parts of any length: the separators are significant (4-21 is not 42-1).',
      }),
    }),
  ],
  { description: 'Form of the county’s parcel numbers. Counties that are not listed keep letters and digits.' },
)
export type ApnForm = Static<typeof ApnForm>

const DemolitionReview = closedObject(
  'Set if all of the market is a historic district in which every demolition needs approval.',
  {
    name: words('Where every demolition is reviewed, in words: "Old Harbor"'),
    body: words('Who decides'),
    source: words('The law'),
    asOf: optional(Type.String({ ...day, description: 'Day on which the source was current' })),
    confidence: optional.literals(confidences),
    months: optional.number('Usual time of the decision', { minimum: 0 }),
    presumedHistoricBefore: optional.integer(
      'A house built before this year whose historic status is unknown has no demolition pro forma',
      {
        minimum: 1600,
        maximum: 2100,
      },
    ),
    doubtfulBefore: optional.integer(
      'The same for a house whose pro forma has low confidence and whose scores are lower',
      {
        minimum: 1600,
        maximum: 2100,
      },
    ),
  },
)

const TransitStop = closedObject({
  name: words('Name of the station'),
  lat: latitude,
  lng: longitude,
  tier: optional(
    Type.Union([Type.Literal(1), Type.Literal(2)], {
      description:
        'Tier of the transit law: 1 for frequent heavy and commuter rail, 2 for light rail. Absent without daily service',
    }),
  ),
})

const Charm = closedObject(
  'Set if the market’s homes have a historic-charm score; required by the ranking rule flip_and_charm.',
  {
    towns: list(
      closedObject({
        name: words('Center of a historic town'),
        lat: latitude,
        lng: longitude,
        fadeM: number('Distance in meters over which its effect fades', { exclusiveMinimum: 0 }),
      }),
    ),
    districts: list(Type.String(), { description: 'Historic zoning districts: full location points' }),
  },
)
export type Charm = Static<typeof Charm>

export const PackManifest = object({
  id: slug('Same as the folder: springfield'),
  number: integer('Part of every property id of the market. Never changes and is never used for another market.', {
    minimum: 1,
    maximum: 32_767,
  }),
  version: text('Version of the pack', { pattern: '^\\d+\\.\\d+\\.\\d+$' }),
  default: optional.flag('True in the pack whose market is meant when a caller names none'),
  name: words('Display name'),
  inWords: optional(words('With its preposition: "on the island". Defaults to "in <name>".')),
  aliases: list(Type.String({ minLength: 1 }), { description: 'Other names callers may use' }),
  country: text('Two letters: US', { pattern: '^[A-Z]{2}$' }),
  state: text('Two letters', { pattern: '^[A-Z]{2}$' }),
  stateName: words('State in words'),
  timeZone: words('IANA name: America/Chicago'),
  center: LatLng,
  box: Box,
  ranking: literals(rankingRules, { description: 'The rule that orders the market’s list' }),
  laws: list(
    closedObject({ id: slug('A law in src/laws'), since: Type.String({ ...day, description: 'In force since' }) }),
    { description: 'Laws that apply. A law that is not listed is answered with "not applicable here".' },
  ),
  apn: list(ApnForm),
  soldAboveList: optional(
    closedObject('Share of homes sold above list, used where a city’s own share is unknown', {
      share: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
      reason: words('Why this number'),
    }),
  ),
  demolitionReview: optional(DemolitionReview),
  risks: optional.list(
    closedObject({ overlay: literals(overlayNames), label: words('As it is asked and shown here: "bluff erosion"') }),
    { description: 'The overlays that matter in this market, in order. Without it every overlay is shown.' },
  ),
  charm: optional(Charm),
  transitStops: optional.list(TransitStop, { description: 'Rail stations' }),
  license: words('License of the pack’s data'),
  source: words('Where the facts come from'),
  asOf: text('Date of the facts', { pattern: '^\\d{4}(?:-\\d{2}){0,2}$' }),
  notes: optional.list(Type.String()),
})
export type PackManifest = Static<typeof PackManifest>

const CityEntry = closedObject({
  name: words('Display name'),
  slug: slug('Unique across all markets: springfield-il'),
  county: words('County, without the word County'),
  zipCodes: list(Type.String({ pattern: '^\\d{5}$' }), {
    description: 'A row without a city gets its city from its ZIP code, if only one city lists that ZIP code',
  }),
  center: LatLng,
  box: Box,
  aliases: list(Type.String({ minLength: 1 })),
  label: optional.flag('True for the few cities named on small maps'),
  incorporated: flag('False for the unincorporated county, which has its own zoning and permits'),
  urbanized: flag('Contains part of a Census urban area'),
  charter: Type.Boolean(),
  coastal: Type.Boolean(),
  population: optional.integer('Census of 2020', { minimum: 0 }),
})
export type CityEntry = Static<typeof CityEntry>
export const CitiesFile = object({
  source: words('Where the facts come from'),
  asOf: words('Date of the facts'),
  cities: list(CityEntry, { minItems: 1 }),
})
export type CitiesFile = Static<typeof CitiesFile>

const AssumptionValue = closedObject({
  value: Type.Number(),
  reason: words('Why this number'),
  source: words('On whose word'),
  confidence: literals(confidences),
  byCity: optional(Type.Record(Type.String(), Type.Number(), { description: 'City slug to value' })),
})
export const AssumptionsFile = object({
  assumptions: Type.Record(Type.String(), AssumptionValue, {
    description:
      'Names of data/assumptions.json. Values that are not listed use the default and are reported as defaults.',
  }),
  flip: optional(
    Type.Record(Type.String(), AssumptionValue, {
      description: 'Names of data/flip-assumptions.json',
    }),
  ),
  condition: optional(
    closedObject(
      'What condition is worth: percent of the price in condition C4, at equal size. The default is data/condition-prices.json.',
      {
        C1: Type.Number(),
        C2: Type.Number(),
        C3: Type.Number(),
        C5: Type.Number(),
        C6: Type.Number(),
        reason: words('Why these numbers'),
        source: words('On whose word'),
        confidence: literals(confidences),
      },
    ),
  ),
  permitDays: optional(
    closedObject(
      'Published days from application to permit of new houses, never of all homes, for cities with too few permits in the feeds to measure them',
      {
        basis: words(
          'What the days are, in the words of a pro forma: "median of new houses in the city’s own report of 2025"',
        ),
        source: words('On whose word'),
        byCity: Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0 }), { description: 'City slug to days' }),
      },
    ),
  ),
})
export type AssumptionsFile = Static<typeof AssumptionsFile>

const Lot = Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Boolean()]), {
  description: 'Facts of the lot, named as in src/domain/facts.ts: lotSqft, zoning, lotWidthFt, slopePct, …',
})
const Expected = Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()]), {
  description: 'Served fields that must have these values; null means absent',
})
export const VectorsFile = object({
  vectors: list(
    closedObject({
      name: words('What the example shows'),
      source: words('Where the expected numbers come from'),
      city: slug('City slug'),
      lot: Lot,
      sale: optional(
        closedObject('With it, the pro forma is computed too', { priceUsd: Type.Number(), arvPerSqft: Type.Number() }),
      ),
      envelope: optional(Expected),
      proforma: optional(Expected),
      tolerance: optional.number('Largest difference of a number. Defaults to 1.', { minimum: 0 }),
    }),
  ),
})
export type VectorsFile = Static<typeof VectorsFile>
