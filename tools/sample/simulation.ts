// The records that the market simulation produces, and the operations its steps use to schedule later events.

import type { Day } from './calendar.ts'
import type { ListingTimeline } from './listing-timeline.ts'
import type { Home, SampleParcel } from './parcel.ts'
import type { PermitRecord } from './permits.ts'
import type { TeardownModel } from './teardown.ts'

export interface ListingRecord extends ListingTimeline {
  listingId: string
  parcel: SampleParcel
  home: Home
  /** Not in the feeds, except as hints in the remarks. */
  teardownProbability: number
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
  /** Permits for work after a sale: demolitions, new houses, remodels. */
  projectPermits: PermitRecord[]
  /** Construction periods by parcel index. */
  sites: Map<number, { from: Day; to: Day }[]>
}

export interface Simulation {
  seed: number
  history: MarketHistory
  teardown: TeardownModel
  /** Runs `event` on that day; events of one day run in the order scheduled. */
  schedule(day: Day, event: (day: Day) => void): void
  list(parcel: SampleParcel, day: Day, askFactor: number, relisted: boolean): void
  /** Consecutive within the series and year: 2600001, 2600002, … */
  nextNumber(series: string, day: Day): string
  /** Prevents a random listing of the parcel before that day. */
  keepOffMarket(parcel: SampleParcel, until: Day): void
}
