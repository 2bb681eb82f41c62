// The objects of one list in a JSON text of any length, one at a time: a county's parcels do not fit in memory.
import { SourceError } from './source.ts'

/** The longest single object; beyond it the text is not what it claims to be. */
const maxObjectChars = 32 * 2 ** 20

/** Objects of the list under `name` at the top. Throws when the text ends within the list or never has one. */
export async function* jsonObjects(
  text: AsyncIterable<string>,
  name: string,
  url: string,
): AsyncGenerator<Record<string, unknown>> {
  let held = ''
  let at = 0
  let inList = false
  // Within an object: its start, how deep we are, whether in a string.
  let start = -1
  let depth = 0
  let quoted = false
  let head = ''
  let ended = false
  for await (const chunk of text) {
    held += chunk
    if (!inList) {
      head ||= held.trimStart().slice(0, 60)
      if (head.startsWith('<')) throw new SourceError('html', `${url} answered HTML where JSON was expected: ${head}`)
      const opening = new RegExp(`"${name}"\\s*:\\s*\\[`).exec(held)
      if (!opening) {
        if (held.length > maxObjectChars) break
        continue
      }
      inList = true
      at = opening.index + opening[0].length
    }
    for (; at < held.length && !ended; at += 1) {
      const code = held.charCodeAt(at)
      if (quoted) {
        if (code === backslash) {
          // The escaped character may lie in the next chunk.
          if (at + 1 >= held.length) break
          at += 1
        } else if (code === quote) quoted = false
      } else if (code === quote) quoted = true
      else if (code === opens) {
        if (depth === 0) start = at
        depth += 1
      } else if (code === closes) {
        depth -= 1
        if (depth === 0) {
          yield parsed(held.slice(start, at + 1), url)
          start = -1
        }
      } else if (code === listEnds && depth === 0) ended = true
    }
    // Keep only the object under way.
    const keep = start === -1 ? at : start
    held = held.slice(keep)
    at -= keep
    if (start !== -1) start = 0
    if (held.length > maxObjectChars)
      throw new SourceError('too_large', `${url} holds an object of more than ${maxObjectChars} characters.`)
  }
  if (!inList) throw new SourceError('not_rows', `${url} has no list "${name}"${head ? `; it begins ${head}` : ''}.`)
  if (!ended) throw new SourceError('truncated', `${url} ends in the middle of its list "${name}".`)
}

const [quote, backslash, opens, closes, listEnds] = [...'"\\{}]'].map((mark) => mark.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
]

const parsed = (text: string, url: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (cause) {
    throw new SourceError('not_json', `${url} holds broken JSON: ${text.slice(0, 80)}`, { cause })
  }
}
