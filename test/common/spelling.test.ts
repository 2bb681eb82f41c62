import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allowedErrors, editDistance, similarWords } from '../../src/common/spelling.ts'

/** The definition, by recursion: what the table of `editDistance` must give. */
const errorsBetween = (a: string, b: string): number => {
  if (a === '' || b === '') return a.length + b.length
  const [restA, restB] = [a.slice(1), b.slice(1)]
  return Math.min(
    errorsBetween(restA, restB) + (a[0] === b[0] ? 0 : 1),
    errorsBetween(restA, b) + 1,
    errorsBetween(a, restB) + 1,
    ...(b.length > 1 && a[0] === b[1] && a[1] === b[0] ? [errorsBetween(a.slice(2), b.slice(2)) + 1] : []),
  )
}

test('errors are insertions, deletions, replacements and swaps of neighbors', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(editDistance(a, b)).toBe(errorsBetween(a, b))
    }),
  )
})

test('a longer name may have more typing errors, at most two', () => {
  expect([3, 4, 5, 6, 8, 9].map(allowedErrors)).toEqual([0, 1, 1, 2, 2, 3])
  expect(['MADAKETTT', 'MADAKETTTT'].map((name) => similarWords(['MADAKET'], [name]))).toEqual([true, false])
  expect(similarWords(['SIASCONSET'], ['SIASCON', 'XYZ'])).toBe(false)
  // The shorter name decides.
  expect(similarWords(['ELM'], ['ELMS'])).toBe(false)
})
