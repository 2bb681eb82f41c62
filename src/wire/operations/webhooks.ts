import { Type } from 'typebox'
import examplePlace from '../../../data/examples.json' with { type: 'json' }
import {
  choices,
  dateTime,
  flag,
  integer,
  list,
  literals,
  object,
  optional,
  orNull,
  succeeded,
  text,
} from '../../common/shape.ts'
import { AppliedCriteria, Criteria, listingCriteria } from '../../criteria/vocabulary.ts'
import { defaultEvents, eventNames, exampleFeedEvent, FeedEvent, feedEventNames } from '../events.ts'
import { describe } from '../operation.ts'
import { FeedPagination, ignoredFields, listOf } from '../pagination.ts'
import { asOf, listExample } from './examples.ts'
import { page } from './paging.ts'
import { resource } from './resource.ts'

export const maxEndpointsPerKey = 10

/** What nextCursor of the event feed looks like. */
export const exampleEventCursor = 'cDQxOA'

const EventNames = list(literals(eventNames), 'Events subscribed')

const eventsInput = choices(eventNames, `Defaults to ${defaultEvents.join(' and ')}`)

/** What an endpoint receives of its events, in every answer about it. */
const selection = {
  filter: optional(Type.Unsafe<Criteria>(AppliedCriteria)),
  everyChange: flag('Also receives score changes below the threshold of property.score_updated'),
  onMarketOnly: flag('Receives property.score_updated for homes on the market only'),
}

const filterInput = {
  filter: optional(
    Type.Object(Criteria.properties, {
      description: 'Criteria that an event must meet; it replaces the restriction to homes on the market',
    }),
  ),
  everyChange: optional.flag('True also sends score changes below the threshold; defaults to false'),
}

const Endpoint = object('WebhookEndpoint', {
  id: text('Endpoint identifier'),
  url: text('Where events are sent', { format: 'uri' }),
  events: EventNames,
  status: literals(['enabled', 'disabled'], 'A disabled endpoint receives nothing'),
  disabledReason: optional.text('Why it was disabled'),
  ...selection,
  failingSince: optional.dateTime('First failure since the last successful delivery'),
  createdAt: dateTime('When registered'),
})

const deliveryStates = ['waiting', 'delivered', 'failed', 'discarded'] as const

const DeliveryAttempt = object('DeliveryAttempt', {
  attempt: integer('Number of the attempt, from 1'),
  at: dateTime('When it was tried'),
  durationMs: integer('How long it took, milliseconds'),
  status: optional.integer('HTTP status the receiver returned'),
  error: optional.text('Why there was no response'),
  response: optional.text('Beginning of the receiver’s response'),
})

const Delivery = object('Delivery', {
  id: text('Delivery identifier'),
  eventId: text('Event identifier, sent as webhook-id'),
  event: text('Name of the event'),
  status: literals(deliveryStates, 'State of the delivery'),
  note: optional.text('Why it was discarded'),
  createdAt: dateTime('When queued'),
  nextAttemptAt: optional.dateTime('When it is tried next'),
  deliveredAt: optional.dateTime('When it was accepted'),
  attempts: list(DeliveryAttempt),
})

const Registered = object('WebhookRegistered', {
  success: succeeded,
  id: text('Endpoint identifier'),
  registeredUrl: text('Where events are sent', { format: 'uri' }),
  events: EventNames,
  ...selection,
  signingSecret: text('whsec_…, shown once: verify every delivery with it'),
  warnings: optional.texts('What to check about the URL'),
  ...ignoredFields,
})

const Queued = Type.Object({ success: succeeded, deliveryId: text('The delivery queued') })

export const registerWebhook = describe({
  name: 'register_webhook',
  strict: true,
  title: 'Register a webhook',
  tag: 'Webhooks',
  method: 'POST',
  path: '/v1/webhooks/register',
  access: 'pro',
  summary:
    'Registers an HTTPS endpoint for signed events; the same URL again replaces its events and rotates its secret.',
  input: Type.Object({
    url: text('HTTPS URL with a public address, on port 443 or a port from 1024 up', { maxLength: 2000 }),
    events: eventsInput,
    ...filterInput,
  }),
  output: Registered,
  example: {
    input: {
      url: 'https://example.com/hooks/lotline',
      events: ['permit.created'],
      filter: { city: examplePlace.city },
    },
    output: {
      success: true,
      id: 'wh_3Fd9',
      registeredUrl: 'https://example.com/hooks/lotline',
      events: ['permit.created'],
      filter: { city: examplePlace.city },
      everyChange: false,
      onMarketOnly: false,
      signingSecret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
    },
  },
})

const exampleEndpoint = {
  id: 'wh_3Fd9',
  url: 'https://example.com/hooks/lotline',
  events: ['permit.created' as const],
  status: 'enabled' as const,
  everyChange: false,
  onMarketOnly: true,
  createdAt: asOf,
}
const endpoints = resource({
  tag: 'Webhooks',
  path: '/v1/webhooks',
  one: 'webhook',
  many: 'webhooks',
  id: 'Endpoint identifier',
  row: Endpoint,
  example: exampleEndpoint,
})
const { id } = endpoints

export const listWebhooks = endpoints.list({
  title: 'Your webhooks',
  summary: 'The endpoints this key has registered.',
  description: 'Also available after the plan or the early-access period of the key has ended.',
})

