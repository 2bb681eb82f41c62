// An operation is one thing the service can do. Routes, OpenAPI, playground forms and the typed client are generated
// from these descriptions, and agent tools take their inputs from them.
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { ignoredFields } from './pagination.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Whether a request of this method has a body. */
export const hasBody = (method: string): boolean => method === 'POST' || method === 'PUT'

/**
 * `open`: anyone. `key`: any valid key. `ownKey`: any but the shared demo key. `pro`: a key whose plan has webhooks. `proPlan`: a key
 * of the plan Pro itself.
 */
export type Access = 'open' | 'key' | 'ownKey' | 'pro' | 'proPlan'

export const needsPro = ({ access }: { access: Access }): boolean => access === 'pro' || access === 'proPlan'

/** True if the operation rejects the shared demo key with 403. */
export const needsOwnKey = ({ access }: { access: Access }): boolean => access === 'ownKey' || needsPro({ access })

export interface Operation<
  Input extends TObject = TObject,
  Output extends TSchema = TSchema,
  Wide extends TSchema = TSchema,
> {
  /** Also the agent tool's name and OpenAPI's operationId. */
  name: string
  title: string
  method: Method
  /** Below the API prefix, with `{name}` for path parameters. */
  path: string
  access: Access
  /** One plain sentence, read by people and by models. */
  summary: string
  description?: string
  tag: string
  /** Path, query and body fields in one object: those named in the path are path parameters; the others are the body of a POST or PUT, otherwise the query. */
  input: Input
  output: Output
  /** The answer to inputs that ask for more rows than `output` describes: it has the same fields, some of them optional. */
  wideOutput?: Wide
  /** A request and the answer to it, for the reference and OpenAPI. */
  example: { input: Static<Input>; output: Static<Output> }
  /** Errors beyond those that every operation, its access and its path imply. */
  errors?: readonly (403 | 404)[]
  /** The answer depends only on input, plan and stored data, so callers on one plan may share a cached copy. */
  shared?: boolean
  /** Inputs that make the answer depend on the caller. An answer to a request with one of them is never cached. */
  ownInputs?: readonly string[]
  /** True for an operation that changes nothing although it is not a GET. A replaced key may still use it. */
  onlyReads?: true
  /** An unknown field is a 400: what is stored acts later or cannot be undone, and a misspelled field would be missing from it. */
  strict?: true
  /** Starts work and answers 202. The Location is this path with the id of the answer's data. */
  accepted?: string
  /** Takes an Idempotency-Key: the same key again returns the first answer. */
  idempotent?: true
  /** The answer is a file of one of these types, not JSON. */
  fileTypes?: readonly string[]
  /** The largest body in KiB; 64 by default. */
  maxBodyKiB?: number
  /** A shared answer that also depends on the time expires after this long. */
  sharedSeconds?: number
  /** The answer has rows of one market: the one that the input names, otherwise the default market. */
  oneMarket?: boolean
}

export type InputOf<O> = O extends Operation<infer I, TSchema> ? Static<I> : never
export type OutputOf<O> = O extends Operation<TObject, infer R> ? Static<R> : never
/** `OutputOf` if there is no wide output. */
export type WideOutputOf<O> = O extends Operation<TObject, TSchema, infer W> ? Static<W> : never

export const describe = <Input extends TObject<TProperties>, Output extends TSchema, Wide extends TSchema = Output>(
  described: Described<Input, Output, Wide>,
): Operation<Input, Output, Wide> => {
  const operation = { method: 'GET', access: 'key', ...described } as const
  return {
    ...operation,
    input: isPlainList(operation)
      ? (Type.Object({ ...operation.input.properties, ...plainFormats }) as unknown as Input)
      : operation.input,
    output: namedList(operation.strict || operation.fileTypes ? operation.output : withIgnored(operation.output)),
  }
}

/** By default a GET that any key may send. */
type Described<Input extends TObject, Output extends TSchema, Wide extends TSchema> = Omit<
  Operation<Input, Output, Wide>,
  'method' | 'access'
> &
  Partial<Pick<Operation, 'method' | 'access'>>

const plainFormat = (description: string) =>
  Type.Optional(Type.Unsafe<'json' | 'csv'>({ type: 'string', enum: ['json', 'csv'], description }))
const plainFormats = {
  f: plainFormat('json or csv; the Accept header works too. Defaults to json'),
  format: plainFormat('Same as f'),
}

/** A list that takes no criteria. Lists that do have formats of their own. */
export const isPlainList = ({ method, input, output }: Pick<Operation, 'method' | 'input' | 'output'>): boolean =>
  method === 'GET' && rowsOf(output) !== undefined && !('fields' in input.properties)

/** The rows of an answer that is a list. */
export const rowsOf = (output: unknown): RowSchema | undefined =>
  (output as { properties?: { data?: { items?: RowSchema } } }).properties?.data?.items

export interface RowSchema {
  $id?: string
  type?: string | string[]
  format?: string
  required?: readonly string[]
  properties?: Record<string, RowSchema>
  anyOf?: RowSchema[]
}

/** Generators name the type of an answer after its schema: a list is `<Row>List` if it has no name of its own. */
const namedList = <Output extends TSchema>(output: Output): Output => {
  const row = rowsOf(output)?.$id
  const { $id, properties, required: _, type: _type, ...rest } = output as unknown as TObject & { $id?: string }
  return row === undefined || $id !== undefined
    ? output
    : (Type.Object(properties, { ...rest, $id: `${row}List` }) as unknown as Output)
}

/** Every answer names the parameters that its operation does not have. */
const withIgnored = <Output extends TSchema>(output: Output): Output => {
  const { properties, required: _, type: _type, ...rest } = output as unknown as TObject
  return properties.ignored ? output : (Type.Object({ ...properties, ...ignoredFields }, rest) as unknown as Output)
}

/** The names of the path's parameters. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)

/** Whether each input field is sent in the path, the query or the body. */
export const inputFields = ({ method, path, input }: Pick<Operation, 'method' | 'path' | 'input'>) => {
  const inPath = pathParameters(path)
  const rest = Object.keys(input.properties).filter((name) => !inPath.includes(name))
  const inBody = hasBody(method)
  return { path: inPath, query: inBody ? [] : rest, body: inBody ? rest : [] }
}
