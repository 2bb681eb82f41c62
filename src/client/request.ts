// Converts an operation's input to an HTTP request: each field goes to the path, query or body as in the contract.
import { LotlineError } from './error.ts'
import type { Route } from './routes.ts'

export const toRequest = (baseUrl: string, [method, path]: Route, input: Record<string, unknown>) => {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined && value !== null))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name) ?? '')
    rest.delete(name)
    return pathSegment(name, value)
  })
  if (method === 'POST' || method === 'PUT')
    return { method, url: baseUrl + filled, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams()
  for (const [name, value] of rest) query.set(name, textOf(value))
  const search = query.size > 0 ? `?${query}` : ''
  return { method, url: baseUrl + filled + search }
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

// URL parsers resolve "." and ".." even when percent-encoded, so such a value would reach another path.
const pathSegment = (name: string, value: string): string => {
  if (value === '' || value === '.' || value === '..')
    throw new LotlineError('bad_request', `${name} is needed and cannot be "${value}".`, { status: 400 })
  try {
    return encodeURIComponent(value)
  } catch {
    throw new LotlineError('bad_request', `${name} is not well-formed text.`, { status: 400 })
  }
}

// Decides whether to retry a call and how long to wait.
interface RetryRules {
  /** Retries after the first attempt. */
  retries: number
  /** A longer wait is not done here; the error is thrown instead. */
  maxWaitMs: number
}

/** Milliseconds to wait before the retry; undefined if the call must not be retried. */
export const waitBeforeRetry = (
  error: LotlineError,
  attempt: number,
  idempotent: boolean,
  { retries, maxWaitMs }: RetryRules,
): number | undefined => {
  if (attempt >= retries || !mayRetry(error, idempotent)) return undefined
  const asked = error.retryAfter === undefined ? backOff(attempt) : error.retryAfter * 1000
  return asked > maxWaitMs ? undefined : asked
}

// A 429 is sent before any work is done, so every method can be retried.
const mayRetry = ({ code, status }: LotlineError, idempotent: boolean): boolean => {
  if (status === 429) return true
  return idempotent && (status >= 500 || code === 'network' || code === 'timeout')
}

// Full jitter spreads callers that failed together.
const backOff = (attempt: number): number => Math.random() * Math.min(8000, 300 * 2 ** attempt)
