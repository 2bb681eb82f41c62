// What the sample's market leaves behind, and what the later chapters of a parcel's life may do to it.

import type { Day } from './calendar.ts'
import type { ListingLife } from './listing-life.ts'
import type { Home, SampleParcel } from './parcel.ts'
import type { PermitRecord } from './permits.ts'
import type { TeardownOdds } from './teardown.ts'

export interface ListingRecord extends ListingLife {
  listingId: string
  parcel: SampleParcel
  home: Home
  /** Hidden: how much the land is the story here, which remarks hint at. */
  teardownOdds: number
  relisted: boolean
}

export interface SaleRecord {
  saleId: string
  parcel: SampleParcel
  home: Home
  soldOn: Day
  priceUsd: number
  listing?: ListingRecord
}

export interface MarketHistory {
  listings: ListingRecord[]
  sales: SaleRecord[]
  /** Those that follow from a sale: demolitions, new houses, remodels. */
  projectPermits: PermitRecord[]
  /** Per parcel, from when to when it is a building site. */
  sites: Map<number, { from: Day; to: Day }[]>
}

/** What the later chapters of a parcel's life may do to the world. */
export interface Play {
  seed: number
  history: MarketHistory
  odds: TeardownOdds
  /** Runs on that day, in the order booked. */
  book(day: Day, event: (day: Day) => void): void
  list(parcel: SampleParcel, day: Day, askFactor: number, relisted: boolean): void
  /** No chance listing of the parcel before that day. */
  hold(parcel: SampleParcel, until: Day): void
}
