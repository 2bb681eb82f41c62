// The OpenAPI 3.1 document, generated from the operations. Shapes with an $id become components.
import { isDeepStrictEqual } from 'node:util'
import { identifiers } from '../domain/searched-row.ts'
import { webhookEvents } from '../wire/events.ts'
import { inputFields, isPlainList, needsOwnKey, type Operation, pathParameters, rowsOf } from '../wire/operation.ts'
import { operationList } from '../wire/operations/list.ts'
import { ErrorEnvelope } from '../wire/pagination.ts'

type Json = Record<string, unknown>
type Row = NonNullable<ReturnType<typeof rowsOf>>

const apiVersion = '1.0.0'

export const openApiDocument = (): Json => {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  const schemaOf = (schema: unknown) => hoisted(schema, components)
  schemaOf(ErrorEnvelope)
  for (const operation of operationList) {
    paths[operation.path] ??= {}
    paths[operation.path]![operation.method.toLowerCase()] = operationEntry(operation, schemaOf)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lotline',
      version: apiVersion,
      summary: 'Real-estate intelligence you run yourself',
      description:
        'Finds teardowns, flips, lots that can be split or take an accessory unit, and building permits, with what could be built and what it would return. Every number can be checked by hand. Not an appraisal, not legal advice.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api', description: 'This service' }],
    security: [{ header: [] }, { query: [] }],
    tags: [...new Set([...operationList.map(({ tag }) => tag), 'Deliveries'])].map((name) => ({
      name,
      description: tagTexts[name] ?? name,
    })),
    paths,
    webhooks: webhooksOf(schemaOf),
    components: {
      schemas: components,
      securitySchemes: {
        header: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        query: { type: 'apiKey', in: 'query', name: 'apiKey' },
      },
      headers: {
        'X-RateLimit-Limit': { schema: { type: 'integer' }, description: 'Requests allowed in the window' },
        'X-RateLimit-Remaining': { schema: { type: 'integer' }, description: 'Requests left in the window' },
        'X-Request-Id': {
          schema: { type: 'string' },
          description: 'Id of the request; quote it when you report a problem',
        },
        'Retry-After': { schema: { type: 'integer' }, description: 'Whole seconds to wait' },
      },
    },
  }
}

const tagTexts: Record<string, string> = {
  Deliveries: 'The requests that registered webhook endpoints receive',
  Properties: 'Scored listings and single properties',
  Assumptions: 'The numbers behind returns, and your own',
  Permits: 'Issued building permits',
  Leads: 'Lots that can be split, take an accessory unit or be redeveloped',
  Trust: 'Which data is loaded, how fresh it is, and how accurate the models are',
  Keys: 'Get, rotate and end a key; see its limits',
  Newsletter: 'The weekly digest',
  Exports: 'All rows of a search in one file',
  Webhooks: 'Signed events, their deliveries, and a feed of past events',
}

const operationEntry = (operation: Operation, schemaOf: (schema: unknown) => Json): Json => {
  const fields = inputFields(operation)
  const properties = operation.input.properties as Record<string, Json>
  const required = new Set((operation.input.required as string[] | undefined) ?? [])
  const given = operation.example.input as Json
  const parameter = (where: 'path' | 'query') => (name: string) => {
    const { description, ...schema } = schemaOf(properties[name])
    return {
      name,
      in: where,
      required: where === 'path' || required.has(name),
      // A form sends its empty fields; they count as not given.
      ...(where === 'query' && !required.has(name) ? { allowEmptyValue: true } : {}),
      description,
      // An object in a query is JSON text.
      ...((schema as { type?: string }).type === 'object' && where === 'query'
        ? { content: { 'application/json': { schema } } }
        : { schema }),
      ...(given[name] === undefined ? {} : { example: given[name] }),
      ...((schema as { type?: string }).type === 'array' ? { style: 'form', explode: false } : {}),
    }
  }
  const body = Object.fromEntries(fields.body.flatMap((name) => (name in given ? [[name, given[name]]] : [])))
  const parameters = [
    ...fields.path.map(parameter('path')),
    ...fields.query.map(parameter('query')),
    ...(operation.idempotent ? [idempotencyKey] : []),
  ]
  const bodyRequired = fields.body.filter((name) => required.has(name))
  return {
    operationId: operation.name,
    summary: operation.title,
    description: [operation.summary, operation.description].filter(Boolean).join(' '),
    tags: [operation.tag],
    ...(operation.access === 'open' ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(fields.body.length > 0
      ? {
          requestBody: {
            required: bodyRequired.length > 0,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  ...(bodyRequired.length > 0 ? { required: bodyRequired } : {}),
                  properties: Object.fromEntries(fields.body.map((name) => [name, schemaOf(properties[name])])),
                },
                example: body,
              },
            },
          },
        }
      : {}),
    responses: responsesOf(operation, schemaOf),
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Any text of yours. Within 24 hours the same text with the same body returns the first answer',
  schema: { type: 'string', maxLength: 100 },
}

const errorTexts: Record<number, string> = {
  400: 'A parameter or the body is invalid; the message names it',
  401: 'The key is missing or not valid',
  403: 'The key’s plan does not include this, or the key was replaced and can only read',
  404: 'Not found',
  413: 'The body is larger than 64 KiB, or a CSV larger than 5 MiB',
  415: 'The body is not application/json',
  429: 'Too many requests; wait the number of seconds in Retry-After',
  500: 'Something went wrong on our side',
  503: 'Busy or starting; wait the number of seconds in Retry-After',
}

