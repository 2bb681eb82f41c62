import { expect, test } from 'vitest'
import { problemsOf, statementsOf } from '../../setup/compare-rows.ts'
import type { Statement } from '../../setup/declared-rows.ts'

const statement: Statement = {
  at: 'sales.ts:1',
  texts: ['select id, sold_on, price from sale where id = ', ''],
  row: {
    id: { kinds: ['string'] },
    soldOn: { kinds: ['string', 'null'] },
    price: { kinds: ['number', 'undefined'] },
  },
}
const text = 25
const columns = { id: text, sold_on: text, price: 23 }
const fieldsOf = (types: Record<string, number>) =>
  Object.entries(types).map(([name, dataTypeID]) => ({ name, dataTypeID }))

test('a row as declared has no problem', () => {
  const rows = [{ id: 'a', sold_on: null, price: 1 }]
  expect(problemsOf(statement, { fields: fieldsOf(columns), rows })).toEqual([])
  expect(problemsOf(statement, { fields: fieldsOf({ id: text, sold_on: text }), rows: [] })).toEqual([])
})

test('a missing column, another type and an undeclared null are reported', () => {
  expect(problemsOf(statement, { fields: fieldsOf({ id: text, price: 23 }), rows: [] })).toEqual([
    'sales.ts:1: soldOn is declared, and the statement does not return it',
  ])
  expect(problemsOf(statement, { fields: fieldsOf({ ...columns, id: 23 }), rows: [] })).toEqual([
    'sales.ts:1: id is declared string, the statement returns number',
  ])
  const rows = [{ id: 'a', sold_on: '2026-01-01', price: null }]
  expect(problemsOf(statement, { fields: fieldsOf(columns), rows })).toEqual([
    'sales.ts:1: price is declared number | undefined, the statement returns null',
  ])
})

test('the elements of an array and the only column of a value are compared', () => {
  const value: Statement = { at: 'a.ts:1', texts: ['select days'], value: { kinds: ['array'], elements: ['number'] } }
  const days = fieldsOf({ days: 1016 })
  expect(problemsOf(value, { fields: days, rows: [{ days: [1, 2] }] })).toEqual([])
  expect(problemsOf(value, { fields: days, rows: [{ days: ['1'] }] })).toEqual([
    'a.ts:1: days is declared array, the statement returns an array with string',
  ])
  expect(problemsOf(value, { fields: fieldsOf(columns), rows: [] })).toEqual([
    'a.ts:1: one column expected, 3 returned',
  ])
})

test('a statement is recognized by its texts, the longest if several match', () => {
  const shorter: Statement = { at: 'b.ts:1', texts: ['select ', ' from sale where id = ', ''] }
  const find = (sent: string) => statementsOf(sent, [statement, shorter]).map(({ at }) => at)
  expect(find('select id, sold_on, price from sale where id = $1')).toEqual(['sales.ts:1'])
  expect(find('select id from sale where id = $1')).toEqual(['b.ts:1'])
  expect(find('delete from sale where id = $1')).toEqual([])
})
