// Arranges lots into blocks: rows of lots face a street, back to back with the rows of the next street, between two cross streets.
// Coordinates are meters in the neighborhood's own frame: x along the streets, y across them.

import type { Lot } from './parcels.ts'

export type Point = readonly [x: number, y: number]

/** Property line to property line. */
const streetWidthM = 14
/** Open ground between a lot that is not a corner lot and the cross street. */
const openEndM = 12
const lotsPerRow = 14

export function arrangeLots(all: readonly Lot[]) {
  const rows = rowsOf(all)
  const lengthM = Math.max(...rows.map(lengthOf))
  /** Centerlines of the streets that lots face. */
  const facing: [Point, Point][] = []
  const sideEndM = streetWidthM / 2
  let y = 0
  const lots = rows.flatMap((row, at) => {
    /** House numbers are odd on one side of the street and even on the other. */
    const isOdd = at % 2 === 1
    const depthM = Math.max(...row.map((lot) => lot?.depthM ?? 0))
    if (!isOdd) {
      y += depthM
      facing.push([point(-sideEndM, y + sideEndM), point(lengthM + sideEndM, y + sideEndM)])
    }
    const front = y
    const street = facing.length - 1
    const placed = along(row, lengthM).map(({ lot, from, to }) => {
      const back = isOdd ? front + lot.depthM : front - lot.depthM
      /** The four corners, starting at the street. */
      const corners = [point(from, front), point(to, front), point(to, back), point(from, back)] as const
      return { lot, street, isOdd, corners }
    })
    y += isOdd ? depthM : streetWidthM
    return placed
  })
  /** Centerlines of the streets across them, at both ends. */
  const crossings = [-sideEndM, lengthM + sideEndM].map((x) => [point(x, 0), point(x, y)] as const)
  /** Of the area that the blocks fill. */
  const corners = [point(0, 0), point(lengthM, 0), point(lengthM, y), point(0, y)]
  return { lots, facing, crossings, corners, lengthM, heightM: y }
}

const point = (x: number, y: number): Point => [x, y]

/** First and last is the corner lot at that end, where there is one. */
type Row = (Lot | undefined)[]

/** Lots of similar depth share a row, so that the rows of a block meet at the back. */
function rowsOf(lots: readonly Lot[]): Row[] {
  const byDepth = lots.toSorted((a, b) => a.depthM - b.depthM)
  const [corners, between] = [byDepth.filter(({ corner }) => corner), byDepth.filter(({ corner }) => !corner)]
  const count = Math.max(2, Math.ceil(corners.length / 2), Math.ceil(lots.length / lotsPerRow))
  const firstCorner = (row: number): number => Math.round((row * corners.length) / count)
  const rows = Array.from({ length: count }, (_, at): Row => {
    const [left, right] = corners.slice(firstCorner(at), firstCorner(at + 1))
    return [left, right]
  })
  const total = [...rows, between].reduce((sum, row) => sum + lengthOf(row), 0)
  let filled = 0
  for (const [index, row] of rows.entries()) {
    filled += lengthOf(row)
    const goal = (total * (index + 1)) / count
    while (between[0] && (index === count - 1 || filled + between[0].widthM / 2 < goal)) {
      filled += between[0].widthM
      row.splice(-1, 0, between.shift())
    }
  }
  return rows
}

const widthOf = (lot: Lot | undefined): number => lot?.widthM ?? openEndM

const lengthOf = (row: Row): number => row.reduce((sum, lot) => sum + widthOf(lot), 0)

/** Lots touch each other, and both ends reach the cross streets: the room that is left is an open end, or a path in the middle. */
function along(row: Row, lengthM: number): { lot: Lot; from: number; to: number }[] {
  const gap = lengthM - lengthOf(row)
  const between = row.length - 2
  const gapAfter = row[0] ? (row.at(-1) ? between >> 1 : between) : 0
  let x = 0
  return row.flatMap((lot, at) => {
    const from = x
    const to = from + widthOf(lot)
    x = to + (at === gapAfter ? gap : 0)
    return lot ? [{ lot, from, to }] : []
  })
}
