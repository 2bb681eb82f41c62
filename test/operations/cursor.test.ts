import { expect, test } from 'vitest'
import { cursorOf, positionOf } from '../../src/operations/cursor.ts'

const sort = ['price', 'listedOn', 'city'].map((field, at) => ({ field, descending: at === 0 }))
const read = (...position: unknown[]) => {
  try {
    return positionOf(cursorOf(sort as never, position as never), sort as never)
  } catch (error) {
    return (error as Error).message.split(':')[0]
  }
}

test('a cursor has a value of each field of the sort and an id', () => {
  expect(read(5, '2026-01-02', 'palo-alto', 'p1')).toEqual([5, '2026-01-02', 'palo-alto', 'p1'])
  expect(read(null, null, null, 'p1')).toEqual([null, null, null, 'p1'])
})

test.each([
  [['5', '2026-01-02', 'palo-alto', 'p1']],
  [[5, '2026-13-02', 'palo-alto', 'p1']],
  [[5, 20260102, 'palo-alto', 'p1']],
  [[5, '2026-01-02', 'palo\0alto', 'p1']],
  [[5, '2026-01-02', 7, 'p1']],
  [[5, '2026-01-02', 'palo-alto', 7]],
  [[5, '2026-01-02', 'palo-alto', 'p\0']],
  [[5, '2026-01-02', 'palo-alto']],
  [[5, '2026-01-02', 'palo-alto', 'x', 'p1']],
])('the position %j is refused', (position) => {
  expect(read(...position)).toMatch(/cursor/)
})

test('a cursor of another sort is refused', () => {
  const other = [{ field: 'price', descending: false }]
  expect(() => positionOf(cursorOf(other as never, [5, 'p1'] as never), sort as never)).toThrow('another sort')
  expect(() => positionOf('e30', sort as never)).toThrow(/cursor/)
})
