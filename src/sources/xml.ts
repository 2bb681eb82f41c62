// XML from a file or URL, read as a stream: each element named `where.record` is a row.
import { sourceOfText } from './file.ts'
import { SourceError } from './source.ts'
import { xmlRecords } from './xml-records.ts'

export const xml = sourceOfText(async function* (text, row, where) {
  if (!where.record)
    throw new SourceError('no_record', 'Set where.record to the element of one row, for example "property".')
  for await (const fields of xmlRecords(text, where.record, where.url)) yield row(fields)
})
