// The cursor of a list: the order of the list and the position of the last row, opaque to callers.

import { badRequest } from '../common/errors.ts'
import { parsedJson } from '../common/typed.ts'
import type { SortKey } from '../criteria/fields.ts'
import { isDay } from '../domain/day.ts'
import type { Position } from '../store/search/paging.ts'

const orderText = (sort: readonly SortKey[]): string =>
  sort.map(({ field, descending }) => (descending ? `-${field}` : field)).join()

export const cursorOf = (sort: readonly SortKey[], position: Position): string =>
  Buffer.from(JSON.stringify([orderText(sort), ...position])).toString('base64url')

/** A cursor is valid only with the sort order it was created with. */
export const positionOf = (cursor: string, sort: readonly SortKey[]): Position => {
  const [order, ...position] = valuesIn(cursor)
  if (order !== orderText(sort))
    throw badRequest(
      'cursor belongs to another sort: send the same sort as for the previous page, for example sort=-price, or no cursor.',
    )
  const values = position.slice(0, -1)
  const id = position.at(-1)
  const fits =
    position.length === sort.length + 1 &&
    typeof id === 'string' &&
    !id.includes('\0') &&
    values.every((value, at) => fitsField(sort[at]!.field, value))
  if (!fits) throw invalidCursor()
  return position as Position
}

const textFields = ['city', 'id', 'status']

const fitsField = (field: string, value: unknown): boolean => {
  if (value === null) return true
  if (field.endsWith('On')) return typeof value === 'string' && isDay(value)
  if (textFields.includes(field)) return typeof value === 'string' && !value.includes('\0')
  return typeof value === 'number' && Number.isFinite(value)
}

export const valuesIn = (cursor: string): unknown[] => {
  const values = parsedJson(Buffer.from(cursor, 'base64url').toString())
  if (Array.isArray(values)) return values
  throw invalidCursor()
}

export const invalidCursor = () =>
  badRequest(
    'cursor must be pagination.nextCursor of the previous page of this list, copied unchanged; leave it out to read the first page.',
  )
