// OpenTelemetry traces of requests, their database statements, and jobs, sent to the collector at OTEL_EXPORTER_OTLP_ENDPOINT.
// The packages take 30 MB and a quarter of a second to load, so they are optional and loaded only when that variable is set.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import manifest from '../../package.json' with { type: 'json' }
import { ConfigError } from '../config.ts'
import { jobChannel, statementChannel, type TracedJob, type TracedStatement } from '../store/engine/trace-channels.ts'

export type Tracing = Awaited<ReturnType<typeof openTracing>>

/** A stop does not wait longer than this for a collector that does not respond. */
const closeMs = 2_000

/** An unreachable collector is logged at most this often. */
const warnEveryMs = 60_000

/** Asked for every few seconds by proxies and Prometheus. */
const untraced = new Set(['/healthz', '/readyz', '/metrics'])

export const openTracing = async (endpoint: string, { onError }: { onError: (error: unknown) => void }) => {
  const [api, sdk, exporter, resources, core] = await loadPackages()
  let warnedAt = Number.NEGATIVE_INFINITY
  core.setGlobalErrorHandler((error) => {
    if (performance.now() - warnedAt < warnEveryMs) return
    warnedAt = performance.now()
    onError(error)
  })
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes({ 'service.name': 'lotline', 'service.version': manifest.version }))
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
    .merge(resources.detectResources({ detectors: [resources.envDetector] }))
  const provider = new sdk.TracerProvider({
    resource,
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter: new exporter.OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) }),
    ],
  })
  const tracer = provider.getTracer('lotline', manifest.version)
  const propagator = new core.W3CTraceContextPropagator()
  /** The request or job that the running code works for. */
  const current = new AsyncLocalStorage<Context | undefined>()

  const fail = (span: Span, type: string) => {
    span.setAttribute('error.type', type)
    span.setStatus({ code: api.SpanStatusCode.ERROR })
  }

  /** A statement that belongs to neither a request nor a job, for example a heartbeat, has no trace to be part of. */
  const statements = new WeakMap<TracedStatement, Span>()
  const onStatement = {
    start: (statement: TracedStatement) => {
      const parent = current.getStore()
      if (!parent) return
      const text = statement.text.slice(0, maxStatementLength)
      const operation = /^\W*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL'
      const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text }
      statements.set(statement, tracer.startSpan(operation, { kind: api.SpanKind.CLIENT, attributes }, parent))
    },
    error: (statement: TracedStatement & { error?: unknown }) => {
      const span = statements.get(statement)
      if (span) fail(span, errorType(statement.error))
    },
    asyncEnd: (statement: TracedStatement) => statements.get(statement)?.end(),
  }
  statementChannel.subscribe(onStatement as Parameters<typeof statementChannel.subscribe>[0])

  const jobs = new WeakMap<TracedJob, Span>()
  jobChannel.start.bindStore(current, (published) => {
    const job = published as TracedJob
    const attributes = { 'messaging.system': 'pg-boss', 'messaging.destination.name': job.queue }
    const span = tracer.startSpan(`process ${job.queue}`, { kind: api.SpanKind.CONSUMER, attributes }, api.ROOT_CONTEXT)
    jobs.set(job, span)
    return api.trace.setSpan(api.ROOT_CONTEXT, span)
  })
  const onJob = {
    error: (job: TracedJob & { error?: unknown }) => {
      const span = jobs.get(job)
      if (span) fail(span, errorType(job.error))
    },
    asyncEnd: (job: TracedJob & { result?: unknown }) => {
      const span = jobs.get(job)
      // A delivery attempt resolves with its outcome also when it failed.
      const { ok, status } = (job.result ?? {}) as { ok?: boolean; status?: number }
      if (span && ok === false) fail(span, String(status ?? 'Error'))
      span?.end()
    },
  }
  jobChannel.subscribe(onJob as Parameters<typeof jobChannel.subscribe>[0])

  /** Adds a span for every request. Call it after the hook that may let a request wait. */
  const traceRequests = (app: FastifyInstance): void => {
    const requests = new WeakMap<FastifyRequest, { span: Span; context: Context }>()
    app.addHook('onRequest', (request, _reply, done) => {
      const { method, routeOptions, headers } = request
      const { url: route } = routeOptions
      if (route !== undefined && untraced.has(route)) return done()
      // A client must not choose which requests are sampled; a trusted proxy may.
      const viaProxy = (request.ips?.length ?? 0) > 1
      const parent = viaProxy
        ? propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter)
        : api.ROOT_CONTEXT
      // The path and the query are left out: they may contain a key or an address.
      const attributes = { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) }
      const span = tracer.startSpan([method, route].join(' ').trim(), { kind: api.SpanKind.SERVER, attributes }, parent)
      const context = api.trace.setSpan(parent, span)
      requests.set(request, { span, context })
      current.run(context, done)
    })
    // Reading the body and waiting for a slot continue in the context of a connection or of another request.
    app.addHook('preHandler', (request, _reply, done) => current.run(requests.get(request)?.context, done))
    app.addHook('onResponse', (request, reply, done) => {
      const span = requests.get(request)?.span
      span?.setAttribute('http.response.status_code', reply.statusCode)
      if (span && reply.statusCode >= 500) fail(span, String(reply.statusCode))
      span?.end()
      done()
    })
  }

  return {
    traceRequests,
    close: async (): Promise<void> => {
      statementChannel.unsubscribe(onStatement as Parameters<typeof statementChannel.subscribe>[0])
      jobChannel.unsubscribe(onJob as Parameters<typeof jobChannel.subscribe>[0])
      jobChannel.start.unbindStore(current)
      const timeout = new Promise((resolve) => setTimeout(resolve, closeMs).unref())
      await Promise.race([provider.shutdown().catch(onError), timeout])
    },
  }
}

const maxStatementLength = 2_000

/** Without the message, which may contain values of a row. */
const errorType = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: string }
  return typeof code === 'string' ? code : (name ?? 'Error')
}

const loadPackages = () =>
  Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/core'),
  ]).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    const names = ['api', 'sdk-trace', 'exporter-trace-otlp-http', 'resources', 'core'].map(
      (name) => `@opentelemetry/${name}`,
    )
    throw new ConfigError(
      `OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are missing. Run: npm install ${names.join(' ')}`,
    )
  })
