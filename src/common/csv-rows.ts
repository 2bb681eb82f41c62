// Reads the rows of a CSV text (RFC 4180) that a caller sent. All limits are checked in one pass that makes no rows, so that a text
// that is rejected costs a few milliseconds; the rows of an accepted one are made as they are taken. A quote inside a cell that does
// not begin with one is an ordinary character.

export interface CsvLimits {
  /** The header included. */
  rows: number
  columns: number
  /** Characters of one row. A longer one mostly has a quote that is never closed. */
  rowLength: number
}

export class CsvProblem extends Error {}

/** Characters that are read between two pauses: a few milliseconds, also before the code is compiled. */
const charactersPerTurn = 2 ** 18

/** The number of rows, the header included; an empty line is none. Throws `CsvProblem`. `pause` lets other work run. */
export const countRows = async (text: string, limits: CsvLimits, pause: () => Promise<unknown>): Promise<number> => {
  let rows = 0
  for (let at = start(text), turn = at; at < text.length; ) {
    if (at - turn >= charactersPerTurn) {
      await pause()
      turn = at
    }
    if (isLineEnd(text.charCodeAt(at))) {
      at++
      continue
    }
    if (++rows > limits.rows) throw new CsvProblem(`it has more than ${shown(limits.rows - 1)} rows`)
    at = endOfRow(text, at, { limits, row: rows })
  }
  return rows
}

/** Only for a text that `countRows` accepted. */
export function* csvRows(text: string): Generator<string[]> {
  for (let at = firstRow(text, start(text)); at < text.length; at = firstRow(text, at)) {
    const cells: string[] = []
    at = endOfRow(text, at, { cells })
    yield cells
  }
}

const [quote, comma, lineFeed, carriageReturn, byteOrderMark] = [0x22, 0x2c, 0x0a, 0x0d, 0xfeff]

const start = (text: string): number => (text.charCodeAt(0) === byteOrderMark ? 1 : 0)

const isLineEnd = (letter: number): boolean => letter === lineFeed || letter === carriageReturn

const firstRow = (text: string, from: number): number => {
  let at = from
  while (isLineEnd(text.charCodeAt(at))) at++
  return at
}

interface RowReading {
  limits?: CsvLimits
  /** Its number, for messages. */
  row?: number
  cells?: string[]
}

/** Where the line break after the row begins. */
const endOfRow = (text: string, begun: number, { limits, row = 0, cells }: RowReading): number => {
  const { columns = Infinity, rowLength = Infinity } = limits ?? {}
  const last = Math.min(text.length, begun + rowLength)
  let at = begun
  for (let column = 1; ; column++) {
    if (column > columns) throw new CsvProblem(`row ${row} has more than ${shown(columns)} columns`)
    const cell = at
    const quoted = text.charCodeAt(at) === quote
    if (quoted)
      for (at++; ; at++) {
        if (at >= last) throw tooLong(row, rowLength, at >= text.length)
        if (text.charCodeAt(at) !== quote) continue
        // Two quotes are one inside a quoted cell.
        if (text.charCodeAt(++at) !== quote) break
      }
    const closed = at
    for (let letter = text.charCodeAt(at); at < last && letter !== comma && !isLineEnd(letter); )
      letter = text.charCodeAt(++at)
    if (at >= last && at < text.length && text.charCodeAt(at) !== comma && !isLineEnd(text.charCodeAt(at)))
      throw tooLong(row, rowLength, false)
    if (quoted && at !== closed)
      throw new CsvProblem(`row ${row} has text after the closing quote of column ${column}; write a quote as ""`)
    cells?.push(quoted ? text.slice(cell + 1, closed - 1).replaceAll('""', '"') : text.slice(cell, at))
    if (text.charCodeAt(at) !== comma) return at
    at++
  }
}

const tooLong = (row: number, rowLength: number, isEnd: boolean): CsvProblem =>
  new CsvProblem(
    isEnd
      ? `a quote in row ${row} is never closed`
      : `row ${row} is longer than ${shown(rowLength)} characters; a quote in it may never be closed`,
  )

const shown = (count: number): string => count.toLocaleString('en-US')
