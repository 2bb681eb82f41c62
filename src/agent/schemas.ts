// The schemas of a tool, derived from the contract and kept short, because the tool list is part of the model's context.
import type { TObject, TSchema } from 'typebox'
import { type Criterion, criteria } from '../criteria/table.ts'
import type { Operation } from '../wire/operation.ts'

export type JsonSchema = Record<string, unknown>

export interface ObjectSchema extends JsonSchema {
  type: 'object'
  properties: Record<string, JsonSchema>
  required?: string[]
}

interface InputNotes {
  /** Descriptions that differ for an agent. */
  describe?: Record<string, string>
  /** Whether rows can be narrowed to some fields. */
  fields: boolean
  /** Whether to add the notes of criteria. The tool list has each note once: it is part of the model's context. */
  notes?: boolean
}

/** Own numbers for returns. */
export const ownNote = 'Own numbers for returns: {"costPerSqft": 650}'

/** Notes of the table of criteria, where a list does not have its own. */
const notes: Readonly<Record<string, string>> = {
  sort: 'Field names, - for highest first',
  explain: '',
  cursor: 'From page.next',
  assumptionSet: 'Id of your set',
  assumptions: ownNote,
  ...Object.fromEntries(Object.entries<Criterion>(criteria).map(([name, { note }]) => [name, note])),
}

/** The complete input schema of the operation, used for validation. Unknown names are rejected: most are typos. */
export const inputSchema = (
  { input }: Operation,
  { describe = {}, fields, notes: withNotes = false }: InputNotes,
): ObjectSchema => {
  const properties: Record<string, JsonSchema> = {}
  for (const [name, schema] of Object.entries(input.properties)) {
    if (fields && notForAgents.includes(name)) continue
    const { description: described, ...rest } = plain(schema)
    const note = notes[name]
    const description = describe[name] ?? (fields && note !== undefined ? (withNotes ? note : '') : described)
    properties[name] = { ...rest, ...(description ? { description } : {}) }
  }
  if (fields) properties.fields = { type: 'array', items: { type: 'string' }, description: 'Only these row fields' }
  const required = input.required ?? []
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false }
}

/** Tools read JSON, and reject unknown names themselves. */
const notForAgents = ['f', 'format', 'strict']

/** The schema without one of the values that a list parameter accepts. */
export const withoutValue = (schema: ObjectSchema, name: string, value: string): ObjectSchema => {
  const { items, ...rest } = schema.properties[name] as { items: { enum: readonly string[] } }
  const shorter = { ...rest, items: { ...items, enum: items.enum.filter((each) => each !== value) } }
  return { ...schema, properties: { ...schema.properties, [name]: shorter } }
}

const bounds = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'format',
  'pattern',
  'examples',
  'additionalProperties',
  'x-checked-by-operation',
  'x-comma-list',
]

/** Bounds and long lists of values are left to the error message. */
const shortSchema = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => !bounds.includes(keyword) && !(Array.isArray(value) && value.length > 6))
      .map(([keyword, value]) => [keyword, keyword === 'items' ? shortSchema(value as JsonSchema) : value]),
  )

/** The input schema for the tool list: the arguments named, by default all, without bounds. The validator accepts the others too. */
export const listedInput = (
  { properties, required }: ObjectSchema,
  names: readonly string[] = Object.keys(properties),
): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, shortSchema(properties[name]!)])),
  ...(required ? { required } : {}),
})

// The names of a row's fields are in the answer itself and in the API reference. Listing them for every tool would fill the model's
// context before the first call.
export const listAnswerSchema: JsonSchema = {
  type: 'object',
  properties: { outcome: { type: 'string' }, items: { type: 'array' } },
  required: ['outcome'],
}

export const oneAnswerSchema: JsonSchema = {
  type: 'object',
  properties: { outcome: { type: 'string' }, item: { type: 'object' } },
  required: ['outcome'],
}

/** The schema of one row of a list, or of the record. */
export const itemOf = ({ output }: Operation): TObject => {
  const { data } = (output as TObject).properties as { data: TSchema & { items?: TObject } }
  return data.items ?? (data as unknown as TObject)
}

// Serializing removes TypeBox's symbols. Some clients reject an enum without a type.
const plain = (schema: TSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'enum' in value && !('type' in value)
      ? { type: 'string', ...value }
      : value,
  ) as JsonSchema
