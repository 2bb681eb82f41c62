// Turns untrusted input into an operation's typed input, or a 400 that names the field and what is accepted.
import { inspect } from 'node:util'
import { badRequest } from '../contract/errors.ts'
import { accepted, type FieldSchema, fits } from '../contract/field-check.ts'
import { inputFields, type Operation } from '../contract/operation.ts'

export interface RawInput {
  params: Record<string, string>
  query: Record<string, string | string[] | undefined>
  body: unknown
}

export type InputReader = (raw: RawInput) => Record<string, unknown>

export const inputReader = (operation: Operation): InputReader => {
  const fields = inputFields(operation)
  const schemas = operation.input.properties as Record<string, FieldSchema>
  const required = (operation.input.required as string[] | undefined) ?? []
  return ({ params, query, body }) => {
    const input: Record<string, unknown> = {}
    const take = (name: string, value: unknown) => {
      if (!fits(schemas[name]!, value)) throw invalid(name, schemas[name]!, value)
      input[name] = value
    }
    for (const name of fields.path) take(name, params[name])
    for (const name of fields.query) {
      const given = query[name]
      if (Array.isArray(given)) throw badRequest(`${name} is given ${given.length} times; give it once.`)
      if (given !== undefined && given !== '') take(name, fromText(name, schemas[name]!, given))
    }
    const sent = operation.method === 'POST' ? objectOf(body) : {}
    for (const name of fields.body) {
      const value = Object.hasOwn(sent, name) ? sent[name] : undefined
      if (value !== undefined && value !== null && value !== '') take(name, value)
    }
    for (const name of required)
      if (input[name] === undefined) throw badRequest(`${name} is required: ${accepted(schemas[name]!)}.`)
    return input
  }
}

const objectOf = (body: unknown): Record<string, unknown> => {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) throw badRequest('The body must be a JSON object.')
  return body as Record<string, unknown>
}

/** Converts text from a query string to the type of its schema. */
const fromText = (name: string, schema: FieldSchema, text: string): unknown => {
  switch (schema.type) {
    case 'integer':
    case 'number':
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text)) throw invalid(name, schema, text)
      return Number(text)
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw invalid(name, schema, text)
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

const invalid = (name: string, schema: FieldSchema, value: unknown) => {
  const hint = name === 'offset' ? ' To see more, narrow the search (city, dates, keywords).' : ''
  return badRequest(`${name} must be ${accepted(schema)}; it is ${shown(value)}.${hint}`)
}

/** Keys are removed from all error messages where they are sent. */
const shown = (value: unknown): string => {
  // `inspect` stops at a depth; JSON.stringify would overflow the stack on a deeply nested body.
  const text = typeof value === 'string' ? `"${value}"` : inspect(value, { depth: 1, breakLength: Infinity })
  const printable = text.replace(/\p{Cc}/gu, '·')
  return printable.length > 60 ? `${printable.slice(0, 57)}…` : printable
}
