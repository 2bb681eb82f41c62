// The server on standard input and output, for a client that starts it as a child process.
import { INVALID_REQUEST, PARSE_ERROR, parseJSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createClient } from '../client/client.ts'
import { cleanText, withoutSecrets } from './clean.ts'
import { agentClientRules, createAgentServer } from './server.ts'

interface StdioOptions {
  baseUrl: string
  apiKey?: string
  version: string
}

/**
 * Resolves with true when the client has ended: end of input, SIGTERM or SIGINT. Resolves with false when its input cannot be read
 * any further: a line over 10 MiB, where the library stops reading, or an error. The caller then ends the process.
 */
export const serveAgentOverStdio = ({ baseUrl, apiKey, version }: StdioOptions): Promise<boolean> => {
  keepStdoutClean()
  const secrets = apiKey ? [apiKey] : []
  const complain = (error: Error) => {
    process.stderr.write(`lotline-mcp: ${withoutSecrets(cleanText(error.message, 300), secrets)}\n`)
  }
  const client = createClient({
    baseUrl,
    ...(apiKey ? { apiKey } : {}),
    ...agentClientRules,
    headers: { 'user-agent': `lotline-mcp/${version}` },
  })
  return new Promise((resolve) => {
    const transport = new StdioServerTransport()
    process.stdin.on('data', answerBadLines())
    void serveStdio(() => createAgentServer({ client, version, service: serviceName(baseUrl), secrets }), {
      onerror: complain,
      transport,
    })
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resolve(process.stdin.readableEnded)
    }
    process.once('SIGTERM', () => resolve(true))
    process.once('SIGINT', () => resolve(true))
  })
}

/** The library drops a line that is no message, so the client would wait without end. JSON-RPC 2.0 (5.1) has errors for it. */
const answerBadLines = () => {
  const decoder = new TextDecoder()
  let unfinished = ''
  return (chunk: Buffer) => {
    const text = decoder.decode(chunk, { stream: true })
    // Only a new piece is searched: searching a long line with each of its pieces would take seconds.
    const lines = text.includes('\n') ? (unfinished + text).split('\n') : [unfinished + text]
    unfinished = lines.pop()!
    for (const line of lines) {
      const error = line.trim() === '' ? undefined : errorOf(line)
      if (error) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...error })}\n`)
    }
  }
}

const errorOf = (line: string) => {
  let given: { id?: unknown } | null = null
  try {
    given = JSON.parse(line)
    parseJSONRPCMessage(given)
    return undefined
  } catch (error) {
    if (error instanceof SyntaxError)
      return { id: null, error: { code: PARSE_ERROR, message: 'Parse error: send one JSON-RPC message per line.' } }
    // An error in reply to a response could start an endless exchange.
    if ('result' in Object(given) || 'error' in Object(given)) return undefined
    const id = typeof given?.id === 'string' || typeof given?.id === 'number' ? given.id : null
    return { id, error: { code: INVALID_REQUEST, message: 'Invalid Request: not a JSON-RPC 2.0 message.' } }
  }
}

/** The URL of the API for responses, without user, password and query. */
const serviceName = (baseUrl: string): string => {
  const { origin, pathname } = new URL(baseUrl)
  return origin + pathname.replace(/\/+$/, '')
}

// Standard output belongs to JSON-RPC; a stray line there breaks the client.
const keepStdoutClean = () => {
  console.log = console.error
  console.info = console.error
  console.debug = console.error
}
