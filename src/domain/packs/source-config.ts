// The format of a file in sources/: where a feed is, what it contains, and how its fields map to Lotline's fields.
// sources/source.schema.json is generated from this value.

import { type Static, Type } from 'typebox'
import { closedObject, integer, optional, text } from '../../common/shape.ts'
import { type Dataset, holdings, overlayNames, permitClasses } from '../facts.ts'
import { sourceUses } from './source-uses.ts'

export const sourceKinds = [
  'socrata',
  'arcgis',
  'ckan',
  'csv',
  'geojson',
  'reso',
  'redfin',
  'blds',
  'openaddresses',
  'xml',
  'gtfs',
  'geotiff',
] as const
export type SourceKind = (typeof sourceKinds)[number]

const oneOf = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Unsafe<T[number]>(Type.Enum([...values], { description }))

const FieldName = text(
  'A field of the feed. A dot selects a field of an object ("location.latitude"). A list is used as a whole.',
  { minLength: 1 },
)

export const dateForms = ['auto', 'ymd', 'mdy', 'dmy', 'epoch_ms', 'epoch_s', 'excel'] as const
export const unitNames = ['acres', 'hectares', 'sqm', 'sqft', 'm', 'ft', 'thousands'] as const

const Condition = closedObject({
  field: FieldName,
  in: optional(Type.Array(Type.String(), { description: 'The value, or every item of a list, is one of these.' })),
  any: optional(Type.Array(Type.String(), { description: 'At least one item of a list is one of these.' })),
  notIn: optional(Type.Array(Type.String(), { description: 'The value is not one of these.' })),
  filled: optional(Type.Literal(true, { description: 'The field has a value.' })),
  atLeast: optional.number('The value is a number of at least this.'),
})
export type Condition = Static<typeof Condition>

const Operand = (description: string) =>
  Type.Union([Type.Number(), FieldName], { description: `${description} A number, or a field that holds one.` })

const Value = closedObject('One of field, join, sum or constant, with optional conversions.', {
  field: optional(FieldName),
  join: optional(Type.Array(FieldName, { minItems: 1, description: 'Fields to join. Empty ones are left out.' })),
  separator: optional.text('Text between joined fields. Defaults to a space.'),
  constant: optional(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  sum: optional(
    Type.Array(Type.Union([FieldName, closedObject({ field: FieldName, multiply: Type.Number() })]), {
      minItems: 1,
      description: 'Numbers to add up, each optionally multiplied. Empty ones count as 0.',
    }),
  ),
  when: optional(
    closedObject(
      'The rule applies only to rows that meet this condition. Use it in a list of rules.',
      Condition.properties,
    ),
  ),
  optional: optional(
    Type.Literal(true, {
      description: 'The feed need not have the field. Otherwise a missing column fails the run.',
    }),
  ),
  split: optional(
    closedObject('Split the text and keep one part.', {
      by: Type.String({ minLength: 1 }),
      part: integer('From 1; -1 is the last part.'),
    }),
  ),
  strip: optional.text('A regular expression, ignoring case. Matching text is removed.', { minLength: 1 }),
  pattern: optional.text(
    'A regular expression, ignoring case. The first group, or the whole match, is the value; without a match there is none.',
    { minLength: 1 },
  ),
  lookup: optional(
    Type.Union([Type.String({ pattern: '\\.csv$' }), Type.Record(Type.String(), Type.String())], {
      description:
        'A table of the feed’s values to Lotline’s, or a CSV file next to the configuration with those two columns after a header. A value that is not in the table is left empty.',
    }),
  ),
  multiply: optional(Operand('Multiply by this.')),
  add: optional(Operand('Add this.')),
  subtract: optional(Operand('Subtract this.')),
  subtractFrom: optional(Operand('Subtract the value from this: an age from a year.')),
  date: optional(
    oneOf(
      dateForms,
      'Format of the date. Defaults to detection: the values of the column say whether the day or the month comes first. "excel" counts days from 1900.',
    ),
  ),
  unit: optional(oneOf(unitNames, 'Unit in the feed. Converted to feet or square feet.')),
  words: optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'The feed’s word to Lotline’s word, ignoring case. "*" matches any other word.',
    }),
  ),
  before: optional.text('Keep only the part before this text.', { minLength: 1 }),
  case: optional(oneOf(['title'], 'Convert "OLD HARBOR" to "Old Harbor".')),
})
const SingleRule = Type.Union([FieldName, Value])
export const FieldRule = Type.Union([
  FieldName,
  Value,
  Type.Array(SingleRule, { minItems: 1, description: 'The first rule that gives a value is used.' }),
])
export type FieldRule = Static<typeof FieldRule>
export type SingleRule = Static<typeof SingleRule>

