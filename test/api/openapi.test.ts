import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../src/api/openapi.ts'
import { operationList } from '../../src/contract/operations/list.ts'
import { implementations } from '../../src/operations/list.ts'
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

test('a body too large or of another kind is among the refusals described wherever a body is read', async () => {
  const { body } = await ask(service(), '/openapi.json')
  const changing = Object.entries((body as Document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      method === 'get' ? [] : [{ name: `${method} ${path}`, statuses: Object.keys(responses) }],
    ),
  )
  expect(changing.some(({ name }) => name.startsWith('delete '))).toBe(true)
  for (const { name, statuses } of changing) expect(statuses, name).toEqual(expect.arrayContaining(['413', '415']))
})

test('every operation is implemented, once', () => {
  const names = implementations.map(({ operation }) => operation.name)
  expect(new Set(names).size).toBe(names.length)
  expect(operationList.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([])
})

test('the description is served at the root and below the API, at interface version 1.0.0', async () => {
  const root = await ask(service(), '/openapi.json')
  const below = await ask(service(), '/api/openapi.json')
  expect(root.text).toBe(below.text)
  expect(root.body).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
})

test('the description is the one decided on', async () => {
  await expect(`${JSON.stringify(openApiDocument(), null, 2)}\n`).toMatchFileSnapshot('__snapshots__/openapi.json')
})

test('redocly finds no error in it', async () => {
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
