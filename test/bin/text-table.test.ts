import { afterEach, expect, test, vi } from 'vitest'
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
afterEach(() => void vi.unstubAllEnvs())

const rows = [
  { name: 'parcels', rows: 12_000 },
  { name: 'permits of the city', rows: 0 },
]

test('columns are aligned below their header, numbers to the right, without trailing spaces', () => {
  expect(textTable(columns, rows, { isTTY: false }).split('\n')).toEqual([
    'SOURCE                ROWS  NOTE',
    'parcels              12000',
    'permits of the city      0  empty',
  ])
})

test('a terminal gets a bold header and colors, a pipe gets none', () => {
  vi.stubEnv('NO_COLOR', '')
  const shown = textTable(columns, rows, { isTTY: true })
  expect(shown).toContain('\u001b[1mSOURCE')
  expect(shown).toContain('\u001b[31m    0')
  expect(textTable(columns, rows, {})).not.toContain('\u001b')
  vi.stubEnv('NO_COLOR', '1')
  expect(textTable(columns, rows, { isTTY: true })).not.toContain('\u001b')
})
