// The sample world up to a day. A pure function of the seed and the day: a later day only adds to an earlier one.

import type { Day } from './calendar.ts'
import { earliestToday, isoDate, worldStart, yearOf } from './calendar.ts'
import { playMarket } from './market.ts'
import type { SampleParcel } from './parcel.ts'
import { makeParcels } from './parcels.ts'
import { permitNumber } from './permit-vocabulary.ts'
import type { PermitRecord } from './permits.ts'
import { counterPermits } from './permits.ts'
import type { ListingRecord, SaleRecord } from './play.ts'
import type { TeardownOdds } from './teardown.ts'
import { teardownOdds } from './teardown.ts'

export interface World {
  seed: number
  today: Day
  parcels: readonly SampleParcel[]
  listings: readonly ListingRecord[]
  sales: readonly SaleRecord[]
  permits: readonly NumberedPermit[]
  odds: TeardownOdds
}

export interface NumberedPermit extends PermitRecord {
  permitId: string
}

export function makeWorld(seed: number, today: Day): World {
  if (today < earliestToday) throw new Error(`the sample has no full history before ${isoDate(earliestToday)}`)
  const parcels = makeParcels(seed)
  const odds = teardownOdds(parcels, seed, worldStart)
  const { listings, sales, projectPermits, sites } = playMarket(parcels, odds, seed, today)
  const permits = numbered([...projectPermits, ...counterPermits(parcels, sites, seed, today)], today)
  return { seed, today, parcels, listings, sales, permits, odds }
}

/** Numbers run by city and year in order of application, so that a later world numbers the past alike. */
function numbered(permits: readonly PermitRecord[], today: Day): NumberedPermit[] {
  const serials = new Map<string, number>()
  return permits
    .filter((permit) => permit.appliedOn <= today)
    .sort((a, b) => a.appliedOn - b.appliedOn || (a.tie < b.tie ? -1 : a.tie > b.tie ? 1 : 0))
    .map((permit) => {
      const year = yearOf(permit.appliedOn)
      const key = `${permit.city}${year}`
      const serial = (serials.get(key) ?? 0) + 1
      serials.set(key, serial)
      return { ...permit, permitId: permitNumber(permit.city, year, serial) }
    })
}

/** The hidden chance that a sale of this parcel on the world's last day ends in a teardown. For tests and evaluation. */
export const trueTeardownProbability = (world: World, parcel: SampleParcel): number =>
  world.odds.at(parcel, world.today)
