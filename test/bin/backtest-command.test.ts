import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { simulatedSales } from '../intelligence/valuation/simulated-market.ts'

const columns = [
  ...['saleId', 'soldOn', 'priceUsd', 'livingSqft', 'lotSqft', 'beds', 'baths'],
  ...['yearBuilt', 'lat', 'lng', 'propertyType'],
] as const

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotline-backtest-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(csv: string, ...more: string[]) {
  const file = join(folder, 'sales.csv')
  await writeFile(file, csv)
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      ['src/bin/lotline.ts', 'backtest', '--sales', file, ...more],
      { cwd: join(import.meta.dirname, '../..') },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

function csvOf(header: readonly string[] = columns): string {
  const lines = simulatedSales({ count: 300 }).map((sale) => columns.map((column) => sale[column] ?? '').join(','))
  return [header.join(','), ...lines].join('\n')
}

test('--json prints one object with the measures as top-level fields, and nothing else', async () => {
  const { code, stdout, stderr } = await run(csvOf(), '--from', '2023-10-01', '--json')
  expect(code).toBe(0)
  expect(stderr).toBe('')
  const study = JSON.parse(stdout) as Record<string, unknown>
  for (const name of ['n', 'mdape', 'within10', 'within20', 'medianRatio', 'cod', 'prd', 'prb', 'seconds']) {
    expect(study[name], name).toBeTypeOf('number')
  }
}, 60_000)

test('a missing column is named, with the columns of the file', async () => {
  const header = columns.map((column) => (column === 'priceUsd' ? 'price' : column))
  const { code, stdout, stderr } = await run(csvOf(header), '--from', '2023-10-01', '--json')
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/must have the column priceUsd; it has saleId, soldOn, price/)
}, 60_000)

test('an invalid date and a missing file are rejected with the given value', async () => {
  expect(await run(csvOf(), '--from', 'May')).toMatchObject({ code: 1, stderr: expect.stringContaining('"May"') })
  expect(await run(csvOf(), '--from', '2023-10-01', '--sales', '/no/such.csv')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/no/such.csv'),
  })
}, 60_000)
