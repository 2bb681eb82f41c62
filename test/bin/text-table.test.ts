import { expect, test } from 'vitest'
import { type Column, textTable } from '../../src/bin/text-table.ts'

interface Row {
  name: string
  rows: number
}

const columns: readonly Column<Row>[] = [
  { title: 'SOURCE', value: ({ name }) => name },
  { title: 'ROWS', value: ({ rows }) => rows, number: true, color: ({ rows }) => (rows === 0 ? 'red' : undefined) },
  { title: 'NOTE', value: ({ rows }) => (rows === 0 ? 'empty' : '') },
]
const rows = [
  { name: 'parcels', rows: 12_000 },
  { name: 'permits of the city', rows: 0 },
]

test('columns are aligned below their header, numbers to the right, without trailing spaces', () => {
  expect(textTable(rows, columns, {}).split('\n')).toEqual([
    'SOURCE                ROWS  NOTE',
    'parcels              12000',
    'permits of the city      0  empty',
  ])
})

test('a terminal gets a bold header and colors, a pipe gets none', () => {
  const shown = textTable(rows, columns, { hasColors: () => true })
  expect(shown).toContain('\u001b[1mSOURCE')
  expect(shown).toContain('\u001b[31m    0')
  expect(textTable(rows, columns, {})).not.toContain('\u001b')
  expect(textTable(rows, columns, { hasColors: () => false })).not.toContain('\u001b')
})
