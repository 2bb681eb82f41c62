// Validates arguments before the service is called. Messages say what is accepted.
import type { jsonSchemaValidator } from '@modelcontextprotocol/server'
import { Value } from 'typebox/value'
import type { FieldSchema } from '../contract/field-check.ts'
import { listFromText } from '../contract/list-text.ts'
import { cleanText } from './clean.ts'

interface SchemaError {
  keyword: string
  instancePath: string
  message: string
  params: Record<string, unknown>
}

type Properties = Record<string, FieldSchema & { description?: string }>

/** Maximum total length of the arguments. They become part of a URL, and the contract does not limit every text. */
export const maxArgumentsLength = 4000

/** Validates against this schema, which may be stricter than the one in the tool list. */
export const validatorOf = (schema: Record<string, unknown>, maxLength = Infinity): jsonSchemaValidator => ({
  getValidator: <T>() => {
    const properties = (schema.properties ?? {}) as Properties
    return (given: unknown) => {
      const input = withLists(given, properties)
      const wrong = Value.Check(schema, input) ? undefined : advice(Value.Errors(schema, input), properties)
      const message = tooLong(input, maxLength) ?? wrong
      if (message !== undefined) return { valid: false, data: undefined, errorMessage: message }
      return { valid: true, data: input as T, errorMessage: undefined }
    }
  },
})

/** Agents also write a list as the API's URLs do: "-price,lotSize". */
const withLists = (given: unknown, properties: Properties): unknown => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    Object.hasOwn(properties, name) ? listFromText(properties[name]!, value) : value,
  ])
  return Object.fromEntries(entries)
}

const tooLong = (input: unknown, maxLength: number): string | undefined =>
  maxLength < Infinity && JSON.stringify(input ?? null).length > maxLength
    ? `The arguments are longer than ${maxLength} characters; shorten them.`
    : undefined

const advice = (errors: SchemaError[], properties: Properties): string => {
  const lines = new Set(errors.map((error) => oneLine(error, properties)))
  return [...lines].slice(0, 5).join(' ')
}

/** The messages of the validator for wrong types do not say what to write instead. */
const typeWords: Readonly<Record<string, string>> = {
  'must be number': 'must be a number without quotes, currency signs or units',
  'must be integer': 'must be a whole number without quotes',
  'must be boolean': 'must be true or false without quotes',
  'must be string': 'must be text in quotes',
  'must be array': 'must be a list in square brackets, for example ["a", "b"]',
}

const oneLine = ({ keyword, instancePath, message, params }: SchemaError, properties: Properties): string => {
  const [name] = instancePath.split('/').slice(1)
  if (name === undefined || !Object.hasOwn(properties, name)) {
    const accepted = `Accepted: ${Object.keys(properties).join(', ')}.`
    if (keyword === 'required') return `Missing: ${(params.requiredProperties as string[] | undefined)?.join(', ')}.`
    if (name === undefined && keyword === 'type') return `Arguments must be an object. ${accepted}`
    return `There is an argument this tool does not have. ${accepted}`
  }
  const { description, enum: values } = properties[name]!
  const what = values ? `must be one of ${values.join(', ')}` : (typeWords[message] ?? cleanText(message, 120))
  return `${name} ${what}${description ? ` (${description})` : ''}.`
}
