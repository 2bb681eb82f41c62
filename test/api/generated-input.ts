// Generates requests from an operation's OpenAPI description: valid ones, and ones with one invalid field.
import fc from 'fast-check'
import { marketIds } from '../../src/domain/packs/markets.ts'
import { hasBody, inputFields, type Operation } from '../../src/wire/operation.ts'

export interface GeneratedRequest {
  /** The operation's name. */
  name: string
  /** The invalid field; undefined for a valid request. */
  wrong?: string
  path: string
  body?: string
}

interface Schema {
  type?: string
  enum?: string[]
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  items?: Schema
  minItems?: number
  uniqueItems?: boolean
  maxItems?: number
  properties?: Record<string, Schema>
}

export const anyRequest = (
  operations: readonly Operation[],
  known: Record<string, string[]>,
): fc.Arbitrary<GeneratedRequest> =>
  fc.oneof(
    ...operations.flatMap((operation) => {
      const wrong = wrongRequest(operation, known)
      return wrong ? [rightRequest(operation, known), wrong] : [rightRequest(operation, known)]
    }),
  )

const propertiesOf = (operation: Operation) => operation.input.properties as Record<string, Schema>
const requiredOf = (operation: Operation) => new Set((operation.input.required as string[] | undefined) ?? [])

type Values = Record<string, unknown>

const rightValues = (operation: Operation, known: Record<string, string[]>): fc.Arbitrary<Values> => {
  const required = requiredOf(operation)
  const made = Object.entries(propertiesOf(operation)).map(([name, schema]) => {
    const right = known[name] ? fc.oneof(fc.constantFrom(...known[name]), rightValue(schema)) : rightValue(schema)
    return [name, required.has(name) ? right : fc.option(right, { nil: undefined })] as const
  })
  return fc.record(Object.fromEntries(made)).map(consistent)
}

const valid: Readonly<Record<string, unknown>> = {
  market: 'sf-peninsula',
  zip: '94025',
  bbox: [-122.26, 37.41, -122.12, 37.5],
  sort: ['-city'],
  fields: ['city', 'address'],
  f: 'json',
  cursor: undefined,
  name: 'Mine',
  assumptionSet: undefined,
  assumptions: { costPerSqft: 650 },
}

/** Some parameters need others, exclude others, or form a range. */
const consistent = (values: Values): Values => {
  const given: Values = { ...values }
  // An order that is one of a few words is valid as it is.
  for (const [name, value] of Object.entries(valid))
    if (given[name] !== undefined && !(name === 'sort' && typeof given.sort === 'string')) given[name] = value
  if (given.bbox !== undefined || given.lat === undefined)
    for (const name of ['lat', 'lng', 'radiusMi']) delete given[name]
  else Object.assign(given, { lat: 37.45, lng: -122.18, radiusMi: 2.5 })
  // A series is that of a city or of a ZIP code.
  if (given.city !== undefined) delete given.zip
  if (given.exclude !== undefined) delete given.require
  if (given.exclude === undefined && given.require === undefined) delete given.unknown
  if (given.minScore !== undefined) for (const name of ['minAduScore', 'minRedevelopmentScore']) delete given[name]
  for (const name of Object.keys(given)) {
    const high = name.startsWith('min') ? `max${name.slice(3)}` : name.endsWith('From') ? `${name.slice(0, -4)}To` : ''
    if (given[name] !== undefined && (given[high] as string | undefined) !== undefined) delete given[high]
  }
  // Two names of one value.
  if (given.f !== undefined) delete given.format
  if (given.targetRoiPct !== undefined) delete given.targetReturnPct
  if (given.strict !== undefined) given.strict = false
  return given
}

const rightRequest = (operation: Operation, known: Record<string, string[]>): fc.Arbitrary<GeneratedRequest> =>
  rightValues(operation, known).map((values) => ({ name: operation.name, ...requestFor(operation, values) }))

/** Replaces one field by a value that its schema does not accept. */
const wrongRequest = (
  operation: Operation,
  known: Record<string, string[]>,
): fc.Arbitrary<GeneratedRequest> | undefined => {
  const { path, query, body } = inputFields(operation)
  const properties = propertiesOf(operation)
  const spoilt = [
    ...path.map((name) => [name, fc.constantFrom('%00', 'x'.repeat(150))] as const),
    ...query.map((name) => [name, wrongText(properties[name]!)] as const),
    ...body.map((name) => [name, wrongJson(properties[name]!)] as const),
  ]
  if (spoilt.length === 0) return undefined
  return fc.oneof(
    ...spoilt.map(([name, wrong]) =>
      fc.tuple(rightValues(operation, known), wrong).map(([values, value]) => {
        const { [name]: _, ...rest } = values
        const request = requestFor(operation, path.includes(name) ? values : rest)
        if (path.includes(name))
          return { name: operation.name, wrong: name, ...requestFor(operation, values, { [name]: value }) }
        if (body.includes(name))
          return {
            name: operation.name,
            wrong: name,
            path: request.path,
            body: JSON.stringify({ ...rest, [name]: value }),
          }
        const mark = request.path.includes('?') ? '&' : '?'
        return { name: operation.name, wrong: name, path: `${request.path}${mark}${name}=${value}` }
      }),
    ),
  )
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value)

