// The same tools over Streamable HTTP, stateless: each request has its key and gets a new server.
import { createMcpHandler, localhostAllowedOrigins, originValidationResponse } from '@modelcontextprotocol/server'
import { type ClientOptions, createClient } from '../client/client.ts'
import { demoKey } from '../wire/plans.ts'
import { agentClientRules, createAgentServer } from './server.ts'

interface HttpAgentOptions {
  baseUrl: string
  /** How the API is reached for one request: over the network, or in the same process on behalf of its caller. */
  fetchFor?: (request: Request) => NonNullable<ClientOptions['fetch']>
  version: string
  /** The name of the service in responses. */
  service: () => string
  /** Host names of pages that may call from a browser, in addition to localhost. */
  allowedOriginHosts?: readonly string[]
  onerror?: (error: Error) => void
}

/** JSON-RPC calls are small. The API has the same limit. */
export const maxBodyBytes = 64 * 1024

export const createHttpAgent = (options: HttpAgentOptions) => {
  const { version } = options
  const origins = [...localhostAllowedOrigins(), ...(options.allowedOriginHosts ?? [])]
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const apiKey = keyOf(requestInfo?.headers)
      const fetch = requestInfo && options.fetchFor?.(requestInfo)
      const client = createClient({
        baseUrl: options.baseUrl,
        apiKey,
        ...{ ...agentClientRules, fetch },
        headers: { 'user-agent': `lotline-mcp-http/${version}` },
      })
      return createAgentServer({ client, version, service: options.service(), secrets: [apiKey] })
    },
    { maxRequestBodySize: maxBodyBytes, onerror: options.onerror },
  )
  return async (request: Request): Promise<Response> => {
    const refused = originValidationResponse(request, origins)
    if (refused) return refused
    const origin = request.headers.get('origin')
    const response = request.method === 'OPTIONS' ? new Response(null, preflight) : await handler.fetch(request)
    if (origin) {
      response.headers.set('access-control-allow-origin', origin)
      response.headers.set('vary', 'origin')
    }
    return response
  }
}

const preflight = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers':
      'content-type, accept, authorization, x-api-key, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name',
    'access-control-max-age': '86400',
  },
}

/** The `x-api-key` header, otherwise a bearer token, otherwise the demo key. */
const keyOf = (headers: Headers | undefined): string => {
  const plain = headers?.get('x-api-key')?.trim()
  const bearer = headers?.get('authorization')?.match(/^Bearer\s+(\S+)\s*$/i)?.[1]
  return plain || bearer || demoKey
}
