import { setImmediate as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from '../../src/common/csv.ts'
import { CsvProblem, countRows, csvRows } from '../../src/common/csv-rows.ts'

const limits = { rows: 4, columns: 3, rowLength: 20 }
const read = async (text: string) => ({ count: await countRows(text, limits, pause), rows: [...csvRows(text)] })

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
])('%j is read as rows', async (text, rows) => expect(await read(text)).toEqual({ count: rows.length, rows }))

test.each([
  ['a\n1\n2\n3\n4\n', 'more than 3 rows'],
  ['a\n1,2,3,4\n', 'row 2 has more than 3 columns'],
  [`a\n${','.repeat(1_000_000)}`, 'row 2 has more than 3 columns'],
  [`a\n${'x'.repeat(21)}\n`, 'row 2 is longer than 20'],
  [`a\n"${'x'.repeat(30)}"\n`, 'row 2 is longer than 20'],
  ['a\n"1\n', 'a quote in row 2 is never closed'],
  ['a\n"1"2,3\n', 'row 2 has text after the closing quote of column 1'],
])('%.20j is rejected before a row is made', async (text, problem) => {
  await expect(countRows(text, limits, pause)).rejects.toThrow(CsvProblem)
  await expect(countRows(text, limits, pause)).rejects.toThrow(problem)
})

test.each([
  ['rows', `a,b\n${'1,2\n'.repeat(1_000_000)}"bad`],
  ['empty lines', `${'\n'.repeat(4_000_000)}"bad`],
])('other work runs while many %s are checked', async (_name, text) => {
  let turns = 0
  let checking = true
  const turn = () => {
    turns++
    if (checking) setImmediate(turn)
  }
  setImmediate(turn)
  const none = { rows: Infinity, columns: Infinity, rowLength: Infinity }
  await expect(countRows(text, none, pause)).rejects.toThrow('never closed')
  checking = false
  expect(turns).toBeGreaterThanOrEqual(14)
})

test('a row of exactly the limits is accepted', async () => {
  expect((await read(`a\n${'x'.repeat(20)}\n1,2,3\n"${'x'.repeat(18)}"`)).count).toBe(4)
})

test('rows that were written as CSV are read back', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '1', '"', ',', '\r', '\n', ' ', 'é') })
  const none = { rows: Infinity, columns: Infinity, rowLength: Infinity }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 })), async (rows) => {
      // A leading apostrophe keeps a line break from being read as a formula.
      const safe = rows.map((row) => row.map((text) => text.replace(/^[\r\n]/, 'x')))
      const text = safe.map(csvLine).join('')
      expect([await countRows(text, none, pause), [...csvRows(text)]]).toEqual([safe.length, safe])
    }),
  )
})
