// Finds what lies within a distance of a place.
import KDBush from 'kdbush'

const kmPerLat = 110.574

/** The function that finds them. Distances are exact enough within a market, not across a continent. */
export const pointsWithin = <Point extends { readonly lat: number; readonly lng: number }>(
  points: readonly Point[],
): ((lat: number | undefined, lng: number | undefined, km: number) => Point[]) => {
  const [first] = points
  if (!first) return () => []
  const kmPerLng = 111.32 * Math.cos((first.lat * Math.PI) / 180)
  const index = new KDBush(points.length)
  for (const { lat, lng } of points) index.add(lng * kmPerLng, lat * kmPerLat)
  index.finish()
  return (lat, lng, km) =>
    lat === undefined || lng === undefined
      ? []
      : index.within(lng * kmPerLng, lat * kmPerLat, km).map((at) => points[at]!)
}
