// Checks that a connection still answers: a network that drops packets and a server that hangs report no error for many minutes.
import type pg from 'pg'

export interface HeartbeatTimes {
  /** Between two queries. */
  everyMs: number
  /** A query that takes longer, or fails, means that the connection is lost. */
  timeoutMs: number
}

export type Heartbeat = ReturnType<typeof startHeartbeat>

export const startHeartbeat = (
  client: Pick<pg.Client, 'query'>,
  { everyMs, timeoutMs }: HeartbeatTimes,
  onLost: () => void,
) => {
  let askedAt: number | undefined
  const beat = async () => {
    if (askedAt !== undefined) return
    askedAt = performance.now()
    // A busy process may read the result only after its timers: an immediate runs after both.
    const late = setTimeout(() => setImmediate(() => askedAt !== undefined && onLost()), timeoutMs).unref()
    try {
      await client.query('select 1')
      askedAt = undefined
    } catch {
      onLost()
    } finally {
      clearTimeout(late)
    }
  }
  const timer = setInterval(() => void beat(), everyMs).unref()
  return {
    /** False while a query has been waiting for its result for this long. */
    answersWithin: (ms: number) => askedAt === undefined || performance.now() - askedAt < ms,
    stop: () => clearInterval(timer),
  }
}
