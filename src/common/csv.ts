// Formats rows as CSV (RFC 4180) that is safe to open in a spreadsheet.

export const csvOf = <Row>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string =>
  [columns, ...rows.map((row) => columns.map((column) => row[column]))].map(csvLine).join('')

export const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Text that a spreadsheet would run as a formula, also in full-width forms, gets a leading apostrophe (OWASP, CSV injection). */
export const csvCell = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = String(value)
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^[+-]?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
