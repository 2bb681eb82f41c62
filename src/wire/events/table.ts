// The events, one row each. OpenAPI, the reference, the client's types, webhook registration, the feed and the removal
// of sample data read this table.

import { type Static, Type } from 'typebox'
import examplePlace from '../../../data/examples.json' with { type: 'json' }
import { integer, list, literals, number, object, optional, text } from '../../common/shape.ts'
import { pick } from '../../common/typed.ts'
import type { SearchKind } from '../../criteria/table.ts'
import { type Dataset, datasets, listingStatuses, permitClasses, permitStatuses } from '../../domain/facts.ts'
import { LawReference } from '../../domain/findings/laws.ts'
import { lotSplitStatuses } from '../../domain/findings/lot-split.ts'
import { watchKinds } from '../watches.ts'
import { WatchMatch } from './watch-match.ts'

interface Row<Data extends Type.TObject> {
  /** The shape of `data`. Its $id ends in Data; the rest names the body in OpenAPI. */
  data: Data
  /** The kind of row that it keeps, which decides the criteria that filter it. */
  about: SearchKind
  /** In a few words, without a period. */
  summary: string
  /** When it is sent, in sentences. */
  when: string
  /** Also sent to an endpoint that registers without `events`. */
  byDefault?: true
  /** Real data of these data sets replaces the sample and removes the market's events of this type. */
  removedWith: readonly Dataset[]
  example: Static<Data>
}

const row = <Data extends Type.TObject>(row: Row<Data>): Row<Data> => row

const scores = {
  teardownScore: optional.integer('Teardown score'),
  flippabilityScore: optional.integer('Flip score'),
}

const uri = (description: string) => Type.String({ format: 'uri', description })
const propertyPage = 'Page of the property'

const home = {
  propertyId: text('Property identifier'),
  address: text('Street address'),
  city: text('City name'),
  citySlug: text('City slug'),
  url: uri(propertyPage),
}

const permit = {
  permitId: text('Permit number; it may repeat in another city'),
  city: text('City name'),
  citySlug: text('City slug'),
  address: optional.text('Street address'),
  propertyId: optional.text('Property identifier; absent if no property matches'),
  type: text('Project type as the city gives it'),
  permitClass: literals(permitClasses, 'Kind of work'),
  status: literals(permitStatuses, 'Normalized status'),
  permitUrl: uri('Page of the permit'),
  url: optional(uri(`${propertyPage}; absent if none matches`)),
}

const listing = {
  ...home,
  price: optional.number('Asking price, dollars'),
  status: literals(listingStatuses, 'Listing status'),
  teardownScore: optional.integer('Teardown score'),
  returnPct: optional.number('Return of a new house at the asking price, percent'),
  daysOnMarket: optional.integer('Days from listing to today, or to pending or sale'),
}

const changedListing = {
  ...listing,
  previous: object('PreviousListing', 'Before the change', {
    price: optional.number('Dollars'),
    status: optional.literals(listingStatuses, 'Listing status'),
  }),
  changePct: optional.number('Change of the price, percent'),
}

const place = {
  propertyId: 'p_001mmzx1rp97xxdw2qm',
  address: '123 Oak St',
  city: examplePlace.city,
  citySlug: examplePlace.citySlug,
  url: 'http://localhost:3000/properties/p_001mmzx1rp97xxdw2qm',
}
const examplePermit = {
  permitId: 'B26-0101',
  ...place,
  type: 'Residential',
  permitClass: 'new_house' as const,
  permitUrl: `http://localhost:3000/permits/${examplePlace.citySlug}/B26-0101`,
}
const exampleListing = {
  ...place,
  price: 2_550_000,
  status: 'active' as const,
  teardownScore: 31,
  returnPct: 4.2,
  daysOnMarket: 18,
}
const listingWhen = 'It is sent once the home has been assessed with the change. The first load of a source sends none.'

const ofListings = { about: 'listings', removedWith: ['parcels', 'listings'] } as const
const ofPermits = { about: 'permits', removedWith: ['permits'] } as const