const Where = closedObject({
  url: text(
    'URL of the feed (http or https), or a file in the same folder, which may be a saved response of the service.',
    { minLength: 1 },
  ),
  delimiter: optional.text('CSV: delimiter. Defaults to a tab for .tsv, otherwise a comma.'),
  quote: optional.flag('CSV: whether fields may be quoted. Defaults to true.'),
  encoding: optional(
    oneOf(
      ['utf-8', 'windows-1252'],
      'Defaults to UTF-8, and to UTF-16 after its byte order mark; bytes that are not UTF-8 are read as windows-1252.',
    ),
  ),
  nulls: optional(Type.Array(Type.String(), { description: 'Additional words that mean a missing value.' })),
  where: optional.text('Filter: Socrata $where, ArcGIS where, RESO $filter.'),
  order: optional.text('Socrata $order and CKAN sort. The order must be unique. Defaults to ":id".'),
  resource: optional.text('CKAN resource id, or RESO resource, which defaults to Property.'),
  record: optional.text('XML: name of the element that is one row, for example "property".', { minLength: 1 }),
  select: optional.text('Fields to request, separated by commas. Defaults to all.'),
  expand: optional.text('RESO $expand, for example Media.'),
  updatedField: optional.text('Field with the time of the last change. Later runs request only newer rows.'),
  pageSize: optional(Type.Integer({ minimum: 1, maximum: 50_000 })),
  tokenEnv: optional.text('Name of the environment variable with the token.', { pattern: '^[A-Z][A-Z0-9_]*$' }),
  tokenOptional: optional(Type.Literal(true, { description: 'The feed also answers without the token, more slowly.' })),
  spatialReference: optional.text(
    'Coordinate system, if the feed does not state it: an EPSG code such as "EPSG:2227".',
  ),
  elevationUnit: optional(
    oneOf(['m', 'ft'], 'GeoTIFF: unit of the elevations, if the file does not state it. Defaults to meters.'),
  ),
  maxBytes: optional.integer('Maximum size of a response, decompressed.', { minimum: 1 }),
})
export type Where = Static<typeof Where>

const Pattern = (description: string) => text(description, { minLength: 1, maxLength: 1000 })
const PermitClasses = closedObject(
  'How permits of this source are classified. The general rules apply where nothing matches.',
  {
    ignore: optional(
      Type.Array(Pattern('A regular expression. Matching text is not read.'), {
        description: 'Boilerplate of the city, removed before a permit is classified.',
      }),
    ),
    words: optional(
      Type.Record(Type.String(), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }), {
        description: `Words of the city by class. A permit whose type or description contains one has that class. Classes: ${permitClasses.join(', ')}.`,
      }),
    ),
    rules: optional(
      Type.Array(
        closedObject({
          class: oneOf(permitClasses, 'Class of permits that match.'),
          projectType: optional(Pattern('A regular expression that the project type matches, ignoring case.')),
          description: optional(Pattern('A regular expression that the description matches, ignoring case.')),
        }),
        { description: 'Tried in order, before the words and the general rules. The first match decides.' },
      ),
    ),
  },
)

const Drift = closedObject(
  'How far a run may differ from the last one before it fails. "lotline ingest FILE --accept REASON" accepts one run.',
  {
    maxRejectedPct: optional.number(
      'Rejected rows in percent. More fails the run if it is also maxRejectedFactor times the last run’s. Defaults to 5.',
      { minimum: 0, maximum: 100 },
    ),
    maxRejectedFactor: optional.number('See maxRejectedPct. Defaults to 3.', { minimum: 1 }),
    maxMedianFactor: optional.number(
      'A median price or area of 200 rows or more that rises or falls by this factor fails the run. Defaults to 1.5.',
      { minimum: 1 },
    ),
    maxMedianYears: optional.number(
      'A median year of 200 rows or more that moves by this number fails the run. Defaults to 5.',
      {
        minimum: 0,
      },
    ),
    minRowsPct: optional.number(
      'Accepted rows in percent of the last full run’s. This many or fewer, or no row at all, fails the run. Defaults to 50; a complete feed has maxGonePct instead.',
      { minimum: 0, maximum: 100 },
    ),
  },
)

const Feed = closedObject('A public feed that ships with Lotline and is switched on with "lotline sources enable".', {
  id: text('Sources with the same feed are enabled together.', { pattern: '^[a-z0-9][a-z0-9-]{1,62}$' }),
  confidence: oneOf(
    ['high', 'medium'],
    'Confidence in the URL and field names: high means several independent uses, medium means one.',
  ),
  asOf: text('Date of this information. The feed itself was not called.', { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  about: Type.String({ minLength: 1, maxLength: 500 }),
  expect: optional(
    Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 }), {
      description: 'Smallest share of rows with each field. A feed with less has changed.',
    }),
  ),
})

