import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from '../../src/common/csv.ts'
import { CsvProblem, countRows, csvRows } from '../../src/common/csv-rows.ts'

const limits = { rows: 4, columns: 3, rowLength: 20 }
const read = (text: string) => ({ count: countRows(text, limits), rows: [...csvRows(text)] })

test.each([
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['\uFEFFa\r\n1\r2', [['a'], ['1'], ['2']]],
  ['a\n\n\r\n1\n\n', [['a'], ['1']]],
  [
    'a,\n,\n"",\n',
    [
      ['a', ''],
      ['', ''],
      ['', ''],
    ],
  ],
  ['"a,\n""b""",c', [['a,\n"b"', 'c']]],
  ['5" pipe,it"s\n', [['5" pipe', 'it"s']]],
  ['', []],
  ['\n', []],
])('%j is read as rows', (text, rows) => expect(read(text)).toEqual({ count: rows.length, rows }))

test.each([
  ['a\n1\n2\n3\n4\n', 'more than 3 rows'],
  ['a\n1,2,3,4\n', 'row 2 has more than 3 columns'],
  [`a\n${','.repeat(1_000_000)}`, 'row 2 has more than 3 columns'],
  [`a\n${'x'.repeat(21)}\n`, 'row 2 is longer than 20'],
  [`a\n"${'x'.repeat(30)}"\n`, 'row 2 is longer than 20'],
  ['a\n"1\n', 'a quote in row 2 is never closed'],
  ['a\n"1"2,3\n', 'row 2 has text after the closing quote of column 1'],
])('%.20j is rejected before a row is made', (text, problem) => {
  expect(() => countRows(text, limits)).toThrow(CsvProblem)
  expect(() => countRows(text, limits)).toThrow(problem)
})

test('a row of exactly the limits is accepted', () => {
  expect(read(`a\n${'x'.repeat(20)}\n1,2,3\n"${'x'.repeat(18)}"`).count).toBe(4)
})

test('rows that were written as CSV are read back', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '1', '"', ',', '\r', '\n', ' ', 'é') })
  const none = { rows: Infinity, columns: Infinity, rowLength: Infinity }
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 })), (rows) => {
      // A leading apostrophe keeps a line break from being read as a formula.
      const safe = rows.map((row) => row.map((text) => text.replace(/^[\r\n]/, 'x')))
      const text = safe.map(csvLine).join('')
      expect([countRows(text, none), [...csvRows(text)]]).toEqual([safe.length, safe])
    }),
  )
})
