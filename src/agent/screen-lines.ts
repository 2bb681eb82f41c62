// Filters the lines of standard input before the protocol library reads them. The library drops a line that is not JSON or not a
// message, so the client would wait without end. JSON-RPC 2.0 (5.1) defines an error for both.

import { Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import {
  INVALID_REQUEST,
  PARSE_ERROR,
  parseJSONRPCMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from '@modelcontextprotocol/server'

interface RejectedLine {
  jsonrpc: '2.0'
  id: string | number | null
  error: { code: number; message: string }
}

/**
 * Passes on the lines that are messages and answers the others with an error through `refuse`. The library stops reading after a
 * line that is too long, so that error is the last one and all later lines are dropped.
 */
export const screenLines = (refuse: (answer: RejectedLine, last: boolean) => void): Transform => {
  let ended = false
  const decoder = new StringDecoder('utf8')
  let unfinished = ''
  let unfinishedBytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (ended) return done()
      const text = decoder.write(chunk)
      // A long line comes in many pieces. Only the newest piece is searched: searching the whole line each time would take seconds.
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
const tooLong = `Invalid Request: a line is longer than ${mostBytes / 2 ** 20} MiB. The server stops.`

/** Counted in bytes with the newline, like the library. A UTF-16 unit has at most three bytes. */
const isTooLong = (line: string): boolean => 3 * line.length >= mostBytes && Buffer.byteLength(line) >= mostBytes

const refusalOf = (line: string): RejectedLine | undefined => {
  if (line.trim() === '') return undefined
  let given: unknown
  try {
    given = JSON.parse(line)
  } catch {
    return answer(PARSE_ERROR, 'Parse error: this line is not JSON. Send one JSON-RPC message per line.', null)
  }
  // An error in reply to a response could start an endless exchange.
  if (isResponse(given)) return undefined
  try {
    parseJSONRPCMessage(given)
    return undefined
  } catch {
    return answer(INVALID_REQUEST, 'Invalid Request: this is not a JSON-RPC 2.0 request or notification.', idOf(given))
  }
}

const answer = (code: number, message: string, id: RejectedLine['id']): RejectedLine => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

const isResponse = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && !('method' in given) && ('result' in given || 'error' in given)

/** The id of the request, if it has a valid one. */
const idOf = (given: unknown): RejectedLine['id'] => {
  const id = (given as { id?: unknown } | null)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
