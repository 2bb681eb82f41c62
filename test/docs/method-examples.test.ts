// The examples of the method pages add up as the formulas on the same pages say.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const page = (name: string) => readFileSync(join(import.meta.dirname, '../../docs/methods', `${name}.md`), 'utf8')

/** The cells of the rows of the first table, without emphasis. */
const rowsOf = (text: string): string[][] => {
  const table = /\n(\|.*(?:\n\|.*)+)/.exec(text)![1]!
  return table
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.replace(/[*`]/g, '').trim()),
    )
}

const numberIn = (cell: string | undefined): number =>
  Number((cell ?? '').replace('−', '-').replace(/[^\d.-]/g, '') || Number.NaN)

const amounts = (text: string): ReadonlyMap<string, number> =>
  new Map(rowsOf(text).map(([name, amount]) => [name!, numberIn(amount)]))

test('the pro forma example follows its formula', () => {
  const text = page('proforma')
  const of = (name: string) => amounts(text).get(name)!
  const capital = of('Purchase') + of('Construction') + of('Soft costs') + of('Demolition')
  expect(of('Capital')).toBe(capital)
  expect(of('Net resale')).toBe(of('Resale, gross') + of('Selling costs'))
  expect(of('roiPct')).toBeCloseTo((100 * (of('Net resale') - capital)) / capital, 1)
  const cost = capital + of('Buying costs') + of('Contingency') + of('Financing, tax and insurance')
  expect(of('Profit')).toBe(of('Net resale') - cost)
  expect(of('returnPct')).toBeCloseTo((100 * of('Profit')) / cost, 1)
  const weighed = rowsOf(text).find(([name]) => name === 'developerROI')!
  const [weight, own, rest, market] = weighed[2]!
    .replaceAll('−', '-')
    .match(/-?[\d.]+/g)!
    .map(Number)
  expect(weight! + rest!).toBeCloseTo(1, 6)
  expect(own).toBeCloseTo(of('returnPct'), 1)
  expect(numberIn(weighed[1])).toBeCloseTo(weight! * own! + rest! * market!, 1)
})
