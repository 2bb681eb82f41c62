// Which records a history window shows: permits by their date of issue or application, sales by their day, everything on the market.
import type { SearchRow } from '../../criteria/conditions.ts'
import type { SearchKind } from '../../criteria/table.ts'
import type { MarketId } from '../../domain/facts.ts'
import type { WatchTrigger } from '../watches.ts'
import { type EventName, events } from './table.ts'
import type { WatchMatch } from './watch-match.ts'

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

/** What an event or a match is about, with the day of the change. */
export interface DatedRecord {
  market: MarketId
  about: SearchKind
  propertyId?: string | undefined
  permit?: { citySlug: string; permitId: string } | undefined
  day: string
}

export interface NamedRecord {
  propertyId?: string
  citySlug?: string
  permitId?: string
}

/** The record of an event. Events about permits of earlier versions do not name the city, so a window hides them. */
export const recordOfEvent = (type: EventName, market: string, data: NamedRecord, day: string): DatedRecord =>
  recordOf(events[type].about, market, data, day)

/** The record of a match of a watch of this kind. A change of the price or status of a parcel is visible as its listing is. */
export const recordOfMatch = (kind: SearchKind, market: string, data: NamedMatch, day: string): DatedRecord => {
  const isOfListing = data.triggers?.some((each) => each === 'price' || each === 'status')
  return recordOf(data.permitId !== undefined ? 'permits' : isOfListing ? 'listings' : kind, market, data, day)
}

/** A match of a parcel without what its listing says, for a key whose window hides the listing. */
export const matchWithoutListing = ({ previous, ...match }: WatchMatch): WatchMatch => ({
  ...ofParcel(match),
  ...(previous ? { previous: ofParcel(previous) } : {}),
})

const ofParcel = <Values extends Pick<WatchMatch, 'price' | 'status' | 'returnPct'>>({
  price: _,
  status: __,
  returnPct: ___,
  ...values
}: Values) => values

interface NamedMatch extends NamedRecord {
  triggers?: readonly WatchTrigger[]
}

const recordOf = (about: SearchKind, market: string, data: NamedRecord, day: string): DatedRecord => ({
  market: market as MarketId,
  about,
  propertyId: data.propertyId,
  permit: about === 'permits' ? { citySlug: data.citySlug ?? '', permitId: data.permitId ?? '' } : undefined,
  day,
})
