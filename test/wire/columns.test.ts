import { expect, test } from 'vitest'
import { tableColumns } from '../../src/wire/columns.ts'
import { rowsOf } from '../../src/wire/operation.ts'
import { listAduLeads } from '../../src/wire/operations/leads.ts'

test('a table has a column for each value of a row; values under open names share one', () => {
  const columns = tableColumns(rowsOf(listAduLeads.output)!)
  expect(columns).toContainEqual({ name: 'adu.economics.noi', type: 'number' })
  expect(columns.filter(({ name }) => name.startsWith('adu.economics.terms'))).toEqual([
    { name: 'adu.economics.terms', type: 'object' },
  ])
  expect(columns.map(({ name }) => name)).toEqual([...new Set(columns.map(({ name }) => name))])
})
