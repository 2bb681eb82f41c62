/** NaN for an empty list. */
export const medianOf = (values: ArrayLike<number>): number => quantileOf(values, 0.5)

/** Linear interpolation between order statistics (type 7, as in spreadsheets). */
export function quantileOf(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  if (sorted.length === 0) return Number.NaN
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const high = Math.min(low + 1, sorted.length - 1)
  return sorted[low]! + (at - low) * (sorted[high]! - sorted[low]!)
}

/** The value at which half of the total weight is reached; the mean of two values if half falls exactly between them. */
export function weightedMedian<Item extends { weight: number }>(
  items: readonly Item[],
  by: (item: Item) => number,
): number {
  const values = items.map(by)
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!)
  const half = items.reduce((sum, { weight }) => sum + weight, 0) / 2
  let reached = 0
  for (let k = 0; k < order.length; k++) {
    reached += items[order[k]!]!.weight
    if (reached > half * (1 + 1e-12)) return values[order[k]!]!
    if (reached >= half * (1 - 1e-12)) {
      const next = order[Math.min(k + 1, order.length - 1)]!
      return (values[order[k]!]! + values[next]!) / 2
    }
  }
  return Number.NaN
}
