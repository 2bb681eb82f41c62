// Inputs that every list shares.
import { Type } from 'typebox'
import examplePlace from '../../../data/examples.json' with { type: 'json' }
import { choices, optional } from '../../common/shape.ts'
import { permitClasses } from '../../domain/facts.ts'

export const defaultLimit = 25
export const maxOffset = 9_999

export const limit = optional.integer(`Items per page; defaults to ${defaultLimit}, capped at the plan's maximum`, {
  minimum: 1,
  examples: [defaultLimit],
})
const offset = optional.integer(`Results to skip, up to ${maxOffset}; to read further, use cursor`, {
  minimum: 0,
  maximum: maxOffset,
  examples: [50],
})
export const page = { limit, offset }

/** Without an example: a cursor belongs to one list and one order. */
export const cursor = optional.text('pagination.nextCursor of the previous page; replaces offset', { maxLength: 1_000 })

export const formats = ['json', 'geojson', 'csv'] as const

/** Names of fields by which rows are sorted. */
export const sortKeys = (description: string, options: Type.TSchemaOptions = {}) =>
  optional(Type.Array(Type.String({ maxLength: 60 }), { minItems: 1, maxItems: 10, description, ...options }))

/** Names of fields that rows are narrowed to. */
export const fieldNames = (description: string, options: Type.TSchemaOptions = {}) =>
  optional(Type.Array(Type.String({ maxLength: 80 }), { minItems: 1, maxItems: 60, description, ...options }))

/** What every searchable list takes in addition to its criteria. The examples are fields that its rows have. */
export const listControls = (sort: readonly string[], fields: readonly string[]) => ({
  ...page,
  cursor,
  sort: sortKeys(
    `Up to three field names, each with a leading - for highest first: ${sort}. distanceMi needs a point. Rows without the value come last`,
    { examples: [sort] },
  ),
  fields: fieldNames(
    `Only these fields of each row; a dot selects a nested field: ${fields}. The identifier (id, permitId or saleId) is always included`,
    { examples: [fields] },
  ),
  explain: choices(
    ['funnel'],
    'funnel: how many rows remain after each condition, and how many would remain without it',
  ),
  f: optional.literals(formats, 'json, geojson or csv; the Accept header works too. Defaults to json'),
  format: optional.literals(formats, 'Same as f'),
  strict: optional.flag('true: an unknown parameter is a 400 instead of being listed in ignored'),
})

export const market = optional.text('Market id; without it, the default market', { format: 'market', maxLength: 60 })

export const oneCity = optional.text('City name or slug', { maxLength: 80, examples: [examplePlace.city] })

export const kindsOfWork = choices(permitClasses, 'Kinds of work')

export const city = optional.text(
  `City names or slugs, any case, separated by commas: "${examplePlace.city}", ${examplePlace.citySlug}`,
  {
    maxLength: 500,
    examples: [examplePlace.city],
  },
)
