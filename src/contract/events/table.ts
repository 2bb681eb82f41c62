// The events, one row each. OpenAPI, the reference, docs/events.md, the client's types, webhook registration, the feed and the removal
// of sample data read this table.
import { type Static, Type } from 'typebox'
import examplePlace from '../../../data/examples.json' with { type: 'json' }
import { type Dataset, datasets, listingStatuses, permitStatuses } from '../facts.ts'
import { integer, literals, number, optional, text } from '../shape.ts'

interface Row<Data extends Type.TObject> {
  /** The shape of `data`. Its $id ends in Data; the rest names the body in OpenAPI. */
  data: Data
  /** In a few words, without a period. */
  summary: string
  /** When it is sent, in sentences. */
  when: string
  /** Sent to an endpoint that registers without `events`. */
  byDefault: boolean
  /** Real data of these data sets replaces the sample and removes the market's events of this type. */
  removedWith: readonly Dataset[]
  example: Static<Data>
}

const row = <Data extends Type.TObject>(row: Row<Data>): Row<Data> => row

const scores = {
  teardownScore: optional(integer('Teardown score')),
  flippabilityScore: optional(integer('Flip score')),
}

export const events = {
  'permit.created': row({
    data: Type.Object(
      {
        permitId: text('Permit number'),
        type: text('Project type as the city gives it'),
        address: optional(text('Street address')),
        estimatedValue: number('Valuation, dollars'),
        status: literals(permitStatuses, { description: 'Normalized status' }),
        description: optional(text('Scope of work')),
        teardownScore: optional(integer('Teardown score of the property, where matched')),
      },
      { $id: 'PermitCreatedData' },
    ),
    summary: 'A high-value permit was issued',
    when: 'A permit of $500,000 or more (`HIGH_VALUE_PERMIT_USD`) is first recorded as issued, up to 30 days after its issue date. The first load of a source sends none.',
    byDefault: true,
    removedWith: ['permits'],
    example: {
      permitId: 'B26-0101',
      type: 'Residential',
      address: '123 Oak St',
      estimatedValue: 1_250_000,
      status: 'issued',
      description: 'New two-story house',
      teardownScore: 31,
    },
  }),
  'property.score_updated': row({
    data: Type.Object(
      {
        propertyId: text('Property identifier'),
        address: text('Street address'),
        city: text('City name'),
        price: optional(number('Listing price, dollars; absent when not listed')),
        status: optional(literals(listingStatuses, { description: 'Listing status; absent when not listed' })),
        ...scores,
        previous: Type.Object(scores, { $id: 'EventScores', description: 'The scores before' }),
        reason: text('Why it changed'),
      },
      { $id: 'ScoreUpdatedData' },
    ),
    summary: 'A served score of a property changed',
    when: 'The teardown or flippability score of a property changes. The first value of a score and a change that only comes from a refitted model send none.',
    byDefault: true,
    removedWith: datasets,
    example: {
      propertyId: 'p_001mmzx1rp97xxdw2qm',
      address: '123 Oak St',
      city: examplePlace.city,
      price: 2_681_500,
      status: 'active',
      teardownScore: 31,
      flippabilityScore: 44,
      previous: { teardownScore: 27, flippabilityScore: 44 },
      reason: 'The price is 4% below the value estimate (+3.6 points).',
    },
  }),
}
