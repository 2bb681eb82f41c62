// Shows an API response as a table: one row per item, one column per field.
import { isRecord } from '../../common/typed.ts'
import { element } from './element.ts'

export const responseTable = (body: unknown): HTMLElement => {
  const rows = rowsOf(body)
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0) return element('p', {}, 'This response cannot be shown as a table.')
  const cell = (value: unknown) =>
    element('td', { className: typeof value === 'number' ? 'num' : '' }, value === undefined ? '' : String(value))
  const head = element('tr', {}, ...columns.map((column) => element('th', { scope: 'col' }, column)))
  const lines = rows.map((row) => element('tr', {}, ...columns.map((column) => cell(row[column]))))
  return element('table', { className: 'data' }, element('thead', {}, head), element('tbody', {}, ...lines))
}

type Row = Record<string, unknown>

const rowsOf = (body: unknown): Row[] => {
  const data = isRecord(body) && 'data' in body ? body.data : body
  return (Array.isArray(data) ? data : [data]).filter(isRecord).map((item) => flatten(item))
}

/** Nested objects become dotted columns; a list of objects becomes its length. */
const flatten = (item: Row, prefix = ''): Row =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => {
      const path = `${prefix}${name}`
      if (Array.isArray(value))
        return [[path, value.every((each) => typeof each !== 'object') ? value.join(', ') : `${value.length} items`]]
      if (isRecord(value)) return Object.entries(flatten(value, `${path}.`))
      return [[path, value]]
    }),
  )
