// Counts for Prometheus. Paths, keys and addresses are never labels.
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface Metrics {
  registry: Registry
  /** Returns a function that records one response of the operation. */
  operation(name: string): (status: number, milliseconds: number) => void
  /** Counts a request whose answer may be shared: found in the cache or not. */
  countCached(found: boolean): void
}

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const responses = new Counter({
    name: 'lotline_requests_total',
    help: 'Responses by operation and status',
    labelNames: ['operation', 'status'] as const,
    registers,
  })
  const cached = new Counter({
    name: 'lotline_cache_requests_total',
    help: 'Requests for answers that may be cached, by result',
    labelNames: ['result'] as const,
    registers,
  })
  const seconds = new Histogram({
    name: 'lotline_request_seconds',
    help: 'Time to respond',
    labelNames: ['operation'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  })
  // Shown as 0 before the first request, so that the first one counts as an increase.
  for (const result of ['hit', 'miss']) cached.inc({ result }, 0)
  return {
    registry,
    countCached: (found) => cached.inc({ result: found ? 'hit' : 'miss' }),
    operation: (operation) => {
      seconds.zero({ operation })
      return (status, milliseconds) => {
        responses.inc({ operation, status })
        seconds.observe({ operation }, milliseconds / 1000)
      }
    },
  }
}
