// The HTTP service, without listening: connection limits, health checks at the root, operations under /api.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { ApiError, badRequest, notFound } from '../common/errors.ts'
import { isTooDeep, maxJsonDepth } from '../common/json-depth.ts'
import { closestName } from '../common/suggest.ts'
import { valueAt } from '../common/typed.ts'
import type { Caller, Services } from '../operations/context.ts'
import { implementations } from '../operations/list.ts'
import type { Database } from '../store/engine/database.ts'
import { operationList, operations } from '../wire/operations/list.ts'
import type { AnswerCache } from './answer-cache.ts'
import { type AccessControl, authorize, authorizeSignedIn, showLimits } from './authorize.ts'
import type { PoolName } from './budgets.ts'
import { compressAnswer } from './compress.ts'
import { type ConcurrencyOptions, limitConcurrency } from './concurrency-limit.ts'
import { jsonType, sendConnectionError, sendError } from './errors.ts'
import type { KeyCache } from './key-cache.ts'
import { limitedLookups } from './key-lookups.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { mountOperation } from './mount.ts'
import { openApiDocument } from './openapi.ts'
import type { RateLimits } from './rate-limits.ts'
import { closeSlowClients } from './slow-clients.ts'

export interface ApiOptions extends ConcurrencyOptions {
  services: Services
  keys: KeyCache
  limits: RateLimits
  answers: AnswerCache
  /** Counts the requests of each key for the account page. */
  usage?: AccessControl['usage']
  logger: FastifyBaseLogger
  trustedProxies: readonly string[]
  /** Undefined when ready, otherwise the reason. */
  notReady: () => Promise<string | undefined>
  /** Shared with the background work of the process. */
  metrics?: Metrics
  /** What a scraper sends as a bearer token. Without it /metrics is not served. */
  metricsToken?: string
  /** Adds a trace span to every request. */
  traceRequests?: ((app: FastifyInstance) => void) | undefined
  clock?: () => Date
  /** `keyed` for callers with a key of their own, `public` for everyone else. */
  databases: Readonly<Record<PoolName, Pick<Database, 'db' | 'within'>>>
}

const apiPrefix = '/api'

/** Responses at these URLs have limit headers, whatever their status. */
const versioned = /^\/api\/v1(?:[/?]|$)/

export const buildApp = (options: ApiOptions): FastifyInstance => {
  const { services, keys, limits, answers } = options
  const clock = options.clock ?? (() => new Date())
  const findKey = limitedLookups(keys, limits, options.databaseAnswers)
  const control: AccessControl = { keys, findKey, limits, usage: options.usage, clock }
  const metrics = options.metrics ?? openMetrics()

  const handleError = async (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (versioned.test(request.url) && !reply.hasHeader('x-ratelimit-limit')) await showLimits(control, request, reply)
    return sendError(thrown, request, reply)
  }

  const app = newServer(options, handleError)
  // Node would answer an unknown expectation without our error format; it may be ignored.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  const closeSlowSenders = closeSlowClients(app.server)
  app.addHook('preClose', async () => closeSlowSenders())
  closeIdleConnectionsWhileStopping(app)

  app.decorateRequest('caller', null)
  app.decorate('authorizeRead', async (request: FastifyRequest, reply: FastifyReply) =>
    authorize(operations.searchPermits, control, request, reply, clock()),
  )
  app.decorate('authorizeSignedIn', async (caller: Caller, reply: FastifyReply) =>
    authorizeSignedIn(operations.searchPermits, control, caller, reply, clock()),
  )
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => handleError(noSuchPath(request.url), request, reply))
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply)
    const problem = hostProblem(request)
    if (problem) {
      reply.header('connection', 'close')
      return done(badRequest(problem))
    }
    // Fastify would first ask for a body of a type it accepts.
    if (request.method !== 'QUERY') return done()
    const allowed = methodsAt(request.url)
    reply.header('allow', (allowed.length > 0 ? allowed : ['GET']).join(', '))
    done(methodNotAllowed(request.method, allowed.length > 0 ? allowed : ['GET']))
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    // Fastify adds a charset to every JSON text.
    if (String(reply.getHeader('content-type')).startsWith(`${jsonType};`)) reply.header('content-type', jsonType)
    done(null, payload)
  })
  limitConcurrency(app, options)

  options.traceRequests?.(app)

  mountHealth(app, options.notReady)
  if (options.metricsToken !== undefined) mountMetrics(app, metrics, options.metricsToken)
  mountOpenApi(app)
  app.register(
    async (api) => {
      acceptJsonOnly(api)
      api.addHook('onSend', compressAnswer)
      // Its own scope, because a body type that one operation accepts is accepted in its whole scope.
      for (const implementation of implementations)
        api.register(async (scope) => mountOperation(scope, implementation, { services, control, answers, metrics }))
      api.options('/*', async (request, reply) => {
        await showLimits(control, request, reply)
        return reply.headers(preflightHeaders(request.url)).code(204).send()
      })
      api.setNotFoundHandler((request, reply) => {
        const allowed = methodsAt(request.url)
        if (allowed.length === 0) return handleError(noSuchPath(request.url), request, reply)
        reply.header('allow', allowed.join(', '))
        return handleError(methodNotAllowed(request.method, allowed), request, reply)
      })
    },
    { prefix: apiPrefix },
  )
  return app
}

