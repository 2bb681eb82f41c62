// Counts for Prometheus. Paths, keys and addresses are never labels.
import { Counter, collectDefaultMetrics, type Histogram, Registry } from 'prom-client'

export interface Metrics {
  registry: Registry
  /** Returns a function that records one response of the operation. */
  operation(name: string): (status: number, milliseconds: number) => void
  /** Counts a request whose answer may be shared: found in the cache or not. */
  countCached(found: boolean): void
}

/** Counted as plain numbers and handed to the library when metrics are read: its own counting takes a microsecond a response. */
interface Tally {
  byStatus: Map<number, number>
  /** Responses up to each bound and above the one before; the last entry has those above all bounds. */
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
    help: 'Responses by operation and status',
    labelNames: ['operation', 'status'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [operation, { byStatus }] of tallies)
        for (const [status, count] of byStatus) this.inc({ operation, status: String(status) }, count)
    },
  })
  const cached = { hit: 0, miss: 0 }
  new Counter({
    name: 'lotline_cache_requests_total',
    help: 'Requests for answers that may be cached, by result',
    labelNames: ['result'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(cached)) this.inc({ result }, count)
    },
  })
  registry.registerMetric(timings(tallies) as unknown as Histogram)
  return {
    registry,
    countCached: (found) => {
      if (found) cached.hit++
      else cached.miss++
    },
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
  }
}

/** Has what the registry reads from a histogram, made from our own counts. */
const timings = (tallies: ReadonlyMap<string, Tally>) => {
  const name = 'lotline_request_seconds'
  const described = { name, help: 'Time to respond', type: 'histogram', aggregator: 'sum' }
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
