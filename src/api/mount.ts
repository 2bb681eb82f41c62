// Each described operation as a route: admit, read the input, run, answer.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../contract/errors.ts'
import type { Caller, Implementation, Services } from '../operations/context.ts'
import { admitFor, countedHeaders, type Door } from './admit.ts'
import { type Answer, type AnswerCache, holds, sharedKey } from './answer-cache.ts'
import { inputReader } from './input.ts'
import type { Metrics } from './metrics.ts'
import { jsonType } from './ready-lane.ts'

export interface Mounting {
  services: Services
  door: Door
  answers: AnswerCache
  metrics: Metrics
}

export const mountOperation = (api: FastifyInstance, { operation, run }: Implementation, mounting: Mounting) => {
  const { services, door, answers, metrics } = mounting
  const readInput = inputReader(operation)
  const counted = metrics.operation(operation.name)

  const compute = async (request: FastifyRequest, caller: Caller, now: Date): Promise<unknown> =>
    run(
      { ...services, caller, now },
      readInput({
        params: request.params as Record<string, string>,
        query: request.query as Record<string, string | string[]>,
        body: request.body,
      }),
    )

  const answerShared = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = request.caller!
    const now = door.clock()
    // A URL that carries a key is never kept.
    const keyed = (request.query as Record<string, unknown>).apiKey !== undefined
    const key = keyed ? undefined : sharedKey(request.url, caller.limits, now)
    const ready = key === undefined ? undefined : answers.get(key, now)
    if (ready) return send(request, reply, ready)
    const begun = answers.generation()
    const body = Buffer.from(reply.code(200).serialize(await compute(request, caller, now)) as string)
    const etag = `"${createHash('sha1').update(body).digest('base64url').slice(0, 20)}"`
    const { name, sharedSeconds } = operation
    const until = sharedSeconds === undefined ? undefined : now.getTime() + sharedSeconds * 1000
    const answer = { body, etag, operation: name, until }
    if (key !== undefined) answers.put(key, answer, begun)
    return send(request, reply, answer)
  }

  const answerOwn = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = request.caller!
    const showCount = (remaining: number) => {
      if (operation.access === 'open') countedHeaders(reply, Number(reply.getHeader('x-ratelimit-limit')), remaining)
    }
    const result = await compute(request, caller, door.clock()).catch((error: unknown) => {
      // Others took the last of the day's allowance since this request was let in.
      if (error instanceof ApiError && error.status === 429) showCount(0)
      throw error
    })
    showCount(caller.remaining)
    reply.header('cache-control', 'no-store')
    return result
  }

  api.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: admitFor(operation, door) as never,
    onResponse: (request, reply, done) => {
      counted(reply.statusCode, reply.elapsedTime)
      logged(request, reply)
      done()
    },
    schema: { response: { 200: withoutIds(operation.output) } },
    handler: operation.shared ? answerShared : answerOwn,
  })
}

const send = (request: FastifyRequest, reply: FastifyReply, { body, etag }: Answer) => {
  reply.header('etag', etag)
  if (holds(request.headers['if-none-match'], etag)) return reply.code(304).send()
  reply.header('content-type', jsonType)
  return reply.send(body)
}

const logged = (request: FastifyRequest, reply: FastifyReply) => {
  const level = reply.statusCode >= 500 ? 'error' : reply.statusCode >= 400 ? 'info' : 'debug'
  request.log[level]({ req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered')
}

/** Shared shapes carry an $id for OpenAPI; the serialiser would take two of one name for a clash. */
const withoutIds = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value)))
