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

/** Resolves when the client has gone: end of input, SIGTERM or SIGINT. The caller then ends the process. */
export const serveAgentOverStdio = ({ baseUrl, apiKey, version }: StdioOptions): Promise<void> => {
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
  const screened = process.stdin.pipe(screenLines((refused) => process.stdout.write(`${JSON.stringify(refused)}\n`)))
  const handle = serveStdio(() => createAgentServer({ client, version, service: serviceName(baseUrl), secrets }), {
    onerror: complain,
    transport: new StdioServerTransport(screened),
  })
  return new Promise((resolve) => {
    const end = () => {
      void handle.close().catch(() => {})
      resolve()
    }
    process.stdin.once('end', end)
    process.stdin.once('close', end)
    process.stdout.once('error', end)
    process.once('SIGTERM', end)
    process.once('SIGINT', end)
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
