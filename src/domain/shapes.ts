// Plane geometry of lots and map layers. A ring is a flat list x, y, x, y … without its closing position; an outer ring runs
// counterclockwise and a hole clockwise, so that areas add up without knowing which hole belongs to which part.

export type FlatRing = readonly number[]
/** West, south, east, north. */
export type ShapeBox = readonly [number, number, number, number]

export const signedArea = (ring: FlatRing): number => {
  let twice = 0
  let [x1, y1] = [ring.at(-2)!, ring.at(-1)!]
  for (let at = 0; at < ring.length; at += 2) {
    const [x2, y2] = [ring[at]!, ring[at + 1]!]
    twice += x1 * y2 - x2 * y1
    x1 = x2
    y1 = y2
  }
  return twice / 2
}

export const areaOf = (rings: readonly FlatRing[]): number => rings.reduce((sum, ring) => sum + signedArea(ring), 0)

/** The ring in the direction of an outer ring or of a hole. */
export const turned = (ring: FlatRing, isHole: boolean): FlatRing => {
  if (signedArea(ring) < 0 === isHole) return ring
  const back: number[] = []
  for (let at = ring.length - 2; at >= 0; at -= 2) back.push(ring[at]!, ring[at + 1]!)
  return back
}

export const boxOfRings = (rings: readonly FlatRing[]): ShapeBox => {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const ring of rings)
    for (let at = 0; at < ring.length; at += 2) {
      const [x, y] = [ring[at]!, ring[at + 1]!]
      if (x < west) west = x
      if (x > east) east = x
      if (y < south) south = y
      if (y > north) north = y
    }
  return [west, south, east, north]
}

export const boxesTouch = (a: ShapeBox, b: ShapeBox): boolean =>
  a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]

/** The part of a ring where ax + by ≥ c (Sutherland-Hodgman). Edges that run back along the cut enclose no area. */
const cut = (ring: FlatRing, a: number, b: number, c: number): number[] => {
  const kept: number[] = []
  if (ring.length < 6) return kept
  let [px, py] = [ring.at(-2)!, ring.at(-1)!]
  let before = a * px + b * py - c
  for (let at = 0; at < ring.length; at += 2) {
    const [x, y] = [ring[at]!, ring[at + 1]!]
    const now = a * x + b * y - c
    if (now >= 0 !== before >= 0) {
      const share = before / (before - now)
      kept.push(px + (x - px) * share, py + (y - py) * share)
    }
    if (now >= 0) kept.push(x, y)
    px = x
    py = y
    before = now
  }
  return kept
}

const cutToBox = (ring: FlatRing, [west, south, east, north]: ShapeBox): FlatRing =>
  cut(cut(cut(cut(ring, 1, 0, west), -1, 0, -east), 0, 1, south), 0, -1, -north)

/**
 * The area that two shapes share. One is taken apart into the triangles between its first position and its edges, each counted
 * with its direction: what they cover beyond the shape cancels out. So neither shape has to be convex or free of holes.
 */
export const sharedArea = (lot: readonly FlatRing[], shape: readonly FlatRing[]): number => {
  const box = boxOfRings(lot)
  const whole = (box[2] - box[0]) * (box[3] - box[1])
  let sum = 0
  for (const ring of shape) {
    const near = cutToBox(ring, box)
    if (near.length < 6) continue
    const part = signedArea(near)
    if (Math.abs(part) > whole * (1 - 1e-9)) sum += Math.sign(part) * areaOf(lot)
    else if (part !== 0) for (const lotRing of lot) sum += sharedWithRing(lotRing, near)
  }
  return sum
}

