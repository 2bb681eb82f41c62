// Writes the sample markets as feed files: whole, or only what changed between two days.

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Day } from './calendar.ts'
import { dayOf, isoDate } from './calendar.ts'
import type { Cell, FeedName } from './feeds.ts'
import { feedColumns, feedNames, listingRow, parcelRow, permitRow, saleRow, stateOf, stateSince } from './feeds.ts'
import { homeAt } from './parcels.ts'
import { landUsd, valueUsd } from './price.ts'
import type { World } from './world.ts'
import { makeWorld, trueTeardownProbability } from './world.ts'

export interface SampleFiles {
  /** YYYY-MM-DD: the last day the files know of. */
  today: string
  files: Record<FeedName, string>
  rows: Record<FeedName, number>
  /** Only on request: what the feeds keep hidden. */
  truthFile?: string
}

export interface GenerateOptions {
  seed: number
  /** YYYY-MM-DD. */
  today: string
  dir: string
  truth?: boolean
}

export interface AdvanceOptions {
  seed: number
  /** The day the data stands at, YYYY-MM-DD. */
  from: string
  /** The day to bring it to, YYYY-MM-DD. */
  to: string
  dir: string
}

/** The sample everyone sees unless another seed is asked for. */
export const defaultSeed = 3

/** Open listings all, and as many of the latest closed ones as make this number. */
const listingCount = 1_500
const saleYears = 3
const permitYears = 5

/** The sample as it stands on `today`, in four files (see feeds.ts) under `dir`. */
export function generateSample({ seed, today, dir, truth = false }: GenerateOptions): SampleFiles {
  const world = makeWorld(seed, dayOf(today))
  const written = writeFeeds(dir, world.today, {
    parcels: world.parcels.map((parcel) => parcelRow(parcel, seed, world.today)),
    listings: shownListings(world).map((listing) => listingRow(listing, seed, world.today)),
    sales: recent(world.sales, (sale) => sale.soldOn, world.today, saleYears).map((sale) => saleRow(sale, seed)),
    permits: shownPermits(world).map((permit) => permitRow(permit, seed, world.today)),
  })
  return truth ? { ...written, truthFile: writeTruth(world, dir) } : written
}

/**
 * Only the rows that are new or different after `from` and by `to`. Loading them over what stood at `from` gives what
 * stands at `to`, in however many steps.
 */
export function advanceSample({ seed, from, to, dir }: AdvanceOptions): SampleFiles {
  const start = dayOf(from)
  if (start > dayOf(to)) throw new Error(`cannot advance from ${from} back to ${to}`)
  const world = makeWorld(seed, dayOf(to))
  const changed = <T>(items: readonly T[], row: (item: T, day: Day) => Cell[] | undefined): Cell[][] =>
    items.flatMap((item) => {
      const now = row(item, world.today)
      const before = row(item, start)
      return now && (!before || before.some((cell, i) => cell !== now[i])) ? [now] : []
    })
  return writeFeeds(dir, world.today, {
    parcels: changed(
      world.parcels.filter((parcel) => parcel.homes.some((home) => home.from > start)),
      (parcel, day) => parcelRow(parcel, seed, day),
    ),
    listings: changed(
      world.listings.filter((listing) => lastDay(listing) > start),
      (listing, day) => listingRow(listing, seed, day),
    ),
    sales: world.sales
      .filter((sale) => sale.soldOn > start && sale.soldOn <= world.today)
      .map((sale) => saleRow(sale, seed)),
    permits: changed(
      recent(world.permits, (permit) => permit.appliedOn, world.today, permitYears),
      (permit, day) => permitRow(permit, seed, day),
    ),
  })
}

const lastDay = (listing: World['listings'][number]): Day =>
  listing.soldOn ?? listing.withdrawnOn ?? Number.POSITIVE_INFINITY

function shownListings(world: World): World['listings'] {
  const closed = (listing: World['listings'][number]): boolean =>
    ['sold', 'withdrawn'].includes(stateOf(listing, world.today))
  const open = world.listings.filter((listing) => !closed(listing))
  const latest = world.listings
    .filter(closed)
    .map((listing) => ({ listing, since: stateSince(listing, world.today) }))
    .sort((a, b) => b.since - a.since || (a.listing.listingId < b.listing.listingId ? -1 : 1))
    .slice(0, Math.max(0, listingCount - open.length))
    .map(({ listing }) => listing)
  return [...open, ...latest].sort((a, b) => a.seenOn - b.seenOn || (a.listingId < b.listingId ? -1 : 1))
}

/** By the day of issue where there is one: that is the date permits are asked for by. */
const shownPermits = (world: World): World['permits'] =>
  recent(
    world.permits,
    ({ appliedOn, issuedOn }) => (issuedOn !== undefined && issuedOn <= world.today ? issuedOn : appliedOn),
    world.today,
    permitYears,
  )

const recent = <T>(items: readonly T[], dayOfItem: (item: T) => Day, today: Day, years: number): T[] =>
  items.filter((item) => dayOfItem(item) > today - Math.round(years * 365.25) && dayOfItem(item) <= today)

function writeFeeds(
  dir: string,
  today: Day,
  rows: Record<FeedName, readonly (readonly Cell[] | undefined)[]>,
): SampleFiles {
  mkdirSync(dir, { recursive: true })
  const files = {} as Record<FeedName, string>
  const counts = {} as Record<FeedName, number>
  for (const name of feedNames) {
    files[name] = join(dir, `${name}.csv`)
    counts[name] = writeCsv(files[name], feedColumns[name], rows[name])
  }
  return { today: isoDate(today), files, rows: counts }
}

function writeTruth(world: World, dir: string): string {
  const file = join(dir, 'truth.csv')
  const rows = world.parcels.map((parcel) => {
    const home = homeAt(parcel, world.today)
    return [
      parcel.apn,
      parcel.zone.county,
      trueTeardownProbability(world, parcel).toFixed(5),
      home.condition.toFixed(3),
      Math.round(valueUsd(parcel, home, world.today)),
      Math.round(landUsd(parcel, world.today)),
    ]
  })
  writeCsv(file, ['apn', 'county', 'teardownProbability', 'condition', 'valueUsd', 'landUsd'], rows)
  return file
}

function writeCsv(file: string, columns: readonly string[], rows: readonly (readonly Cell[] | undefined)[]): number {
  const fd = openSync(file, 'w')
  try {
    let text = `${columns.join(',')}\n`
    let count = 0
    for (const row of rows) {
      if (!row) continue
      count++
      text += `${row.map(quoted).join(',')}\n`
      if (text.length > 1 << 20) {
        writeSync(fd, text)
        text = ''
      }
    }
    writeSync(fd, text)
    return count
  } finally {
    closeSync(fd)
  }
}

/** RFC 4180: quotes where a comma, quote or line break stands inside. */
function quoted(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
