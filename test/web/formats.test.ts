import { expect, test } from 'vitest'
import { aPercent } from '../../src/web/formats.ts'

test('the article before a percentage is that of the number as it is spoken', () => {
  expect([8, 11, 18, 18.5, 80].map(aPercent)).toEqual(['an 8%', 'an 11%', 'an 18%', 'an 18.5%', 'an 80%'])
  expect([1, 10, 15, 28, 110, 180].map(aPercent)).toEqual(['a 1%', 'a 10%', 'a 15%', 'a 28%', 'a 110%', 'a 180%'])
})
