import { expect, test } from 'vitest'
import { csvCell } from '../../src/common/csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['-cmd|calc', "'-cmd|calc"],
  ['＝1+1', "'＝1+1"],
  ['\tx', "'\tx"],
  ['-2+3', "'-2+3"],
])('%j, which a spreadsheet would run as a formula, gets an apostrophe', (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})

test.each(['-122.18', '+1', '37.45', '-5'])('the number %s stays as it is', (text) => {
  expect(csvCell(text)).toBe(text)
})
