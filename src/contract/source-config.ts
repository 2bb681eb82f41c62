// What one file under sources/ may say: where a feed is, what it holds, and how its fields become ours.
// sources/source.schema.json is printed from this value.
import { type Static, Type } from 'typebox'

export const dataSets = ['parcels', 'listings', 'sales', 'permits'] as const
export type DataSet = (typeof dataSets)[number]

export const sourceKinds = ['socrata', 'arcgis', 'ckan', 'csv', 'geojson', 'reso', 'redfin'] as const
export type SourceKind = (typeof sourceKinds)[number]

const closed = { additionalProperties: false } as const
const oneOf = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Unsafe<T[number]>(Type.Enum([...values], { description }))

const FieldName = Type.String({
  minLength: 1,
  description: 'A field of the feed; a dot steps into an object ("location.latitude"), a list is taken whole.',
})

export const dateForms = ['auto', 'ymd', 'mdy', 'dmy', 'epoch_ms', 'epoch_s'] as const
export const unitNames = ['acres', 'hectares', 'sqm', 'sqft', 'm', 'ft', 'thousands'] as const

const Value = Type.Object(
  {
    field: Type.Optional(FieldName),
    join: Type.Optional(
      Type.Array(FieldName, { minItems: 1, description: 'Fields put together, empty ones left out.' }),
    ),
    separator: Type.Optional(Type.String({ description: 'Between joined fields; a space unless said.' })),
    constant: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    date: Type.Optional(oneOf(dateForms, 'How a date is written; found out by itself unless said (month first).')),
    unit: Type.Optional(oneOf(unitNames, 'The unit of the feed; turned into feet or square feet.')),
    words: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'The feed’s words and ours, whatever the case; "*" stands for any other word.',
      }),
    ),
    before: Type.Optional(Type.String({ minLength: 1, description: 'Keep only what stands before this text.' })),
    case: Type.Optional(oneOf(['title'], 'Turn "PALO ALTO" into "Palo Alto".')),
  },
  { ...closed, description: 'One of field, join or constant, and what to do with it.' },
)
const OneRule = Type.Union([FieldName, Value])
export const FieldRule = Type.Union([
  FieldName,
  Value,
  Type.Array(OneRule, { minItems: 1, description: 'The first of these that gives a value.' }),
])
export type FieldRule = Static<typeof FieldRule>
export type OneRule = Static<typeof OneRule>

const Where = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      description: 'Address of the feed (http or https), or a file beside this one: also a saved answer of a service.',
    }),
    delimiter: Type.Optional(Type.String({ description: 'CSV: between fields. A tab for .tsv, otherwise a comma.' })),
    quote: Type.Optional(Type.Boolean({ description: 'CSV: whether fields may be quoted; yes unless said.' })),
    encoding: Type.Optional(
      oneOf(['utf-8', 'windows-1252'], 'UTF-8 unless said; bytes that are not UTF-8 are read as windows-1252.'),
    ),
    nulls: Type.Optional(Type.Array(Type.String(), { description: 'Words that mean "nothing", beside the usual.' })),
    where: Type.Optional(Type.String({ description: 'Socrata $where, ArcGIS where, RESO $filter: what to ask for.' })),
    order: Type.Optional(
      Type.String({ description: 'Socrata $order and CKAN sort. It must be unique; ":id" unless said.' }),
    ),
    resource: Type.Optional(Type.String({ description: 'CKAN resource id; RESO resource (Property unless said).' })),
    select: Type.Optional(Type.String({ description: 'Fields to ask for, by commas; all unless said.' })),
    expand: Type.Optional(Type.String({ description: 'RESO $expand, for example Media.' })),
    updatedField: Type.Optional(
      Type.String({ description: 'The field that says when a row last changed: later runs ask only for newer rows.' }),
    ),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 50_000 })),
    tokenEnv: Type.Optional(
      Type.String({ pattern: '^[A-Z][A-Z0-9_]*$', description: 'Environment variable that holds the token.' }),
    ),
    spatialReference: Type.Optional(
      Type.String({ description: 'Coordinates, when the feed does not say: an EPSG code such as "EPSG:2227".' }),
    ),
    maxBytes: Type.Optional(Type.Integer({ minimum: 1, description: 'Refuse an answer larger than this, unpacked.' })),
  },
  closed,
)
export type Where = Static<typeof Where>

const Condition = Type.Object(
  {
    field: FieldName,
    in: Type.Optional(Type.Array(Type.String(), { description: 'The value, or each of a list, is one of these.' })),
    any: Type.Optional(Type.Array(Type.String(), { description: 'At least one of a list is one of these.' })),
    notIn: Type.Optional(Type.Array(Type.String(), { description: 'The value is none of these.' })),
    filled: Type.Optional(Type.Literal(true, { description: 'There is a value.' })),
  },
  closed,
)
export type Condition = Static<typeof Condition>

export const SourceConfig = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{1,62}$', description: 'Its name for ever: records carry it.' }),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    kind: oneOf(sourceKinds, 'How the feed is spoken to.'),
    holds: oneOf(dataSets, 'What a row of it is.'),
    where: Where,
    market: Type.Optional(Type.String({ description: 'Market of every row; otherwise that of its city.' })),
    city: Type.Optional(Type.String({ description: 'City of every row; otherwise map the field "city".' })),
    county: Type.Optional(
      Type.String({ description: 'County of every row, for parcel numbers; otherwise that of its city.' }),
    ),
    point: Type.Optional(
      Type.String({
        description: 'A field holding a point: "(37.4, -122.1)", "POINT (-122.1 37.4)", GeoJSON, Socrata or ArcGIS.',
      }),
    ),
    fields: Type.Optional(
      Type.Record(Type.String(), FieldRule, { description: 'Our field: the feed’s field or a rule.' }),
    ),
    sameNames: Type.Optional(
      Type.Boolean({ description: 'Fields not mapped are read from fields of the same name as ours.' }),
    ),
    require: Type.Optional(
      Type.Array(Condition, {
        description: 'Conditions every row must meet; a row that does not is rejected and kept.',
      }),
    ),
    complete: Type.Optional(
      Type.Boolean({
        description:
          'Every run contains all rows: a missing row is marked as removed, and a listing that was for sale as withdrawn.',
      }),
    ),
    maxGonePct: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          'With complete: a run that lacks a larger percentage of the stored rows fails. Defaults to 20, for listings for sale to 60.',
      }),
    ),
    licence: Type.Optional(Type.String()),
    schedule: Type.Optional(Type.String({ description: 'When to run: five cron fields, UTC.' })),
    sample: Type.Optional(
      Type.Boolean({ description: 'Generated data, removed when the first real source is loaded.' }),
    ),
  },
  { ...closed, title: 'A Lotline source' },
)
export type SourceConfig = Static<typeof SourceConfig>

/** What sources/source.schema.json holds. */
export const sourceSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...(JSON.parse(JSON.stringify(SourceConfig)) as object),
}
