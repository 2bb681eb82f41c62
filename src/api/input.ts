// Turns untrusted input into an operation's typed input, or a 400 that names the field and what is accepted.
import { badRequest } from '../common/errors.ts'
import { listFromText } from '../common/list-text.ts'
import { closestName } from '../common/suggest.ts'
import {
  accepted,
  type FieldSchema,
  fits,
  printable,
  type SentIn,
  shown,
  valueFromText,
  valueProblem,
} from '../domain/field-check.ts'
import { hasBody, inputFields, type Operation } from '../wire/operation.ts'

export interface RawInput {
  params: Record<string, string>
  query: Record<string, string | string[] | undefined>
  body: unknown
}

/** Understood in the query of every operation. */
const everywhere = ['apiKey', 'strict']

/** More than this many ignored names, or longer ones, are not listed. */
const mostIgnored = 20
const longestIgnored = 60

/** The returned function gives the input, the names that the operation does not have, and known ones that are close to them. */
export const inputReader = (operation: Operation) => {
  const fields = inputFields(operation)
  const schemas = withExamples(operation)
  const required = (operation.input.required as string[] | undefined) ?? []
  return ({ params, query, body }: RawInput) => {
    const input: Record<string, unknown> = {}
    const ignored: string[] = []
    const take = (name: string, value: unknown, sentIn: SentIn, given = value) => {
      if (!fits(schemas[name]!, value)) throw invalid(name, schemas[name]!, given, sentIn)
      input[name] = value
    }
    for (const name of fields.path) take(name, params[name], 'query')
    for (const name of fields.query) {
      const given = onlyValue(name, schemas[name]!, query[name])
      if (given !== undefined && given !== '') take(name, fromText(name, schemas[name]!, given), 'query', given)
    }
    const sent = hasBody(operation.method) ? objectOf(body) : {}
    for (const name of fields.body) {
      const value = Object.hasOwn(sent, name) ? sent[name] : undefined
      if (value === null)
        throw badRequest(
          `${name} must be ${accepted(schemas[name]!, 'body')}; it is null.${required.includes(name) ? '' : ' Leave it out instead.'}`,
        )
      if (value === undefined || value === '') continue
      if (schemas[name]!.properties) input[name] = readObject(name, schemas[name]!, value, ignored)
      else take(name, value, 'body')
      ignored.push(...unknownInItems(name, schemas[name]!, value))
    }
    for (const name of required)
      if (input[name] === undefined) {
        const sentIn = fields.body.includes(name) ? 'body' : 'query'
        throw badRequest(`${name} is required: ${accepted(schemas[name]!, sentIn)}.`)
      }
    const inner = fields.body.flatMap((name) =>
      Object.keys(innerFields(schemas[name]!)).map((each) => `${name}.${each}`),
    )
    ignored.push(
      ...Object.keys(query).filter((name) => !fields.query.includes(name) && !everywhere.includes(name)),
      ...Object.keys(sent).filter((name) => !fields.body.includes(name)),
    )
    return reportIgnored(operation, input, ignored, [...fields.query, ...fields.body, ...inner], isStrict(query))
  }
}

/** A field without an example of its own has that of its operation, for error messages. */
const withExamples = ({ input, example }: Operation): Record<string, FieldSchema> =>
  Object.fromEntries(
    Object.entries(input.properties as Record<string, FieldSchema>).map(([name, schema]) => {
      const given = (example.input as Record<string, unknown>)[name]
      return [name, schema.examples || given === undefined ? schema : { ...schema, examples: [given] }]
    }),
  )

const reportIgnored = (
  { method, path, strict: always }: Operation,
  input: Record<string, unknown>,
  names: readonly string[],
  known: readonly string[],
  strict: boolean,
) => {
  const ignored = names.map((name) => printable(name, longestIgnored)).slice(0, mostIgnored)
  const suggestions = ignored.flatMap((name) => {
    // "market" is "criteria.market" in a body; "purchasePrice" contains "price".
    const close =
      closestName(name, known) ??
      known.find((each) => otherNames.get(name.toLowerCase().replaceAll('_', ''))?.includes(each)) ??
      known.find((each) => each.endsWith(`.${name}`) || (each.length > 3 && endsWith(name, each)))
    return close === undefined ? [] : [`${name}: did you mean ${close}?`]
  })
  if ((always || strict) && ignored.length > 0)
    throw badRequest(
      `${ignored.join(', ')} ${ignored.length === 1 ? 'is not a parameter' : 'are not parameters'} of ${method} ${path}. ${
        suggestions.length > 0 ? suggestions.join(' ') : `Accepted are ${known.join(', ')}.`
      }${always ? '' : ` Without strict=true ${ignored.length === 1 ? 'it is' : 'they are'} ignored.`}`,
    )
  return { input, ignored, suggestions }
}

