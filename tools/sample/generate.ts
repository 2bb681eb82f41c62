// The sample markets as feeds: every state of every record.

import type { SampleFeed } from '../../src/ingest/sample-data.ts'
import { type Day, dayOf } from './calendar.ts'
import {
  type Cell,
  type FeedRow,
  listingRow,
  parcelRow,
  permitDays,
  permitRow,
  saleRow,
  stateOf,
  stateSince,
} from './feeds.ts'
import { listingDays } from './history.ts'
import { rentRows } from './rents.ts'
import type { SampleData } from './sample-data.ts'

/** All open listings, plus the most recently closed ones up to this total. */
const listingCount = 1_000
const saleYears = 3
const permitYears = 5
const rentYears = 2

/** A row as its feed has it from a day on, until the next state of the same record. */
export interface RecordState {
  from: Day
  row: FeedRow
}

type FeedStates = Record<SampleFeed, readonly (readonly RecordState[])[]>

/** Every record that the sample has on `first` or gets until the last day of the data, with its states in order. */
export function feedStates(data: SampleData, first: Day): FeedStates {
  const { seed, today, parcels } = data
  const states = <T>(
    items: readonly T[],
    shownFirst: ReadonlySet<T>,
    days: (item: T) => readonly (Day | undefined)[],
    rowOn: (item: T, day: Day) => FeedRow | undefined,
  ): RecordState[][] =>
    items.map((item) => {
      let before = rowOn(item, first)
      const found: RecordState[] = before && shownFirst.has(item) ? [{ from: first, row: before }] : []
      const later = days(item).filter((day): day is Day => day !== undefined && day > first && day <= today)
      for (const from of [...new Set(later)].sort((a, b) => a - b)) {
        const row = rowOn(item, from)
        if (row && !(before && Object.keys(row).every((name) => before![name] === row[name]))) found.push({ from, row })
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
    rents: rents.map((row) => [{ from: Math.max(first, dayOf(row.asOf as string)), row }]),
  }
}

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

/** RFC 4180: a cell with a comma, quote or line break is quoted. */
export function quoted(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
