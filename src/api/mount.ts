// Creates the route of each operation: authorize, answer from the cache; otherwise read the input, run, answer.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, badRequest } from '../common/errors.ts'
import { valueAt } from '../common/typed.ts'
import { cityBySlug, defaultMarket, marketOf } from '../domain/packs/markets.ts'
import { marketOfProperty } from '../domain/property-id.ts'
import type { Caller, Context, Implementation, Services } from '../operations/context.ts'
import { isPlainList, type Operation } from '../wire/operation.ts'
import { createExport } from '../wire/operations/exports.ts'
import { checkFields } from '../wire/row-fields.ts'
import { type Answer, type AnswerCache, cacheKey, matchesEtag } from './answer-cache.ts'
import { type AccessControl, authorize, limitPerDay, showDailyRemaining } from './authorize.ts'
import { acceptCsv, CsvBody, isCsv, sendCsv } from './csv-body.ts'
import { jsonType } from './errors.ts'
import { formatAnswer, hasFormats, servedNames } from './formats.ts'
import { inputReader, type RawInput } from './input.ts'
import type { Metrics } from './metrics.ts'
import { sendFile } from './send-file.ts'

export const mountOperation = (
  api: FastifyInstance,
  { operation, run, csv, file }: Implementation,
  mounting: { services: Services; control: AccessControl; answers: AnswerCache; metrics: Metrics },
) => {
  const { services, control, answers, metrics } = mounting
  const readInput = inputReader(operation)
  /** The names in a row, for lists that can be narrowed to some of them. */
  const names = hasFormats(operation) ? servedNames(operation) : undefined
  const isPlain = isPlainList(operation)
  const record = metrics.operation(operation.name)
  const status = operation.accepted ? 202 : 200
  const contextOf = (request: FastifyRequest, now: Date): Context => ({
    ...services,
    db: request.db!,
    caller: request.caller!,
    now,
    surface: 'api',
    ...(operation.idempotent && { idempotencyKey: idempotencyKeyOf(request) }),
  })

  /** An answer that depends on the caller is neither read from the cache nor put into it. */
  const isShared = ({ query, params, caller }: FastifyRequest): boolean =>
    operation.shared === true &&
    !operation.ownInputs?.some((name) => Object.hasOwn(query as object, name)) &&
    !caller?.key?.ownFacts?.includes((params as { id?: string }).id ?? '')

  const cached = (request: FastifyRequest, caller: Caller, now: Date): Answer | undefined => {
    const key = isShared(request) ? cacheKey(request, caller.limits, now) : undefined
    if (key === undefined) return undefined
    const answer = answers.get(key, now)
    metrics.countCached(answer !== undefined)
    return answer
  }

  const compute = async (request: FastifyRequest, reply: FastifyReply, now: Date, caller = request.caller!) => {
    const { input, ignored, suggestions } = readInput(request as RawInput)
    if (names) checkFields(input.fields as string[] | undefined, names.fields)
    // The format of a plain list is no part of its question.
    const { f: _f, format: _format, ...question } = input
    const found = (await run({ ...contextOf(request, now), caller }, isPlain ? question : input)) as {
      ignored?: readonly string[]
      suggestions?: readonly string[]
      pagination?: { limit: number }
      data?: { id?: string }
    }
    // A search reports the criteria that do not apply to what it searches.
    const unused = [...ignored, ...(found.ignored ?? [])]
    const headers: Record<string, string> = operation.accepted
      ? { location: locationOf(operation.accepted, found.data!.id!) }
      : {}
    if (unused.length > 0) headers['x-ignored-parameters'] = unused.map(encodeURIComponent).join(', ')
    const most = found.pagination?.limit
    const isCut = most !== undefined && Number(input.limit) > most
    const corrections = [
      ...suggestions,
      ...(found.suggestions ?? []),
      ...(isCut ? [`limit: this plan has at most ${most} rows per page; read on with the next page.`] : []),
    ]
    const result = {
      ...found,
      ...(unused.length > 0 ? { ignored: unused } : {}),
      ...(unused.length > 0 || corrections.length > 0 ? { suggestions: corrections } : {}),
    }
    /** As JSON; `formatAnswer` converts it where another format was asked for. */
    const json = () => reply.code(status).serialize(result) as string
    return { headers, ...(names ? formatAnswer(request, input, json, names, !isPlain) : { type: jsonType, json }) }
  }

  const answerShared = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = request.caller!
    const now = control.clock()
    const market = marketOfRequest(operation, request)
    const begun = answers.generation(market)
    // Other callers get the same answer, so it is computed without knowing whose key it is.
    const { key: _key, ...anyone } = caller
    const { type, json, headers } = await compute(request, reply, now, anyone)
    const body = Buffer.from(json())
    const etag = `"${createHash('sha1').update(body).digest('base64url').slice(0, 20)}"`
    const { sharedSeconds } = operation
    const expiresAt = sharedSeconds === undefined ? undefined : now.getTime() + sharedSeconds * 1000
    const answer = { body, etag, type, headers, market, expiresAt }
    const key = cacheKey(request, caller.limits, now)
    if (key !== undefined) answers.put(key, answer, begun)
    return sendAnswer(request, reply, answer)
  }

  const answerOwn = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = request.caller!
    if (csv && request.body instanceof CsvBody) {
      const context = contextOf(request, control.clock())
      const { text } = request.body
      if (!/\brespond-async\b/i.test(String(request.headers.prefer)))
        return sendCsv(request, reply, () => csv.answer(context, text))
      const started = await csv.later({ ...context, idempotencyKey: idempotencyKeyOf(request) }, text)
      reply.header('location', locationOf(createExport.accepted!, started.data.id))
      return reply.code(202).header('preference-applied', 'respond-async').type(jsonType).send(JSON.stringify(started))
    }
    const daily = operation.access === 'open'
    if (daily) await limitPerDay(operation, request.db!, caller, reply, control.clock())
    const { type, json, headers } = await compute(request, reply, control.clock()).catch((error: unknown) => {
      // Other requests used up the daily allowance after this one was authorized.
      if (daily && error instanceof ApiError && error.status === 429) showDailyRemaining(reply, 0)
      throw error
    })
    if (daily) showDailyRemaining(reply, caller.remaining)
    return reply.headers(headers).header('cache-control', 'no-store').type(type).send(json())
  }

  const answerFile =
    (open: NonNullable<Implementation['file']>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const { input } = readInput(request as RawInput)
      return sendFile(request, reply, await open(contextOf(request, control.clock()), input))
    }

  if (csv) acceptCsv(api)
  api.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { readsOnly: operation.shared },
    ...(operation.maxBodyKiB ? { bodyLimit: operation.maxBodyKiB * 1024 } : {}),
    onRequest: async (request, reply) => {
      const now = control.clock()
      request.caller = await authorize(operation, control, request, reply, now)
      if (csv && isCsv(request)) csv.check(request.caller)
      const answer = cached(request, request.caller, now)
      if (answer) return sendAnswer(request, reply, answer)
    },
    onResponse: (request, reply, done) => {
      record(reply.statusCode, reply.elapsedTime)
      logResponse(request, reply)
      done()
    },
    schema: file ? {} : { response: { [status]: withoutIds(operation.wideOutput ?? operation.output) } },
    handler: file
      ? answerFile(file)
      : (request, reply) => (isShared(request) ? answerShared(request, reply) : answerOwn(request, reply)),
  })
}

