// Steps for latitude, longitude and points.
import { readPoint, unreadable } from '../values.ts'
import { areLines, medianOf } from './columns.ts'
import type { Draft, Step } from './draft.ts'

const median = (draft: Draft, field: 'lat' | 'lng'): number => {
  const written = medianOf(draft.columnFor(field)?.values ?? [])
  return Math.abs(written) > 1e6 ? written / 1e6 : written
}

/** A row needs both coordinates. */
export const leaveOutHalfPoint: Step = (draft) => {
  if (draft.has('lat') !== draft.has('lng'))
    for (const field of ['lat', 'lng']) draft.leaveOut(field, 'the other coordinate is missing or not in degrees')
}

/** "lat" -75.2 and "lng" 40.0 are swapped: in the Americas, longitude is negative. */
export const swapCoordinates: Step = (draft) => {
  const areSwapped = median(draft, 'lat') < -50 && median(draft, 'lng') > 10
  for (const each of draft.fields.filter(({ field }) => areSwapped && (field === 'lat' || field === 'lng'))) {
    each.field = each.field === 'lat' ? 'lng' : 'lat'
    each.note = 'latitude and longitude are swapped in the feed'
  }
}

export const areOutsideUs = (draft: Draft): boolean => {
  const [lat, lng] = [median(draft, 'lat'), median(draft, 'lng')]
  return lat !== 0 && lng !== 0 && (lat < 13 || lat > 72 || (lng > -64 && lng < 144) || lng < -180)
}

/** Without coordinates, a column of points. It may be the last of the lines of an address. */
export const usePoint: Step = (draft) => {
  if (draft.has('lat')) return
  const point = draft.filled.find(
    (column) => (!draft.used.has(column.name) || areLines(column)) && arePoints(column.values.slice(0, 50)),
  )
  if (!point) return
  draft.used.add(point.name)
  draft.point = point.name
}
const arePoints = (values: readonly unknown[]): boolean =>
  values.every(
    (value) =>
      (typeof value !== 'string' || twoDecimals.test(value)) &&
      !Array.isArray(value) &&
      readPoint(value) !== unreadable,
  )
/** Does not match "1.000,50", an amount with a decimal comma. */
const twoDecimals = /\d\.\d{2,}\D+\d+\.\d{2,}/
