import type { ErrorCode } from '../common/errors.ts'

export interface RateLimit {
  limit: number
  remaining: number
}

/** `timeout`, `network`, `aborted` and `bad_response` come from the client: there was no usable response. */
export type LotlineErrorCode = ErrorCode | 'timeout' | 'network' | 'aborted' | 'bad_response'

export interface LotlineErrorDetails {
  status?: number
  retryAfter?: number
  requestId?: string
  rateLimit?: RateLimit
  cause?: unknown
}

/** Thrown by every call that fails. Never contains the API key. */
export class LotlineError extends Error {
  override readonly name = 'LotlineError'
  /** HTTP status; 0 without a response. */
  readonly status: number
  readonly code: LotlineErrorCode
  /** Retry-After, in seconds. */
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
