import { expect, test } from 'vitest'
import { jsonLines } from '../../src/packs/json-lines.ts'

test.each([
  ['{\n "a": }', 2, 'value expected, found }'],
  ['{"a": 1,\n}', 2, 'property name expected, found }'],
  ['[1,\n2\n3]', 3, 'comma expected, found 3'],
  ['[\n"\\q"]', 2, 'invalid escape character, found "\\q"'],
  ['[1, // one\n2]', 1, 'invalid comment token, found // one'],
  ['[1', 1, 'close bracket expected, found the end of the file'],
])('text that is not JSON is rejected with its line: %j', (text, line, message) => {
  expect(() => jsonLines(text)).toThrow(expect.objectContaining({ line, message }))
})

test('the line of a value is that of the deepest part of its path that exists', () => {
  const { value, lineOf } = jsonLines('\uFEFF{\n"a": [\n1,\n{"b":\n2}]\n}')
  expect(value).toEqual({ a: [1, { b: 2 }] })
  expect([[], ['a'], ['a', '0'], ['a', '1', 'b'], ['a', '1', 'none'], ['none']].map(lineOf)).toEqual([1, 2, 3, 5, 4, 1])
})
