// Serves the agent tools at /mcp, so that an agent needs no installation.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify'
import ipaddr from 'ipaddr.js'
import manifest from '../../package.json' with { type: 'json' }
import { createHttpAgent, maxBodyBytes } from '../agent/http.ts'
import { clientOf } from '../api/client-address.ts'
import type { RateLimits } from '../api/rate-limits.ts'
import { badRequest, tooManyRequests, unavailable } from '../common/errors.ts'
import { isTooDeep, maxJsonDepth } from '../common/json-depth.ts'
import { limiter } from '../common/limiter.ts'

/** Requests per minute and client address. Calls of tools count against the limit of their key as well. */
export const mcpPerMinute = 240

/** Requests that run at once, of all clients and of one; others wait. Each one makes a server and reads the schemas of its tools. */
const atOnce = { all: 8, perClient: 2 }
const waitMs = 5_000

interface MountMcpOptions {
  /** Public address of the service: shown in answers, and allowed as an origin. Read on each request. */
  publicUrl: string
}

/** Call before the app listens. Tools call the API within this process with the caller's key and address. */
export const mountMcp = (app: FastifyInstance, options: MountMcpOptions, limits: Pick<RateLimits, 'hit'>): void => {
  // The handler makes Requests of its own, so the address cannot be kept with the Request.
  const address = new AsyncLocalStorage<string>()
  const serve = createHttpAgent({
    baseUrl: 'http://in-process/api',
    service: () => `${options.publicUrl}/api`,
    version: manifest.version,
    allowedOriginHosts: [new URL(options.publicUrl).hostname],
    fetchFor: () => fetchWithin(app, address.getStore()),
    onerror: (error) => app.log.debug({ err: error }, 'mcp'),
  })
  const slots = limiter({ total: atOnce.all, waitingPerKey: mcpPerMinute, waitingKeys: 50 })
  app.register(async (scope) => {
    // The protocol defines its own error for a body that is not JSON, so the body is passed on unparsed.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    )
    scope.route({
      method: ['GET', 'POST', 'DELETE', 'OPTIONS'],
      url: '/mcp',
      // The API requests its tools make take slots.
      config: { needsNoSlot: true },
      // Before the body is read.
      onRequest: async (request) => {
        if (!isOwnHost(request.headers.host, options.publicUrl))
          throw badRequest('The Host header is not a name of this service. Use the address in PUBLIC_URL.')
        const counted = await limits.hit(`mcp:${clientOf(request.ip)}`, mcpPerMinute)
        if (!counted.allowed) throw tooManyRequests(mcpPerMinute, counted.resetMs)
      },
      handler: async (request, reply) => {
        const client = clientOf(request.ip)
        const release = await slots.take(client, atOnce.perClient, AbortSignal.timeout(waitMs)).catch(() => {
          throw unavailable()
        })
        try {
          if (typeof request.body === 'string' && isTooDeep(request.body))
            throw badRequest(`The body is nested more than ${maxJsonDepth} levels deep.`)
          const web = webRequest(request, options.publicUrl)
          return answer(reply, await address.run(request.ip, () => serve(web)))
        } finally {
          release()
        }
      },
    })
  })
}

/**
 * Protects against DNS rebinding: another site can let its host name resolve to our address, and its Origin then looks like ours. Its
 * Host header still has the other name. An IP address as host cannot be misused this way.
 */
const isOwnHost = (host: string | undefined, publicUrl: string): boolean => {
  const name = URL.parse(`http://${host ?? ''}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return name === new URL(publicUrl).hostname || name === 'localhost' || ipaddr.isValid(name)
}

const webRequest = (request: FastifyRequest, publicUrl: string): Request => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  return new Request(new URL('/mcp', publicUrl), {
    method: request.method,
    headers,
    ...(request.method === 'POST' ? { body: (request.body as string | undefined) ?? '' } : {}),
  })
}

const answer = (reply: FastifyReply, response: Response) => {
  reply.code(response.status)
  response.headers.forEach((value, name) => {
    reply.header(name, value)
  })
  return reply.send(response.body ? Readable.fromWeb(response.body as NodeReadableStream) : undefined)
}

/** A fetch within the process. The caller's address is passed on, because the demo limit is counted by address. */
const fetchWithin =
  (app: FastifyInstance, remoteAddress: string | undefined) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const answered = await app.inject({
      method: init.method as NonNullable<InjectOptions['method']>,
      url: pathname + search,
      headers: init.headers as Record<string, string>,
      ...(remoteAddress ? { remoteAddress } : {}),
      ...(typeof init.body === 'string' ? { payload: init.body } : {}),
    })
    const headers = Object.entries(answered.headers).map(([name, value]): [string, string] => [name, String(value)])
    return new Response(answered.payload, { status: answered.statusCode, headers })
  }
