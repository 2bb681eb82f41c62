// How many houses around a place were demolished or newly built lately. Nearness is contagious (Munneke & Womack 2015).
import KDBush from 'kdbush'
import type { Rebuild } from '../store/market-facts.ts'

const radiusKm = 0.5

export interface RebuildIndex {
  /** Other properties rebuilt within 500 m. */
  near(lat: number | undefined, lng: number | undefined, ownId: string): number | undefined
}

/** One house torn down and built anew is one rebuild, however many permits it took. */
export const rebuildIndex = (rebuilds: readonly Rebuild[]): RebuildIndex => {
  const places = [...new Map(rebuilds.map((each) => [each.propertyId ?? `${each.lat},${each.lng}`, each])).values()]
  if (places.length === 0) return { near: () => 0 }
  const kmPerLat = 110.574
  const kmPerLng = 111.32 * Math.cos((places[0]!.lat * Math.PI) / 180)
  const index = new KDBush(places.length)
  for (const { lat, lng } of places) index.add(lng * kmPerLng, lat * kmPerLat)
  index.finish()
  return {
    near: (lat, lng, ownId) =>
      lat === undefined || lng === undefined
        ? undefined
        : index.within(lng * kmPerLng, lat * kmPerLat, radiusKm).filter((at) => places[at]!.propertyId !== ownId)
            .length,
  }
}
