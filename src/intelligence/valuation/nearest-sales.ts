import KDBush from 'kdbush'

/** A k-d tree of points in kilometers. `ids` are the caller's. Plain data, so that it can be sent to another thread. */
export type PointIndex = ReturnType<typeof indexPoints>

export type Nearest = ReturnType<typeof makeNearest>

export function indexPoints(east: Float32Array, north: Float32Array, ids: Int32Array) {
  const tree = new KDBush(Math.max(1, ids.length), 32, Float32Array)
  if (ids.length === 0) tree.add(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  for (const id of ids) tree.add(east[id]!, north[id]!)
  tree.finish()
  const { coords, ids: order, nodeSize } = tree
  return { tree: { coords, ids: order, nodeSize }, ids }
}

export const makeNearest = (capacity: number) => ({
  count: 0,
  ids: new Int32Array(capacity),
  distanceKm: new Float64Array(capacity),
})

/** Maximum depth of the search; no tree that fits in memory is deeper. */
const maxDepth = 64
const path = new Int32Array(4 * maxDepth)
const gaps = new Float64Array(maxDepth)

/**
 * Writes the nearest points to `out`, nearest first, up to its capacity. Visits the nearer side of each branch first and
 * skips sides farther than the farthest point kept, so the cost grows with the logarithm of the number of points. A caller that
 * does not use points beyond `withinKm` saves their search; a few just beyond it may be among the results. Points nearer than
 * `fromKm` are left out.
 */
export function findNearest(
  index: PointIndex,
  east: number,
  north: number,
  out: Nearest,
  skip?: (id: number) => boolean,
  withinKm = Number.POSITIVE_INFINITY,
  fromKm = 0,
): Nearest {
  const coords = index.tree.coords
  const order = index.tree.ids
  const nodeSize = index.tree.nodeSize
  const idOf = index.ids
  const ids = out.ids
  const capacity = ids.length
  out.count = 0
  if (idOf.length === 0) return out
  // Squared distances while searching.
  const distances = out.distanceKm
  const least = fromKm * fromKm
  // Rounding must not lose a point at exactly this distance.
  let most = withinKm * withinKm * (1 + 1e-9)
  let count = 0
  let depth = 0
  let left = 0
  let right = order.length - 1
  let axis = 0
  // One loop without closures, because it runs several times per home. A branch passed on the way down stays on the path
  // until its nearer side is done; then its own point is checked, and its farther side if that can contain a nearer point.
  let farther = false
  for (let descend = true; ; ) {
    if (descend) {
      while (right - left > nodeSize) {
        const middle = (left + right) >> 1
        const gap = (axis === 0 ? east : north) - coords[2 * middle + axis]!
        axis = 1 - axis
        path[4 * depth] = middle
        path[4 * depth + 1] = gap <= 0 ? middle + 1 : left
        path[4 * depth + 2] = gap <= 0 ? right : middle - 1
        path[4 * depth + 3] = axis
        gaps[depth++] = gap * gap
        if (gap <= 0) right = middle - 1
        else left = middle + 1
      }
      descend = false
    }
    for (let i = left; i <= right; i++) {
      const dx = coords[2 * i]! - east
      const dy = coords[2 * i + 1]! - north
      const d = dx * dx + dy * dy
      if (d >= most || d < least) continue
      const id = idOf[order[i]!]!
      if (skip?.(id)) continue
      let at = count < capacity ? count++ : capacity - 1
      while (at > 0 && distances[at - 1]! > d) {
        distances[at] = distances[at - 1]!
        ids[at] = ids[at - 1]!
        at--
      }
      distances[at] = d
      ids[at] = id
      if (count === capacity) most = Math.min(most, distances[capacity - 1]!)
    }
    if (farther) {
      farther = false
      if (gaps[depth]! < most) {
        left = path[4 * depth + 1]!
        right = path[4 * depth + 2]!
        axis = path[4 * depth + 3]!
        descend = true
        continue
      }
    }
    if (depth === 0) break
    depth--
    left = path[4 * depth]!
    right = left
    farther = true
  }
  out.count = count
  for (let i = 0; i < out.count; i++) distances[i] = Math.sqrt(distances[i]!)
  return out
}
