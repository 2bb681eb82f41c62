// Runs every workload at 1, 4 and 16 times the data. The cost of reads, cached or not, must stay constant; nothing may grow
// faster than n log n. Reports the exponent of the power law fitted to the three points.
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf, median } from './figure.ts'
import { ingestCosts, type Stage, stageAt, type Work } from './growth-work.ts'
import { withPermits } from './million-permits.ts'

/** At 1: permits, and a market of parcels a twenty-fifth as large. */
const permits = 62_500
const feedRows = 25_000
const times = [1, 4, 16]

/** A growth of 50% counts as constant: a cache that no longer holds everything, or one more index level, causes that much. */
const flat = 1.5

export const measure = async (context: Context): Promise<Figure[]> => {
  const share = context.quick ? 0.1 : 1
  const stages: Stage[] = []
  const figures: Figure[] = []
  /** All sizes exist at once, so that each workload is timed on them in turn under the same load. */
  const from = async (at: number): Promise<void> => {
    const size = times[at]
    if (size === undefined) {
      figures.push(...(await interleaved(context, stages, permits * share)))
      return
    }
    await withPermits(context, permits * share * size, async (database) => {
      const stage = await stageAt(context, database, permits * share * size)
      stages.push(stage)
      try {
        await from(at + 1)
      } finally {
        await stage.close()
      }
    })
  }
  await from(0)
  const rows = times.map((each) => Math.round(feedRows * share * each))
  const ingest: Work = { name: 'ingest of a feed', grows: 'n log n' }
  return [...figures, grown(ingest, await ingestCosts(context, rows), feedRows * share)]
}

const interleaved = async (context: Context, stages: readonly Stage[], smallest: number): Promise<Figure[]> => {
  const whole: Work = { name: 'a whole market assessed', grows: 'n log n' }
  const figures = [
    grown(
      whole,
      stages.map(({ assessedMs }) => [assessedMs]),
      smallest,
    ),
  ]
  for (const [at, task] of stages[0]!.tasks.entries()) {
    const costs: number[][] = stages.map(() => [])
    for (let run = -1; run < context.runs; run++)
      for (let i = 0; i < task.perRun; i++)
        for (const [size, { tasks }] of stages.entries()) {
          const cost = await tasks[at]!.cost()
          // The first run warms up.
          if (run >= 0) costs[size]!.push(cost)
        }
    figures.push(grown(task, costs, smallest))
  }
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