/** The path and body that carry the values. */
const requestFor = (operation: Operation, values: Values, raw: Record<string, unknown> = {}) => {
  const { path: inPath, query, body } = inputFields(operation)
  let path = `/api${operation.path}`
  for (const name of inPath)
    path = path.replace(`{${name}}`, String(raw[name] ?? encodeURIComponent(String(values[name]))))
  const given = query.filter((name) => values[name] !== undefined)
  if (given.length > 0)
    path += `?${given.map((name) => `${name}=${encodeURIComponent(textOf(values[name]))}`).join('&')}`
  if (!hasBody(operation.method)) return { path }
  return { path, body: JSON.stringify(Object.fromEntries(body.map((name) => [name, values[name]]))) }
}

/** Excludes `.` and `..`, which change a path, and text that percent-encoding cannot represent. */
const text = (least: number, most: number) =>
  fc
    .string({ unit: 'binary', minLength: least, maxLength: Math.min(most, 40) })
    .filter((each) => each.isWellFormed() && !each.includes('\0') && !/^\.{1,2}$/.test(each) && each.length <= most)

const webhookUrls = fc.constantFrom(
  'https://93.184.216.34/hook',
  'https://93.184.216.34:8443/a?b=c',
  'https://[2606:2800:220:1::1]/x',
)

const rightValue = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1_000_000 })
    case 'number':
      return fc
        .double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e12, noNaN: true })
        .map((each) => each + 0)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.uniqueArray(rightValue(schema.items!), { minLength: schema.minItems ?? 0, maxLength: 4 })
    case 'object':
      return fc
        .record(
          Object.fromEntries(
            Object.entries(schema.properties ?? {}).map(([name, each]) => [
              name,
              fc.option(name === 'within' ? fc.constant(undefined) : rightValue(each), { nil: undefined }),
            ]),
          ),
        )
        .map(consistent)
  }
  if (schema.format === 'date')
    return fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((each) => each.toISOString().slice(0, 10))
  if (schema.format === 'email') return fc.emailAddress()
  if (schema.format === 'market') return fc.constantFrom(...marketIds())
  if (schema.maxLength === 2000) return webhookUrls
  // Only cursors that the API returned are valid; the paging tests cover those.
  if (schema.maxLength === 400 || schema.maxLength === 1_000 || schema.maxLength === 100) return fc.constant('')
  return text(schema.minLength ?? 0, schema.maxLength ?? 500)
}

/** An invalid value, percent-encoded for a query string. */
const wrongText = (schema: Schema): fc.Arbitrary<string> => {
  const outside = [
    ...(schema.minimum !== undefined ? [String(schema.minimum - 1)] : []),
    ...(schema.maximum !== undefined ? [String(schema.maximum + 1)] : []),
  ]
  if (schema.enum) return fc.constantFrom('zzz', '%00', schema.enum[0]!.toUpperCase(), `${schema.enum[0]}%20`, '7')
  switch (schema.type) {
    case 'integer':
      return fc.constantFrom('x', '1.5', 'NaN', 'Infinity', '0x10', '%20', '1,2', '1e999', 'true', '[]', ...outside)
    case 'number':
      return fc.constantFrom('x', 'NaN', '-Infinity', '1e999', '1_000', '%00', '0x10', ...outside)
    case 'boolean':
      return fc.constantFrom('yes', '1', '0', 'TRUE', 'null', '%00')
    case 'array':
      if (schema.items!.type === 'number') return fc.constantFrom('1,2,x,4', '1,2,3', ',')
      if (!schema.items!.enum) return fc.constantFrom('a%00b', ',')
      return fc.constantFrom(
        'zzz',
        `${schema.items!.enum![0]},zzz`,
        `${schema.items!.enum![0]},${schema.items!.enum![0]}`,
      )
  }
  if (schema.format === 'date') return fc.constantFrom('2026-02-30', '0000-01-01', '2026-1-1', 'today', '99999-01-01')
  return fc.oneof(fc.constant('a%00b'), fc.constant('x'.repeat((schema.maxLength ?? 500) + 1)))
}

const wrongJson = (schema: Schema): fc.Arbitrary<unknown> => {
  const notText = fc.constantFrom<unknown>(7, true, [], {}, ['a'], -1.5, [[]])
  if (schema.type === 'boolean') return fc.constantFrom<unknown>('yes', 1, [], {})
  if (schema.type === 'integer') return fc.constantFrom<unknown>('x', '7', true, [], {}, 1.5, (schema.minimum ?? 0) - 1)
  if (schema.type === 'object') return fc.constantFrom<unknown>('x', 7, true, [], ['a'])
  if (schema.type === 'array') return fc.constantFrom<unknown>('x', 7, {}, [], ['zzz'], [7], [null])
  if (schema.enum) return fc.oneof(notText, fc.constantFrom('zzz', schema.enum[0]!.toUpperCase()))
  if (schema.format === 'email')
    return fc.oneof(
      notText,
      fc.constantFrom('x', 'a@b', '@b.co', 'a b@c.de', 'a@b.co\r\nBcc: c@d.ee', `${'a'.repeat(260)}@b.co`),
    )
  if (schema.maxLength === 2000)
    return fc.oneof(
      notText,
      fc.constantFrom(
        'x',
        'http://93.184.216.34/',
        'https://127.0.0.1/',
        'https://10.0.0.1/',
        'https://[::1]/',
        'ftp://a.b/',
      ),
      fc.constantFrom(
        'https://u:p@93.184.216.34/',
        'https://93.184.216.34:80/',
        'https://localhost/',
        'https://0x7f.1/',
      ),
    )
  return fc.oneof(notText, fc.constantFrom('\0', 'x'.repeat((schema.maxLength ?? 500) + 1)))
}
