// XML from a file or URL, read as a stream: each element named `where.record` is a row.
import { readText } from './file.ts'
import { type Source, SourceError } from './source.ts'
import { xmlRecords } from './xml-records.ts'

export const xml: Source = (where, context) =>
  readText(where, context, async function* (text, row) {
    if (!where.record)
      throw new SourceError('no_record', 'Set where.record to the element of one row, for example "property".')
    for await (const fields of xmlRecords(text, where.record, where.url)) yield row(fields)
  })
