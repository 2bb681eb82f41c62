// CSV and TSV from a file or URL, read as a stream.

import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { codeOf, messageOf } from '../common/typed.ts'
import type { Where } from '../domain/packs/source-config.ts'
import { decoded, openBytes } from './file.ts'
import { type RawRow, type ReadContext, type ReadState, SourceError, sourceOfPages } from './source.ts'

/** Rows per batch: enough to make the overhead negligible, few enough to limit memory. */
const batchSize = 200

export async function* csvPages(
  where: Where,
  context: ReadContext,
  state: ReadState,
): AsyncGenerator<readonly RawRow[]> {
  const bytes = await openBytes(where, context, state)
  if (bytes) yield* pagesOfCsv(bytes, where, state)
}

export async function* pagesOfCsv(
  bytes: AsyncIterable<Uint8Array>,
  where: Where,
  state: ReadState,
): AsyncGenerator<readonly RawRow[]> {
  const tabs = /\.tsv(\.gz)?$/i.test(where.url)
  const form = { delimiter: where.delimiter ?? (tabs ? '\t' : ','), quoted: where.quote ?? true }
  let columns: readonly string[] | undefined
  let number = 0
  let titles = 0
  const waiting: string[][] = []
  let batch: RawRow[] = []
  try {
    for await (const record of csvRecords(decoded(bytes, where.encoding), form)) {
      if (!columns) {
        if (isTitle(record) && ++titles <= mostTitles) continue
        columns = header(record, where.url, form.delimiter)
        state.columns = columns
        continue
      }
      if (number === 0 && record.length === columns.length + 1 && waiting.push(record) < mostWaiting) continue
      if (waiting.length === mostWaiting) state.columns = columns = withUnnamed(columns, waiting)
      for (const row of waiting.splice(0)) if (row !== record) batch.push(rowOf(++number, columns, row))
      number += 1
      batch.push(rowOf(number, columns, record))
      if (batch.length === batchSize) {
        yield batch
        batch = []
      }
    }
  } catch (error) {
    if (error instanceof SourceError || !/^CSV_/.test(codeOf(error))) throw error
    const reason =
      codeOf(error) === 'CSV_MAX_RECORD_SIZE'
        ? 'a row is longer than 1 MiB, or a quote is never closed (then set where.quote to false)'
        : messageOf(error)
    throw new SourceError('broken_csv', `${where.url} breaks off near row ${number + 1}: ${reason}`, { cause: error })
  }
  if (!columns) throw new SourceError('empty', `${where.url} is empty: it has no header row.`)
  if (waiting.length >= 3) state.columns = columns = withUnnamed(columns, waiting)
  for (const row of waiting) batch.push(rowOf(++number, columns, row))
  if (batch.length > 0) yield batch
}

export const csv = sourceOfPages(csvPages)

const mostTitles = 20
/** The first rows that must all have one value more than names; a shorter file must have three. */
const mostWaiting = 20
/**
 * A comma ends every row. Or R writes row names without a column name: increasing numbers, with gaps where rows were left out. In few
 * rows it is a stray comma.
 */
const withUnnamed = (columns: readonly string[], rows: readonly string[][]): readonly string[] => {
  if (rows.every((row) => row.at(-1) === '')) return [...columns, '']
  const areNumbered = rows.every((row, at) => Number(row[0]) > Number(rows[at - 1]?.[0] ?? 0))
  return areNumbered ? ['', ...columns] : columns
}
/**
 * "Report of April" above the names, in one cell or in all, or the "Unnamed: 4" that a spreadsheet library writes there. Above many
 * columns, a second cell may say of which day it is.
 */
const isTitle = (record: readonly string[]): boolean =>
  record.length > 3 &&
  new Set(record.filter((name) => !/^\s*(?:unnamed\W*\d+\s*)?$/i.test(name))).size <= (record.length > 8 ? 2 : 1)

const header = (record: string[], url: string, delimiter: string): readonly string[] => {
  const names = record.map((name) => name.trim())
  if (/^\s*<(!doctype|html|\?xml)/i.test(names[0] ?? ''))
    throw new SourceError('html', `${url} returned HTML instead of CSV.`)
  const other =
    names.length === 1
      ? [';', '\t', '|', ','].find((each) => each !== delimiter && names[0]!.includes(each))
      : undefined
  if (other)
    throw new SourceError(
      'delimiter',
      `The columns of ${url} are separated by ${JSON.stringify(other)}, not by ${JSON.stringify(delimiter)}: set where.delimiter to ${JSON.stringify(other)}.`,
    )
  return names
}

const rowOf = (number: number, columns: readonly string[], record: string[]): RawRow => {
  const fields: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at += 1) fields[columns[at]!] = record[at]
  if (record.length === columns.length) return { number, fields }
  return {
    number,
    fields: { ...fields, ...(record.length > columns.length ? { surplus: record.slice(columns.length) } : {}) },
    problem: { code: 'column_count', reason: `${record.length} columns, but the header row has ${columns.length}` },
  }
}

// Streams the records of a CSV text.
interface CsvForm {
  delimiter: string
  /** False if quotes are ordinary characters. */
  quoted: boolean
}

/** A longer record means that a quote was never closed. */
const maxRecordBytes = 2 ** 20

/** Python on Windows may write each end of a line as "\r\r\n". */
async function* oneBreak(text: AsyncIterable<string>): AsyncGenerator<string> {
  let unfinished = ''
  for await (const part of text) {
    const whole = unfinished + part
    let end = whole.length
    while (whole[end - 1] === '\r') end -= 1
    unfinished = whole.slice(end)
    yield whole.slice(0, end).replaceAll('\r\r\n', '\r\n')
  }
  yield unfinished
}

export async function* csvRecords(
  text: AsyncIterable<string>,
  { delimiter, quoted }: CsvForm,
): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter,
    quote: quoted ? '"' : null,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
  })
  const source = Readable.from(oneBreak(text), { objectMode: true, highWaterMark: 2 })
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    yield* parser as AsyncIterable<string[]>
  } finally {
    source.destroy()
    parser.destroy()
  }
}
