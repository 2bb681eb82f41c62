import type { ErrorCode } from '../contract/errors.ts'

export interface RateLimit {
  limit: number
  remaining: number
}

/** `timeout`, `network`, `aborted` and `bad_response` are the client's own: no usable answer came (status 0 or as given). */
export type LotlineErrorCode = ErrorCode | 'timeout' | 'network' | 'aborted' | 'bad_response'

export interface LotlineErrorDetails {
  status?: number
  retryAfter?: number
  requestId?: string
  rateLimit?: RateLimit
  cause?: unknown
}

/** Every call that does not succeed ends in one of these. The key is never part of it. */
export class LotlineError extends Error {
  override readonly name = 'LotlineError'
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  readonly code: LotlineErrorCode
  /** Seconds the service asks to wait. */
  readonly retryAfter: number | undefined
  readonly requestId: string | undefined
  readonly rateLimit: RateLimit | undefined

  constructor(code: LotlineErrorCode, message: string, details: LotlineErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status ?? 0
    this.retryAfter = details.retryAfter
    this.requestId = details.requestId
    this.rateLimit = details.rateLimit
  }
}