export const updateWebhook = endpoints.update({
  title: 'Change a webhook',
  access: 'pro',
  summary: 'Replaces the events, the filter and the threshold of an endpoint; what is left out gets its default.',
  input: { id, events: eventsInput, ...filterInput },
  output: Type.Object({ success: succeeded, data: Endpoint, ...ignoredFields }),
  example: {
    input: {
      id: exampleEndpoint.id,
      events: ['listing.price_changed'],
      filter: { city: examplePlace.city, maxPrice: 3_000_000 },
    },
    output: {
      success: true,
      data: {
        id: exampleEndpoint.id,
        url: exampleEndpoint.url,
        events: ['listing.price_changed'],
        status: 'enabled',
        filter: { city: examplePlace.city, maxPrice: 3_000_000 },
        everyChange: false,
        onMarketOnly: false,
        createdAt: asOf,
      },
    },
  },
})

export const deleteWebhook = endpoints.remove({
  title: 'Delete a webhook',
  summary: 'Removes an endpoint and its pending deliveries.',
})

const queuedExample = { success: true as const, deliveryId: 'dlv_5Tn4' }

export const testWebhook = endpoints.answer('test', Queued, queuedExample, {
  title: 'Send a test event',
  access: 'pro',
  summary: 'Queues a signed webhook.test event to one endpoint.',
})

export const rotateWebhook = endpoints.answer(
  'rotate',
  Type.Object({ ...Registered.properties, previousSecretExpiresAt: dateTime('When the old secret stops signing') }),
  {
    success: true,
    id: exampleEndpoint.id,
    registeredUrl: exampleEndpoint.url,
    events: exampleEndpoint.events,
    everyChange: false,
    onMarketOnly: true,
    signingSecret: 'whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=',
    previousSecretExpiresAt: '2026-11-16T06:00:00.000Z',
  },
  {
    title: 'Rotate a signing secret',
    access: 'pro',
    summary: 'Issues a new signing secret for an endpoint; both secrets sign for 24 hours.',
  },
)

export const enableWebhook = endpoints.action('enable', {
  title: 'Enable a webhook',
  access: 'pro',
  summary: 'Enables a disabled endpoint.',
})

export const listDeliveries = endpoints.rows('deliveries', Delivery, {
  name: 'list_deliveries',
  title: 'Delivery log',
  access: 'pro',
  summary: 'What was sent to an endpoint, each attempt with its outcome, newest first.',
  input: { status: optional.literals(deliveryStates, 'One status only') },
  asked: { status: 'delivered' },
  example: {
    id: 'dlv_5Tn4',
    eventId: 'evt_1Ab2',
    event: 'permit.created',
    status: 'delivered',
    createdAt: asOf,
    deliveredAt: asOf,
    attempts: [{ attempt: 1, at: asOf, durationMs: 120, status: 200 }],
  },
})

export const replayDelivery = describe({
  name: 'replay_delivery',
  title: 'Replay a delivery',
  tag: 'Webhooks',
  method: 'POST',
  path: '/v1/webhooks/{id}/deliveries/{deliveryId}/replay',
  access: 'pro',
  summary: 'Sends one event to its endpoint again, under the same event id.',
  input: Type.Object({ id, deliveryId: text('Delivery identifier', { minLength: 1, maxLength: 64 }) }),
  output: Queued,
  example: {
    input: { id: 'wh_3Fd9', deliveryId: 'dlv_5Tn4' },
    output: { success: true, deliveryId: 'dlv_6Uo5' },
  },
})

/** The criteria of POST /v1/search that fit into a query. */
const { within: _, ...searchCriteria } = Criteria.properties
const eventCriteria = {
  ...searchCriteria,
  city: listingCriteria.city,
  zip: listingCriteria.zip,
  market: optional.text('A market; without it, every market', { format: 'searched-market', maxLength: 60 }),
}

export const listEvents = describe({
  name: 'list_events',
  title: 'Event feed',
  tag: 'Webhooks',
  path: '/v1/events',
  summary: 'What changed: the events of the last 90 days that meet the criteria, oldest first.',
  description:
    'A criterion is tested with the row as it was at the event; an event whose row does not have the value is left out. To catch up after an outage, pass nextCursor of the last page as after.',
  input: Type.Object({
    ...eventCriteria,
    types: choices(feedEventNames, `Names of events; defaults to ${defaultEvents.join(' and ')}`, {
      examples: [['listing.created', 'listing.price_changed']],
    }),
    after: optional.text('nextCursor of the last page read', { maxLength: 100, examples: [exampleEventCursor] }),
    since: optional.text('A date or date-time at most 90 days ago; not together with after', {
      maxLength: 40,
      examples: ['2026-11-08'],
    }),
    limit: page.limit,
  }),
  output: Type.Object({
    ...listOf(FeedEvent, FeedPagination).properties,
    nextCursor: orNull(Type.String(), 'Pass as after; never null once an event was read'),
    hasMore: flag('More events are ready now'),
  }),
  example: {
    input: { limit: 1 },
    output: {
      ...listExample(exampleFeedEvent, {}),
      pagination: { limit: 1, offset: 0, total: 1, returned: 1, nextOffset: null },
      nextCursor: 'cDEwMQ',
      hasMore: false,
    },
  },
})
