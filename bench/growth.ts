// Every workload at 1, 4 and 16 times the data. Reads, hot and cold, must cost the same however much there is; nothing may grow
// faster than n log n. Each cost gets the exponent of the power law through its three points.
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, median } from './figure.ts'
import { ingestCosts, type Work, workAt } from './growth-work.ts'

/** At 1: permits, and a market of parcels a twenty-fifth as large. */
const permits = 62_500
const feedRows = 25_000
const times = [1, 4, 16]

/** A cache that no longer holds all, one more level of an index: half as much again is flat. */
const flat = 1.5

export const measure = async (context: Context): Promise<Figure[]> => {
  const share = context.quick ? 0.1 : 1
  const runs = new Map<string, { work: Work; costs: number[][] }>()
  for (const [at, each] of times.entries())
    for (const work of await workAt(context, permits * share * each)) {
      const known = runs.get(work.name) ?? { work, costs: [] }
      known.costs[at] = work.ms
      runs.set(work.name, known)
    }
  const figures = [...runs.values()].map(({ work, costs }) => grown(work, costs, permits * share))
  const ingest: Work = { name: 'ingest of a feed', grows: 'n log n', ms: [] }
  const rows = times.map((each) => Math.round(feedRows * share * each))
  figures.push(grown(ingest, await ingestCosts(context, rows), feedRows * share))
  return figures
}

const grown = ({ name, grows }: Work, costs: number[][], smallest: number): Figure => {
  const medians = costs.map(median)
  const growth = { times, costs: medians, exponent: exponentOf(times, medians) }
  const nLogN = (16 * Math.log(16 * smallest)) / Math.log(smallest)
  return figureOf({
    name: `growth: ${name}, 16 times the rows`,
    unit: 'ms',
    ours: costs[2]!,
    rival: costs[0]!,
    target: atMost(grows === 'not' ? flat : Math.round(nLogN * 10) / 10),
    growth,
    note: `at 1, 4, 16 times: ${medians.map((each) => each.toPrecision(3)).join(', ')} ms, as n^${growth.exponent.toFixed(2)}; ${grows === 'not' ? 'flat is 1' : `n log n is ${nLogN.toFixed(1)}`}`,
  })
}

/** Least squares on the logarithms. */
export const exponentOf = (sizes: readonly number[], costs: readonly number[]): number => {
  const xs = sizes.map(Math.log)
  const ys = costs.map(Math.log)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const above = xs.reduce((sum, each, at) => sum + (each - x) * (ys[at]! - y), 0)
  return above / xs.reduce((sum, each) => sum + (each - x) ** 2, 0)
}
