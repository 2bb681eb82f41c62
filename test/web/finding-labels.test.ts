import { expect, test } from 'vitest'
import { scoreBars } from '../../src/web/charts/score-bars.ts'
import { formatReason, inputLabel, inputLabels } from '../../src/web/finding-labels.ts'
import { textOf } from '../../src/web/html.ts'
import { permittedInputs } from '../setup/permitted-inputs.ts'

test('every model input has a plain label', () => {
  const odd = Object.keys(permittedInputs).filter((name) => /usd|sqft|pct| ft\b|[A-Z]{4}/.test(inputLabel(name)))
  expect(odd).toEqual([])
  expect(inputLabels(['priceUsd', 'lotWidthFt', 'visionAnalysis', 'visionCondition'])).toBe('price, lot width, photos')
})

test('a reason is shown with sq ft, a minus sign that stays with its number, and no space before %', () => {
  expect(formatReason('830 sqft leaves −$454,085, -15.5 % of cost by 2026-11-15')).toBe(
    '830 sq ft leaves −\u2060$454,085, −\u206015.5% of cost by 2026-11-15',
  )
})

test('a part that rounds to zero has no bar', () => {
  const shown = textOf(
    scoreBars([
      { name: 'age', points: -0.04, because: '' },
      { name: 'base', points: 50, because: '' },
    ]),
  )
  expect(shown).toContain('<td class="num">0</td>')
  expect(shown).toContain('Starting point')
  expect([...shown.matchAll(/<rect class="(\w+)"/g)].map(([, side]) => side)).toEqual(['up'])
})
