// What happened to one home: listings, sales, permits and value estimates in one dated list.
import type { Static } from 'typebox'
import { date, literals, object, optional, text } from '../common/shape.ts'
import { listingStatuses, permitClasses, permitStatuses } from '../domain/facts.ts'

/** The inputs of a value or a return, as they were before and after. */
export const MovedInput = object('MovedInput', {
  input: text(
    'What changed: price, valueEstimate, comparablesValue, similarHomesValue, conditionValue, buildSqft, arvPerSqft, capital …',
  ),
  from: optional.number('Before; absent if there was none'),
  to: optional.number('After; absent if there is none'),
})
export type MovedInput = Static<typeof MovedInput>

/** A smaller change of the value, in percent, is not kept. */
export const leastValuePct = 1

const timelineKinds = ['listed', 'price', 'status', 'sale', 'permit', 'permitStatus', 'value'] as const

export const TimelineEntry = object('TimelineEntry', {
  date: date('The day'),
  kind: literals(
    timelineKinds,
    'listed: a listing began; price and status: it changed; sale: a recorded sale; permit: issued, or applied for if not issued; permitStatus: its status changed; value: the value estimate changed by at least 1% or the return by a point',
  ),
  price: optional.number('Asking or sale price, dollars'),
  status: optional.literals(listingStatuses, 'Status of the listing'),
  previous: optional(
    object('TimelinePrevious', 'Before the change', {
      price: optional.number('Dollars'),
      status: optional.text('Status'),
      value: optional.number('Value estimate, dollars'),
      returnPct: optional.number('Percent'),
    }),
  ),
  changePct: optional.number('Change of the price or the value, percent'),
  permitId: optional.text('Permit number'),
  permitClass: optional.literals(permitClasses, 'Kind of work'),
  permitStatus: optional.literals(permitStatuses, 'Normalized status of the permit'),
  valuation: optional.number('Valuation of the permit, dollars'),
  value: optional.number('Value estimate, dollars'),
  low: optional.number('Low end of the value range, dollars'),
  high: optional.number('High end of the value range, dollars'),
  returnPct: optional.number('Return of a new house at the asking price, percent'),
  moved: optional.list(MovedInput, 'What changed the value or the return'),
  text: text('The entry in one sentence'),
})
export type TimelineEntry = Static<typeof TimelineEntry>
