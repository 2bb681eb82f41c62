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
  let asked: number | undefined
  const beat = async () => {
    if (asked !== undefined) return
    asked = performance.now()
    // A busy process may read the result only after its timers: an immediate runs after both.
    const late = setTimeout(() => setImmediate(() => asked !== undefined && onLost()), timeoutMs).unref()
    try {
      await client.query('select 1')
      asked = undefined
    } catch {
      onLost()
    } finally {
      clearTimeout(late)
    }
  }
  const timer = setInterval(() => void beat(), everyMs).unref()
  return {
    /** False while a query has been waiting for its result for this long. */
    answersWithin: (ms: number) => asked === undefined || performance.now() - asked < ms,
    stop: () => clearInterval(timer),
  }
}
