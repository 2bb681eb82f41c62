import { expect, test } from 'vitest'
import { topFactors } from '../../src/intelligence/scores/top-factors.ts'
import { factorBars } from '../../src/web/charts/factor-bars.ts'
import { scoreBars } from '../../src/web/charts/score-bars.ts'
import { waterfallRows, waterfallSteps } from '../../src/web/charts/waterfall.ts'
import { textOf } from '../../src/web/html.ts'

const factors = [9, -7, 5, 4, -3, 2, 1.5].map((points, at) => ({
  name: `factor${at}`,
  points,
  because: `Reason ${at}`,
}))
const parts = [{ name: 'base', points: 20, because: 'Typical' }, ...factors]

test('five factors are shown, the others are summed in one line and listed on request', () => {
  const shown = textOf(factorBars({ parts, ...topFactors(parts) }))
  const [first, details] = shown.split('<details')
  expect(first!.match(/<tr>/g)).toHaveLength(7)
  expect(first).toContain('+3.5')
  expect(details).toContain('2 other factors')
  expect(details).toContain('Reason 6')
})

test('a factor that would be shown as 0 is left out', () => {
  const all = [...parts, { name: 'none', points: 0.04, because: 'No effect' }]
  const shown = textOf(factorBars({ parts: all, ...topFactors(all) }))
  expect(shown).toContain('2 other factors')
  expect(shown).not.toContain('No effect')
})

test('a sum of the other factors that is shown as 0.1 is shown', () => {
  const shown = (points: number) =>
    textOf(factorBars({ parts, top: factors.slice(0, 5), other: { count: 2, points } as never }))
  expect([shown(0.05), shown(-0.05)].every((each) => each.includes('>Other factors'))).toBe(true)
  expect(shown(0.049)).not.toContain('>Other factors')
})

test('bars of a pro forma fill the width up to the largest, and a profit of 0 is no loss', () => {
  const steps = waterfallSteps({
    lines: [{ name: 'purchase', usd: 400, of: 'cost' }] as never,
    totalCost: 400,
    profit: 0,
  })
  expect(steps.at(-1)).toMatchObject({ name: 'Profit', kind: 'gain', from: 0, to: 400, because: '0.0% of total cost' })
  const drawn = textOf(waterfallRows(steps))
  expect(
    [...drawn.matchAll(/viewBox="0 0 1000 10" [^>]* aria-hidden="true"><rect x="(\d+)" width="(\d+)"/g)].map(
      ([, x, w]) => [x, w],
    ),
  ).toEqual([['0', '1000'], ...Array(6).fill(['1000', '3']), ['0', '1000'], ['0', '1000']])
  expect(textOf(waterfallRows([]))).toBe('')
})

test('a score of few factors shows them all', () => {
  const few = parts.slice(0, 3)
  expect(textOf(factorBars({ parts: few, ...topFactors(few) }))).not.toContain('<details')
})

test('a score that no factor moves visibly shows its starting point only', () => {
  const none = [parts[0]!, ...factors.map((factor) => ({ ...factor, points: 0.01 }))]
  expect(textOf(factorBars({ parts: none, ...topFactors(none) })).match(/<tr>/g)).toHaveLength(2)
  const balanced = none.map((part, at) => (at % 2 ? { ...part, points: -part.points } : part))
  expect(textOf(factorBars({ parts: balanced, ...topFactors(balanced) })).match(/<tr>/g)).toHaveLength(1)
})

test('bars to the left and right of zero fill the width in proportion, the largest first', () => {
  const bars = (points: readonly number[]) =>
    [
      ...textOf(scoreBars(points.map((each) => ({ name: 'a', points: each, because: 'b' })))).matchAll(
        /class="(up|down)" x="(\d+)" width="(\d+)"/g,
      ),
    ].map(([, side, x, width]) => [side, Number(x), Number(width)])
  expect(bars([3, -1])).toEqual([
    ['up', 250, 750],
    ['down', 0, 250],
  ])
  expect(bars([1, 4])).toEqual([
    ['up', 0, 1000],
    ['up', 0, 250],
  ])
})

test('the waterfall adds the costs up, says how each was computed, and ends with the profit', () => {
  const line = (name: string, usd: number, of: 'capital' | 'afterCapital' | 'resale') => ({
    name,
    usd,
    because: name,
    of,
  })
  const lines = [
    line('purchase', 1_000, 'capital'),
    line('demoCost', 50, 'capital'),
    line('hardCost', 500, 'capital'),
    line('interest', 30, 'afterCapital'),
    line('tax', 20, 'afterCapital'),
    line('resaleGross', 2_000, 'resale'),
    line('sellingCosts', -100, 'resale'),
  ]
  const steps = waterfallSteps({ lines, totalCost: 1_600, profit: 300 })
  expect(steps.filter(({ usd }) => usd !== 0).map(({ name, because, from, to }) => [name, because, from, to])).toEqual([
    ['Purchase', undefined, 0, 1_000],
    ['Construction', 'hardCost', 1_000, 1_500],
    ['Demolition', undefined, 1_500, 1_550],
    ['Financing and holding', 'interest, loan fees, tax and insurance', 1_550, 1_600],
    ['Total cost', undefined, 0, 1_600],
    ['Resale', 'resaleGross', 0, 2_000],
    ['Selling costs', 'sellingCosts', 1_900, 2_000],
    ['Profit', '18.8% of total cost', 1_600, 1_900],
  ])
})
