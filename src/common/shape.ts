// Builders for the shapes in this folder. They print JSON Schema that every OpenAPI generator accepts.
import { type Static, Type } from 'typebox'

/** Always prints a `type`: generators make an untyped value of an enum without one. */
export const literals = <const T extends readonly string[]>(values: T, about?: About) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...optionsOf(about) })

/** A description, or options with one. */
type About = string | Type.TSchemaOptions
const optionsOf = (about: About = {}): Type.TSchemaOptions =>
  typeof about === 'string' ? { description: about } : about

/** One or more of these, each once; the parameter may be left out. */
export const choices = <const T extends readonly string[]>(
  values: T,
  description: string,
  options: Type.TSchemaOptions = {},
) => Type.Optional(Type.Array(literals(values), { minItems: 1, uniqueItems: true, description, ...options }))

/** Any of these, each once. */
export const parts = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Optional(Type.Array(literals(values), { uniqueItems: true, description }))

/** A text or number that may be null. Prints `type: [..., "null"]`; several generators reject `anyOf` with a null. */
export const orNull = <T extends Type.TSchema>(schema: T, about?: About) => {
  const { type, enum: values, ...rest } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...rest,
    type: [type, 'null'],
    ...(values ? { enum: [...values, null] } : {}),
    ...optionsOf(about),
  })
}

/** A named object that may be null: a reference beside a null, so that generators keep the object's name. */
export const objectOrNull = <T extends Type.TObject>(schema: T, about?: About) =>
  Type.Union([schema, Type.Null()], optionsOf(about))

/** An object with a name in OpenAPI, and a description where it needs one. */
export function object<Properties extends Type.TProperties>(
  $id: string,
  properties: Properties,
): Type.TObject<Properties>
export function object<Properties extends Type.TProperties>(
  $id: string,
  description: string,
  properties: Properties,
): Type.TObject<Properties>
export function object($id: string, about: string | Type.TProperties, properties: Type.TProperties = {}) {
  return typeof about === 'string' ? Type.Object(properties, { $id, description: about }) : Type.Object(about, { $id })
}

/** An object of a file, in which an unknown name is an error. */
export function closedObject<Properties extends Type.TProperties>(properties: Properties): Type.TObject<Properties>
export function closedObject<Properties extends Type.TProperties>(
  description: string,
  properties: Properties,
): Type.TObject<Properties>
export function closedObject(about: string | Type.TProperties, properties: Type.TProperties = {}) {
  const closed = { additionalProperties: false }
  return typeof about === 'string'
    ? Type.Object(properties, { ...closed, description: about })
    : Type.Object(about, closed)
}

export const list = <T extends Type.TSchema>(item: T, about?: About) =>
  Type.Immutable(Type.Array(item, optionsOf(about)))

/** Puts examples after the description, the order in which readers expect them. */
const described = <Options extends Type.TSchemaOptions>(description: string, options: Options): Options => {
  const { examples, ...rest } = options
  return { ...rest, description, ...(examples ? { examples } : {}) } as Options
}
export const text = (description: string, options: Type.TStringOptions = {}) =>
  Type.String(described(description, options))
export const texts = (description: string) => list(Type.String(), { description })
export const number = (description: string, options: Type.TNumberOptions = {}) =>
  Type.Number(described(description, options))
export const integer = (description: string, options: Type.TNumberOptions = {}) =>
  Type.Integer(described(description, options))
export const flag = (description: string, options: Type.TSchemaOptions = {}) =>
  Type.Boolean(described(description, options))
export const date = (description: string) => Type.String({ format: 'date', description })
export const dateTime = (description: string) => Type.String({ format: 'date-time', description })
export const score = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description })

/** A field that may be left out: `optional(Room)`, and `optional.number('…')` for the builders above. */
export const optional = Object.assign(<T extends Type.TSchema>(schema: T) => Type.Optional(schema), {
  literals: <const T extends readonly string[]>(values: T, about?: About) => Type.Optional(literals(values, about)),
  list: <T extends Type.TSchema>(item: T, about?: About) => Type.Optional(list(item, about)),
  text: (...about: Parameters<typeof text>) => Type.Optional(text(...about)),
  texts: (description: string) => Type.Optional(texts(description)),
  number: (...about: Parameters<typeof number>) => Type.Optional(number(...about)),
  integer: (...about: Parameters<typeof integer>) => Type.Optional(integer(...about)),
  flag: (...about: Parameters<typeof flag>) => Type.Optional(flag(...about)),
  date: (description: string) => Type.Optional(date(description)),
  dateTime: (description: string) => Type.Optional(dateTime(description)),
  score: (description: string) => Type.Optional(score(description)),
})

/** A plain boolean with an example. Python clients reject `const: true`. */
export const succeeded = Type.Boolean({ description: 'True: the request succeeded', examples: [true] })

/** City slug to names and numbers. */
export const numbersByCity = (description: string, options: Type.TSchemaOptions = {}) =>
  Type.Unsafe<Record<string, Record<string, number>>>({
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: { type: 'number' } },
    description,
    ...options,
  })

/** Numbers under names that the schema does not list. Generators accept no `patternProperties`. */
export const numbersByName = (description: string, options: Type.TSchemaOptions = {}) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description,
    ...options,
  })
