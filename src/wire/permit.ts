import { type Static, Type } from 'typebox'
import { date, dateTime, literals, object, optional, orNull, text } from '../common/shape.ts'
import { permitClasses, permitStatuses } from '../domain/facts.ts'
import { Provenance } from '../domain/provenance.ts'
import { distanceMi, point } from '../domain/searched-row.ts'

const valuation = orNull(Type.Number(), 'Dollars; null when filed without one')
const status = literals(permitStatuses, 'Normalized status')
const permitClass = literals(permitClasses, 'Kind of work, from the words of the permit')
const removed = dateTime(
  'When the city’s feed no longer contained it; present only then. The permit was probably withdrawn',
)

export const Permit = object('Permit', {
  permitId: text('Permit number'),
  city: text('City name'),
  address: optional.text('Street address'),
  otherAddresses: optional.texts('Further addresses of the same permit'),
  projectType: optional.text('As the city gives it; several cities use one generic type, so read description'),
  description: optional.text('Scope of work'),
  valuation,
  sqft: optional.number('Area, square feet'),
  units: optional.integer('Dwelling units added, from the feed or stated in the description'),
  psf: optional.number('Valuation per square foot'),
  contractor: optional.text('Contractor'),
  builderId: optional.text('The builder, with its figures at /v1/builders/{id}'),
  architect: orNull(Type.String(), 'Architect'),
  issuedDate: date('Date of issue'),
  appliedDate: optional.date('Date of application'),
  finaledDate: optional.date('Date of the final inspection'),
  status,
  permitUrl: text('Page of this permit', { format: 'uri' }),
  permitClass: optional(permitClass),
  classWords: optional.texts('The words that decided the class'),
  propertyId: optional.text('The property it belongs to, where matched'),
  ...point,
  distanceMi,
  goneAt: optional(removed),
  source: optional(Provenance),
  citySlug: text('City slug, for /v1/permits/{citySlug}/{permitId}'),
})
export type Permit = Static<typeof Permit>

/** With `issued=false` and `issued=any`. */
export const PermitInAnyStage = object('PermitInAnyStage', 'A permit, issued or not', {
  ...Permit.properties,
  issuedDate: optional.date('Date of issue; absent for a permit that is not issued'),
})
export type PermitInAnyStage = Static<typeof PermitInAnyStage>

export const TimelinePermit = object('TimelinePermit', 'A permit in the timeline of one property, issued or not', {
  permitId: text('Permit number'),
  city: text('City name'),
  citySlug: text('City slug'),
  addresses: optional.texts('All addresses of a permit that has several'),
  status,
  projectType: optional.text('As the city gives it'),
  description: optional.text('Scope of work'),
  valuation,
  units: optional.integer('Dwelling units added'),
  permitClass: optional(permitClass),
  appliedDate: optional.date('Date of application'),
  issuedDate: optional.date('Date of issue'),
  finaledDate: optional.date('Date of the final inspection'),
  goneAt: optional(removed),
})
export type TimelinePermit = Static<typeof TimelinePermit>
