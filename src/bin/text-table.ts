// Tables for the terminal: a header line, columns padded to the same width, numbers aligned to the right. Colors appear on a
// terminal only; the variable NO_COLOR switches them off.
import { styleText } from 'node:util'

export interface Column<Row> {
  title: string
  value(row: Row): string | number
  /** Numbers are aligned to the right. */
  number?: boolean
  /** A color for this cell, such as red for a failed state. */
  color?(row: Row): Color | undefined
}

export type Color = 'green' | 'yellow' | 'red' | 'dim'

interface Output {
  /** Present on a terminal. Node answers from the terminal's abilities and NO_COLOR. */
  hasColors?(): boolean
}

export const colored = (text: string, color: Color | 'bold' | undefined, out: Output = process.stdout): string =>
  color !== undefined && out.hasColors?.() ? styleText(color, text, { validateStream: false }) : text

/** The lines of a report, without those that do not apply. A blank line is an empty text in a list. */
export const applicable = (...lines: readonly (string | false | null | undefined | readonly string[])[]): string[] =>
  lines.filter((line) => line !== '').flatMap((line) => line || [])

/** Without a line break at the end. */
export const textTable = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  out: Output = process.stdout,
): string => {
  const cells = rows.map((row) => columns.map(({ value }) => String(value(row))))
  const widths = columns.map(({ title }, at) => Math.max(title.length, ...cells.map((line) => line[at]!.length)))
  const pad = (text: string, at: number): string => {
    if (columns[at]!.number) return text.padStart(widths[at]!)
    // No trailing spaces in the last column: they would wrap a long line.
    return at === columns.length - 1 ? text : text.padEnd(widths[at]!)
  }
  const header = columns.map(({ title }, at) => colored(pad(title, at), 'bold', out)).join('  ')
  const lines = rows.map((row, index) =>
    columns.map(({ color }, at) => colored(pad(cells[index]![at]!, at), color?.(row), out)).join('  '),
  )
  return [header, ...lines].map((line) => line.trimEnd()).join('\n')
}
