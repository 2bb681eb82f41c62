// The parts of the bench run, with a few hundred rows: a part that cannot run says nothing about the product. Those that drive a
// service for seconds run every week (`npm run bench -- --trial`).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Context, openContext, parts } from '../../bench/context.ts'
import type { Measurement } from '../../bench/figure.ts'

const folder = join(import.meta.dirname, '../../bench')
const said: string[] = []
let context: Context
beforeAll(async () => {
  context = await openContext({ mode: 'trial', say: (text) => said.push(text) })
})
afterAll(() => context.close())

test('every file with a measurement is a part of the bench', () => {
  const measuring = readdirSync(folder).filter(
    (name) => name.endsWith('.ts') && readFileSync(join(folder, name), 'utf8').includes('export const measure ='),
  )
  expect(measuring.sort()).toEqual(parts.map((part) => `${part}.ts`).sort())
})

/** A first start takes a minute; test/bin/serve.test.ts has one. */
const weekly = ['start', 'hot-reads', 'overload', 'assess', 'ingest', 'cold-reads', 'size', 'layers']

test.each(parts.filter((part) => !weekly.includes(part)))('%s runs', async (part) => {
  const { measure } = (await import(join(folder, `${part}.ts`))) as Measurement
  const figures = await measure(context)
  expect(figures.length).toBeGreaterThan(0)
  for (const { name, ours, rival } of figures) {
    expect(ours, name).not.toBeNaN()
    if (rival !== undefined) expect(rival, name).not.toBeNaN()
  }
})

test('the lists of the product and of the SQL they are compared with have the same totals', () => {
  expect(said.filter((line) => line.includes('totals differ'))).toEqual([])
})
