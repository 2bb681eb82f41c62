// Stops of a transit feed (GTFS): stops.txt, alone or in the zip file of the feed.
// https://gtfs.org/documentation/schedule/reference/#stopstxt
import { inflateRawSync } from 'node:zlib'
import type { FieldRule } from '../domain/packs/source-config.ts'
import { pagesOfCsv } from './csv.ts'
import { openBytes } from './file.ts'
import { SourceError, sourceOfPages } from './source.ts'

export const gtfs = sourceOfPages(async function* (where, context, state) {
  const bytes = await openBytes(where, context, state)
  if (!bytes) return
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  const file = Buffer.concat(chunks)
  const text = file.length > 4 && file.readUInt32LE(0) === zipMark ? unzipped(file, 'stops.txt', where.url) : file
  yield* pagesOfCsv(
    (async function* () {
      yield text
    })(),
    where,
    state,
  )
})

export const gtfsFields: { layer: Readonly<Record<string, FieldRule>> } = {
  layer: { recordId: 'stop_id', name: 'stop_name', lat: 'stop_lat', lng: 'stop_lon' },
}

const zipMark = 0x04034b50
const directoryMark = 0x02014b50
const endMark = 0x06054b50
const mostBytes = 64 * 2 ** 20

/** One file of a zip archive, found by the directory at its end. */
const unzipped = (zip: Buffer, name: string, url: string): Buffer => {
  const fail = (what: string) => new SourceError('not_gtfs', `${url} ${what}.`)
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || zip.readUInt32LE(end) !== endMark) throw fail('is not a complete zip file')
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== directoryMark) throw fail('is a damaged zip file')
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const entryName = zip.toString('utf8', at + 46, at + 46 + nameLength)
    if (entryName === name || entryName.endsWith(`/${name}`)) {
      const [packed, from] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)]
      const start = from + 30 + zip.readUInt16LE(from + 26) + zip.readUInt16LE(from + 28)
      const body = zip.subarray(start, start + packed)
      return zip.readUInt16LE(at + 10) === 0 ? body : inflateRawSync(body, { maxOutputLength: mostBytes })
    }
    at += 46 + nameLength + extra + comment
  }
  throw fail(`has no ${name}`)
}