const LayerSets = closedObject('With holds "layer": what the shapes set.', {
  overlay: optional(oneOf(overlayNames, 'The overlay that the layer sets.')),
  fact: optional(
    oneOf(
      ['slopePct', 'buildings', 'stations'],
      'Instead of an overlay: slope from an elevation grid, buildings from footprints, stations of the transit law.',
    ),
  ),
  value: optional(FieldRule),
  minSharePct: optional.number('Smallest part of a lot that must be covered, in percent. Defaults to 5.', {
    exclusiveMinimum: 0,
    maximum: 100,
  }),
  withinFt: optional.number('Lots within this distance of a shape count as covered.', { minimum: 0 }),
  extent: optional.text(
    'Where a lot without a hit is "no": "market" if the whole market was mapped, or a GeoJSON file with the mapped area. Defaults to "unknown".',
    { minLength: 1 },
  ),
  priority: optional.integer('Of two layers that set the same, the higher one counts. Defaults to 0.'),
  maxYesPct: optional.number('A run after which more of the market’s parcels would be "yes" fails. Defaults to 90.', {
    minimum: 0,
    maximum: 100,
  }),
})
export type LayerSets = Static<typeof LayerSets>

export const SourceConfig = Type.Object(
  {
    $schema: optional(Type.String()),
    id: text('Permanent id. Records refer to it, so never change it.', { pattern: '^[a-z0-9][a-z0-9-]{1,62}$' }),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    feed: optional(Feed),
    kind: oneOf(sourceKinds, 'Reader of the feed.'),
    holds: oneOf(holdings, 'Kind of record in each row; "layer" for a map that sets facts of the parcels it touches.'),
    sets: optional(LayerSets),
    where: Where,
    market: optional.text('Market of every row. Defaults to the market of the row’s city.'),
    city: optional.text('City of every row. Without it, map the field "city".'),
    county: optional.text('County of every row, for parcel numbers. Defaults to the county of the row’s city.'),
    point: optional.text('A field with a point: "(37.4, -122.1)", "POINT (-122.1 37.4)", GeoJSON, Socrata or ArcGIS.'),
    fields: optional(
      Type.Record(Type.String(), FieldRule, { description: 'Lotline’s field to the feed’s field or a rule.' }),
    ),
    sameNames: optional.flag('Fields that are not mapped are read from feed fields with the same name.'),
    require: optional(
      Type.Array(Condition, {
        description: 'Conditions that every row must meet. Other rows are rejected and kept with the reason.',
      }),
    ),
    permitClasses: optional(PermitClasses),
    complete: optional.flag(
      'Every run contains all rows: a missing row is marked as removed, and a listing that was for sale as withdrawn.',
    ),
    maxGonePct: optional.number(
      'With complete: a run that lacks a larger percentage of the stored rows fails. Defaults to 20, for listings for sale to 60.',
      { minimum: 0, maximum: 100 },
    ),
    drift: optional(Drift),
    licence: optional(Type.String()),
    uses: optional(
      Type.Array(oneOf(sourceUses, 'A use that the license permits.'), {
        description:
          'Where photos and links of the listings may appear. Defaults to all; for reso and redfin to all but export and feed.',
      }),
    ),
    schedule: optional.text('Cron expression with five fields, in UTC.'),
    sample: optional.flag('Generated data. A real source replaces that of the same data set in its market.'),
  },
  { additionalProperties: false, title: 'A Lotline source' },
)
export type SourceConfig = Static<typeof SourceConfig>
/** A source whose rows are records. */
export type RecordSource = SourceConfig & { holds: Dataset }
export const isLayer = (config: SourceConfig): config is SourceConfig & { holds: 'layer'; sets: LayerSets } =>
  config.holds === 'layer'

/** What a run read, to compare the next one with. Runs of earlier versions have no `rejected` and no `medians`. */
export interface FeedProfile {
  /** Accepted rows. */
  rows: number
  /** Rejected rows, without those that "require" excludes. */
  rejected?: number
  /** The run asked only for changes. Its rows are not typical of the whole feed: new permits have no final date. */
  changesOnly: boolean
  /** The operator accepted its differences from the run before it. */
  accepted?: boolean
  /** Accepted rows with a value in each field. */
  fields: Record<string, number>
  /** Permits whose status comes before their issue, with and without an issue date. */
  unissued?: { dated: number; undated: number }
  /** Prices and the numbers among the facts of a home. */
  medians?: Record<string, number>
  /** Of each fact of a home: its most common value and the share of the rows with it, among those that know it. */
  common?: Record<string, { value: string; share: number }>
  /** By "fact, other fact": how the two go together over the rows, as a correlation. */
  links?: Record<string, number>
  /** Columns whose dates have the day first. */
  dayFirst?: string[]
  /** Of the boxes and cities that rows are read with. */
  placesHash?: string
}
