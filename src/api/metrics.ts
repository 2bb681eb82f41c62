// Counts for Prometheus. Paths, keys and addresses are never labels. A request only adds to numbers: prom-client turns labels into
// text at every count, which costs a cached answer more than finding it, so it gets the numbers when they are scraped.
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof openMetrics>

/** Upper limits of the buckets of response times, in milliseconds. */
const limitsMs = [1, 5, 20, 100, 500, 2_000, 10_000]

const timesName = 'lotline_request_seconds'
const timesHelp = 'Time to respond'

interface Tally {
  byStatus: Map<number, number>
  /** Responses within each limit but not within the one before; the last number counts those above all limits. */
  byTime: number[]
  totalMs: number
}

export const openMetrics = () => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const tallies = new Map<string, Tally>()
  // Shown as 0 before the first request, so that the first one counts as an increase.
  const cached = { hit: 0, miss: 0 }
  new Counter({
    name: 'lotline_requests_total',
    help: 'Responses by operation and status',
    labelNames: ['operation', 'status'] as const,
    registers,
    collect() {
      this.reset()
      for (const [operation, { byStatus }] of tallies)
        for (const [status, count] of byStatus) this.inc({ operation, status }, count)
    },
  })
  new Counter({
    name: 'lotline_cache_requests_total',
    help: 'Requests for answers that may be cached, by result',
    labelNames: ['result'] as const,
    registers,
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(cached)) this.inc({ result }, count)
    },
  })
  registry.registerMetric(new ResponseTimes(tallies))
  return {
    registry,
    /** Counts a request whose answer may be shared: found in the cache or not. */
    countCached: (isHit: boolean) => {
      cached[isHit ? 'hit' : 'miss']++
    },
    /** Returns a function that records one response of the operation. */
    operation: (operation: string) => {
      const tally: Tally = { byStatus: new Map(), byTime: [...limitsMs, 0].fill(0), totalMs: 0 }
      tallies.set(operation, tally)
      return (status: number, milliseconds: number) => {
        tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1)
        let at = 0
        while (at < limitsMs.length && milliseconds > limitsMs[at]!) at++
        tally.byTime[at]!++
        tally.totalMs += milliseconds
      }
    },
  }
}

/** A histogram that is not observed but read from the tallies: both ways of prom-client to read one call `getForPromString`. */
class ResponseTimes extends Histogram {
  readonly #tallies: ReadonlyMap<string, Tally>
  constructor(tallies: ReadonlyMap<string, Tally>) {
    super({ name: timesName, help: timesHelp, labelNames: ['operation'], registers: [] })
    this.#tallies = tallies
  }
  async getForPromString() {
    const values = [...this.#tallies].flatMap(([operation, { byTime, totalMs }]) => {
      let count = 0
      const buckets = byTime.map((own, at) => {
        count += own
        const le = at < limitsMs.length ? limitsMs[at]! / 1000 : '+Inf'
        return { labels: { le, operation }, value: count, metricName: `${timesName}_bucket` }
      })
      const labels = { operation }
      return [
        ...buckets,
        { labels, value: totalMs / 1000, metricName: `${timesName}_sum` },
        { labels, value: count, metricName: `${timesName}_count` },
      ]
    })
    return { name: timesName, help: timesHelp, type: 'histogram', values, aggregator: 'sum' }
  }
}
