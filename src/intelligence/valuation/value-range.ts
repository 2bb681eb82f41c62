// How far the range reaches below and above a value, in multiples of the home's expected error.
//
// A range that leaves a tenth of the prices out on each side misses every third of the homes that sold cheapest: they are
// cheap in part because they sold below their value. At the low end of the market the range therefore leaves out fewer
// prices below it and more above it, and the reverse at the high end. In total it leaves out the same share everywhere.

import { quantileOf } from './quantiles.ts'

/** The reach at one log value; between two knots it is interpolated. */
interface RangeKnot {
  logValue: number
  below: number
  above: number
}

/** Sorted by log value. */
export type ValueRange = readonly RangeKnot[]

/** Held-out values, one element per sale. */
export interface HeldOutValues {
  logValue: readonly number[]
  logPrice: readonly number[]
  expectedError: ArrayLike<number>
}

/** The range is fitted at each tenth of the values, from the two fifths of the sales with the nearest values. */
const knots = 10
const nearbyShare = 0.4
const maxTilt = 0.8
const tiltStep = 0.1
/** The cheapest and the most expensive tenth of the prices may be covered this much less often than all homes. */
const toleratedGap = 0.05
/** With fewer sales a tenth has less than 100, and the share inside the range is mostly chance: all homes then get one reach. */
const minSalesByValue = 1_000

/** A range that contains the given share of the prices, tilted only as far as the outer tenths of prices need. */
export function fitRange(values: HeldOutValues, share: number): ValueRange {
  const { logPrice } = values
  if (logPrice.length < minSalesByValue) return [oneReach(values, share)]
  const [cheap, expensive] = [quantileOf(logPrice, 0.1), quantileOf(logPrice, 0.9)]
  const everySale = logPrice.map((_, k) => k)
  const outer = [everySale.filter((k) => logPrice[k]! <= cheap), everySale.filter((k) => logPrice[k]! >= expensive)]
  let range = tiltedRange(values, share, 0)
  for (let tilt = tiltStep; tilt <= maxTilt + 1e-9; tilt += tiltStep) {
    const covered = outer.map((ids) => ids.filter((k) => reachNeeded(range, values, k) <= 1).length / ids.length)
    if (covered.every((part) => part >= share - toleratedGap)) return range
    range = tiltedRange(values, share, tilt)
  }
  return range
}

export function rangeAt(range: ValueRange, logValue: number): { below: number; above: number } {
  const next = range.findIndex((knot) => knot.logValue > logValue)
  if (next === 0) return range[0]!
  if (next === -1) return range.at(-1)!
  const [low, high] = [range[next - 1]!, range[next]!]
  const part = (logValue - low.logValue) / (high.logValue - low.logValue)
  return {
    below: low.below + part * (high.below - low.below),
    above: low.above + part * (high.above - low.above),
  }
}

/** Separate for each side, because prices fall below a value farther than they rise above it. */
function oneReach(values: HeldOutValues, share: number): RangeKnot {
  const errors = values.logValue.map((_, k) => scaledError(values, k))
  const tail = (1 - share) / 2
  return { logValue: 0, below: -quantileOf(errors, tail), above: quantileOf(errors, 1 - tail) }
}

/** A tilt of 0.5 moves half of a tail from one side to the other at both ends of the market and nothing in the middle. */
function tiltedRange(values: HeldOutValues, share: number, tilt: number): ValueRange {
  const { logValue } = values
  const byValue = logValue.map((_, k) => k).sort((a, b) => logValue[a]! - logValue[b]!)
  const nearby = Math.round(nearbyShare * byValue.length)
  const tail = (1 - share) / 2
  const range = Array.from({ length: knots + 1 }, (_, at): RangeKnot => {
    const rank = at / knots
    const first = Math.round(rank * byValue.length - nearby / 2)
    const from = Math.max(0, Math.min(first, byValue.length - nearby))
    const errors = byValue.slice(from, from + nearby).map((k) => scaledError(values, k))
    const lean = tilt * (2 * rank - 1)
    return {
      logValue: quantileOf(logValue, rank),
      below: -quantileOf(errors, tail * (1 + lean)),
      above: quantileOf(errors, 1 - tail * (1 - lean)),
    }
  })
  // Interpolation and tilt change the total share slightly; this restores it.
  const scale = quantileOf(
    logValue.map((_, k) => reachNeeded(range, values, k)),
    share,
  )
  return range.map((knot) => ({ ...knot, below: scale * knot.below, above: scale * knot.above }))
}

/** How many times as wide the range must be to contain the price of this sale; at most 1 if it already does. */
function reachNeeded(range: ValueRange, values: HeldOutValues, k: number): number {
  const { below, above } = rangeAt(range, values.logValue[k]!)
  const error = scaledError(values, k)
  return error < 0 ? -error / below : error / above
}

const scaledError = ({ logValue, logPrice, expectedError }: HeldOutValues, k: number): number =>
  (logPrice[k]! - logValue[k]!) / expectedError[k]!
