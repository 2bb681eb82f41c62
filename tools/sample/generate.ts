// Writes the sample markets as feed files: complete for one day, or only the rows that changed between two days.

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Day } from './calendar.ts'
import { dayOf, isoDate } from './calendar.ts'
import type { Cell, FeedName } from './feeds.ts'
import { feedColumns, feedNames, listingRow, parcelRow, permitRow, saleRow, stateOf, stateSince } from './feeds.ts'
import { historyOf, type SampleHistory } from './history.ts'
import { homeAt } from './parcels.ts'
import { landUsd, valueUsd } from './price.ts'
import { rentRows } from './rents.ts'
import { streetsOf } from './roads.ts'
import type { SampleData } from './sample-data.ts'
import { buildSampleData, trueTeardownProbability } from './sample-data.ts'
import { sampleMarkets } from './sample-market.ts'
import type { SampleStreet } from './streets.ts'

export interface SampleFiles {
  /** YYYY-MM-DD: the day the files describe. */
  today: string
  files: Record<FeedName, string>
  rows: Record<FeedName, number>
  /** Complete for a first load, empty for later days: streets do not change. */
  streets: readonly SampleStreet[]
  /** Written when `truth` is set: the simulated values that the feeds do not contain. */
  truthFile?: string
}

interface GenerateOptions {
  seed: number
  /** YYYY-MM-DD. */
  today: string
  dir: string
  truth?: boolean
}

interface AdvanceOptions {
  seed: number
  /** The day of the data already loaded, YYYY-MM-DD. */
  from: string
  /** The day to advance to, YYYY-MM-DD. */
  to: string
  dir: string
}

/** All open listings, plus the most recently closed ones up to this total. */
const listingCount = 1_500
const saleYears = 3
const permitYears = 5
const rentYears = 2

/** The sample as of `today`, in one file per data set (see feeds.ts) under `dir`. */
export function generateSample({
  seed,
  today,
  dir,
  truth = false,
}: GenerateOptions): SampleFiles & { history: SampleHistory } {
  const data = buildSampleData(seed, dayOf(today))
  const shown = { listings: selectListings(data), permits: selectPermits(data) }
  const written = writeFeeds(dir, data.today, {
    parcels: data.parcels.map((parcel) => parcelRow(parcel, seed, data.today)),
    listings: shown.listings.map((listing) => listingRow(listing, seed, data.today)),
    sales: recent(data.sales, (sale) => sale.soldOn, data.today, saleYears).map((sale) => saleRow(sale, seed)),
    permits: shown.permits.map((permit) => permitRow(permit, seed, data.today)),
    rents: rentRows(data.parcels, seed, data.today - Math.round(rentYears * 365.25), data.today),
  })
  const streets = sampleMarkets().flatMap((market) => streetsOf(market, data.neighborhoods))
  return { ...written, streets, history: historyOf(data, shown), ...(truth && { truthFile: writeTruth(data, dir) }) }
}

/**
 * Only the rows that were added or changed after `from`, up to and including `to`. Loading them on top of the data of
 * `from` gives the data of `to`, whether in one step or day by day.
 */
export function advanceSample({ seed, from, to, dir }: AdvanceOptions): SampleFiles {
  const start = dayOf(from)
  if (start > dayOf(to)) throw new Error(`cannot advance from ${from} back to ${to}`)
  const data = buildSampleData(seed, dayOf(to))
  const changed = <T>(items: readonly T[], row: (item: T, day: Day) => Cell[] | undefined): Cell[][] =>
    items.flatMap((item) => {
      const now = row(item, data.today)
      const before = row(item, start)
      return now && (!before || before.some((cell, i) => cell !== now[i])) ? [now] : []
    })
  return writeFeeds(dir, data.today, {
    parcels: changed(
      data.parcels.filter((parcel) => parcel.homes.some((home) => home.from > start)),
      (parcel, day) => parcelRow(parcel, seed, day),
    ),
    listings: changed(
      data.listings.filter((listing) => lastDay(listing) > start),
      (listing, day) => listingRow(listing, seed, day),
    ),
    sales: data.sales
      .filter((sale) => sale.soldOn > start && sale.soldOn <= data.today)
      .map((sale) => saleRow(sale, seed)),
    permits: changed(
      recent(data.permits, (permit) => permit.appliedOn, data.today, permitYears),
      (permit, day) => permitRow(permit, seed, day),
    ),
    rents: rentRows(data.parcels, seed, start, data.today),
  })
}

const lastDay = (listing: SampleData['listings'][number]): Day =>
  listing.soldOn ?? listing.withdrawnOn ?? Number.POSITIVE_INFINITY

function selectListings(data: SampleData): SampleData['listings'] {
  const closed = (listing: SampleData['listings'][number]): boolean =>
    ['sold', 'withdrawn'].includes(stateOf(listing, data.today))
  const open = data.listings.filter((listing) => !closed(listing))
  const latest = data.listings
    .filter(closed)
    .map((listing) => ({ listing, since: stateSince(listing, data.today) }))
    .sort((a, b) => b.since - a.since || (a.listing.listingId < b.listing.listingId ? -1 : 1))
    .slice(0, Math.max(0, listingCount - open.length))
    .map(({ listing }) => listing)
  return [...open, ...latest].sort((a, b) => a.firstSeenOn - b.firstSeenOn || (a.listingId < b.listingId ? -1 : 1))
}

/** Selects by issue date where there is one, because permit searches filter on that date. */
const selectPermits = (data: SampleData): SampleData['permits'] =>
  recent(
    data.permits,
    ({ appliedOn, issuedOn }) => (issuedOn !== undefined && issuedOn <= data.today ? issuedOn : appliedOn),
    data.today,
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
  return { today: isoDate(today), files, rows: counts, streets: [] }
}

function writeTruth(data: SampleData, dir: string): string {
  const file = join(dir, 'truth.csv')
  const rows = data.parcels.map((parcel) => {
    const home = homeAt(parcel, data.today)
    return [
      parcel.apn,
      parcel.zone.county,
      trueTeardownProbability(data, parcel).toFixed(5),
      home.condition.toFixed(3),
      Math.round(valueUsd(parcel, home, data.today)),
      Math.round(landUsd(parcel, data.today)),
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

/** RFC 4180: a cell with a comma, quote or line break is quoted. */
function quoted(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
