// The one place where errors become answers. The caller gets safe text; the log gets the cause.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, badRequest, notFound, unavailable } from '../contract/errors.ts'
import { scrubbed } from './logging.ts'

/** Messages repeat what was asked for; a key that was put in the wrong place is not repeated. */
export const envelopeOf = (error: ApiError) => ({
  success: false as const,
  error: scrubbed(error.message),
  code: error.code,
})

export const answerError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const error = asApiError(thrown, request.id)
  if (error.status >= 500) request.log.error({ err: thrown, req: request }, 'request failed')
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(envelopeOf(error))
}

export const asApiError = (thrown: unknown, requestId: string): ApiError => {
  if (thrown instanceof ApiError) return thrown
  const { statusCode, code } = thrown as { statusCode?: number; code?: string }
  if (code !== undefined && databaseAway.has(code)) return unavailable(2, thrown)
  switch (statusCode) {
    case 414:
      return badRequest('A part of the path is longer than any identifier.')
    case 413:
      return new ApiError(413, 'bad_request', 'The body is larger than 64 KiB.')
    case 415:
      return new ApiError(415, 'bad_request', 'The body must be JSON: send Content-Type: application/json.')
    case 400:
      return badRequest(
        badBody.get(code ?? '') ?? 'The request could not be read: check the URL and that the body is valid JSON.',
      )
    case 503:
      return unavailable(2, thrown)
    // 403 is a path that leads out of a folder that is served: nothing is there.
    case 403:
    case 404:
      return notFound('There is nothing at this address.')
    case 401:
      return new ApiError(401, 'unauthorized', 'This address is not open to everyone: say who you are.')
    case 429:
      return new ApiError(429, 'rate_limited', 'Too many requests. Try again in 60 s.', { retryAfter: 60 })
  }
  // What a plugin refuses (a range beyond the file, a condition that does not hold) is no fault of ours.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ApiError(statusCode, 'bad_request', 'This address cannot be read as the headers ask.')
  return new ApiError(
    500,
    'internal_error',
    `Something went wrong on our side. Quote request ${requestId} to the operator.`,
    {
      cause: thrown,
    },
  )
}

const badBody = new Map([
  ['FST_ERR_CTP_INVALID_JSON_BODY', 'The body is not valid JSON.'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'The body’s length is not what Content-Length says.'],
  ['FST_ERR_BAD_URL', 'The URL is not valid: check its percent-encoding.'],
])

/** PostgreSQL going away or too busy: the request may be tried again. */
const databaseAway = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '57014',
  '53300',
  '55P03',
  '40001',
  '40P01',
])
