// Streams the records of a CSV text.
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'

interface CsvForm {
  delimiter: string
  /** False if quotes are ordinary characters. */
  quoted: boolean
}

/** A longer record means that a quote was never closed. */
const maxRecordBytes = 2 ** 20

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
  const source = Readable.from(text, { objectMode: true, highWaterMark: 2 })
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    yield* parser as AsyncIterable<string[]>
  } finally {
    source.destroy()
    parser.destroy()
  }
}
