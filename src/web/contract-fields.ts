// Reads the schemas of the contract into rows for the playground forms and the API reference.
import type { FieldSchema } from '../domain/field-check.ts'
import { inputFields, needsOwnKey, type Operation } from '../wire/operation.ts'
import type { FieldValue } from './browser/request-of.ts'

export interface Schema extends FieldSchema {
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
}

export interface InputField {
  name: string
  location: FieldValue['location']
  type: FieldValue['type']
  required: boolean
  schema: Schema
  /** The accepted values, when they are a fixed list. */
  choices?: string[]
}

export const inputFieldsOf = (operation: Operation): InputField[] => {
  const input = operation.input as unknown as Schema
  const locations = inputFields(operation)
  return Object.entries(input.properties ?? {}).map(([name, schema]) => ({
    name,
    location: locations.path.includes(name) ? 'path' : locations.body.includes(name) ? 'body' : 'query',
    type: fieldTypes[schema.type ?? ''] ?? 'string',
    required: (input.required ?? []).includes(name),
    schema,
    choices: choicesOf(schema.type === 'array' ? (schema.items ?? {}) : schema),
  }))
}

const fieldTypes: Readonly<Record<string, FieldValue['type']>> = {
  array: 'list',
  boolean: 'boolean',
  number: 'number',
  integer: 'number',
}

const choicesOf = (schema: Schema): string[] | undefined => {
  if (schema.type === 'boolean') return ['true', 'false']
  if (schema.enum) return schema.enum.map(String)
  const options = schema.anyOf?.filter((each) => each.type !== 'null')
  return options && options.length > 1 && options.every((each) => each.const !== undefined)
    ? options.map((each) => String(each.const))
    : undefined
}

/** Describes a type in words: "integer, 0 to 9,999", "date or null". */
export const typeWords = (schema: Schema): string => {
  const nullable = schema.anyOf?.some((each) => each.type === 'null')
  const core = schema.anyOf?.find((each) => each.type !== 'null') ?? schema
  const suffix = nullable ? ' or null' : ''
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const choices = core.type === 'boolean' ? undefined : (choicesOf(core) ?? choicesOf(schema))
  if (choices) return `one of ${choices.join(', ')}${suffix}`
  if (core.type === 'array') return `list of ${core.items?.type === 'object' ? 'objects' : typeWords(core.items ?? {})}`
  if (core.type === 'string') {
    const kind = formatWords[core.format ?? ''] ?? 'text'
    return `${kind}${core.maxLength ? `, up to ${core.maxLength} characters` : ''}${suffix}`
  }
  return `${core.type ?? 'any'}${rangeWords(core)}${suffix}`
}

/** Formats of our own, such as a market, are text. */
const formatWords: Readonly<Record<string, string>> = {
  'date-time': 'date and time',
  uri: 'URL',
  date: 'date',
  email: 'email',
}

const rangeWords = ({ minimum, maximum }: Schema): string => {
  const format = (value: number) => value.toLocaleString('en-US')
  if (minimum !== undefined && maximum !== undefined) return `, ${format(minimum)} to ${format(maximum)}`
  if (minimum !== undefined) return `, ${format(minimum)} or more`
  return maximum === undefined ? '' : `, up to ${format(maximum)}`
}

export interface OutputRow {
  path: string
  depth: number
  optional: boolean
  type: string
  description?: string
}

/** Every field of a response; nested fields are named by their path. */
export const outputRows = (schema: Schema, prefix = '', depth = 0): OutputRow[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const core = field.anyOf?.find((each) => each.type !== 'null') ?? field
    const inner = core.type === 'array' ? (core.items ?? {}) : core
    const path = `${prefix}${name}${core.type === 'array' && inner.properties ? '[]' : ''}`
    return [
      {
        path,
        depth,
        optional: !(schema.required ?? []).includes(name),
        type: typeWords(field),
        description: field.description ?? inner.description,
      },
      ...(inner.properties ? outputRows(inner, `${path}.`, depth + 1) : []),
    ]
  })

export const errorStatusesOf = ({ access, errors = [] }: Operation): number[] => {
  const ofAccess = access === 'open' ? [] : needsOwnKey({ access }) ? [401, 403] : [401]
  return [...new Set([400, ...ofAccess, ...errors, 429, 500, 503])].sort((a, b) => a - b)
}
