// Detects the kind and the delimiter of a feed.
import { Readable } from 'node:stream'
import type { SourceKind, Where } from '../domain/packs/source-config.ts'
import { decoded, openBytes } from '../sources/file.ts'
import { isAddress, type ReadContext, SourceError } from '../sources/source.ts'
import { nameKey } from './column-names.ts'

/** The kind of a feed by its address, otherwise by how its content starts. */
export const detectFeed = async (url: string, context: ReadContext): Promise<{ kind: SourceKind; where: Where }> => {
  if (isAddress(url) && /\/(Feature|Map)Server\/\d+\/?$/i.test(url)) return { kind: 'arcgis', where: { url } }
  if (isAddress(url) && /\/resource\/[a-z0-9]{4}-[a-z0-9]{4}\.json/i.test(url))
    return { kind: 'socrata', where: { url } }
  const first = await firstBytes(url, context)
  const start = (await textOf(first)).trimStart()
  checkText(first, start, url)
  if (start === '') throw new SourceError('empty', `${url} is empty.`)
  if (/^<(!doctype|html)/i.test(start)) throw new SourceError('html', `${url} returned a web page, not data.`)
  if (start.startsWith('<'))
    throw new SourceError(
      'xml',
      `${url} is XML: copy sources/examples/csv.json, set "kind" to "xml" and "record" to the element of one row.`,
    )
  if (/^([{[]|(var|let|const) \w+ *=)/.test(start)) return { kind: jsonKind(start), where: { url } }
  // A title may stand above the names.
  const lines = start.split(/\r?\n/, 5)
  // Lists in a value have a delimiter of their own, but not equally many entries in every row.
  const [delimiter] = delimiters
    .map((each) => {
      const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(each).length)
      const most = Math.max(...counts)
      const alike = most > 1 ? counts.filter((count) => count === most).length : 0
      return [each, alike > lines.length / 2 ? alike : 0, most] as const
    })
    .sort((a, b) => b[1] - a[1] || b[2] - a[2])[0]!
  const isDefault = delimiter === (/\.tsv(\.gz)?$/i.test(url) ? '\t' : ',')
  // The line with most delimiters may be one of values.
  const named = lines.map((each) => new Set(each.split(delimiter).map((name) => nameKey(name.replaceAll('"', '')))))
  const kind =
    csvKinds.find(({ columns }) => named.some((names) => columns.every((name) => names.has(name))))?.kind ?? 'csv'
  return { kind, where: { url, ...(isDefault ? {} : { delimiter }) } }
}
const delimiters = [',', '\t', ';', '|']
const csvKinds: readonly { kind: SourceKind; columns: readonly string[] }[] = [
  { kind: 'redfin', columns: ['saletype', 'mls#', 'ziporpostalcode'] },
  { kind: 'blds', columns: ['permitnum', 'description', 'workclass'] },
  { kind: 'openaddresses', columns: ['lon', 'lat', 'number', 'street', 'hash'] },
]
const jsonKind = (start: string): SourceKind =>
  /"type"\s*:\s*"Feature(Collection)?"/.test(start)
    ? 'geojson'
    : /"@odata|"ListingKey"|"StandardStatus"/.test(start)
      ? 'reso'
      : /"(objectIdFieldName|geometryType|esri|rings"\s*:)/.test(start)
        ? 'arcgis'
        : 'socrata'

const firstBytes = async (url: string, context: ReadContext): Promise<Buffer> => {
  const bytes = await openBytes({ url }, context, { bytesRead: 0 })
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes ?? []) {
    parts.push(part)
    size += part.length
    if (size > 20_000) break
  }
  return Buffer.concat(parts)
}

const textOf = async (bytes: Buffer): Promise<string> => {
  let text = ''
  for await (const part of decoded(Readable.from([bytes]))) text += part
  return text
}

const checkText = (bytes: Buffer, text: string, url: string): void => {
  if (bytes.subarray(0, 2).equals(Buffer.from('PK')))
    throw new SourceError(
      'archive',
      `${url} is a zip archive or an Excel workbook: unpack it, or save the sheet as CSV.`,
    )
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw new SourceError('archive', `${url} is compressed with gzip: give it a name that ends in .gz.`)
  const control = text.match(/[^\P{Cc}\s]/gu)?.length ?? 0
  if (text.startsWith('%PDF') || control > text.length / 100)
    throw new SourceError(
      'binary',
      `${url} is not a text file. CSV, TSV, GeoJSON and JSON can be read; save UTF-16 without a byte order mark as UTF-8.`,
    )
}
