// The server on standard input and output, for a client that starts it as a process of its own.
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createClient } from '../client/client.ts'
import { cleanText, withoutSecrets } from './clean.ts'
import { screenLines } from './screen-lines.ts'
import { agentClientRules, createAgentServer } from './server.ts'

export interface StdioOptions {
  baseUrl: string
  apiKey?: string
  version: string
}

/**
 * Resolves with true when the client has gone: end of input, SIGTERM or SIGINT; with false when it cannot be heard any more:
 * a line too long to take, or an input that cannot be read. The caller then ends the process.
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
    const gone = () => end(true)
    process.stdin.once('end', gone)
    process.stdin.once('close', gone)
    process.stdin.once('error', (error) => {
      complain(error)
      end(false)
    })
    process.stdout.once('error', gone)
    process.once('SIGTERM', gone)
    process.once('SIGINT', gone)
  })
}

/** The API's address as answers may show it: no user, password or query. */
export const serviceName = (baseUrl: string): string => {
  const { origin, pathname } = new URL(baseUrl)
  return origin + pathname.replace(/\/+$/, '')
}

// Standard output belongs to JSON-RPC; a stray line there breaks the client.
const keepStdoutClean = () => {
  console.log = console.error
  console.info = console.error
  console.debug = console.error
}
