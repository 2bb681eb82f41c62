// The simulated markets up to a day, and as feeds: every state of every record. A pure function of seed and day: a later day adds
// events, never changes earlier ones.

import { isDeepStrictEqual } from 'node:util'
import type { SampleFeed } from '../../src/ingest/sample-data.ts'
import { type Day, dayOf, yearOf } from './calendar.ts'
import { allPermitDays, type FeedRow, listingDays, listingRow, parcelRow, permitRow, saleRow } from './feeds.ts'
import { makeTown, type SampleParcel } from './parcels.ts'
import { permitNumber } from './permit-kinds.ts'
import { type PermitRecord, routinePermits } from './permits.ts'
import { rentRows } from './rents.ts'
import { type ListingRecord, simulateMarket } from './simulation.ts'

export type SampleData = ReturnType<typeof buildSampleData>

export function buildSampleData(seed: number, today: Day) {
  const { parcels, neighborhoods } = makeTown(seed)
  const { listings, sales, teardown, permits } = simulateMarket(parcels, seed, today)
  const all = [...permits, ...routinePermits(parcels, seed, today)]
  return { seed, today, parcels, neighborhoods, listings, sales, permits: numbered(all, today), teardown }
}

export type NumberedPermit = ReturnType<typeof numbered>[number]

/** Numbers permits by city and year in order of application, so that a later day gives old permits the same numbers. */
function numbered(permits: readonly PermitRecord[], today: Day) {
  const serials = new Map<string, number>()
  return permits
    .filter(({ appliedOn }) => appliedOn <= today)
    .sort((a, b) => a.appliedOn - b.appliedOn || (a.sortKey < b.sortKey ? -1 : 1))
    .map((permit) => {
      const year = yearOf(permit.appliedOn)
      // Apartments have a series of their own, so that the other numbers are the same as before they were added.
      const first = permit.kind === 'apartments' ? 9_000 : 0
      const key = `${permit.city}${year} ${first}`
      const serial = (serials.get(key) ?? first) + 1
      serials.set(key, serial)
      return { ...permit, permitId: permitNumber(permit.city, year, serial) }
    })
}

/** All open listings, plus the most recently closed ones up to this total. */
const listingCount = 1_000
const daysOf = (years: number): number => Math.round(years * 365.25)
const permitDays = daysOf(5)

/** The states of a record on the days on which it may change, without repetitions. */
export function statesOn<State>(days: readonly (Day | undefined)[], last: Day, stateOn: (day: Day) => State) {
  const states: { from: Day; state: State; before: State | undefined }[] = []
  const known = days.filter((day) => day !== undefined && day <= last) as Day[]
  for (const from of new Set(known.sort((a, b) => a - b))) {
    const [state, before] = [stateOn(from), states.at(-1)?.state]
    if (!isDeepStrictEqual(state, before)) states.push({ from, state, before })
  }
  return states
}

/** A row as its feed has it from a day on, until the next state of the same record. */
export type RecordState = { from: Day; state: FeedRow }

/** Every record that the sample has on `first` or gets until the last day of the data, with its states in order. */
export function feedStates(data: SampleData, first: Day): Record<SampleFeed, RecordState[][]> {
  const { seed, today, parcels, listings, sales, permits } = data
  const shown = new Set<object>([...parcels, ...shownListings(data, first), ...shownPermits(data, first)])
  /** The first of the days is the one on which the record is new. */
  const statesOf = <T extends object>(
    records: readonly T[],
    daysOf: (record: T) => readonly (Day | undefined)[],
    rowOn: (record: T, day: Day) => FeedRow,
  ): RecordState[][] =>
    records.map((record) => {
      const days = daysOf(record).map((day) => day && Math.max(first, day))
      const states = statesOn(days, today, (day) => rowOn(record, day))
      return states.filter(({ from }) => from > first || shown.has(record))
    })
  const builtOn = ({ homes }: SampleParcel): Day[] => homes.map(({ from }) => from)
  const since = (day: Day, state: FeedRow): RecordState[] => [{ from: Math.max(first, day), state }]
  return {
    parcels: statesOf(parcels, builtOn, (parcel, day) => parcelRow(parcel, seed, day)),
    listings: statesOf(listings, listingDays, (listing, day) => listingRow(listing, seed, day)),
    sales: sales
      .filter(({ soldOn }) => soldOn > first - daysOf(3) && soldOn <= today)
      .map((sale) => since(sale.soldOn, saleRow(sale, seed))),
    permits: statesOf(permits, allPermitDays, permitRow),
    rents: rentRows(parcels, seed, first - daysOf(2), today).map((row) => since(dayOf(row.asOf as string), row)),
  }
}

/** The listings that the feed of `first` has, and those added until `last`. */
export function shownListings({ listings }: SampleData, first: Day, last = first): ListingRecord[] {
  const seen = listings.filter(({ firstSeenOn }) => firstSeenOn <= first)
  const closedOn = ({ soldOn, withdrawnOn }: ListingRecord): Day => (soldOn ?? withdrawnOn)!
  const isClosed = (listing: ListingRecord): boolean => closedOn(listing) <= first
  const open = seen.filter((listing) => !isClosed(listing))
  const latest = seen
    .filter(isClosed)
    .sort((a, b) => closedOn(b) - closedOn(a) || (a.listingId < b.listingId ? -1 : 1))
    .slice(0, listingCount - open.length)
  return [...open, ...latest, ...listings.filter(({ firstSeenOn }) => firstSeenOn > first && firstSeenOn <= last)]
}

/** By issue date where there is one, because permit searches filter on that date; and those added until `last`. */
export function shownPermits({ permits }: SampleData, first: Day, last = first): NumberedPermit[] {
  const inWindow = ({ appliedOn, issuedOn }: NumberedPermit): boolean => {
    const day = issuedOn !== undefined && issuedOn <= first ? issuedOn : appliedOn
    return day > first - permitDays && day <= first
  }
  return [...permits.filter(inWindow), ...permits.filter(({ appliedOn }) => appliedOn > first && appliedOn <= last)]
}
