// Counts for Prometheus. Paths, keys and addresses are never labels.
import { Counter, collectDefaultMetrics, Gauge, type Histogram, Registry } from 'prom-client'

export interface Metrics {
  registry: Registry
  /** Returns what records one answer of the operation. */
  operation(name: string): (status: number, milliseconds: number) => void
  gauge(name: string, help: string, read: () => number): void
}

/** Kept as plain numbers and put into words when asked for: the library's own counting takes a microsecond an answer. */
interface Tally {
  byStatus: Map<number, number>
  /** As many as fell under each bound, and the rest. */
  underBound: number[]
  seconds: number
}

const bounds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

export const openMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const tallies = new Map<string, Tally>()
  new Counter({
    name: 'lotline_requests_total',
    help: 'Answers by operation and status',
    labelNames: ['operation', 'status'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [operation, { byStatus }] of tallies)
        for (const [status, count] of byStatus) this.inc({ operation, status: String(status) }, count)
    },
  })
  registry.registerMetric(timings(tallies) as unknown as Histogram)
  return {
    registry,
    operation: (operation) => {
      const tally = tallies.get(operation) ?? {
        byStatus: new Map(),
        underBound: new Array<number>(bounds.length + 1).fill(0),
        seconds: 0,
      }
      tallies.set(operation, tally)
      const { byStatus, underBound } = tally
      return (status, milliseconds) => {
        byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
        const seconds = milliseconds / 1000
        let at = 0
        while (at < bounds.length && seconds > bounds[at]!) at++
        underBound[at]!++
        tally.seconds += seconds
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

/** What the registry asks of a histogram, from our own counts. */
const timings = (tallies: ReadonlyMap<string, Tally>) => {
  const name = 'lotline_request_seconds'
  const described = { name, help: 'Time to answer', type: 'histogram', aggregator: 'sum' }
  const valuesOf = ([operation, { underBound, seconds }]: [string, Tally]) => {
    let count = 0
    const buckets = [...bounds, '+Inf'].map((le, at) => {
      count += underBound[at]!
      return { metricName: `${name}_bucket`, labels: { le, operation }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: { operation }, value: seconds },
      { metricName: `${name}_count`, labels: { operation }, value: count },
    ]
  }
  return { ...described, get: async () => ({ ...described, values: [...tallies].flatMap(valuesOf) }) }
}
