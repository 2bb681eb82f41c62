// A tool's schemas, read from the contract and kept short: the whole tool list must leave room in a context.
import type { TObject, TSchema } from 'typebox'
import type { Operation } from '../contract/operation.ts'

export type JsonSchema = Record<string, unknown>

export interface ObjectSchema extends JsonSchema {
  type: 'object'
  properties: Record<string, JsonSchema>
  required?: string[]
}

export interface InputNotes {
  /** Descriptions that differ for an agent. */
  describe?: Record<string, string>
  /** Whether rows can be narrowed to some fields. */
  fields: boolean
}

/** The operation's input as JSON Schema, whole: what arguments are checked against. An unknown name is most often a slip. */
export const inputSchema = ({ input }: Operation, { describe = {}, fields }: InputNotes): ObjectSchema => {
  const properties: Record<string, JsonSchema> = {}
  for (const [name, schema] of Object.entries(input.properties)) {
    const description = describe[name] ?? (schema as { description?: string }).description
    properties[name] = { ...plain(schema), ...(description ? { description } : {}) }
  }
  if (fields) properties.fields = { type: 'array', items: { type: 'string' }, description: 'Only these row fields' }
  const required = input.required ?? []
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false }
}

const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'uniqueItems', 'format']

/** The same as the tool list shows it: bounds are told when they are broken. */
export const listedInput = ({ properties, required }: ObjectSchema): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      Object.fromEntries(Object.entries(schema).filter(([keyword]) => !bounds.includes(keyword))),
    ]),
  ),
  ...(required ? { required } : {}),
})

/** What a row holds, by name and type; descriptions stand in the API reference. */
const rowSchema = (item: TObject, leftOut: readonly string[]): JsonSchema => ({
  properties: Object.fromEntries(
    Object.entries(item.properties)
      .filter(([name]) => !leftOut.includes(name))
      .map(([name, schema]) => [name, bareType(schema)]),
  ),
})

// `page`, `notes`, `asOf`, `provenance` and `retryAfterSeconds` are alike in all answers and explained by their names.
export const listAnswerSchema = (item: TObject, leftOut: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: {
    outcome: { type: 'string' },
    items: { type: 'array', items: rowSchema(item, leftOut) },
  },
  required: ['outcome'],
})

export const oneAnswerSchema = (item: TObject): JsonSchema => ({
  type: 'object',
  properties: { outcome: { type: 'string' }, item: rowSchema(item, []) },
  required: ['outcome'],
})

/** The schema of one row of a list, or of the record. */
export const itemOf = ({ output }: Operation): TObject => {
  const { data } = (output as TObject).properties as { data: TSchema & { items?: TObject } }
  return data.items ?? (data as unknown as TObject)
}

// A serialised copy leaves TypeBox's own marks behind. Some clients refuse an enum that does not name its type.
const plain = (schema: TSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'enum' in value && !('type' in value)
      ? { type: 'string', ...value }
      : value,
  ) as JsonSchema

const bareType = (schema: TSchema): JsonSchema => {
  const { type, anyOf } = schema as { type?: string; anyOf?: { type?: string }[] }
  const types = anyOf ? [...new Set(anyOf.map((member) => member.type ?? 'string'))] : [type ?? 'string']
  return { type: types.length === 1 ? types[0] : types }
}
