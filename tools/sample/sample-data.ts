// The simulated market up to a day. A pure function of seed and day: a later day adds events, never changes earlier ones.

import { type Day, earliestToday, isoDate, simulationStart, yearOf } from './calendar.ts'
import { makeTown } from './parcels.ts'
import { permitNumber } from './permit-vocabulary.ts'
import { type PermitRecord, routinePermits } from './permits.ts'
import { simulateMarket } from './simulate-market.ts'
import { fitTeardownModel } from './teardown.ts'

export type SampleData = ReturnType<typeof buildSampleData>

export interface NumberedPermit extends PermitRecord {
  permitId: string
}

export function buildSampleData(seed: number, today: Day) {
  if (today < earliestToday) throw new Error(`the sample has no full history before ${isoDate(earliestToday)}`)
  const { parcels, neighborhoods } = makeTown(seed)
  const teardown = fitTeardownModel(parcels, seed, simulationStart)
  const { listings, sales, projectPermits, sites } = simulateMarket(parcels, teardown, seed, today)
  const permits = numbered([...projectPermits, ...routinePermits(parcels, sites, seed, today)], today)
  return { seed, today, parcels, neighborhoods, listings, sales, permits, teardown }
}

/** Numbers permits by city and year in order of application, so that a later day gives old permits the same numbers. */
function numbered(permits: readonly PermitRecord[], today: Day): NumberedPermit[] {
  const serials = new Map<string, number>()
  return permits
    .filter((permit) => permit.appliedOn <= today)
    .sort((a, b) => a.appliedOn - b.appliedOn || (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : 0))
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