/** Names that other APIs have for ours. */
const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['page', ['offset']],
  ['perpage', ['limit']],
  ['pagesize', ['limit']],
  ['count', ['limit']],
  ['filters', ['criteria', 'filter']],
  ['orderby', ['sort']],
  ['issuedafter', ['issuedFrom']],
  ['issuedbefore', ['issuedTo']],
  ['soldafter', ['soldFrom']],
  ['soldbefore', ['soldTo']],
  ['minscore', ['minTeardownScore']],
])

const endsWith = (name: string, end: string): boolean => name.toLowerCase().endsWith(end.toLowerCase())

const isStrict = ({ strict }: RawInput['query']): boolean => {
  if (strict === undefined || strict === '' || strict === 'false') return false
  if (strict === 'true') return true
  throw badRequest(`strict must be true or false, for example strict=true; it is ${shown(strict)}.`)
}

/** A list may be given as `include=a,b` and as `include=a&include=b`. */
const onlyValue = (name: string, schema: FieldSchema, given: string | string[] | undefined): string | undefined => {
  if (!Array.isArray(given)) return given
  if (schema.type === 'array' || schema['x-comma-list']) return given.join(',')
  throw badRequest(`${name} is given ${given.length} times; give it once.`)
}

/** The fields of an object in a body, each checked by its own schema. */
const readObject = (
  name: string,
  { properties = {}, examples: [example] = [{}] }: FieldSchema,
  value: unknown,
  ignored: string[],
) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest(`${name} must be an object, for example ${JSON.stringify(example)}; it is ${shown(value)}.`)
  const read: Record<string, unknown> = {}
  for (const [inner, given] of Object.entries(value as Record<string, unknown>)) {
    const schema = Object.hasOwn(properties, inner) ? properties[inner]! : undefined
    if (!schema) {
      ignored.push(`${name}.${inner}`)
      continue
    }
    if (given === null)
      throw badRequest(`${name}.${inner} must be ${accepted(schema, 'body')}; it is null. Leave it out instead.`)
    if (given === undefined || given === '') continue
    const converted = listFromText(schema, given)
    if (!fits(schema, converted)) throw invalid(`${name}.${inner}`, schema, given, 'body')
    read[inner] = converted
  }
  return read
}

/** The fields of an object, or of the objects in a list whose items the operation checks. */
const innerFields = (schema: FieldSchema) =>
  schema.properties ?? (schema['x-checked-per-item'] ? schema.items?.properties : undefined) ?? {}

/** Names that no item of a list has: `items.adress`, once for all items. */
const unknownInItems = (name: string, schema: FieldSchema, value: unknown): string[] => {
  if (!schema['x-checked-per-item'] || !Array.isArray(value)) return []
  const known = innerFields(schema)
  const given = new Set(value.flatMap((item) => (typeof item === 'object' && item !== null ? Object.keys(item) : [])))
  return [...given].filter((each) => !Object.hasOwn(known, each)).map((each) => `${name}.${each}`)
}

const objectOf = (body: unknown): Record<string, unknown> => {
  if (body === undefined) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('The body must be a JSON object.')
  return body as Record<string, unknown>
}

/** Converts text from a query string to the type of its schema. */
const fromText = (name: string, schema: FieldSchema, text: string): unknown => {
  const value = valueFromText(schema, text)
  if (value === undefined) throw invalid(name, schema, text, 'query')
  return value
}

const invalid = (name: string, schema: FieldSchema, value: unknown, sentIn: SentIn) => {
  const hint = name === 'offset' ? ' To see more, narrow the search (city, dates, keywords) or use cursor.' : ''
  return badRequest(`${valueProblem(name, schema, value, sentIn)}${hint}`)
}
