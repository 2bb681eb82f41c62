// Writes the sample markets as feed files: complete for one day, or only the rows that changed between two days.

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { tableOf } from '../../src/common/typed.ts'
import { type SampleFeed, type SampleHistory, sampleFeeds } from '../../src/ingest/sample-data.ts'
import type { Day } from './calendar.ts'
import { dayOf, isoDate } from './calendar.ts'
import type { Cell } from './feeds.ts'
import { feedColumns, listingRow, parcelRow, permitDays, permitRow, saleRow, stateOf, stateSince } from './feeds.ts'
import { historyOf, listingDays } from './history.ts'
import { homeAt } from './parcels.ts'
import { landUsd, valueUsd } from './price.ts'
import { rentRows } from './rents.ts'
import type { SampleData } from './sample-data.ts'
import { buildSampleData, trueTeardownProbability } from './sample-data.ts'

export interface SampleFiles {
  /** YYYY-MM-DD: the day the files describe. */
  today: string
  files: Record<SampleFeed, string>
  rows: Record<SampleFeed, number>
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
  const written = writeFeeds(dir, data.today, latest(feedStates(data, data.today)))
  const shown = shownBetween(data, data.today, data.today)
  return { ...written, history: historyOf(data, shown), ...(truth && { truthFile: writeTruth(data, dir) }) }
}

/**
 * Only the rows that were added or changed after `from`, up to and including `to`. Loading them on top of the data of
 * `from` gives the data of `to`, whether in one step or day by day.
 */
export function advanceSample({ seed, from, to, dir }: AdvanceOptions): SampleFiles {
  const start = dayOf(from)
  if (start > dayOf(to)) throw new Error(`cannot advance from ${from} back to ${to}`)
  const data = buildSampleData(seed, dayOf(to))
  return writeFeeds(dir, data.today, latest(feedStates(data, start), start))
}

/** A row as its feed has it from a day on, until the next state of the same record. */
export interface RecordState {
  from: Day
  row: readonly Cell[]
}

type FeedStates = Record<SampleFeed, readonly (readonly RecordState[])[]>

/** Every record that the sample has on `first` or gets until the last day of the data, with its states in order. */
export function feedStates(data: SampleData, first: Day): FeedStates {
  const { seed, today, parcels } = data
  const states = <T>(
    items: readonly T[],
    shownFirst: ReadonlySet<T>,
    days: (item: T) => readonly (Day | undefined)[],
    rowOn: (item: T, day: Day) => Cell[] | undefined,
  ): RecordState[][] =>
    items.map((item) => {
      let before = rowOn(item, first)
      const found: RecordState[] = before && shownFirst.has(item) ? [{ from: first, row: before }] : []
      const later = days(item).filter((day): day is Day => day !== undefined && day > first && day <= today)
      for (const from of [...new Set(later)].sort((a, b) => a - b)) {
        const row = rowOn(item, from)
        if (row && !before?.every((cell, i) => cell === row[i])) found.push({ from, row })
        before = row
      }
      return found
    })
  const shown = shownBetween(data, first, first)
  const sales = data.sales.filter(({ soldOn }) => soldOn > first - daysOf(saleYears) && soldOn <= today)
  const rents = rentRows(parcels, seed, first - daysOf(rentYears), today)
  return {
    parcels: states(
      parcels,
      new Set(parcels),
      ({ homes }) => homes.map(({ from }) => from),
      (parcel, day) => parcelRow(parcel, seed, day),
    ),
    listings: states(inOrder(data.listings), new Set(shown.listings), listingDays, (listing, day) =>
      listingRow(listing, seed, day),
    ),
    sales: sales.map((sale) => [{ from: Math.max(first, sale.soldOn), row: saleRow(sale, seed) }]),
    permits: states(
      data.permits,
      new Set(shown.permits),
      (permit) => permitDays(permit).filter((day) => day === undefined || day < permit.appliedOn + daysOf(permitYears)),
      (permit, day) => permitRow(permit, seed, day),
    ),
    rents: rents.map((row) => [{ from: Math.max(first, dayOf(row.at(-1) as string)), row }]),
  }
}

const latest = (states: FeedStates, after = Number.NEGATIVE_INFINITY) =>
  tableOf(sampleFeeds, (name) =>
    states[name].flatMap((each) => {
      const last = each.at(-1)
      return last && last.from > after ? [last.row] : []
    }),
  )

/** The listings and permits that the feeds of `first` have, and those added until `last`. */
export const shownBetween = (data: SampleData, first: Day, last: Day): Pick<SampleData, 'listings' | 'permits'> => ({
  listings: [
    ...selectListings(data, first),
    ...data.listings.filter(({ firstSeenOn }) => firstSeenOn > first && firstSeenOn <= last),
  ],
  permits: [
    ...selectPermits(data, first),
    ...data.permits.filter(({ appliedOn }) => appliedOn > first && appliedOn <= last),
  ],
})

function selectListings(data: SampleData, today: Day): SampleData['listings'] {
  const seen = data.listings.filter(({ firstSeenOn }) => firstSeenOn <= today)
  const closed = Map.groupBy(seen, (listing) => ['sold', 'withdrawn'].includes(stateOf(listing, today)))
  const open = closed.get(false) ?? []
  const latest = (closed.get(true) ?? [])
    .map((listing) => ({ listing, since: stateSince(listing, today) }))
    .sort((a, b) => b.since - a.since || (a.listing.listingId < b.listing.listingId ? -1 : 1))
    .slice(0, Math.max(0, listingCount - open.length))
    .map(({ listing }) => listing)
  return [...open, ...latest]
}

const inOrder = (listings: SampleData['listings']): SampleData['listings'] =>
  listings.toSorted((a, b) => a.firstSeenOn - b.firstSeenOn || (a.listingId < b.listingId ? -1 : 1))

/** Selects by issue date where there is one, because permit searches filter on that date. */
const selectPermits = (data: SampleData, today: Day): SampleData['permits'] =>
  data.permits.filter(({ appliedOn, issuedOn }) => {
    const day = issuedOn !== undefined && issuedOn <= today ? issuedOn : appliedOn
    return day > today - daysOf(permitYears) && day <= today
  })

const daysOf = (years: number): number => Math.round(years * 365.25)

function writeFeeds(
  dir: string,
  today: Day,
  rows: Record<SampleFeed, readonly (readonly Cell[] | undefined)[]>,
): SampleFiles {
  mkdirSync(dir, { recursive: true })
  const files = {} as Record<SampleFeed, string>
  const counts = {} as Record<SampleFeed, number>
  for (const name of sampleFeeds) {
    files[name] = join(dir, `${name}.csv`)
    counts[name] = writeCsv(files[name], feedColumns[name], rows[name])
  }
  return { today: isoDate(today), files, rows: counts }
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
export function quoted(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
