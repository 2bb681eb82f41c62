// Untrusted input becomes an operation's typed input here, or a 400 that names the field and what is accepted.
import { isDay } from '../contract/day.ts'
import { badRequest } from '../contract/errors.ts'
import { inputFields, type Operation } from '../contract/operation.ts'

interface FieldSchema {
  type?: string
  enum?: string[]
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  uniqueItems?: boolean
  items?: FieldSchema
}

export interface RawInput {
  params: Record<string, string>
  query: Record<string, string | string[] | undefined>
  body: unknown
}

export type InputReader = (raw: RawInput) => Record<string, unknown>

export const inputReader = (operation: Operation): InputReader => {
  const fields = inputFields(operation)
  const properties = operation.input.properties as Record<string, FieldSchema>
  const required = new Set((operation.input.required as string[] | undefined) ?? [])
  return ({ params, query, body }) => {
    const input: Record<string, unknown> = {}
    for (const name of fields.path) input[name] = checked(name, properties[name]!, params[name])
    for (const name of fields.query) {
      const given = query[name]
      if (Array.isArray(given)) throw badRequest(`${name} is given ${given.length} times; give it once.`)
      if (given === undefined || given === '') continue
      input[name] = checked(name, properties[name]!, fromText(name, properties[name]!, given))
    }
    if (operation.method === 'POST') readBody(body, fields.body, properties, input)
    for (const name of required)
      if (input[name] === undefined) throw badRequest(`${name} is required: ${accepted(properties[name]!)}.`)
    return input
  }
}

const readBody = (
  body: unknown,
  names: string[],
  properties: Record<string, FieldSchema>,
  input: Record<string, unknown>,
) => {
  if (body === undefined || body === null) return
  if (typeof body !== 'object' || Array.isArray(body)) throw badRequest('The body must be a JSON object.')
  for (const name of names) {
    if (!Object.hasOwn(body, name)) continue
    const value = (body as Record<string, unknown>)[name]
    if (value === null || value === '') continue
    input[name] = checked(name, properties[name]!, value)
  }
}

/** Text from a query string as the type its schema asks for. */
const fromText = (name: string, schema: FieldSchema, text: string): unknown => {
  switch (schema.type) {
    case 'integer':
    case 'number':
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text)) throw refused(name, schema, text)
      return Number(text)
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw refused(name, schema, text)
      return text === 'true'
    case 'array':
      return text
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean)
    default:
      return text
  }
}

const checked = (name: string, schema: FieldSchema, value: unknown): unknown => {
  if (!fits(schema, value)) throw refused(name, schema, value)
  return value
}

const fits = (schema: FieldSchema, value: unknown): boolean => {
  if (schema.enum) return typeof value === 'string' && schema.enum.includes(value)
  switch (schema.type) {
    case 'integer':
    case 'number':
      return (
        typeof value === 'number' &&
        Number.isFinite(value) &&
        (schema.type === 'number' || Number.isInteger(value)) &&
        value >= (schema.minimum ?? -Infinity) &&
        value <= (schema.maximum ?? Infinity)
      )
    case 'boolean':
      return typeof value === 'boolean'
    case 'array':
      return (
        Array.isArray(value) &&
        value.length >= (schema.minItems ?? 0) &&
        value.every((each) => fits(schema.items ?? {}, each)) &&
        (!schema.uniqueItems || new Set(value).size === value.length)
      )
    case 'string':
      return (
        typeof value === 'string' &&
        // PostgreSQL's text cannot hold it, and no address or word has it.
        !value.includes('\0') &&
        value.length >= (schema.minLength ?? 0) &&
        value.length <= (schema.maxLength ?? 500) &&
        (schema.format === undefined || formats[schema.format]?.(value) !== false)
      )
    default:
      return true
  }
}

const formats: Record<string, (text: string) => boolean> = {
  date: isDay,
  // Strict enough to catch slips and to be safe in a mail header; whether it exists only a mail can tell.
  email: (text) =>
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i.test(
      text,
    ),
}

const refused = (name: string, schema: FieldSchema, value: unknown) =>
  badRequest(`${name} must be ${accepted(schema)}; it is ${shown(value)}.${hint(name)}`)

/** In words, what a field takes. */
export const accepted = (schema: FieldSchema): string => {
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  const range =
    schema.minimum !== undefined && schema.maximum !== undefined
      ? ` from ${schema.minimum} to ${schema.maximum}`
      : schema.minimum !== undefined
        ? ` of at least ${schema.minimum}`
        : schema.maximum !== undefined
          ? ` of at most ${schema.maximum}`
          : ''
  switch (schema.type) {
    case 'integer':
      return `a whole number${range}`
    case 'number':
      return `a number${range}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return `a list of ${schema.uniqueItems ? 'different ' : ''}values, each ${accepted(schema.items ?? {})}${schema.minItems ? `, at least ${schema.minItems}` : ''}`
    default:
      if (schema.format === 'date') return 'a date, YYYY-MM-DD'
      if (schema.format === 'email') return 'an e-mail address'
      return `text of at most ${schema.maxLength ?? 500} characters`
  }
}

const hint = (name: string) =>
  name === 'offset' ? ' To see what lies beyond, narrow the search (city, dates, keywords).' : ''

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? `"${value}"` : JSON.stringify(value)
  // A key typed into the wrong field must not come back in an error.
  const safe = (text ?? String(value)).replace(/ll_(free|pro)_\w+/gi, 'll_…').replace(/\p{Cc}/gu, '·')
  return safe.length > 60 ? `${safe.slice(0, 57)}…` : safe
}
