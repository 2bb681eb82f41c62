// An answer as a table: one row per item, one column per field that is a plain value.

export function answerTable(answer: unknown): HTMLElement {
  const rows = rowsOf(answer)
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0)
    return Object.assign(document.createElement('p'), { textContent: 'Nothing to show in a table.' })
  const table = document.createElement('table')
  table.className = 'data'
  const head = table.createTHead().insertRow()
  for (const column of columns) {
    const cell = document.createElement('th')
    cell.scope = 'col'
    cell.textContent = column
    head.append(cell)
  }
  const body = table.createTBody()
  for (const row of rows) {
    const line = body.insertRow()
    for (const column of columns) {
      const cell = line.insertCell()
      cell.textContent = row[column] === undefined ? '' : String(row[column])
      if (typeof row[column] === 'number') cell.className = 'num'
    }
  }
  return table
}

type Row = Record<string, unknown>

const rowsOf = (answer: unknown): Row[] => {
  const data = isRecord(answer) && 'data' in answer ? answer.data : answer
  return (Array.isArray(data) ? data : [data]).filter(isRecord).map((item) => flat(item))
}

/** Objects open into dotted columns; lists are told by their length. */
const flat = (item: Row, prefix = ''): Row =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => {
      const path = `${prefix}${name}`
      if (Array.isArray(value))
        return [[path, value.every((each) => typeof each !== 'object') ? value.join(', ') : `${value.length} items`]]
      if (isRecord(value)) return Object.entries(flat(value, `${path}.`))
      return [[path, value]]
    }),
  )

const isRecord = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
