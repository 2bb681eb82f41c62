// Which records a history window shows: permits by their date of issue or application, sales by their day, everything on the market.
import type { SearchRow } from '../criteria/conditions.ts'
import type { SearchKind } from '../criteria/table.ts'
import type { EventName } from './table.ts'

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

/** Reasons of a score may quote permits and sales from before a history window, so they are left out for a key that has one. */
export const withinWindow = <Data extends object>(type: EventName, data: Data): Data => {
  if (type !== 'property.score_updated') return data
  const { changed: _, ...kept } = data as Data & { changed?: unknown }
  return { ...kept, reason: 'The reason may quote records from before your history window.' } as unknown as Data
}
