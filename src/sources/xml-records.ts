// Reads the elements of one name from an XML text, one at a time, so that a file of any size needs little memory. An element
// becomes an object: child elements by name, attributes as "@name", text beside them as "#text", repeated elements as a list.
// Entities that a document type declares are not expanded: they are a way to exhaust memory and do not occur in feeds.
import { SourceError } from './source.ts'

interface Open {
  name: string
  fields: Record<string, unknown>
  text: string
}

/** Longest tag or text that is kept while its end has not been read. */
const maxPending = 10 * 2 ** 20
/** Longest record, in characters. Without a limit, a file without the end of a record would be held in memory as a whole. */
const maxRecord = 50 * 2 ** 20
const maxDepth = 200

export async function* xmlRecords(
  chunks: AsyncIterable<string>,
  record: string,
  url: string,
): AsyncGenerator<Record<string, unknown>> {
  let rest = ''
  let sawTag = false
  /** Elements from the record inward; empty outside of a record. */
  const open: Open[] = []
  let recordLength = 0
  const done: Record<string, unknown>[] = []
  const take = (piece: Piece) => {
    if (piece.kind === 'text') {
      const inner = open.at(-1)
      if (inner) inner.text += piece.text
      return
    }
    sawTag = true
    if (piece.kind === 'end') {
      const closed = open.at(-1)
      if (!closed) return
      if (closed.name !== piece.name)
        throw new SourceError('not_xml', `${url} is not valid XML: </${piece.name}> closes <${closed.name}>.`)
      open.pop()
      const value = elementValue(closed)
      const parent = open.at(-1)
      if (parent) addTo(parent.fields, closed.name, value)
      else done.push(typeof value === 'object' ? (value as Record<string, unknown>) : { '#text': value })
      return
    }
    if (open.length === 0 && piece.name !== record) return
    if (open.length >= maxDepth) throw new SourceError('not_xml', `${url} nests elements deeper than ${maxDepth}.`)
    open.push({ name: piece.name, fields: piece.attributes, text: '' })
    if (piece.isEmpty) take({ kind: 'end', name: piece.name })
  }
  for await (const chunk of chunks) {
    rest += chunk
    let at = 0
    for (let next = pieceAt(rest, at); next; next = pieceAt(rest, at)) {
      if (next.piece) take(next.piece)
      recordLength = open.length === 0 ? 0 : recordLength + next.end - at
      if (recordLength > maxRecord)
        throw new SourceError('too_large', `${url} has a <${record}> of more than ${maxRecord} characters.`)
      at = next.end
    }
    rest = rest.slice(at)
    if (rest.length > maxPending) throw new SourceError('not_xml', `${url} is not XML: a tag or text does not end.`)
    yield* done.splice(0)
  }
  if (!sawTag) throw new SourceError('not_xml', `${url} is not XML: it has no element.`)
  if (open.length > 0) throw new SourceError('broken_xml', `${url} ends within <${open.at(-1)!.name}>.`)
}

type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'start'; name: string; attributes: Record<string, unknown>; isEmpty: boolean }
  | { kind: 'end'; name: string }

/** The piece that begins at `at`; undefined if its end has not been read. Comments and declarations are skipped. */
const pieceAt = (text: string, at: number): { piece?: Piece; end: number } | undefined => {
  if (at >= text.length) return undefined
  if (text[at] !== '<') {
    const end = text.indexOf('<', at)
    return end < 0 ? undefined : { piece: { kind: 'text', text: decoded(text.slice(at, end)) }, end }
  }
  for (const [begin, finish] of skipped)
    if (text.startsWith(begin, at)) {
      const end = text.indexOf(finish, at + begin.length)
      if (end < 0) return undefined
      const content = text.slice(at + begin.length, end)
      return begin === '<![CDATA['
        ? { piece: { kind: 'text', text: content }, end: end + finish.length }
        : { end: end + finish.length }
    }
  // "<!" and "<![CD" may be the beginning of a comment that is not complete.
  if (text[at + 1] === '!' && text.length - at < 9) return undefined
  const end = tagEnd(text, at)
  if (end === undefined) return undefined
  const tag = text.slice(at + 1, end)
  if (tag.startsWith('!')) return { end: end + 1 }
  if (tag.startsWith('/')) return { piece: { kind: 'end', name: localName(tag.slice(1).trim()) }, end: end + 1 }
  const name = /^[^\s/]+/.exec(tag)?.[0] ?? ''
  return {
    piece: {
      kind: 'start',
      name: localName(name),
      attributes: attributesOf(tag.slice(name.length)),
      isEmpty: tag.endsWith('/'),
    },
    end: end + 1,
  }
}
const skipped = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

/** Position of the ">" that ends the tag: one within a quoted attribute does not. */
const tagEnd = (text: string, at: number): number | undefined => {
  let quote: string | undefined
  for (let index = at + 1; index < text.length; index += 1) {
    const mark = text[index]!
    if (quote) {
      if (mark === quote) quote = undefined
    } else if (mark === '"' || mark === "'") quote = mark
    else if (mark === '>') return index
  }
  return undefined
}

/** Namespace prefixes differ between writers and say nothing about the field. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const attributesOf = (text: string): Record<string, unknown> => {
  const found: Record<string, unknown> = {}
  for (const [, name, , double, single] of text.matchAll(/([^\s=/]+)\s*=\s*("([^"]*)"|'([^']*)')/g))
    if (!name!.startsWith('xmlns')) found[`@${localName(name!)}`] = decoded(double ?? single ?? '')
  return found
}

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

const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(#x[0-9a-f]+|#[0-9]+|amp|lt|gt|quot|apos);/gi, (whole, name: string) => {
        if (name[0] !== '#') return named[name.toLowerCase()] ?? whole
        const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
      })
    : text
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
