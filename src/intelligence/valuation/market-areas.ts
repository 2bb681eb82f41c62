/** A market divided into areas with about equal numbers of sales, by repeatedly halving along the longer side (a k-d tree). */
interface MarketAreas {
  count: number
  /** Inner nodes: split axis (0 east, 1 north), split position and both children; a negative child c is area -c - 1. */
  axis: Uint8Array
  cut: Float32Array
  low: Int32Array
  high: Int32Array
}

export function divideIntoAreas(
  east: Float32Array,
  north: Float32Array,
  ids: Int32Array,
  salesPerArea: number,
): MarketAreas {
  const axis: number[] = []
  const cut: number[] = []
  const low: number[] = []
  const high: number[] = []
  let count = 0
  const build = (part: Int32Array): number => {
    const spread = (values: Float32Array) => {
      let least = Number.POSITIVE_INFINITY
      let most = Number.NEGATIVE_INFINITY
      for (const id of part) {
        least = Math.min(least, values[id]!)
        most = Math.max(most, values[id]!)
      }
      return most - least
    }
    if (part.length < 2 * salesPerArea) return -++count
    const along = spread(east) >= spread(north) ? 0 : 1
    const values = along === 0 ? east : north
    const sorted = Float32Array.from(part, (id) => values[id]!).sort()
    const at = sorted[sorted.length >> 1]!
    const lower = part.filter((id) => values[id]! < at)
    const upper = part.filter((id) => values[id]! >= at)
    // Homes of one building share a point and cannot be divided further.
    if (lower.length < salesPerArea / 2) return -++count
    const node = axis.length
    axis.push(along)
    cut.push(at)
    low.push(0)
    high.push(0)
    low[node] = build(lower)
    high[node] = build(upper)
    return node
  }
  build(ids)
  return {
    count,
    axis: Uint8Array.from(axis),
    cut: Float32Array.from(cut),
    low: Int32Array.from(low),
    high: Int32Array.from(high),
  }
}

export function areaAt(areas: MarketAreas, east: number, north: number): number {
  if (areas.axis.length === 0) return 0
  let node = 0
  while (node >= 0) {
    const value = areas.axis[node] === 0 ? east : north
    node = value < areas.cut[node]! ? areas.low[node]! : areas.high[node]!
  }
  return -node - 1
}
