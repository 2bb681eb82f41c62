// Which records a history window shows: permits by their date of issue or application, sales by their day, everything on the market.
import type { SearchRow } from '../criteria/conditions.ts'
import type { SearchKind } from '../criteria/table.ts'

/** `row` is the record as it is now, `day` the day of the change. `since` is undefined for a key without a window. */
export const isVisible = (
  about: SearchKind,
  row: SearchRow | null | undefined,
  day: string,
  since: string | undefined,
): boolean => {
  if (since === undefined) return true
  if (!row) return false
  const { status, issuedOn, appliedOn, soldOn } = row.texts
  if (about === 'permits') return (issuedOn ?? appliedOn ?? '') >= since
  if (about === 'parcels') return true
  if (status === 'sold') return (soldOn ?? '') >= since
  // A listing that was withdrawn is not served, only the day on which that happened.
  return status !== undefined || day >= since
}
