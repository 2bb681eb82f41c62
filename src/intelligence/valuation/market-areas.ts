/**
 * Divides the sales of a market into cells with about equal numbers, by repeatedly halving along the longer side (a k-d tree). The
 * number of each sale's cell.
 */
export function cellsOf(
  east: Float32Array,
  north: Float32Array,
  salesPerCell: number,
): { cell: Int32Array; count: number } {
  const cell = new Int32Array(east.length)
  let count = 0
  const spread = (part: Int32Array, values: Float32Array) =>
    part.reduce((most, id) => Math.max(most, values[id]!), Number.NEGATIVE_INFINITY) -
    part.reduce((least, id) => Math.min(least, values[id]!), Number.POSITIVE_INFINITY)
  const divide = (part: Int32Array): void => {
    const values = spread(part, east) >= spread(part, north) ? east : north
    const middle = Float32Array.from(part, (id) => values[id]!).sort()[part.length >> 1]!
    const lower = part.filter((id) => values[id]! < middle)
    // Homes of one building share a point and cannot be divided further.
    if (part.length < 2 * salesPerCell || lower.length < salesPerCell / 2) {
      for (const id of part) cell[id] = count
      count++
      return
    }
    divide(lower)
    divide(part.filter((id) => values[id]! >= middle))
  }
  divide(Int32Array.from(cell, (_, id) => id))
  return { cell, count }
}
