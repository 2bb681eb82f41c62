// The events that webhooks deliver and the feed lists.

import { type Static, Type } from 'typebox'
import examplePlace from '../../data/examples.json' with { type: 'json' }
import { listingStatuses, permitStatuses } from './facts.ts'
import { dateTime, integer, literals, number, optional, text } from './shape.ts'

export const eventNames = ['permit.created', 'property.score_updated'] as const
export type EventName = (typeof eventNames)[number]

export const PermitCreatedData = Type.Object(
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
)
export type PermitCreatedData = Static<typeof PermitCreatedData>

const scores = {
  teardownScore: optional(integer('Teardown score')),
  flippabilityScore: optional(integer('Flip score')),
}

export const ScoreUpdatedData = Type.Object(
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
)
export type ScoreUpdatedData = Static<typeof ScoreUpdatedData>

const WebhookTestData = Type.Object({ message: text('A fixed text') })

const body = <Name extends string, Data extends Type.TObject>(event: Name, data: Data) => ({
  event: literals([event], { description: 'Name of the event' }),
  market: text('Market identifier'),
  data,
  timestamp: dateTime('When it happened'),
})

/** The body of a delivery: what is signed and sent. */
const PermitCreated = Type.Object(body('permit.created', PermitCreatedData), { $id: 'PermitCreated' })
const ScoreUpdated = Type.Object(body('property.score_updated', ScoreUpdatedData), { $id: 'ScoreUpdated' })
const WebhookTest = Type.Object(body('webhook.test', WebhookTestData), { $id: 'WebhookTest' })

interface WebhookEvent<Schema extends Type.TSchema> {
  schema: Schema
  summary: string
  example: Static<Schema>
}

const webhookEvent = <Schema extends Type.TSchema>(event: WebhookEvent<Schema>): WebhookEvent<Schema> => event

const timestamp = '2026-11-15T06:00:00.000Z'

/** Every event a webhook may receive. */
export const webhookEvents = {
  'permit.created': webhookEvent({
    schema: PermitCreated,
    summary: 'A high-value permit was issued',
    example: {
      event: 'permit.created',
      market: examplePlace.market,
      data: {
        permitId: 'B26-0101',
        type: 'Residential',
        address: '123 Oak St',
        estimatedValue: 1_250_000,
        status: 'issued',
        description: 'New two-story house',
        teardownScore: 31,
      },
      timestamp,
    },
  }),
  'property.score_updated': webhookEvent({
    schema: ScoreUpdated,
    summary: 'A served score of a property changed',
    example: {
      event: 'property.score_updated',
      market: examplePlace.market,
      data: {
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
      timestamp,
    },
  }),
  'webhook.test': webhookEvent({
    schema: WebhookTest,
    summary: 'A test event, sent on request',
    example: {
      event: 'webhook.test',
      market: examplePlace.market,
      data: { message: 'This is a test event from Lotline. If you can verify its signature, you are ready.' },
      timestamp,
    },
  }),
}

const eventId = text('The webhook-id of its deliveries')

export const FeedEvent = Type.Union([
  Type.Object({ id: eventId, ...PermitCreated.properties }, { $id: 'FeedPermitCreated' }),
  Type.Object({ id: eventId, ...ScoreUpdated.properties }, { $id: 'FeedScoreUpdated' }),
])
export type FeedEvent = Static<typeof FeedEvent>
