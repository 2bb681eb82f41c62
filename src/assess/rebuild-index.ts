// Counts houses rebuilt near a location. Nearby rebuilds raise the teardown probability (Munneke & Womack 2015).
import { valueAt } from '../common/typed.ts'
import type { Rebuild } from '../store/assessments/market-facts.ts'
import { pointsWithin } from './points-within.ts'

const radiusKm = 0.5

/** Several permits of one property count as one rebuild. */
export const rebuildIndex = (rebuilds: readonly Rebuild[]) => {
  const byPlace = new Map<string, Rebuild & { days: string[] }>()
  for (const each of rebuilds) {
    const key = each.propertyId ?? `${each.lat},${each.lng}`
    valueAt(byPlace, key, () => ({ ...each, days: [] })).days.push(each.issuedOn)
  }
  const within = pointsWithin([...byPlace.values()])
  return {
    /** Other properties rebuilt within 500 m. `during` limits the permits to `from` (inclusive) and `until` (exclusive). */
    near: (
      lat: number | undefined,
      lng: number | undefined,
      ownId: string,
      during?: { from: string; until: string },
    ) => {
      if (lat === undefined || lng === undefined) return byPlace.size === 0 ? 0 : undefined
      const isDuring = (day: string) => !during || (day >= during.from && day < during.until)
      return within(lat, lng, radiusKm).filter(({ propertyId, days }) => propertyId !== ownId && days.some(isDuring))
        .length
    },
  }
}
