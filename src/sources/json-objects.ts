// Reads the objects of one list in a JSON document of any length, one at a time: the parcels of a county do not fit in
// memory. Only the brackets and strings are scanned; each object is then parsed by JSON.parse.
import { SourceError } from './source.ts'

/** The longest single object. A document with a longer one is broken or hostile. */
const maxObjectChars = 32 * 2 ** 20

/** Objects of the list `name` of the top-level object. Throws when there is no such list or the text ends within it. */
export async function* jsonObjects(
  text: AsyncIterable<string>,
  name: string,
  url: string,
): AsyncGenerator<Record<string, unknown>> {
  /** Text not yet used up, and the position in it. */
  let buffer = ''
  let at = 0
  /** Open braces and brackets. */
  let depth = 0
  let inString = false
  /** Where the object or the top-level string under way starts in `buffer`; -1 outside. */
  let start = -1
  /** The last string at the top level, and whether a colon made it a key. */
  let lastString = ''
  let isKey = false
  let inList = false
  let ended = false
  let beginning = ''
  for await (const chunk of text) {
    buffer += chunk
    beginning ||= buffer.trimStart().slice(0, 60)
    if (beginning.startsWith('<')) throw new SourceError('html', `${url} returned HTML instead of JSON: ${beginning}`)
    for (; at < buffer.length && !ended; at += 1) {
      const code = buffer.charCodeAt(at)
      if (inString) {
        if (code === backslash) {
          // The escaped character may be in the next chunk.
          if (at + 1 >= buffer.length) break
          at += 1
        } else if (code === quote) {
          inString = false
          if (depth === 1) {
            lastString = buffer.slice(start + 1, at)
            start = -1
          }
        }
      } else if (code === quote) {
        inString = true
        if (depth === 1) {
          start = at
          isKey = false
        }
      } else if (code === colon) isKey ||= depth === 1
      else if (code === openBrace || code === openBracket) {
        if (code === openBracket && depth === 1 && isKey && lastString === name) inList = true
        else if (code === openBrace && depth === 2 && inList) start = at
        depth += 1
      } else if (code === closeBrace || code === closeBracket) {
        depth -= 1
        if (inList && depth === 2 && start !== -1) {
          yield parsed(buffer.slice(start, at + 1), url)
          start = -1
        }
        ended = inList && depth === 1
      }
    }
    const keepFrom = start === -1 ? at : start
    buffer = buffer.slice(keepFrom)
    at -= keepFrom
    if (start !== -1) start = 0
    if (buffer.length > maxObjectChars)
      throw new SourceError('too_large', `${url} contains an object of more than ${maxObjectChars} characters.`)
  }
  if (!inList)
    throw new SourceError('not_rows', `${url} has no list "${name}"${beginning ? `; it begins ${beginning}` : ''}.`)
  if (!ended) throw new SourceError('truncated', `${url} ends in the middle of its list "${name}".`)
}

const [quote, backslash, colon, openBrace, closeBrace, openBracket, closeBracket] = [...'"\\:{}[]'].map((character) =>
  character.charCodeAt(0),
) as [number, number, number, number, number, number, number]

const parsed = (text: string, url: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (cause) {
    throw new SourceError('not_json', `${url} contains broken JSON: ${text.slice(0, 80)}`, { cause })
  }
}