const sharedWithRing = (lotRing: FlatRing, ring: FlatRing): number => {
  const [x0, y0] = [lotRing[0]!, lotRing[1]!]
  let sum = 0
  for (let at = 2; at < lotRing.length - 2; at += 2) {
    const [x1, y1, x2, y2] = [lotRing[at]!, lotRing[at + 1]!, lotRing[at + 2]!, lotRing[at + 3]!]
    const side = Math.sign((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0))
    if (side === 0) continue
    const toLeft = (part: FlatRing, ax: number, ay: number, bx: number, by: number) =>
      cut(part, -side * (by - ay), side * (bx - ax), side * (ay * (bx - ax) - ax * (by - ay)))
    const part = toLeft(toLeft(toLeft(ring, x0, y0, x1, y1), x1, y1, x2, y2), x2, y2, x0, y0)
    if (part.length >= 6) sum += side * signedArea(part)
  }
  return sum
}

/** Whether a point is inside: a line from it crosses the rings an odd number of times. */
export const isInside = (x: number, y: number, rings: readonly FlatRing[]): boolean => {
  let inside = false
  for (const ring of rings) {
    let [x1, y1] = [ring.at(-2)!, ring.at(-1)!]
    for (let at = 0; at < ring.length; at += 2) {
      const [x2, y2] = [ring[at]!, ring[at + 1]!]
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1)) inside = !inside
      x1 = x2
      y1 = y2
    }
  }
  return inside
}

type Segment = readonly [number, number, number, number]
const segmentsOf = (line: FlatRing, isClosed: boolean): Segment[] => {
  if (line.length < 4) return [[line[0]!, line[1]!, line[0]!, line[1]!]]
  const segments: Segment[] = []
  for (let at = isClosed ? 0 : 2; at < line.length; at += 2)
    segments.push([line.at(at - 2)!, line.at(at - 1)!, line[at]!, line[at + 1]!])
  return segments
}

/** Smallest distance between two sets of lines; 0 where they meet. A line of one position is a point. */
export const lineDistance = (
  one: { lines: readonly FlatRing[]; closed: boolean },
  other: { lines: readonly FlatRing[]; closed: boolean },
): number => {
  const others = other.lines.flatMap((line) => segmentsOf(line, other.closed))
  let least = Infinity
  for (const a of one.lines.flatMap((line) => segmentsOf(line, one.closed)))
    for (const b of others) {
      if (crosses(a, b)) return 0
      least = Math.min(
        least,
        toSegment(a[0], a[1], b),
        toSegment(a[2], a[3], b),
        toSegment(b[0], b[1], a),
        toSegment(b[2], b[3], a),
      )
    }
  return least
}

const toSegment = (x: number, y: number, [x1, y1, x2, y2]: Segment): number => {
  const length = (x2 - x1) ** 2 + (y2 - y1) ** 2
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length))
  return Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1))
}

/** Whether two segments cross at a position that is an end of neither. */
export const crosses = ([ax, ay, bx, by]: Segment, [cx, cy, dx, dy]: Segment): boolean => {
  const side = (x1: number, y1: number, x2: number, y2: number, x: number, y: number) =>
    Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1))
  return (
    side(ax, ay, bx, by, cx, cy) * side(ax, ay, bx, by, dx, dy) < 0 &&
    side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) < 0
  )
}

/** Cuts a shape into parts of at most so many positions, without overlap: a lot reads only the part of a large zone around it. */
export const partsOf = (rings: readonly FlatRing[], most = 128, depth = 0): (readonly FlatRing[])[] => {
  const positions = rings.reduce((sum, ring) => sum + ring.length / 2, 0)
  if (positions <= most || depth > 24) return positions < 3 ? [] : [rings]
  const [west, south, east, north] = boxOfRings(rings)
  const isWide = east - west > north - south
  const [a, b, middle] = isWide ? [1, 0, (west + east) / 2] : [0, 1, (south + north) / 2]
  return [1, -1].flatMap((side) => {
    const half = rings.map((ring) => cut(ring, side * a, side * b, side * middle))
    const halfRings = half.filter((ring) => ring.length >= 6 && signedArea(ring) !== 0)
    return partsOf(halfRings, most, depth + 1)
  })
}
