// XML from a file or URL, read as a stream: each element named `where.record` is a row.
import { decoded, openBytes } from './file.ts'
import { type RawRow, type Reading, type ReadState, rowNumberer, type Source, SourceError } from './source.ts'
import { xmlRecords } from './xml-records.ts'

export const xml: Source = (where, context): Reading => {
  const state: ReadState = { bytesRead: 0 }
  return {
    state,
    pages: (async function* () {
      if (!where.record)
        throw new SourceError('no_record', 'Set where.record to the element of one row, for example "property".')
      const bytes = await openBytes(where, context, state)
      if (!bytes) return
      const row = rowNumberer()
      let batch: RawRow[] = []
      for await (const fields of xmlRecords(decoded(bytes, where.encoding), where.record, where.url)) {
        batch.push(row(fields))
        if (batch.length === 500) {
          yield batch
          batch = []
        }
      }
      if (batch.length > 0) yield batch
    })(),
  }
}
