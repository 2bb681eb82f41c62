import { expect, test } from 'vitest'
import { cleanData } from '../../src/agent/clean.ts'

test('data nested deeper than eight levels is cut off', () => {
  const nested = (depth: number): object => (depth === 0 ? { end: 'text' } : { in: nested(depth - 1) })
  expect(cleanData(nested(7))).toEqual(nested(7))
  expect(JSON.stringify(cleanData(nested(8)))).not.toContain('text')
})
