// What stands between standard input and the protocol's library: the library drops a line that is not JSON, or is no
// message, and whoever sent it waits for ever. JSON-RPC 2.0 (5.1) has an answer for both.

import { Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import {
  INVALID_REQUEST,
  PARSE_ERROR,
  parseJSONRPCMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from '@modelcontextprotocol/server'

export interface RefusedLine {
  jsonrpc: '2.0'
  id: string | number | null
  error: { code: number; message: string }
}

/**
 * Passes on the lines that are messages; the others are answered through `refuse`. After a line longer than the library
 * takes, it would close itself and hear nothing more, so that refusal is the last and what follows is dropped.
 */
export const screenLines = (refuse: (answer: RefusedLine, last: boolean) => void): Transform => {
  let ended = false
  const decoder = new StringDecoder('utf8')
  let unfinished = ''
  let unfinishedBytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (ended) return done()
      const text = decoder.write(chunk)
      // A long line comes in many pieces, and only the last is looked at: to split it anew each time would take seconds.
      const lines = text.includes('\n') ? (unfinished + text).split('\n') : [unfinished + text]
      unfinished = lines.pop()!
      unfinishedBytes = lines.length > 0 ? Buffer.byteLength(unfinished) : unfinishedBytes + chunk.length
      for (const line of lines) {
        ended = isTooLong(line)
        if (ended) break
        const refused = refusalOf(line)
        if (refused) refuse(refused, false)
        else if (line.trim() !== '') this.push(`${line}\n`)
      }
      ended ||= unfinishedBytes >= mostBytes
      if (ended) {
        unfinished = ''
        refuse(answer(INVALID_REQUEST, tooLong, null), true)
      }
      done()
    },
  })
}

const mostBytes = STDIO_DEFAULT_MAX_BUFFER_SIZE
const tooLong = `Invalid Request: a line is longer than ${mostBytes / 2 ** 20} MiB. The server ends.`

/** In bytes and with its newline, as the library counts; no UTF-16 unit takes more than three. */
const isTooLong = (line: string): boolean => 3 * line.length >= mostBytes && Buffer.byteLength(line) >= mostBytes

const refusalOf = (line: string): RefusedLine | undefined => {
  if (line.trim() === '') return undefined
  let given: unknown
  try {
    given = JSON.parse(line)
  } catch {
    return answer(PARSE_ERROR, 'Parse error: this line is not JSON. One JSON-RPC message a line is expected.', null)
  }
  // An answer to an answer would go on for ever.
  if (isResponse(given)) return undefined
  try {
    parseJSONRPCMessage(given)
    return undefined
  } catch {
    return answer(INVALID_REQUEST, 'Invalid Request: this is not a JSON-RPC 2.0 request or notification.', idOf(given))
  }
}

const answer = (code: number, message: string, id: RefusedLine['id']): RefusedLine => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

const isResponse = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && !('method' in given) && ('result' in given || 'error' in given)

/** The request's own, where it has one that can be told. */
const idOf = (given: unknown): RefusedLine['id'] => {
  const id = (given as { id?: unknown } | null)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