/**
 * The requests this service sends to registered endpoints. Their bodies are components, and written in place: oapi-codegen leaves out
 * components that no path refers to. Their tag is their own: openapi-generator would overwrite the operations of the tag Webhooks.
 */
const webhooksOf = (schemaOf: (schema: unknown) => Json): Json => {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  for (const { schema } of Object.values(webhookEvents)) schemaOf(schema)
  return Object.fromEntries(
    Object.entries(webhookEvents).map(([name, { schema, summary, example }]) => [
      name,
      {
        post: {
          operationId: `on_${name.replace('.', '_')}`,
          summary,
          description: `${summary}. Signed as Standard Webhooks: verify webhook-signature with the endpoint's secret.`,
          tags: ['Deliveries'],
          security: [],
          parameters: [
            header('webhook-id', 'Identifier of the event, the same on every retry'),
            header('webhook-timestamp', 'Seconds since 1970 when it was sent'),
            header('webhook-signature', 'v1, and the base64 of the HMAC-SHA256 of id, timestamp and body'),
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf({ ...schema, $id: undefined }), example } },
          },
          responses: { '2XX': { description: 'Accepted' }, '4XX': { description: 'Retried later' } },
        },
      },
    ]),
  )
}

/** Every error an operation can return. */
export const errorStatuses = (operation: Operation): number[] => {
  const statuses = new Set<number>([400, 429, 500, 503, ...(operation.errors ?? [])])
  if (operation.access !== 'open') statuses.add(401)
  if (needsOwnKey(operation)) statuses.add(403)
  if (pathParameters(operation.path).length > 0) statuses.add(404)
  // A body sent along with a DELETE is read as well.
  if (operation.method !== 'GET') statuses.add(413).add(415)
  return [...statuses].sort()
}

const responsesOf = (operation: Operation, schemaOf: (schema: unknown) => Json): Json => {
  const header = (name: string) => ({ $ref: `#/components/headers/${name}` })
  const headers = Object.fromEntries(
    ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-Request-Id'].map((name) => [name, header(name)]),
  )
  const others = otherFormats(operation)
  const responses: Json = {
    [operation.accepted ? 202 : 200]: {
      description: [
        operation.summary,
        ...Object.entries(others ?? {}).map(([f, type]) => `f=${f} answers as ${type}.`),
      ].join(' '),
      headers: operation.accepted
        ? { ...headers, Location: { schema: { type: 'string' }, description: 'Address of what was created' } }
        : headers,
      content: operation.fileTypes
        ? Object.fromEntries(operation.fileTypes.map((type) => [type, { schema: schemaOf(operation.output) }]))
        : { 'application/json': { schema: answerOf(operation, schemaOf), example: operation.example.output } },
      ...(others ? { 'x-other-formats': others } : {}),
    },
  }
  if (operation.fileTypes) responses[206] = { ...(responses[200] as Json), description: 'The range asked for' }
  if (operation.shared || operation.fileTypes)
    responses[304] = { description: 'Not changed since the ETag given in If-None-Match', headers }
  for (const status of errorStatuses(operation))
    responses[status] = {
      description: errorTexts[status],
      headers: status === 429 || status === 503 ? { ...headers, 'Retry-After': header('Retry-After') } : headers,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    }
  return responses
}

/** What `f` and Accept offer besides JSON. A second JSON type in `content` keeps Go clients from reading the first. */
const otherFormats = (operation: Operation): Record<string, string> | undefined =>
  !('f' in operation.input.properties)
    ? undefined
    : isPlainList(operation)
      ? { csv: 'text/csv' }
      : { csv: 'text/csv', geojson: 'application/geo+json' }

/** One schema for every answer of the operation: what `fields` or `issued` can leave out is optional. */
const answerOf = ({ input, output, wideOutput }: Operation, schemaOf: (schema: unknown) => Json): Json => {
  const row = rowsOf(output)
  if (!row || !('fields' in input.properties)) return schemaOf(wideOutput ?? output)
  // The complete row stays a component.
  schemaOf(row)
  const { data, ...others } = (output as unknown as { properties: Record<string, Json> }).properties
  return schemaOf({ ...output, properties: { ...others, data: { ...data, items: selected(row, identifiers) } } })
}

/** Of a row with `fields`: only its identifier is always there. `fields` also selects within objects, not within lists. */
const selected = (schema: Row, always: readonly string[] = []): Row => {
  const { $id, required, properties, anyOf, ...rest } = schema
  if (anyOf) return { ...schema, anyOf: anyOf.map((each) => selected(each)) }
  if (!properties) return schema
  const requiredNames = required?.filter((name) => always.includes(name)) ?? []
  return {
    ...rest,
    ...($id === undefined ? {} : { $id: `${$id}Selected` }),
    ...(requiredNames.length > 0 ? { required: requiredNames } : {}),
    properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, selected(each)])),
  }
}

/** The schema with every $id-bearing part replaced by a reference to its component. */
const hoisted = (schema: unknown, components: Json): Json => {
  if (Array.isArray(schema)) return schema.map((each) => hoisted(each, components)) as unknown as Json
  if (schema === null || typeof schema !== 'object') return schema as Json
  // Generators make a set of a list with unique items: the Java one then does not compile, others lose the order.
  const { $id, uniqueItems: _, ...rest } = schema as Json & { $id?: string }
  const plain = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, hoisted(value, components)]))
  if ($id === undefined) return plain
  components[$id] ??= plain
  if (!isDeepStrictEqual(components[$id], plain)) throw new Error(`Two schemas are named ${$id}.`)
  return { $ref: `#/components/schemas/${$id}` }
}
