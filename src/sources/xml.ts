// XML from a file or URL, read as a stream: each element named `where.record` is a row.

import sax from 'sax'
import { sourceOfText } from './file.ts'
import { SourceError } from './source.ts'

export const xml = sourceOfText(async function* (text, row, where) {
  if (!where.record)
    throw new SourceError('no_record', 'Set where.record to the element of one row, for example "property".')
  for await (const fields of xmlRecords(text, where.record, where.url)) yield row(fields)
})

// Reads the elements of one name from an XML text, one at a time, so that a file of any size needs little memory. An element
// becomes an object: child elements by name, attributes as "@name", text beside them as "#text", repeated elements as a list.
// Entities that a document type declares are not expanded: they are a way to exhaust memory and do not occur in feeds.
interface Open {
  name: string
  fields: Record<string, unknown>
  text: string
}

/** Longest tag, attribute or comment, in characters. Text is passed on in pieces of this length. */
Object.assign(sax, { MAX_BUFFER_LENGTH: 2 ** 20 })
/** Longest record, in characters. Without a limit, a file without the end of a record would be held in memory as a whole. */
const maxRecord = 50 * 2 ** 20
const maxDepth = 200

export async function* xmlRecords(
  chunks: AsyncIterable<string>,
  record: string,
  url: string,
): AsyncGenerator<Record<string, unknown>> {
  const parser = sax.parser(true)
  /** Elements from the record inward; empty outside of a record. */
  const open: Open[] = []
  let recordStart = 0
  let sawTag = false
  const done: Record<string, unknown>[] = []

  parser.onopentag = ({ name, attributes }) => {
    sawTag = true
    if (open.length === 0 && localName(name) !== record) return
    if (open.length === 0) recordStart = parser.startTagPosition
    if (open.length >= maxDepth) throw new SourceError('not_xml', `${url} nests elements deeper than ${maxDepth}.`)
    open.push({ name: localName(name), fields: attributesOf(attributes as Record<string, string>), text: '' })
  }
  parser.onclosetag = () => {
    const closed = open.pop()
    if (!closed) return
    const value = elementValue(closed)
    const parent = open.at(-1)
    if (parent) addTo(parent.fields, closed.name, value)
    else done.push(typeof value === 'object' ? (value as Record<string, unknown>) : { '#text': value })
  }
  parser.ontext = parser.oncdata = (text) => {
    const inner = open.at(-1)
    if (inner) inner.text += text
  }
  parser.onerror = ({ message }) => {
    // An entity that is not one of XML's own stays in the text as it is written.
    if (message.startsWith('Invalid character entity')) {
      parser.resume()
      return
    }
    const reason = message.split('\n')[0]!.replace(/\.$/, '')
    throw new SourceError('not_xml', `${url} is not valid XML: ${reason} (line ${parser.line + 1}).`)
  }

  for await (const chunk of chunks) {
    parser.write(chunk)
    if (open.length > 0 && parser.position - recordStart > maxRecord)
      throw new SourceError('too_large', `${url} has a <${record}> of more than ${maxRecord} characters.`)
    yield* done.splice(0)
  }
  if (open.length > 0) throw new SourceError('broken_xml', `${url} ends within <${open.at(-1)!.name}>.`)
  if (!sawTag) throw new SourceError('not_xml', `${url} is not XML: it has no element.`)
  parser.close()
  yield* done
}

/** Namespace prefixes differ between writers and say nothing about the field. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const attributesOf = (attributes: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => !name.startsWith('xmlns'))
      .map(([name, value]) => [`@${localName(name)}`, value]),
  )

const elementValue = ({ fields, text }: Open): unknown => {
  const bare = text.trim()
  // Spaces count in a cell of a spreadsheet. Where they do not, the mapping removes them.
  if (Object.keys(fields).length === 0) return bare === '' ? '' : text
  return bare === '' ? fields : { ...fields, '#text': bare }
}

const addTo = (fields: Record<string, unknown>, name: string, value: unknown): void => {
  if (!Object.hasOwn(fields, name)) fields[name] = value
  else if (Array.isArray(fields[name])) fields[name].push(value)
  else fields[name] = [fields[name], value]
}
