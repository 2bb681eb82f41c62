import { Type } from 'typebox'
import { describe } from '../operation.ts'
import { FeedPagination, listOf, orNull } from '../resources.ts'
import { page } from './paging.ts'

export const eventNames = ['permit.created', 'property.score_updated'] as const
export type EventName = (typeof eventNames)[number]

export const maxEndpointsPerKey = 10

const id = Type.String({ minLength: 1, maxLength: 64, description: 'Endpoint identifier' })
const EventNames = Type.Array(Type.Enum([...eventNames]), { description: 'Events subscribed' })
const time = (description: string) => Type.String({ format: 'date-time', description })

const Endpoint = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ format: 'uri' }),
    events: EventNames,
    status: Type.Enum(['enabled', 'disabled']),
    disabledReason: Type.Optional(Type.String()),
    failingSince: Type.Optional(time('First of the failures still going on')),
    createdAt: time('When registered'),
  },
  { $id: 'WebhookEndpoint' },
)

const Delivery = Type.Object(
  {
    id: Type.String(),
    eventId: Type.String(),
    event: Type.String(),
    status: Type.Enum(['waiting', 'delivered', 'failed', 'discarded']),
    note: Type.Optional(Type.String({ description: 'Why it was discarded' })),
    createdAt: time('When queued'),
    nextAttemptAt: Type.Optional(time('When it is tried next')),
    deliveredAt: Type.Optional(time('When it was accepted')),
    attempts: Type.Array(
      Type.Object({
        attempt: Type.Integer(),
        at: time('When it was tried'),
        durationMs: Type.Integer(),
        status: Type.Optional(Type.Integer({ description: 'HTTP status the receiver gave' })),
        error: Type.Optional(Type.String()),
        response: Type.Optional(Type.String({ description: 'Beginning of the receiver’s answer' })),
      }),
    ),
  },
  { $id: 'Delivery' },
)

const Registered = Type.Object({
  success: Type.Literal(true),
  id: Type.String(),
  registeredUrl: Type.String({ format: 'uri' }),
  events: EventNames,
  signingSecret: Type.String({ description: 'whsec_…, shown once: verify every delivery with it' }),
  warnings: Type.Optional(Type.Array(Type.String())),
})

const Done = Type.Object({ success: Type.Literal(true) })
const Queued = Type.Object({ success: Type.Literal(true), deliveryId: Type.String() })

export const registerWebhook = describe({
  name: 'register_webhook',
  title: 'Register a webhook',
  tag: 'Webhooks',
  method: 'POST',
  path: '/v1/webhooks/register',
  access: 'pro',
  summary:
    'Registers an HTTPS endpoint for signed events; the same URL again replaces its events and rotates its secret.',
  input: Type.Object({
    url: Type.String({ maxLength: 2000, description: 'HTTPS address, port 443 or ≥ 1024, publicly reachable' }),
    events: Type.Optional(
      Type.Array(Type.Enum([...eventNames]), { minItems: 1, uniqueItems: true, description: 'Both unless told' }),
    ),
  }),
  output: Registered,
  errors: [400],
})

export const listWebhooks = describe({
  name: 'list_webhooks',
  title: 'Your webhooks',
  tag: 'Webhooks',
  method: 'GET',
  path: '/v1/webhooks',
  access: 'pro',
  summary: 'The endpoints this key has registered.',
  input: Type.Object({ ...page }),
  output: listOf(Endpoint),
})

export const deleteWebhook = describe({
  name: 'delete_webhook',
  title: 'Delete a webhook',
  tag: 'Webhooks',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  access: 'pro',
  summary: 'Removes an endpoint and what was waiting for it.',
  input: Type.Object({ id }),
  output: Done,
  errors: [404],
})

export const testWebhook = describe({
  name: 'test_webhook',
  title: 'Send a test event',
  tag: 'Webhooks',
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  access: 'pro',
  summary: 'Queues a signed webhook.test event to one endpoint.',
  input: Type.Object({ id }),
  output: Queued,
  errors: [400, 404],
})

export const rotateWebhook = describe({
  name: 'rotate_webhook',
  title: 'Rotate a signing secret',
  tag: 'Webhooks',
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate',
  access: 'pro',
  summary: 'Gives an endpoint a new signing secret; both sign for 24 hours.',
  input: Type.Object({ id }),
  output: Type.Object({
    ...Registered.properties,
    previousSecretExpiresAt: time('When the old secret stops signing'),
  }),
  errors: [400, 404],
})

export const enableWebhook = describe({
  name: 'enable_webhook',
  title: 'Enable a webhook',
  tag: 'Webhooks',
  method: 'POST',
  path: '/v1/webhooks/{id}/enable',
  access: 'pro',
  summary: 'Puts a disabled endpoint back to work.',
  input: Type.Object({ id }),
  output: Done,
  errors: [400, 404],
})

export const listDeliveries = describe({
  name: 'list_deliveries',
  title: 'Delivery log',
  tag: 'Webhooks',
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries',
  access: 'pro',
  summary: 'What was sent to an endpoint, each attempt with its outcome, newest first.',
  input: Type.Object({
    id,
    status: Type.Optional(
      Type.Enum(['waiting', 'delivered', 'failed', 'discarded'], { description: 'One status only' }),
    ),
    ...page,
  }),
  output: listOf(Delivery),
  errors: [404],
})

export const replayDelivery = describe({
  name: 'replay_delivery',
  title: 'Replay a delivery',
  tag: 'Webhooks',
  method: 'POST',
  path: '/v1/webhooks/{id}/deliveries/{deliveryId}/replay',
  access: 'pro',
  summary: 'Sends one event to its endpoint again, under the same event id.',
  input: Type.Object({
    id,
    deliveryId: Type.String({ minLength: 1, maxLength: 64, description: 'Delivery identifier' }),
  }),
  output: Queued,
  errors: [400, 404],
})

export const listEvents = describe({
  name: 'list_events',
  title: 'Event feed',
  tag: 'Webhooks',
  method: 'GET',
  path: '/v1/events',
  access: 'pro',
  summary: 'The last 30 days of events in commit order, so that a receiver that was down catches up.',
  input: Type.Object({
    after: Type.Optional(Type.String({ maxLength: 100, description: 'nextCursor of the last page read' })),
    limit: page.limit,
  }),
  output: Type.Object({
    ...listOf(
      Type.Object(
        {
          id: Type.String({ description: 'The webhook-id of its deliveries' }),
          event: Type.String(),
          market: Type.String(),
          data: Type.Record(Type.String(), Type.Unknown()),
          timestamp: time('When it happened'),
        },
        { $id: 'Event' },
      ),
      FeedPagination,
    ).properties,
    nextCursor: orNull(Type.String(), { description: 'Pass as after; never null once an event was read' }),
    hasMore: Type.Boolean({ description: 'More events are ready now' }),
    asOf: time('When this page was read'),
  }),
})
