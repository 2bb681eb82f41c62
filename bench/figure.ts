// The result of a measurement: our figure and its limit or baseline, measured in the same run on the same machine.

export type Figure = ReturnType<typeof figureOf>

/** The limit for the ratio, or for `ours` if there is no baseline. */
interface Target {
  at: 'least' | 'most'
  value: number
  of: 'ratio' | 'ours'
}

export interface Measurement {
  measure(context: import('./context.ts').Context): Promise<Figure[]>
}

/** Alternates runs of ours and of the baseline, so that each pair is measured under the same load. */
export const figureOf = (
  name: string,
  unit: string,
  ours: readonly number[],
  { rival, target, note }: { rival?: readonly number[]; target?: Target; note?: string } = {},
) => {
  const pairs = rival && ours.map((value, at) => value / rival[Math.min(at, rival.length - 1)]!)
  const mine = median(ours)
  const ratio = pairs ? median(pairs) : target && target.of === 'ours' ? shareOf(mine, target.value) : 1
  const judged = target?.of === 'ratio' ? ratio : mine
  return {
    name,
    ours: rounded(mine),
    /** The baseline in the same unit, if there is one. */
    rival: rival && rounded(median(rival)),
    unit,
    /** `ours` divided by the baseline, or by the target if there is none. */
    ratio: rounded(ratio),
    target,
    met: target && (target.at === 'least' ? judged >= target.value : judged <= target.value),
    runs: ours.length,
    /** Half the interquartile range divided by the median. */
    spread: rounded(spreadOf(pairs ?? ours)),
    note,
  }
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)]!
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at))
}

/** With a target of 0 there is nothing to divide by, so the value itself is the ratio. */
const shareOf = (value: number, target: number): number => (target === 0 ? value : value / target)

const spreadOf = (values: readonly number[]): number => {
  const middle = median(values)
  return middle === 0 ? 0 : (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / Math.abs(middle)
}

const rounded = (value: number): number =>
  value === 0 ? 0 : Number(value.toPrecision(Math.abs(value) >= 1000 ? 5 : 4))

/** Milliseconds `work` takes. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

export const atLeast = (value: number, of: 'ratio' | 'ours' = 'ratio') => ({ at: 'least', value, of }) as const
export const atMost = (value: number, of: 'ratio' | 'ours' = 'ratio') => ({ at: 'most', value, of }) as const
