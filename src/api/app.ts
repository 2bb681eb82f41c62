// The HTTP service, built apart from listening: limits on every connection, health at the root, operations under /api.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import { ApiError, badRequest, notFound } from '../contract/errors.ts'
import { operationList } from '../contract/operations/list.ts'
import type { Services } from '../operations/context.ts'
import { implementations } from '../operations/list.ts'
import { type Door, peekEarly, peekLimits, showLimits } from './admit.ts'
import type { Answer, AnswerCache } from './answer-cache.ts'
import { addressBehind } from './client-address.ts'
import { answerError, envelopeOf } from './errors.ts'
import type { KnownKeys } from './known-keys.ts'
import { type GatedBy, gated, loadGate } from './load-gate.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { mountOperation } from './mount.ts'
import { openApiDocument } from './openapi.ts'
import type { RateLimits } from './rate-limits.ts'
import { type Handler, jsonType, readyLane } from './ready-lane.ts'
import { shedLoad } from './shed-load.ts'

export interface ApiOptions {
  services: Services
  keys: KnownKeys
  limits: RateLimits
  answers: AnswerCache
  logger: FastifyBaseLogger
  trustedProxies: readonly string[]
  /** Undefined when ready; else why not. */
  notReady: () => Promise<string | undefined>
  clock?: () => Date
  /** Load is shed once the event loop lags this much, in milliseconds; 0 never. */
  shedAtLagMs?: number
}

export const apiPrefix = '/api'

/** What shows limits, whatever becomes of it. */
const versioned = /^\/api\/v1(?:[/?]|$)/

/** A slow sender is cut off: headers within 5 s, the whole request within 10. */
const connections = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // Asked for by `withHost`.
  requireHostHeader: false,
}

export const buildApp = (options: ApiOptions): FastifyInstance => {
  const door: Door = {
    db: options.services.db,
    keys: options.keys,
    limits: options.limits,
    clock: options.clock ?? (() => new Date()),
  }
  const metrics = openMetrics()
  const requestId = requestIds()
  let closing = false
  const app: FastifyInstance = fastify({
    serverFactory: (ordinary) => {
      const answered = readyAnswered(options.logger, metrics)
      const lane = {
        door,
        answers: options.answers,
        headers: safeHeaders,
        requestId,
        answered,
        shut: () => closing || app.isUnderPressure(),
      }
      const gate = { ...lane, gate: loadGate(), addressOf: addressBehind(options.trustedProxies) }
      const handler = withHost({ ...gate, logger: options.logger }, readyLane(lane, gated(gate, ordinary)))
      // An expectation nobody knows may be passed over; Node would refuse it without our envelope.
      return createServer(connections, handler).on('checkExpectation', handler).setTimeout(15_000)
    },
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines carry the request themselves; a logger per request would cost more than most requests.
    childLoggerFactory: (logger) => logger,
    genReqId: requestId,
    // Never `true` (anyone could claim any address) and never a hop count (it puts everyone in one bucket).
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    // What still comes on an open connection while the service stops is answered, and told that the connection ends.
    return503OnClosing: false,
    // These never reach a route or a hook, so what every answer carries is added here.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...safeHeaders, 'x-request-id': request.id })
      const shown = versioned.test(request.url) ? showLimits(door, request, reply as never) : undefined
      Promise.resolve(shown).then(
        () => answerError(error, request, reply as never),
        (refused: unknown) => answerError(refused, request, reply as never),
      )
    },
    clientErrorHandler: refuseConnection,
  })
  const document = JSON.stringify(openApiDocument())

  app.addHook('preClose', async () => {
    closing = true
    // A connection whose request was under way falls idle once it is answered; left alone it would be kept for a minute more.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 100).unref()
    app.server.once('close', () => clearInterval(sweep))
  })
  app.decorateRequest('caller', null)
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  app.setNotFoundHandler((request, reply) => answerError(noSuchPage(request.url), request, reply))
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  shedLoad(app, {
    lagMs: options.shedAtLagMs ?? 1_000,
    headers: safeHeaders,
    showLimits: (request, reply) => peekLimits(door, request, reply),
  })

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const why = await options.notReady()
    if (why) reply.code(503).header('retry-after', 2)
    return why ? { status: 'not ready', why } : { status: 'ready' }
  })
  app.get('/metrics', async (_request, reply) => {
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
  for (const url of ['/openapi.json', `${apiPrefix}/openapi.json`])
    app.get(url, (_request, reply) => {
      reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8').send(document)
    })

  app.register(
    async (api) => {
      api.addHook('onRequest', (_request, reply, done) => {
        reply.headers(safeHeaders)
        done()
      })
      acceptJsonOnly(api)
      for (const implementation of implementations)
        mountOperation(api, implementation, { services: options.services, door, answers: options.answers, metrics })
      api.options('/*', async (request, reply) => {
        await showLimits(door, request, reply)
        return reply.headers(preflightHeaders).code(204).send()
      })
      api.setNotFoundHandler(async (request, reply) => {
        reply.headers(safeHeaders)
        if (versioned.test(request.url)) await showLimits(door, request, reply)
        const allowed = methodsAt(request.url)
        if (allowed.length === 0) throw noSuchPage(request.url)
        reply.header('allow', allowed.join(', '))
        throw new ApiError(405, 'bad_request', `${request.method} is not possible here: use ${allowed.join(' or ')}.`)
      })
    },
    { prefix: apiPrefix },
  )
  return app
}

/** What the ordinary way does after an answer, for those that did not take it. */
const readyAnswered = (logger: FastifyBaseLogger, metrics: Metrics) => {
  const records = new Map<string, ReturnType<Metrics['operation']>>()
  const detailed = logger.level === 'debug' || logger.level === 'trace'
  return (request: IncomingMessage, id: string, { operation }: Answer, status: number, milliseconds: number) => {
    let recorded = records.get(operation)
    if (!recorded) {
      recorded = metrics.operation(operation)
      records.set(operation, recorded)
    }
    recorded(status, milliseconds)
    if (detailed)
      logger.debug({ req: { id, method: 'GET', url: request.url }, status, ms: Math.round(milliseconds) }, 'answered')
  }
}

/** On every answer of the API. Open to any page's script with a key, never with cookies. */
const safeHeaders = {
  'cache-control': 'private, no-cache',
  vary: 'x-api-key',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-ratelimit-limit, x-ratelimit-remaining, retry-after, x-request-id, etag',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
}

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'x-api-key, x-lotline-client, content-type, if-none-match',
  'access-control-max-age': '86400',
}

