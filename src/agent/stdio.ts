// The server on standard input and output, for a client that starts it as a child process.
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createClient } from '../client/client.ts'
import { cleanText, withoutSecrets } from './clean.ts'
import { screenLines } from './screen-lines.ts'
import { agentClientRules, createAgentServer } from './server.ts'

interface StdioOptions {
  baseUrl: string
  apiKey?: string
  version: string
}

/**
 * Resolves with true when the client has ended: end of input, SIGTERM or SIGINT. Resolves with false when its input cannot be read
 * any further: a line that is too long, or an error. The caller then ends the process.
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
    const screened = screenLines((refused, last) => {
      process.stdout.write(`${JSON.stringify(refused)}\n`, () => {
        if (last) end(false)
      })
    })
    const handle = serveStdio(() => createAgentServer({ client, version, service: serviceName(baseUrl), secrets }), {
      onerror: complain,
      transport: new StdioServerTransport(process.stdin.pipe(screened)),
    })
    const end = (inOrder: boolean) => {
      void handle.close().catch(() => {})
      resolve(inOrder)
    }
    const clientEnded = () => end(true)
    process.stdin.once('end', clientEnded)
    process.stdin.once('close', clientEnded)
    process.stdin.once('error', (error) => {
      complain(error)
      end(false)
    })
    process.stdout.once('error', clientEnded)
    process.once('SIGTERM', clientEnded)
    process.once('SIGINT', clientEnded)
  })
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
