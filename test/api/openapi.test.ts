import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../src/api/openapi.ts'
import { implementations } from '../../src/operations/list.ts'
import { eventNames, webhookEvents } from '../../src/wire/events.ts'
import { rowsOf } from '../../src/wire/operation.ts'
import { operationList } from '../../src/wire/operations/list.ts'
import { ask } from '../setup/ask.ts'
import { useService } from '../setup/service.ts'

const served: string[] = []
const service = useService({
  onRoute: ({ method, url }) => {
    for (const each of [method].flat())
      if (url.startsWith('/api/v1/') && !['HEAD', 'OPTIONS'].includes(each))
        served.push(`${each} ${url.slice('/api'.length).replace(/:(\w+)/g, '{$1}')}`)
  },
})

interface Document {
  info: { version: string }
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
}

test('every served route is described, and every described route is served', async () => {
  const { body } = await ask(service(), '/openapi.json')
  const described = Object.entries((body as Document).paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(served.length).toBeGreaterThan(20)
  expect(served.filter((each) => !described.includes(each))).toEqual([])
  expect(described.filter((each) => !served.includes(each))).toEqual([])
})

test('every operation that reads a body documents 413 and 415', async () => {
  const { body } = await ask(service(), '/openapi.json')
  const changing = Object.entries((body as Document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      method === 'get' ? [] : [{ name: `${method} ${path}`, statuses: Object.keys(responses) }],
    ),
  )
  expect(changing.some(({ name }) => name.startsWith('delete '))).toBe(true)
  for (const { name, statuses } of changing) expect(statuses, name).toEqual(expect.arrayContaining(['413', '415']))
})

test('every operation is implemented exactly once', () => {
  const names = implementations.map(({ operation }) => operation.name)
  expect(new Set(names).size).toBe(names.length)
  expect(operationList.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([])
})

test('the description is served at the root and under /api, with version 1.0.0', async () => {
  const root = await ask(service(), '/openapi.json')
  const below = await ask(service(), '/api/openapi.json')
  expect(root.text).toBe(below.text)
  expect(root.body).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
})

test('the description matches its snapshot', async () => {
  await expect(`${JSON.stringify(openApiDocument(), null, 2)}\n`).toMatchFileSnapshot('__snapshots__/openapi.json')
})

test('every schema is typed: no enum without a type, no bare null, no open object', () => {
  const untyped: string[] = []
  const visit = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return
    const schema = value as Record<string, unknown>
    if (Array.isArray(schema.enum) && schema.type === undefined) untyped.push(`${path}: enum without type`)
    if (schema.const !== undefined) untyped.push(`${path}: const`)
    if (schema.additionalProperties === true || schema.patternProperties !== undefined) untyped.push(`${path}: open`)
    if (schema.type === 'null' && !/anyOf\/\d+$/.test(path)) untyped.push(`${path}: bare null`)
    for (const [name, inner] of Object.entries(schema))
      if (!['example', 'examples'].includes(name)) visit(inner, `${path}/${name}`)
    const properties = schema.properties as Record<string, Record<string, unknown>> | undefined
    for (const [name, field] of Object.entries(properties ?? {}))
      if (!('type' in field || '$ref' in field || 'anyOf' in field)) untyped.push(`${path}/${name}: no type`)
  }
  visit(openApiDocument(), '')
  expect(untyped).toEqual([])
})

test('every operation and every event has an example that matches its schema', () => {
  for (const { name, input, output, example } of operationList) {
    expect([...Value.Errors(input, example.input)], `${name} input`).toEqual([])
    expect([...Value.Errors(closed(output), example.output)], `${name} output`).toEqual([])
  }
  for (const [name, { schema, example }] of Object.entries(webhookEvents))
    expect([...Value.Errors(closed(schema), example)], name).toEqual([])
})

test('every list accepts its own examples of sort and fields', async () => {
  const lists = operationList.filter(({ method, input }) => method === 'GET' && 'fields' in input.properties)
  expect(lists).toHaveLength(7)
  for (const { path, input } of lists) {
    const examples = input.properties as Record<string, { examples: string[] }>
    const given = ['sort', 'fields', ...((input as { required?: string[] }).required ?? [])]
    const query = given.map((name) => `${name}=${examples[name]!.examples[0]}`).join('&')
    const { status, body } = await ask(service(), `${path}?${query}`, { key: 'demo' })
    expect([path, status, body]).toMatchObject([path, 200, { success: true }])
  }
  // An empty parameter is one that is not given; a cursor is one of the service's own.
  expect((await ask(service(), '/v1/sales?soldTo=&cursor=', { key: 'demo' })).status).toBe(200)
  expect((await ask(service(), '/v1/sales?cursor=x', { key: 'demo' })).body.error).toMatch(/^cursor /)
})

interface Described {
  paths: Record<string, { get?: { responses: { 200?: { content: Record<string, { schema: { $ref?: string } }> } } } }>
  components: { schemas: Record<string, { properties: { data: { items: { $ref: string } } } }> }
}

test('the answer of every list is one named schema and one type; its rows are named, and reduced where `fields` can', () => {
  const { paths, components } = openApiDocument() as unknown as Described
  const lists = operationList.filter(({ method, output }) => method === 'GET' && rowsOf(output))
  expect(lists.length).toBeGreaterThan(18)
  const names = lists.map(({ path, input, output }) => {
    const { content } = paths[path]!.get!.responses[200]!
    expect(Object.keys(content), path).toEqual(['application/json'])
    const name = content['application/json']!.schema.$ref!.split('/').at(-1)!
    const row = components.schemas[name]!.properties.data.items.$ref.split('/').at(-1)!
    const full = rowsOf(output)!.$id!
    expect([path, row]).toEqual([path, 'fields' in input.properties ? `${full}Selected` : full])
    expect(components.schemas, path).toHaveProperty(full)
    return name
  })
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(expect.arrayContaining(['MarketSignalList', 'PermitList', 'AduLeadList', 'BuilderList']))
})

test('JSON is sent as application/json without a parameter: lists, single answers, errors and files', async () => {
  for (const path of [
    '/v1/permits',
    '/v1/markets',
    '/v1/permits/none/none',
    '/openapi.json',
    '/healthz',
    '/v1/nothing',
  ]) {
    const { headers } = await ask(service(), path, { key: 'demo' })
    expect([path, headers['content-type']]).toEqual([path, 'application/json'])
  }
})

test('a list with `fields` has an answer whose rows require only their identifier', () => {
  const { paths, components } = openApiDocument() as unknown as Described
  const resolved = (schema: unknown): unknown =>
    JSON.parse(JSON.stringify(schema), (_, value: { $ref?: string } | null) =>
      value?.$ref ? at(value.$ref.slice(2).split('/')) : value,
    )
  const at = (names: string[]) => resolved(names.reduce<object>((part, name) => part[name as never], { components }))
  for (const { path, example } of operationList.filter(
    ({ method, input }) => method === 'GET' && 'fields' in input.properties,
  )) {
    const schema = paths[path]!.get!.responses[200]!.content['application/json']!.schema
    const answer = { ...(example.output as object), data: [{ id: '', permitId: '', saleId: '', source: {} }] }
    expect([...Value.Errors(resolved(schema) as object, answer)], path).toEqual([])
  }
})

/** The schema with additional properties rejected. */
const closed = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    (value as { type?: string }).type === 'object' &&
    'properties' in value
      ? { ...value, additionalProperties: false }
      : value,
  )

test('shared objects and every event are named components', () => {
  const { components, webhooks } = openApiDocument() as {
    components: { schemas: Record<string, unknown> }
    webhooks: Record<string, unknown>
  }
  for (const name of ['Pagination', 'HistoryWindow', 'Provenance', 'Proforma', 'Explanation', 'PermitCreated'])
    expect(components.schemas).toHaveProperty(name)
  expect(Object.keys(webhooks)).toEqual([...eventNames, 'webhook.test'])
})

test('redocly reports no error', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-openapi-'))
  try {
    const file = join(dir, 'openapi.json')
    await writeFile(file, JSON.stringify(openApiDocument()))
    const cli = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js')
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [cli, 'lint', file, '--format=json'], {
      cwd: dir,
      env: {
        ...process.env,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        REDOCLY_CLI_TELEMETRY: 'off',
        CI: 'true',
      },
    }).catch((error: { stdout: string; stderr: string }) => error)
    const { totals, problems } = JSON.parse(stdout) as { totals: { errors: number }; problems: { severity: string }[] }
    expect(
      problems.filter(({ severity }) => severity === 'error'),
      stderr,
    ).toEqual([])
    expect(totals.errors).toBe(0)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})