type HandleError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Limits of connections, and what Fastify answers before and beside our hooks. */
const newServer = (options: ApiOptions, handleError: HandleError): FastifyInstance =>
  fastify({
    // Slow senders are cut off: headers within 5 s, the whole request within 10 s, no silence longer than 15 s.
    requestTimeout: 10_000,
    connectionTimeout: 15_000,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
      // Checked in a hook, whose response has our error format.
      requireHostHeader: false,
    },
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines include the request; a logger per request would cost more than most requests.
    childLoggerFactory: (logger) => logger,
    genReqId: requestIds(),
    // Never `true` (anyone could claim any address) and never a hop count (it counts all callers as one).
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    schemaController: { compilersFactory: { buildSerializer: compiledOnFirstUse } },
    // Without this, Ajv prints a line for each format that it does not know.
    serializerOpts: { ajv: { logger: false } },
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection while the service stops is answered, and its connection closed.
    return503OnClosing: false,
    // These errors reach neither hooks nor the error handler.
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply)
      void handleError(error, request, reply)
    },
    clientErrorHandler: sendConnectionError,
  })

/**
 * Compiling the serializers of all operations takes most of the time to build the app, and most processes use some of them. Another
 * app in the same process uses the same.
 */
const compiledOnFirstUse: SerializerSelector.SerializerFactory = (...given) => {
  const compile = SerializerSelector()(...given)
  return (route) => (answer) => valueAt(serializers, route.schema as object, () => compile(route))(answer)
}
const serializers = new WeakMap<object, SerializerSelector.Serializer>()

/** Two Host headers would let a proxy and this service see two different hosts. */
const hostProblem = ({ raw }: FastifyRequest): string | undefined => {
  let hosts = 0
  for (let at = 0; at < raw.rawHeaders.length; at += 2) if (raw.rawHeaders[at]!.toLowerCase() === 'host') hosts++
  if (hosts > 1) return 'The request has more than one Host header.'
  return hosts === 0 && raw.headers.host === undefined && raw.httpVersion === '1.1'
    ? 'The request has no Host header.'
    : undefined
}

const mountHealth = (app: FastifyInstance, notReady: ApiOptions['notReady']) => {
  const config = { needsNoSlot: true }
  app.get('/healthz', { config }, async () => ({ status: 'ok' }))
  app.get('/readyz', { config }, async (_request, reply) => {
    const why = await notReady()
    if (why) reply.code(503).header('retry-after', 2)
    return why ? { status: 'not ready', why } : { status: 'ready' }
  })
}

const mountMetrics = (app: FastifyInstance, { registry }: Metrics, token: string) => {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = digest(`Bearer ${token}`)
  app.get('/metrics', { config: { needsNoSlot: true } }, async (request, reply) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
      throw new ApiError(401, 'Metrics need the token in METRICS_TOKEN: send Authorization: Bearer.')
    reply.type(registry.contentType)
    return registry.metrics()
  })
}

const mountOpenApi = (app: FastifyInstance) => {
  let document: Buffer | undefined
  for (const url of ['/openapi.json', `${apiPrefix}/openapi.json`])
    app.get(url, { onSend: compressAnswer }, (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(openApiDocument()))
      reply.headers({ 'access-control-allow-origin': '*', vary: 'accept-encoding' }).type(jsonType).send(document)
    })
}

const setCommonHeaders = (request: FastifyRequest, reply: FastifyReply) => {
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
  if (request.url.startsWith(apiPrefix)) reply.headers(apiHeaders)
}

/** On every response of the API. Open to scripts of any page that have a key, never with cookies. */
const apiHeaders = {
  'cache-control': 'private, no-cache',
  vary: 'x-api-key, authorization, accept, accept-encoding',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'x-ratelimit-limit, x-ratelimit-remaining, retry-after, x-request-id, etag, location, content-range, x-ignored-parameters',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Allows the methods that the route has. */
const preflightHeaders = (url: string) => {
  const methods = methodsAt(url).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return {
    'access-control-allow-methods': [...methods, 'OPTIONS'].join(', '),
    'access-control-allow-headers':
      'x-api-key, authorization, x-lotline-client, content-type, if-none-match, idempotency-key, prefer, range',
    'access-control-max-age': '86400',
  }
}

/** The body is parsed once the request has a slot. */
const acceptJsonOnly = (api: FastifyInstance) => {
  api.removeAllContentTypeParsers()
  const parse = api.getDefaultJsonParser('error', 'error')
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  api.addHook('preHandler', (request, _reply, done) => {
    const { body } = request
    if (typeof body !== 'string') return done()
    if (isTooDeep(body)) return done(badRequest(`The body is nested more than ${maxJsonDepth} levels deep.`))
    // Clients that always send the header also send it with an empty body.
    request.body = undefined
    if (body === '') return done()
    parse(request, body, (error, parsed) => {
      request.body = parsed
      done(error ?? undefined)
    })
  })
}

const noSuchPath = (url: string) => {
  const path = url.split('?')[0]!.slice(0, 200)
  const bare = path.replace(apiPrefix, '')
  const close = methodsAt(apiPrefix + path).length > 0 ? path : closestName(bare, plainPaths)
  const meant = close === undefined ? '' : ` You may mean ${apiPrefix}${close}.`
  return notFound(`There is nothing at ${path}.${meant} The API is described at /openapi.json.`)
}

const methodNotAllowed = (method: string, allowed: string[]) =>
  new ApiError(405, `${method} is not allowed here: use ${allowed.join(' or ')}.`)

const routes = operationList.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${apiPrefix}${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
}))

const plainPaths = operationList.map(({ path }) => path).filter((path) => !path.includes('{'))

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

/** A connection that becomes idle after its last response would otherwise stay open for its keep-alive time. */
const closeIdleConnectionsWhileStopping = (app: FastifyInstance) => {
  app.addHook('preClose', async () => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), 100).unref()
    app.server.once('close', () => clearInterval(sweep))
  })
}
