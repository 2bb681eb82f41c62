// Checks a field against its TypeBox schema, and says in words what the field accepts.
import Format from 'typebox/format'
import { Check } from 'typebox/schema'
import { commaSeparated } from '../common/list-text.ts'
import { didYouMean } from '../common/suggest.ts'
import { parsedJson } from '../common/typed.ts'
import { isDay } from './day.ts'
import { marketIds, marketOf } from './packs/markets.ts'

/** The schema keywords that error messages describe. All other keywords are checked too. */
export interface FieldSchema {
  type?: string
  enum?: string[]
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  minItems?: number
  uniqueItems?: boolean
  items?: FieldSchema
  anyOf?: FieldSchema[]
  properties?: Record<string, FieldSchema>
  examples?: unknown[]
  /** A text of several values with commas between them, which may also be repeated in a query. */
  'x-comma-list'?: boolean
  /** A list whose operation checks each item, so that a bad one does not fail the others. */
  'x-checked-per-item'?: boolean
  /** What an object accepts, in words. Its operation checks it and says in detail what is wrong. */
  'x-checked-by-operation'?: string
  /** Text from which the operation removes control characters. */
  'x-cleaned'?: boolean
}

Format.Set('date', isDay)
/** A loaded market, by id or alias. Where no market is loaded, as in the agent's own package, the service decides. */
const isMarket = (text: string) => marketIds().length === 0 || marketOf(text) !== undefined
Format.Set('market', isMarket)
Format.Set('searched-market', (text) => text === 'all' || isMarket(text))
Format.Set('zip-code', (text) => /^\d{5}$/.test(text))
Format.Set('zip-codes', (text) => /^\s*\d{5}(\s*,\s*\d{5})*\s*,?\s*$/.test(text))
// Strict enough to catch typing errors and to be safe in a mail header; only a mail can tell whether the address exists.
Format.Set('email', (text) =>
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i.test(
    text,
  ),
)

export const fits = (schema: FieldSchema, value: unknown): boolean =>
  schema['x-checked-per-item']
    ? Array.isArray(value) && value.length >= (schema.minItems ?? 0)
    : schema['x-checked-by-operation']
      ? typeof value === 'object' && value !== null
      : Check(schema, value) && (schema['x-cleaned'] === true || !hasNul(value))

/** What is wrong with the fields of an object, by the schema of each; undefined if nothing is. */
export const fieldProblem = (schemas: Readonly<Record<string, FieldSchema>>, value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'It must be an object.'
  const given = value as Record<string, unknown>
  for (const [name, schema] of Object.entries(schemas))
    if (Object.hasOwn(given, name) && given[name] !== undefined && !fits(schema, given[name]))
      return `${name} must be ${accepted(schema, 'body')}.`
  return undefined
}

/** PostgreSQL's text cannot hold NUL, and no address or word contains it. */
const hasNul = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes('\0') : Array.isArray(value) && value.some(hasNul)

/** Where a value is sent: a list is `a,b` in a query and `["a","b"]` in a JSON body. */
export type SentIn = 'query' | 'body'

/** Text from a query string or a form as the type of its schema; undefined if it does not have that form. */
export const valueFromText = (schema: FieldSchema, text: string): unknown => {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : undefined
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'array': {
      const values = commaSeparated(text)
      if (schema.items?.type !== 'number') return values
      const numbers = values.map((value) => (value === '' ? Number.NaN : Number(value)))
      return numbers.every(Number.isFinite) ? numbers : undefined
    }
    case 'object':
      return jsonObject(text)
    default:
      return text
  }
}

const jsonObject = (text: string): object | undefined => {
  const value = parsedJson(text)
  return typeof value === 'object' && value !== null ? value : undefined
}

/** What is wrong with a value: `minPrice must be a number of at least 0, for example 3000000; it is "cheap".` */
export const valueProblem = (name: string, schema: FieldSchema, given: unknown, sentIn: SentIn): string =>
  `${name} must be ${accepted(schema, sentIn)}; it is ${shown(given)}.${meantValue(schema, given)}`

