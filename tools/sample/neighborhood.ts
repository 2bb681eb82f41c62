// Arranges lots into blocks: rows of lots face a street, back to back with the rows of the next street, and cross streets
// divide them. Coordinates are meters in the neighborhood's own frame: x along the streets, y across them.

export interface LotSize {
  widthM: number
  depthM: number
  corner: boolean
}

type Point = readonly [x: number, y: number]

interface PlacedLot<Lot> {
  lot: Lot
  /** Which street of the neighborhood the lot faces. */
  street: number
  /** House numbers are even on one side of the street and odd on the other. */
  side: 'even' | 'odd'
  /** The four corners, starting at the street. */
  corners: readonly [Point, Point, Point, Point]
}

export interface Neighborhood<Lot> {
  lots: PlacedLot<Lot>[]
  /** Centerlines of the streets that lots face. */
  facing: readonly [Point, Point][]
  /** Centerlines of the streets across them, at both ends and between blocks. */
  crossings: readonly [Point, Point][]
  lengthM: number
  heightM: number
}

/** Property line to property line. */
const streetWidthM = 14
/** Open ground between a lot that is not a corner lot and the cross street. */
const openEndM = 12
const lotsPerRow = 14

export function arrangeLots<Lot extends LotSize>(lots: readonly Lot[]): Neighborhood<Lot> {
  const { rows, columns } = rowsOf(lots)
  const blockM = Math.max(...rows.map(rowLength))
  const lengthM = columns * (blockM + streetWidthM) - streetWidthM
  const placed: PlacedLot<Lot>[] = []
  const streets: [Point, Point][] = []
  /** Rows with their fronts at `front`, one in each block. */
  const placeSide = (side: readonly Row<Lot>[], street: number, front: number, direction: 1 | -1): void => {
    for (const [column, row] of side.entries())
      for (const [lot, from, to] of along(row, column * (blockM + streetWidthM), blockM)) {
        const back = front + direction * lot.depthM
        placed.push({
          ...{ lot, street, side: direction === 1 ? 'odd' : 'even' },
          corners: [
            [from, front],
            [to, front],
            [to, back],
            [from, back],
          ],
        })
      }
  }
  let y = 0
  for (let street = 0; street * 2 * columns < rows.length; street++) {
    const below = rows.slice(street * 2 * columns, (street * 2 + 1) * columns)
    const above = rows.slice((street * 2 + 1) * columns, (street + 1) * 2 * columns)
    y += depthOf(below)
    placeSide(below, street, y, -1)
    streets.push([
      [-streetWidthM / 2, y + streetWidthM / 2],
      [lengthM + streetWidthM / 2, y + streetWidthM / 2],
    ])
    y += streetWidthM
    placeSide(above, street, y, 1)
    y += depthOf(above)
  }
  const crossings = Array.from({ length: columns + 1 }, (_, at): [Point, Point] => {
    const x = at * (blockM + streetWidthM) - streetWidthM / 2
    return [
      [x, 0],
      [x, y],
    ]
  })
  return { lots: placed, facing: streets, crossings, lengthM, heightM: y }
}

interface Row<Lot> {
  /** The corner lot at each end, where there is one. */
  ends: readonly [Lot | undefined, Lot | undefined]
  between: Lot[]
}

/** Lots of similar depth share a row, so that the rows of a block meet at the back. The rows fill `columns` blocks side by side. */
function rowsOf<Lot extends LotSize>(lots: readonly Lot[]): { rows: Row<Lot>[]; columns: number } {
  const byDepth = lots.toSorted((a, b) => a.depthM - b.depthM)
  const corners = byDepth.filter((lot) => lot.corner)
  const between = byDepth.filter((lot) => !lot.corner)
  const least = Math.max(2, Math.ceil(corners.length / 2), Math.ceil(lots.length / lotsPerRow))
  // A row is about five times as long as it is deep, and the neighborhood is about square.
  const columns = Math.max(1, Math.round(Math.sqrt(least / 5)))
  const count = Math.ceil(least / columns) * columns
  const rows = Array.from({ length: count }, (_, at): Row<Lot> => {
    const [left, right] = corners.slice(shareOf(corners, at, count), shareOf(corners, at + 1, count))
    return { ends: [left, right], between: [] }
  })
  const total = rows.reduce((sum, row) => sum + rowLength(row), 0) + between.reduce((sum, lot) => sum + lot.widthM, 0)
  let filled = 0
  let at = 0
  for (const [index, row] of rows.entries()) {
    filled += rowLength(row)
    const goal = (total * (index + 1)) / count
    while (at < between.length && (index === count - 1 || filled + (between[at] as Lot).widthM / 2 < goal)) {
      const lot = between[at++] as Lot
      row.between.push(lot)
      filled += lot.widthM
    }
  }
  return { rows, columns }
}

/** The index at which the share of row `at` begins. */
const shareOf = (items: readonly unknown[], at: number, count: number): number =>
  Math.round((at * items.length) / count)

const endLength = (lot: LotSize | undefined): number => lot?.widthM ?? openEndM

const rowLength = <Lot extends LotSize>({ ends, between }: Row<Lot>): number =>
  endLength(ends[0]) + endLength(ends[1]) + between.reduce((sum, lot) => sum + lot.widthM, 0)

const depthOf = <Lot extends LotSize>(rows: readonly Row<Lot>[]): number =>
  Math.max(0, ...rows.flatMap(({ ends, between }) => [...ends, ...between].map((lot) => lot?.depthM ?? 0)))

/** Lots touch each other, and both ends reach the cross streets: the room that is left is an open end, or a path in the middle. */
function along<Lot extends LotSize>(row: Row<Lot>, fromM: number, lengthM: number): [Lot, from: number, to: number][] {
  const { ends, between } = row
  const gap = lengthM - rowLength(row)
  const gapAfter = ends[0] ? (ends[1] ? between.length >> 1 : between.length) : 0
  let x = fromM
  return [ends[0], ...between, ends[1]].flatMap((lot, at): [Lot, number, number][] => {
    const from = x
    const to = from + endLength(lot)
    x = to + (at === gapAfter ? gap : 0)
    return lot ? [[lot, from, to]] : []
  })
}
