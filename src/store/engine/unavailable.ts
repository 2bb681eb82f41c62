// Decides whether an error means that the database is unavailable, so that the same request or write may be retried.
import { retry } from '../../common/retry.ts'
import { codeOf } from '../../common/typed.ts'

export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof QueryCanceled) return true
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined) return clientMessages.test(error.message)
  // A missing file has the same code as a missing Unix socket.
  if (code === 'ENOENT') return syscall === 'connect'
  return socketCodes.has(code) || sqlStates.test(code)
}

/** PostgreSQL could not extend a file. */
export const isDiskFull = (error: unknown): boolean => codeOf(error) === '53100'

export const isStatementTimeout = (error: unknown): boolean => codeOf(error) === '57014'

/** A start waits this long for a database that was there and has gone, then it fails with the error. */
const startWaitMs = 60_000
const startPauseMs = 500

/** Repeats a step of the start while the database is unavailable, unless it was so at the first attempt (`UnusableServer`). */
export const untilAvailable = <T>(
  step: () => Promise<T>,
  { onWait = () => {}, forMs = startWaitMs }: { onWait?: (error: unknown) => void; forMs?: number } = {},
): Promise<T> => {
  const until = performance.now() + forMs
  return retry(step, (error, attempt) => {
    const cause = attempt > 1 && error instanceof Error ? (error.cause ?? error) : error
    if (!isDatabaseUnavailable(cause) || performance.now() > until) return undefined
    onWait(error)
    return startPauseMs
  })
}

/** Its request timed out, or the client of the request disconnected. */
export class QueryCanceled extends Error {
  constructor() {
    super('The query was canceled because its request had ended.')
  }
}

/** The pg client reports its own timeouts and broken connections without a code. */
const clientMessages =
  /^(?:Connection terminated|Query read timeout|timeout e(?:xpired|xceeded)|Client (?:was closed|has encountered a connection error))/

export const isQueryTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout'

const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/**
 * 08: connection lost. 25006: read-only standby. 53: out of disk, memory or connections. 57P01-57P03: shutting down, crashed or
 * starting. 57014: statement timeout. 55P03, 40001, 40P01: conflict with another transaction.
 */
const sqlStates = /^(?:08...|25006|53...|57P0[1-3]|57014|55P03|40001|40P01)$/
