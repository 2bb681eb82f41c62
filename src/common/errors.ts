// Every error a caller can get. One place (api/errors.ts) turns them into responses.

export const errorCodes = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'not_found',
  'bad_request',
  'internal_error',
] as const
export type ErrorCode = (typeof errorCodes)[number]

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  429: 'rate_limited',
}

/** The code of an HTTP status of an error. */
export const errorCodeOf = (status: number): ErrorCode =>
  codeByStatus[status] ?? (status >= 500 ? 'internal_error' : 'bad_request')

export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode
  /** Whole seconds to wait, on a 429 or 503. */
  readonly retryAfter?: number

  constructor(status: number, message: string, options?: { retryAfter?: number; cause?: unknown }) {
    super(message, { cause: options?.cause })
    this.status = status
    this.code = errorCodeOf(status)
    this.retryAfter = options?.retryAfter
  }
}

export const badRequest = (message: string) => new ApiError(400, message)

export const missingKey = () =>
  new ApiError(
    401,
    'An API key is needed: send it in the x-api-key header, as Authorization: Bearer, or as ?apiKey=. Try "demo", or get a free key from POST /v1/keys.',
  )
export const severalKeys = () =>
  new ApiError(401, 'The request has two different API keys. Send one, in x-api-key or as Bearer.')
export const invalidKey = () =>
  new ApiError(401, 'This API key is not valid: it is mistyped, revoked or expired. Get a new one from POST /v1/keys.')

export const notPro = () => new ApiError(403, 'Webhooks need a Pro key; this key does not have them.')

/** 403 for the demo key: it is shared, so it cannot own watches, deals or exports. */
export const demoKeyForbidden = (what: string) =>
  new ApiError(
    403,
    `Everyone shares the demo key, so it cannot have ${what} of its own. Get a free key from POST /v1/keys.`,
  )

export const notProPlan = () => new ApiError(403, 'Exports need a key of the plan Pro; this key has another plan.')

export const replacedKey = () =>
  new ApiError(403, 'This key was replaced and can only read until it expires. Use the key that replaced it.')

export const rateLimited = (message: string, retryAfter: number) => new ApiError(429, message, { retryAfter })

/** Rounded up, so that a caller who waits this long succeeds. */
export const waitSeconds = (resetMs: number): number => Math.max(1, Math.ceil(resetMs / 1000))

export const tooManyRequests = (limit: number, resetMs: number, what = 'requests') => {
  const seconds = waitSeconds(resetMs)
  return rateLimited(`More than ${limit} ${what} in a minute. Try again in ${seconds} s.`, seconds)
}

export const tooManyToday = (what: string, limit: number, retryAfter: number) =>
  rateLimited(`No more than ${limit} ${what} a day from one address. Try again tomorrow (UTC).`, retryAfter)

export const tooManyLinks = (limit: number) =>
  rateLimited(`No more than ${limit} sign-in links an hour from one address. Try again later.`, 3600)

export const notFound = (what: string) => new ApiError(404, what)

export const unavailable = (cause?: unknown) =>
  new ApiError(503, 'The service is busy or starting. Try again in 2 s.', { retryAfter: 2, cause })

/** A statement reached the time limit of its caller: a narrower request reads less. */
export const tooSlow = (cause: unknown) =>
  new ApiError(
    503,
    'The data could not be read in time. Narrow the request: name a city or a ZIP code (city, zip), a smaller area or narrower bounds. If the service is busy, try again in 2 s.',
    { retryAfter: 2, cause },
  )

export const diskFull = (cause: unknown) =>
  new ApiError(
    503,
    'The disk of the service is full: nothing can be stored until its operator frees space. Reading still works. Try again in 60 s.',
    { retryAfter: 60, cause },
  )

export const tooManyAtOnce = () =>
  rateLimited('A CSV of this key is still being looked up. Send the next one when it is complete.', 5)
