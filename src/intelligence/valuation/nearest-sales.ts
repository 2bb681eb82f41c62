import KDBush from 'kdbush'

/** Points in kilometres, searched by distance. `ids` are the caller's. */
export interface PlaceIndex {
  tree: KDBush
  ids: Int32Array
}

export interface Nearest {
  count: number
  ids: Int32Array
  distanceKm: Float64Array
}

export function indexPlaces(east: Float32Array, north: Float32Array, ids: Int32Array): PlaceIndex {
  const tree = new KDBush(Math.max(1, ids.length), 32, Float32Array)
  if (ids.length === 0) tree.add(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  for (const id of ids) tree.add(east[id]!, north[id]!)
  tree.finish()
  return { tree, ids }
}

export function makeNearest(capacity: number): Nearest {
  return { count: 0, ids: new Int32Array(capacity), distanceKm: new Float64Array(capacity) }
}

/**
 * The nearest points, nearest first, into `out` (as many as it holds). Walks the k-d tree nearer side first and skips
 * a side that lies farther than the farthest kept, so the cost grows with the logarithm of the number of points.
 */
export function findNearest(
  index: PlaceIndex,
  east: number,
  north: number,
  out: Nearest,
  skip?: (id: number) => boolean,
): Nearest {
  const coords = index.tree.coords
  const order = index.tree.ids
  const nodeSize = index.tree.nodeSize
  const capacity = out.ids.length
  out.count = 0
  if (index.ids.length === 0) return out
  // Squared distances while searching.
  const kept = out.distanceKm

  const consider = (i: number) => {
    const dx = coords[2 * i]! - east
    const dy = coords[2 * i + 1]! - north
    const d = dx * dx + dy * dy
    if (out.count === capacity && d >= kept[capacity - 1]!) return
    const id = index.ids[order[i]!]!
    if (skip?.(id)) return
    let at = out.count < capacity ? out.count++ : capacity - 1
    while (at > 0 && kept[at - 1]! > d) {
      kept[at] = kept[at - 1]!
      out.ids[at] = out.ids[at - 1]!
      at--
    }
    kept[at] = d
    out.ids[at] = id
  }
  const walk = (left: number, right: number, axis: number): void => {
    if (right - left <= nodeSize) {
      for (let i = left; i <= right; i++) consider(i)
      return
    }
    const middle = (left + right) >> 1
    const gap = (axis === 0 ? east : north) - coords[2 * middle + axis]!
    if (gap <= 0) walk(left, middle - 1, 1 - axis)
    else walk(middle + 1, right, 1 - axis)
    consider(middle)
    if (out.count === capacity && gap * gap >= kept[capacity - 1]!) return
    if (gap <= 0) walk(middle + 1, right, 1 - axis)
    else walk(left, middle - 1, 1 - axis)
  }
  walk(0, order.length - 1, 0)
  for (let i = 0; i < out.count; i++) kept[i] = Math.sqrt(kept[i]!)
  return out
}
