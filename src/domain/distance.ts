// Distances on the ground, in miles.
import type { LatLng } from './packs/markets.ts'

export const earthRadiusMi = 3958.7613
export const milesPerKm = 0.621371
/** Of latitude everywhere, of longitude at the equator. */
export const milesPerDegree = (earthRadiusMi * Math.PI) / 180

const degrees = Math.PI / 180

/** Along a great circle. */
export const distanceMi = (a: LatLng, b: LatLng): number => {
  const half =
    Math.sin(((b.lat - a.lat) * degrees) / 2) ** 2 +
    Math.cos(a.lat * degrees) * Math.cos(b.lat * degrees) * Math.sin(((b.lng - a.lng) * degrees) / 2) ** 2
  return 2 * earthRadiusMi * Math.asin(Math.sqrt(Math.min(1, half)))
}