export const events = {
  'permit.created': row({
    data: object('PermitCreatedData', {
      ...pick(permit, 'permitId', 'type', 'address'),
      estimatedValue: number('Valuation, dollars'),
      status: permit.status,
      description: optional.text('Scope of work'),
      teardownScore: optional.integer('Teardown score of the property, where matched'),
      // Absent in events that an earlier version has written.
      city: optional(permit.city),
      citySlug: optional(permit.citySlug),
      propertyId: permit.propertyId,
      permitUrl: optional(permit.permitUrl),
      url: permit.url,
      issuedDate: optional.date('Day of issue'),
      permitClass: optional(permit.permitClass),
      units: optional.integer('Dwelling units added, where known'),
    }),
    ...ofPermits,
    summary: 'A high-value permit was issued',
    when: 'A permit of $500,000 or more (`HIGH_VALUE_PERMIT_USD`) is first recorded as issued, up to 30 days after its issue date. The first load of a source sends none.',
    byDefault: true,
    example: {
      ...examplePermit,
      estimatedValue: 1_250_000,
      status: 'issued',
      description: 'New two-story house',
      teardownScore: 31,
      issuedDate: '2026-11-14',
      units: 1,
    },
  }),
  'permit.status_changed': row({
    data: object('PermitStatusChangedData', {
      ...permit,
      previous: object('PreviousPermit', 'Before the change', { status: permit.status }),
    }),
    ...ofPermits,
    summary: 'The status of a permit changed',
    when: 'The normalized status of a permit differs from the one recorded before. A high-value permit that is issued after review sends `permit.created` as well. The first load of a source sends none.',
    example: { ...examplePermit, status: 'finaled', previous: { status: 'inspections' } },
  }),
  'listing.created': row({
    data: object('ListingCreatedData', listing),
    ...ofListings,
    summary: 'A home came on the market',
    when: `A listing on the market is first recorded. ${listingWhen}`,
    example: { ...exampleListing, daysOnMarket: 0 },
  }),
  'listing.price_changed': row({
    data: object('ListingPriceChangedData', changedListing),
    ...ofListings,
    summary: 'The asking price of a home changed',
    when: `The asking price of a listing differs from the one recorded before. ${listingWhen}`,
    example: { ...exampleListing, previous: { price: 2_700_000, status: 'active' }, changePct: -5.6 },
  }),
  'listing.status_changed': row({
    data: object('ListingStatusChangedData', changedListing),
    ...ofListings,
    summary: 'A listing became pending, sold, withdrawn or active',
    when: `The status of a listing differs from the one recorded before. ${listingWhen}`,
    example: { ...exampleListing, status: 'pending', previous: { price: 2_550_000, status: 'active' } },
  }),
  'property.score_updated': row({
    data: object('ScoreUpdatedData', {
      ...pick(home, 'propertyId', 'address', 'city'),
      price: optional.number('Listing price, dollars; absent when not listed'),
      status: optional.literals(listingStatuses, 'Listing status; absent when not listed'),
      ...scores,
      previous: object('EventScores', 'The scores before', scores),
      reason: text('Why it changed'),
      changed: optional.list(
        object('ChangedInput', {
          input: text('Name of the part of the score'),
          from: optional.text('What was known before; absent if nothing'),
          to: optional.text('What is known now; absent if nothing'),
          points: number('How much it moved the score'),
        }),
        'What changed, the largest effect first',
      ),
    }),
    about: 'listings',
    summary: 'A served score of a property changed',
    when: 'The teardown or flippability score of a property changes. By default, an endpoint receives changes of 3 points (`SCORE_EVENT_MIN_CHANGE`), for the teardown score 5 percentiles, or more since the score last announced, for homes on the market. The first value of a score and a change that only comes from a new model, law, pack or program version, or from one more week on the market, send none.',
    byDefault: true,
    removedWith: datasets,
    example: {
      ...pick(place, 'propertyId', 'address', 'city'),
      price: 2_681_500,
      status: 'active',
      teardownScore: 31,
      flippabilityScore: 44,
      previous: { teardownScore: 27, flippabilityScore: 44 },
      reason:
        'The price is 4% below the value estimate; before: The price is 1% below the value estimate (+3.6 points).',
      changed: [
        {
          input: 'priceToValue',
          from: 'The price is 1% below the value estimate',
          to: 'The price is 4% below the value estimate',
          points: 3.6,
        },
      ],
    },
  }),
  'lead.created': row({
    data: object('LeadCreatedData', {
      ...home,
      kind: literals(['adu', 'redevelopment', 'sb9'], 'Kind of lead'),
      score: optional.integer('Score of the lead; absent for sb9'),
      sb9Status: optional.literals(lotSplitStatuses, 'Result of the lot split rules; for sb9'),
      class: optional.text('Redevelopment class; for redevelopment'),
      law: optional(LawReference),
    }),
    about: 'parcels',
    summary: 'A parcel became a lead',
    when: 'A parcel first reaches an ADU or redevelopment score of 60, or the lot split result eligible or likely. A change that only comes from a new model, law, pack or program version sends none.',
    removedWith: datasets,
    example: { ...place, kind: 'redevelopment', score: 64, class: 'teardown_candidate' },
  }),
  'watch.matched': row({
    data: object('WatchMatchedData', {
      watchId: text('Id of the watch'),
      name: text('Name of the watch'),
      kind: literals(watchKinds, 'What is watched'),
      matches: list(WatchMatch, 'At most 100, newest first; none in a test'),
      more: integer('Further matches, listed by GET /v1/watches/{id}/matches'),
    }),
    about: 'listings',
    summary: 'Changes met one of your watches',
    when: 'A watch with webhooks is announced, as often as its cadence says. Only the endpoints that the watch names receive it, with or without subscribing; the event feed does not list it.',
    removedWith: datasets,
    example: {
      watchId: 'wat_3Fd9',
      name: 'Teardowns under $3M',
      kind: 'listings',
      matches: [
        {
          id: 'wm_1Ab2',
          triggers: ['price'],
          ...pick(place, 'propertyId', 'address', 'city', 'citySlug', 'url'),
          price: 2_550_000,
          status: 'active',
          previous: { price: 2_700_000, status: 'active' },
          changedAt: '2026-11-15T06:00:00.000Z',
        },
      ],
      more: 0,
    },
  }),
}

export type EventName = keyof typeof events
