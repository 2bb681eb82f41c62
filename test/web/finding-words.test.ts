import { expect, test } from 'vitest'
import { permittedInputs } from '../../src/intelligence/permitted-inputs.ts'
import { scoreBars } from '../../src/web/charts/score-bars.ts'
import { asSet, inputList, inputWords } from '../../src/web/finding-words.ts'
import { textOf } from '../../src/web/html.ts'

test('whatever a model may lack is named as a person would', () => {
  const odd = Object.keys(permittedInputs).filter((name) => /usd|sqft|pct| ft\b|[A-Z]{4}/.test(inputWords(name)))
  expect(odd).toEqual([])
  expect(inputList(['priceUsd', 'lotWidthFt', 'visionAnalysis', 'visionCondition'])).toBe('price, lot width, photos')
})

test('a sentence is set as the page is: sq ft, and a minus that keeps its number', () => {
  expect(asSet('830 sqft leaves −$454,085, -15.5 % of cost by 2026-11-15')).toBe(
    '830 sq ft leaves −\u2060$454,085, −\u206015.5\u00a0% of cost by 2026-11-15',
  )
})

test('a part too small to show takes no side', () => {
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
