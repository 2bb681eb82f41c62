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

/** Passes on the lines that are messages; the others are answered through `refuse`. */
export const screenLines = (refuse: (answer: RefusedLine) => void): Transform => {
  const decoder = new StringDecoder('utf8')
  let unfinished = ''
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = (unfinished + decoder.write(chunk)).split('\n')
      unfinished = lines.pop()!
      for (const line of lines) {
        const refused = refusalOf(line)
        if (refused) refuse(refused)
        else if (line.trim() !== '') this.push(`${line}\n`)
      }
      // A line longer than the library would take is handed to it as it stands, and it ends the connection.
      if (unfinished.length > STDIO_DEFAULT_MAX_BUFFER_SIZE) {
        this.push(unfinished)
        unfinished = ''
      }
      done()
    },
  })
}

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
