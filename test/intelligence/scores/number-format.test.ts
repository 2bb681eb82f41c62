import { expect, test } from 'vitest'
import {
  decimal,
  miles,
  percent,
  plural,
  roundDown,
  sqft,
  usd,
  wholeNumber,
} from '../../../src/intelligence/scores/number-format.ts'
import { builtSentence } from '../../../src/intelligence/site/house-age.ts'

test('numbers are written the American way', () => {
  expect(sqft(3010.4)).toBe('3,010 sq ft')
  expect(usd(1_250_000)).toBe('$1,250,000')
  expect(usd(-454_085)).toBe('−$454,085')
  expect(percent(0.153)).toBe('15%')
  expect(percent(-0.1554, 1)).toBe('−15.5%')
  expect(percent(-0.001)).toBe('0%')
  expect([0, 0.32, 0.123456, 1200, -1200, -0.5].map(decimal)).toEqual([
    '0',
    '0.32',
    '0.1235',
    '1,200',
    '-1,200',
    '-0.5',
  ])
  // Short numbers are written without Intl, and as Intl writes them.
  const short = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })
  const values = [0.0001, 0.00005, 5e-7, 7.5, 999.9999, 999.99999, 1234.5, 12.34567, 0.1 + 0.2, -0.44, 1.0005]
  expect(values.map(decimal)).toEqual(values.map((value) => short.format(value)))
  expect([usd(0), percent(0), miles(1), miles(0.96), miles(2.04)]).toEqual([
    '$0',
    '0%',
    '1.0 mile',
    '1.0 mile',
    '2.0 miles',
  ])
  // 0.32 · 4,720 is 1,510.4; a limit is rounded down, but not below a whole number that binary fractions miss.
  expect([0.32 * 4720, 0.7 * 10, 2.9999999].map(roundDown)).toEqual([1510, 7, 3])
})

test('a count agrees with its noun', () => {
  expect([0, 1, 1.5, 2, 1200].map((count) => plural(count, 'house'))).toEqual([
    '0 houses',
    '1 house',
    '1.5 houses',
    '2 houses',
    '1,200 houses',
  ])
  expect(plural(2, 'story', 'stories')).toBe('2 stories')
})

test('the fast path writes the same as Intl', () => {
  const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
  for (const value of [0, 0.5, 1.5, 2.5, 999.5, 1000, 12_345.6, 999_999.4, 999_999.5, 1e6, 1e9, -0.4, -3])
    expect(wholeNumber(value)).toBe(format.format(value))
})

test('a sentence states the real age of a house', () => {
  expect(builtSentence(1812, 2026)).toBe('Built in 1812, 214 years old')
  expect(builtSentence(2025, 2026)).toBe('Built in 2025, 1 year old')
  expect(builtSentence(2027, 2026)).toBe('Built in 2027, 0 years old')
})
