import { type Static, Type } from 'typebox'
import { dateTime, list, literals, object, optional, text } from '../../common/shape.ts'
import { watchTriggers } from '../watches.ts'

const values = {
  price: optional.number('Asking price, dollars'),
  status: optional.text('Listing or permit status'),
  teardownScore: optional.integer('Teardown score'),
  returnPct: optional.number('Return of a new house at the asking price, percent'),
}

/** A match of a watch, in watch.matched and in the list of matches. */
export const WatchMatch = object('WatchMatch', {
  id: text('Match identifier'),
  triggers: list(literals(watchTriggers), 'What happened, of the changes the watch is on'),
  propertyId: optional.text('Property identifier'),
  permitId: optional.text('Permit number; for permits'),
  address: optional.text('Street address'),
  city: text('City name'),
  citySlug: text('City slug'),
  url: Type.String({ format: 'uri', description: 'Page of the record' }),
  ...values,
  previous: optional(object('WatchMatchBefore', 'Before; absent for a new record', values)),
  changedAt: dateTime('When it changed'),
})
export type WatchMatch = Static<typeof WatchMatch>

/** Matches in one body; GET /v1/watches/{id}/matches lists the others. */
export const eventsPerAnnouncement = 100
