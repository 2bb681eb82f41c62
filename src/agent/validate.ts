// Validates arguments before the service is called. Messages say what is accepted.
import type { jsonSchemaValidator } from '@modelcontextprotocol/server'
import { Check } from 'typebox/schema'
import { listFromText } from '../common/list-text.ts'
import { didYouMean } from '../common/suggest.ts'
import { isRecord } from '../common/typed.ts'
import { isOwnName } from '../criteria/own-assumptions.ts'
import { type FieldSchema, fits, shown, valueProblem } from '../domain/field-check.ts'
import type { ObjectSchema } from './schemas.ts'

/** Maximum total length of the arguments. They become part of a URL, and the contract does not limit every text. */
const maxArgumentsLength = 4000

/** Checks arguments like the API does, field by field, so that the messages are the same. `listed`: those that messages name. */
export const validatorOf = (schema: ObjectSchema, listed?: readonly string[]): jsonSchemaValidator => ({
  getValidator: <T>() => {
    const fields: Readonly<Record<string, FieldSchema>> = schema.properties
    return (given: unknown) => {
      const input = withLists(given, fields)
      const message = tooLong(input) ?? problems(input, fields, schema, listed)
      if (message !== undefined) return { valid: false, data: undefined, errorMessage: message }
      return { valid: true, data: input as T, errorMessage: undefined }
    }
  },
})

/** For what a tool returns: any value that has the shape. */
export const outputValidator = (schema: Record<string, unknown>): jsonSchemaValidator => ({
  getValidator:
    <T>() =>
    (given: unknown) =>
      Check(schema, given)
        ? { valid: true, data: given as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: 'The answer does not have the shape of this tool.' },
})

/** For the SDK: its own refusal would be text alone, so tools check their arguments themselves. */
export const acceptsAll = outputValidator({})

/** Agents also write a list as the API's URLs do: "-price,lotSize". */
const withLists = (given: unknown, properties: Readonly<Record<string, FieldSchema>>): unknown => {
  if (!isRecord(given)) return given
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    Object.hasOwn(properties, name) ? listFromText(properties[name]!, value) : value,
  ])
  return Object.fromEntries(entries)
}

const tooLong = (input: unknown): string | undefined =>
  JSON.stringify(input ?? null).length > maxArgumentsLength
    ? `The arguments are longer than ${maxArgumentsLength} characters; shorten them.`
    : undefined

const mostProblems = 5

const problems = (
  input: unknown,
  properties: Readonly<Record<string, FieldSchema>>,
  { required = [], additionalProperties }: ObjectSchema,
  listed: readonly string[] | undefined,
): string | undefined => {
  const names = Object.keys(properties)
  const accepted = `Accepted: ${(listed?.filter((name) => names.includes(name)) ?? names).join(', ')}.`
  if (!isRecord(input)) return `Arguments must be an object. ${accepted}`
  const unknown =
    additionalProperties === false ? Object.keys(input).filter((name) => !Object.hasOwn(properties, name)) : []
  const missing = required.filter((name) => input[name] === undefined)
  // All names are many tokens: only for an argument that is near none of them.
  const isAssumption = (name: string) => names.includes('assumptions') && isOwnName(name)
  const needsNames = unknown.some((name) => !isAssumption(name) && didYouMean(name, names) === '')
  const instead = (name: string) =>
    isAssumption(name) ? ` Send it in assumptions: {"${name}": ${shown(input[name])}}.` : didYouMean(name, names)
  const texts = [
    ...unknown.map((name) => `There is no argument ${shown(name)}.${instead(name)}`),
    ...(needsNames ? [accepted] : []),
    ...(missing.length > 0 ? [`Missing: ${missing.join(', ')}.`] : []),
    ...Object.entries(input).flatMap(([name, value]) =>
      Object.hasOwn(properties, name) && value !== undefined && !fits(properties[name]!, value)
        ? [valueProblem(name, properties[name]!, value, 'body')]
        : [],
    ),
  ]
  return texts.length === 0 ? undefined : texts.slice(0, mostProblems).join(' ')
}