const acceptJsonOnly = (api: FastifyInstance) => {
  api.removeAllContentTypeParsers()
  const parse = api.getDefaultJsonParser('error', 'error')
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients that always send the header also send it with nothing to say.
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}

const noSuchPage = (url: string) => {
  const path = url.split('?')[0]!.slice(0, 200)
  const meant = methodsAt(apiPrefix + path).length > 0 ? ` You may mean ${apiPrefix}${path}.` : ''
  return notFound(`There is nothing at ${path}.${meant} The API is described at /openapi.json.`)
}

const routes = operationList.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${apiPrefix}${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
}))

const methodsAt = (url: string): string[] => {
  const path = url.split('?')[0]!
  return routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
}

/** Unique across processes and restarts, cheap within one. */
const requestIds = () => {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/** HTTP/1.1 must name its host; Node would refuse the lack without our envelope. */
const withHost =
  (
    {
      door,
      requestId,
      addressOf,
      logger,
    }: Pick<GatedBy, 'door' | 'requestId' | 'addressOf'> & { logger: FastifyBaseLogger },
    handler: Handler,
  ): Handler =>
  (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return handler(request, response)
    const body = JSON.stringify(envelopeOf(badRequest('The request has no Host header.')))
    const about = { 'content-type': jsonType, 'content-length': Buffer.byteLength(body), connection: 'close' }
    const id = requestId()
    peekEarly(door, request, addressOf(request), (limit, remaining) => {
      const left = { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining }
      response.writeHead(400, { ...safeHeaders, 'x-request-id': id, ...left, ...about }).end(body)
      logger.info({ req: { id, method: request.method, url: request.url }, status: 400 }, 'answered')
    })
  }

/** What is not even HTTP, or too slow or too large to be: answered in our envelope where that is still possible. */
const refuseConnection = (error: NodeJS.ErrnoException, socket: import('node:net').Socket) => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are larger than 16 KiB.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long to arrive.']
        : ['400 Bad Request', 'This is not a valid HTTP request.']
  const body = JSON.stringify({ success: false, error: text, code: 'bad_request' })
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomBytes(9).toString('base64url')}`,
    'Connection: close',
  ]
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}
