// The one place where errors become responses. The caller gets safe text; the log gets the cause.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, badRequest, diskFull, notFound, tooSlow, unavailable } from '../common/errors.ts'
import { messageOf } from '../common/typed.ts'
import { isDatabaseUnavailable, isDiskFull, isStatementTimeout } from '../store/engine/unavailable.ts'
import { redactSecrets } from './logging.ts'

/** Without a charset: JSON is UTF-8, and clients generated for Go compare the header exactly. */
export const jsonType = 'application/json'

export const sendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const error = toApiError(thrown, request.id)
  // A 503 without a cause is overload: a line for each would add to it. A client that has gone ended its query itself.
  const expected = error.status === 503 && (error.cause === undefined || reply.raw.destroyed || isRepeated(error))
  if (error.status >= 500 && !expected) request.log.error({ err: thrown, req: request }, 'request failed')
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  return reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type(jsonType)
    .send(Buffer.from(bodyOf(error)))
}

const outageLogMs = 5_000
let lastLogged = { message: '', at: 0 }

/** While the database is away, every request fails for the same reason: it is logged once in five seconds. */
const isRepeated = ({ cause }: ApiError): boolean => {
  const [message, at] = [messageOf(cause), performance.now()]
  if (message === lastLogged.message && at - lastLogged.at < outageLogMs) return true
  lastLogged = { message, at }
  return false
}

/** Messages repeat what was sent; a key that was put in the wrong place is not repeated. */
const bodyOf = ({ message, code }: ApiError): string =>
  JSON.stringify({ success: false, error: redactSecrets(message), code })

export const toApiError = (thrown: unknown, requestId: string): ApiError => {
  if (thrown instanceof ApiError) return thrown
  if (isDiskFull(thrown)) return diskFull(thrown)
  if (isStatementTimeout(thrown)) return tooSlow(thrown)
  if (isDatabaseUnavailable(thrown)) return unavailable(thrown)
  const { statusCode, code } = thrown as { statusCode?: number; code?: string }
  const known = byStatus[statusCode ?? 0]
  if (known) return known(thrown, code)
  // Rejected by a plugin, for example a range beyond the end of a file.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ApiError(statusCode, 'The request headers cannot be satisfied at this URL.')
  return new ApiError(500, `Something went wrong on our side. Quote request ${requestId} to the operator.`, {
    cause: thrown,
  })
}

/** By the status of an error that Fastify or a plugin has thrown. */
const byStatus: Readonly<Record<number, (thrown: unknown, code?: string) => ApiError>> = {
  400: (_, code = '') =>
    badRequest(
      parseErrors.get(code) ?? 'The request could not be read. Check the URL, and that the body is valid JSON.',
    ),
  401: () => new ApiError(401, 'This address needs authentication.'),
  // The file server answers 403 for a path outside its folder; for callers nothing exists there.
  403: () => nothingHere(),
  404: () => nothingHere(),
  413: () => new ApiError(413, 'The body is larger than 64 KiB (256 KiB for a search, 5 MiB for a CSV).'),
  414: () => badRequest('A part of the path is too long: identifiers have at most 200 characters.'),
  415: () => new ApiError(415, 'The body must be JSON: send Content-Type: application/json.'),
  429: () => new ApiError(429, 'Too many requests. Try again in 60 s.', { retryAfter: 60 }),
  503: (thrown) => unavailable(thrown),
}

const nothingHere = () => notFound('There is nothing at this address.')

const parseErrors = new Map([
  ['FST_ERR_CTP_INVALID_JSON_BODY', 'The body is not valid JSON, or has the name __proto__, which is not accepted.'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'The length of the body is not what Content-Length says.'],
  ['FST_ERR_BAD_URL', 'The URL is not valid: check its percent-encoding.'],
])

/** Answers what Node could not parse as a request, or what took too long to arrive: there is only a socket to write to. */
export const sendConnectionError = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, message] = connectionErrors.get(error.code) ?? ['400 Bad Request', 'This is not a valid HTTP request.']
  const body = bodyOf(badRequest(message))
  const headers = [
    `Content-Type: ${jsonType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomBytes(9).toString('base64url')}`,
    'Connection: close',
  ]
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}

const connectionErrors = new Map<string | undefined, [status: string, message: string]>([
  ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'The headers are larger than 16 KiB.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request took too long to arrive.']],
])