/** " Did you mean active?" for the first value that is not one of the accepted names. */
const meantValue = (schema: FieldSchema, given: unknown): string => {
  const names = schema.enum ?? schema.items?.enum ?? schema.anyOf?.[0]?.enum
  if (!names) return ''
  const values = typeof given === 'string' ? given.split(',') : Array.isArray(given) ? given.slice(0, 20) : []
  const wrong = values.find((value) => typeof value === 'string' && !names.includes(value))
  return wrong === undefined ? '' : didYouMean(wrong, names)
}

/** Keys are removed from all error messages where they are sent. */
export const shown = (value: unknown): string =>
  printable(typeof value === 'string' ? `"${value}"` : shallow(value), 60)

/** Only the first level: a body may be nested so deeply that JSON.stringify overflows the stack. */
const shallow = (value: unknown): string => {
  const inner = (each: unknown) =>
    typeof each === 'object' && each !== null ? (Array.isArray(each) ? '[…]' : '{…}') : JSON.stringify(each)
  if (Array.isArray(value)) return `[${value.slice(0, 20).map(inner).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value)
    .slice(0, 20)
    .map(([name, each]) => `${name}: ${inner(each)}`)
    .join(', ')}}`
}

export const printable = (text: string, most: number): string => {
  const clean = text.replace(/\p{Cc}/gu, '·')
  return clean.length > most ? `${clean.slice(0, most - 3)}…` : clean
}

/** What a field accepts: "a whole number of at least 1, for example 25". */
export const accepted = (schema: FieldSchema, sentIn: SentIn): string =>
  `${acceptedValues(schema)}${example(schema, sentIn)}`

const acceptedValues = (schema: FieldSchema): string => {
  if (schema.anyOf?.[0] && !schema['x-checked-by-operation']) return acceptedValues(schema.anyOf[0])
  if (schema['x-checked-by-operation']) return schema['x-checked-by-operation']
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  switch (schema.type) {
    case 'integer':
      return `a whole number${range(schema)}`
    case 'number':
      return `a number${range(schema)}`
    case 'boolean':
      return 'true or false'
    case 'object':
      return 'an object'
    case 'array':
      if (schema.minItems === 4 && schema.items?.type === 'number')
        return 'a list of four numbers: west, south, east, north'
      if (schema.items?.enum) return `one or more of ${schema.items.enum.join(', ')}, each once`
      return `a list of ${schema.uniqueItems ? 'different ' : ''}values, each ${acceptedValues(schema.items ?? {})}${schema.minItems ? `, at least ${schema.minItems}` : ''}`
    default:
      if (schema.format === 'market') return `one of ${marketIds().join(', ')}`
      if (schema.format === 'searched-market') return `one of ${marketIds().join(', ')}, all`
      if (schema.format === 'zip-code') return 'a ZIP code of five digits'
      if (schema.format === 'zip-codes') return 'ZIP codes of five digits, separated by commas'
      if (schema.format === 'date') return 'a date, YYYY-MM-DD'
      if (schema.format === 'email') return 'an e-mail address'
      return schema.maxLength === undefined ? 'text' : `text of at most ${schema.maxLength} characters`
  }
}

const range = ({ minimum, maximum }: FieldSchema): string => {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}

const example = ({ examples, format, anyOf }: FieldSchema, sentIn: SentIn): string => {
  const shown = (examples ?? anyOf?.[0]?.examples)?.[0] ?? formatExamples[format ?? '']
  if (shown === undefined) return ''
  const isJson = typeof shown === 'object' && !(Array.isArray(shown) && sentIn === 'query')
  return `, for example ${isJson ? JSON.stringify(shown) : shown}`
}

const formatExamples: Record<string, string> = { date: '2026-11-15', email: 'ana@example.com' }
