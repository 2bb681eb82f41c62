/** NaN for an empty list. */
export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

export const meanIfAny = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : mean(values)

export const medianIfAny = (values: readonly number[]): number | undefined => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : meanIfAny(sorted.slice(middle - 1, middle + 1))
}
