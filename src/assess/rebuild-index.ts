// Counts houses rebuilt near a location. Nearby rebuilds raise the teardown probability (Munneke & Womack 2015).
import KDBush from 'kdbush'
import type { Rebuild } from '../store/assessments/market-facts.ts'

const radiusKm = 0.5

export interface RebuildIndex {
  /** Other properties rebuilt within 500 m. `during` limits the permits to `from` (inclusive) and `until` (exclusive). */
  near(
    lat: number | undefined,
    lng: number | undefined,
    ownId: string,
    during?: { from: string; until: string },
  ): number | undefined
}

/** Several permits of one property count as one rebuild. */
export const rebuildIndex = (rebuilds: readonly Rebuild[]): RebuildIndex => {
  const byPlace = new Map<string, Rebuild & { days: string[] }>()
  for (const each of rebuilds) {
    const key = each.propertyId ?? `${each.lat},${each.lng}`
    const known = byPlace.get(key)
    if (known) known.days.push(each.issuedOn)
    else byPlace.set(key, { ...each, days: [each.issuedOn] })
  }
  const places = [...byPlace.values()]
  if (places.length === 0) return { near: () => 0 }
  const kmPerLat = 110.574
  const kmPerLng = 111.32 * Math.cos((places[0]!.lat * Math.PI) / 180)
  const index = new KDBush(places.length)
  for (const { lat, lng } of places) index.add(lng * kmPerLng, lat * kmPerLat)
  index.finish()
  return {
    near: (lat, lng, ownId, during) => {
      if (lat === undefined || lng === undefined) return undefined
      let count = 0
      for (const at of index.within(lng * kmPerLng, lat * kmPerLat, radiusKm)) {
        const { propertyId, days } = places[at]!
        if (propertyId === ownId) continue
        if (!during || days.some((day) => day >= during.from && day < during.until)) count++
      }
      return count
    },
  }
}
