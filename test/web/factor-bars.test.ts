import { expect, test } from 'vitest'
import { topFactors } from '../../src/intelligence/scores/top-factors.ts'
import { factorBars } from '../../src/web/charts/factor-bars.ts'
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
