// Counts for Prometheus. Paths, keys and addresses are never labels.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  registry: Registry
  /** Returns what records one answer of the operation. */
  operation(name: string): (status: number, milliseconds: number) => void
  gauge(name: string, help: string, read: () => number): void
}

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'lotline_requests_total',
    help: 'Answers by operation and status',
    labelNames: ['operation', 'status'] as const,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'lotline_request_seconds',
    help: 'Time to answer',
    labelNames: ['operation'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  return {
    registry,
    operation: (operation) => {
      const byStatus = new Map<number, Counter.Internal>()
      const timing = seconds.labels({ operation })
      return (status, milliseconds) => {
        let counter = byStatus.get(status)
        if (!counter) {
          counter = requests.labels({ operation, status: String(status) })
          byStatus.set(status, counter)
        }
        counter.inc()
        timing.observe(milliseconds / 1000)
      }
    },
    gauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
  }
}
