import { isRecord } from '../../common/typed.ts'
// Shows an API response as a table: one row per item, one column per field.

export const responseTable = (body: unknown): HTMLElement => {
  const rows = rowsOf(body)
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0)
    return Object.assign(document.createElement('p'), { textContent: 'This response cannot be shown as a table.' })
  const table = document.createElement('table')
  table.className = 'data'
  const head = table.createTHead().insertRow()
  for (const column of columns) {
    const cell = document.createElement('th')
    cell.scope = 'col'
    cell.textContent = column
    head.append(cell)
  }
  const tableBody = table.createTBody()
  for (const row of rows) {
    const line = tableBody.insertRow()
    for (const column of columns) {
      const cell = line.insertCell()
      cell.textContent = row[column] === undefined ? '' : String(row[column])
      if (typeof row[column] === 'number') cell.className = 'num'
    }
  }
  return table
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
