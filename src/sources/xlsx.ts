// A sheet of an Excel workbook (XLSX), from a file or URL. The first row has the names of the columns. Dates are numbers in the
// file; the style of a cell says which numbers are dates.

import type { Where } from '../contract/source-config.ts'
import { openBytes } from './file.ts'
import {
  inPages,
  type RawRow,
  type ReadContext,
  type Reading,
  type ReadState,
  rowNumberer,
  type Source,
  SourceError,
} from './source.ts'
import { xmlRecords } from './xml-records.ts'
import { unzip, type ZipFiles } from './zip.ts'

export const xlsx: Source = (where, context): Reading => {
  const state: ReadState = { bytesRead: 0 }
  return { state, pages: pagesOf(where, context, state) }
}

const defaultMaxBytes = 200 * 2 ** 20

async function* pagesOf(where: Where, context: ReadContext, state: ReadState): AsyncGenerator<readonly RawRow[]> {
  const bytes = await openBytes(where, context, state)
  if (!bytes) return
  const max = where.maxBytes ?? defaultMaxBytes
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) {
    chunks.push(chunk)
    if (state.bytesRead > max)
      throw new SourceError('too_large', `${where.url} is larger than ${max} bytes. Raise where.maxBytes.`)
  }
  yield* inPages(rowsOf(unzip(Buffer.concat(chunks), where.url, max), where, state))
}

async function* rowsOf(files: ZipFiles, where: Where, state: ReadState): AsyncGenerator<RawRow> {
  const records: Records = (name, element) => recordsOf(files, name, element, where.url)
  const sheet = await sheetFile(records, where)
  const shared = await all(records('xl/sharedStrings.xml', 'si'), textOf)
  const dates = await dateStyles(records)
  const row = rowNumberer()
  let columns: readonly string[] | undefined
  for await (const each of records(sheet, 'row')) {
    const cells = cellsOf(each, shared, dates)
    if (cells.length === 0) continue
    if (columns) yield row(Object.fromEntries(columns.map((name, at) => [name, cells[at]])))
    else {
      columns = Array.from(cells, (name) => String(name ?? '').trim())
      state.columns = columns
    }
  }
  if (!columns) throw new SourceError('empty', `${where.url} is empty: the sheet has no header row.`)
}

type Records = (name: string, element: string) => AsyncIterable<Record<string, unknown>>

async function* recordsOf(files: ZipFiles, name: string, element: string, url: string) {
  const bytes = files(name)
  if (!bytes) return
  const decoder = new TextDecoder()
  const pieces = (async function* () {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  })()
  yield* xmlRecords(pieces, element, `${url} (${name})`)
}

const all = async <T>(records: AsyncIterable<Record<string, unknown>>, of: (record: Record<string, unknown>) => T) => {
  const found: T[] = []
  for await (const record of records) found.push(of(record))
  return found
}

/** The sheet named `where.resource`, or the first. */
const sheetFile = async (records: Records, { resource, url }: Where): Promise<string> => {
  const sheets = await all(records('xl/workbook.xml', 'sheet'), (sheet) => ({
    name: String(sheet['@name']),
    id: sheet['@id'],
  }))
  const chosen = resource === undefined ? sheets[0] : sheets.find(({ name }) => name === resource)
  if (!chosen)
    throw new SourceError(
      'no_sheet',
      `${url} has no sheet ${resource === undefined ? '' : `"${resource}"`}. Sheets: ${sheets.map(({ name }) => name).join(', ') || 'none'}.`,
    )
  const links = await all(records('xl/_rels/workbook.xml.rels', 'Relationship'), (link) => link)
  const target = String(links.find((link) => link['@Id'] === chosen.id)?.['@Target'] ?? 'worksheets/sheet1.xml')
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

/** Styles whose numbers are dates: built-in formats, and own formats with a day, month or year. */
const dateStyles = async (records: Records): Promise<ReadonlySet<number>> => {
  const own = new Set<number>()
  for await (const format of records('xl/styles.xml', 'numFmt'))
    if (/[ymd]/i.test(String(format['@formatCode']).replace(/"[^"]*"|\[[^\]]*\]/g, '')))
      own.add(Number(format['@numFmtId']))
  const styles = new Set<number>()
  for await (const group of records('xl/styles.xml', 'cellXfs')) {
    for (const [at, style] of listOf(group.xf).entries()) {
      const format = Number((style as Record<string, unknown>)['@numFmtId'])
      if ((format >= 14 && format <= 22) || own.has(format)) styles.add(at)
    }
  }
  return styles
}

const cellsOf = (row: Record<string, unknown>, shared: readonly string[], dates: ReadonlySet<number>): unknown[] => {
  const cells: unknown[] = []
  for (const cell of listOf(row.c) as Record<string, unknown>[]) {
    const at = columnOf(String(cell['@r'] ?? ''), cells.length)
    cells[at] = cellValue(cell, shared, dates)
  }
  return cells
}

const cellValue = (cell: Record<string, unknown>, shared: readonly string[], dates: ReadonlySet<number>): unknown => {
  const held = cell.v === undefined ? undefined : textOf(cell.v)
  switch (cell['@t']) {
    case 's':
      return shared[Number(held)]
    case 'inlineStr':
      return textOf(cell.is)
    case 'b':
      return held === '1'
    case 'str':
    case 'd':
      return held
    case 'e':
      return undefined
    default:
      return held === undefined || held === ''
        ? undefined
        : dates.has(Number(cell['@s']))
          ? dayOf(Number(held))
          : Number(held)
  }
}

/** Days since December 30, 1899, which is how Excel counts from March 1, 1900 on. */
const dayOf = (days: number): string | undefined => {
  const date = new Date(Math.round((days - 25_569) * 86_400_000))
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10)
}

/** "C7" → 2. A cell without a reference follows the one before. */
const columnOf = (reference: string, next: number): number => {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0]
  return letters === undefined
    ? next
    : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

const listOf = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])

/** Text of a cell or of its formatted parts. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join('')
  if (typeof value !== 'object' || value === null) return ''
  const { '#text': text, t, r } = value as Record<string, unknown>
  return `${typeof text === 'string' ? text : ''}${t === undefined ? '' : textOf(t)}${r === undefined ? '' : textOf(r)}`
}