const locationOf = (path: string, id: string): string => `/api${path.replace('{id}', encodeURIComponent(id))}`

const idempotencyKeyOf = ({ headers }: FastifyRequest): string | undefined => {
  const given = headers['idempotency-key']
  if (given === undefined || given === '') return undefined
  if (typeof given !== 'string' || given.length > 100)
    throw badRequest('Idempotency-Key must be one text of at most 100 characters, for example a UUID.')
  return given
}

/** The only market that the answer can contain data of, if the request says so. */
const marketOfRequest = ({ oneMarket, input }: Operation, request: FastifyRequest): string | undefined => {
  const { id, citySlug } = request.params as { id?: string; citySlug?: string }
  if (id !== undefined) return marketOfProperty(id)
  if (citySlug !== undefined) return cityBySlug(citySlug)?.market
  const { market, id: ids } = request.query as { market?: unknown; id?: unknown }
  return market === undefined || !('market' in input.properties)
    ? // Without a market, ids are those of any.
      oneMarket && !ids
      ? defaultMarket()
      : undefined
    : typeof market === 'string'
      ? marketOf(market)
      : undefined
}

const sendAnswer = (request: FastifyRequest, reply: FastifyReply, { body, etag, type, headers }: Answer) => {
  reply.headers(headers ?? {}).header('etag', etag)
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-type', type ?? jsonType).send(body)
}

/** A 503 is not logged as an error here: its cause, where it has one, is logged where it is answered. */
const logResponse = (request: FastifyRequest, reply: FastifyReply) => {
  const { statusCode: status, elapsedTime } = reply
  const level = status >= 500 && status !== 503 ? 'error' : status >= 400 ? 'info' : 'debug'
  request.log[level]({ req: request, status, ms: Math.round(elapsedTime) }, 'answered')
}

/** Shared shapes have an $id for OpenAPI. The serializer would report two uses of one $id as a conflict. */
const withoutIds = (schema: object): unknown =>
  valueAt(plainSchemas, schema, () =>
    JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value))),
  )
const plainSchemas = new WeakMap<object, unknown>()
