// The agent tools at /mcp of the service itself, so that an agent needs no install.
import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify'
import manifest from '../../package.json' with { type: 'json' }
import { createHttpAgent, maxBodyBytes } from '../agent/http.ts'

export interface MountMcpOptions {
  /** Where the outside reaches the service: named in answers, and pages from there may call. Read with each request. */
  publicUrl: string
}

/** To be called before the app listens. Tools call the API in this process, as the caller: its key, its address. */
export const mountMcp = (app: FastifyInstance, options: MountMcpOptions): void => {
  const addresses = new WeakMap<Request, string>()
  const serve = createHttpAgent({
    baseUrl: 'http://in-process/api',
    service: () => `${options.publicUrl}/api`,
    version: manifest.version,
    allowedOriginHosts: [new URL(options.publicUrl).hostname],
    fetchFor: (request) => fetchWithin(app, addresses.get(request)),
    onerror: (error) => app.log.debug({ err: error }, 'mcp'),
  })
  app.register(async (scope) => {
    // The protocol has its own answer to a body that is not JSON, so the body is passed on as it came.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    )
    scope.route({
      method: ['GET', 'POST', 'DELETE', 'OPTIONS'],
      url: '/mcp',
      handler: async (request, reply) => {
        const web = webRequest(request, options.publicUrl)
        addresses.set(web, request.ip)
        return answer(reply, await serve(web))
      },
    })
  })
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

/** A fetch that stays in the process; demo calls are counted by the address of whoever asks. */
const fetchWithin =
  (app: FastifyInstance, remoteAddress: string | undefined) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const answered = await app.inject({
      method: init.method as NonNullable<InjectOptions['method']>,
      url: pathname + search,
      headers: init.headers as Record<string, string>,
      ...(remoteAddress ? { remoteAddress } : {}),
    })
    const headers = Object.entries(answered.headers).map(([name, value]): [string, string] => [name, String(value)])
    return new Response(answered.payload, { status: answered.statusCode, headers })
  }
