// The bodies that webhooks deliver and the feed lists, from the table of events.

import { type Static, Type } from 'typebox'
import examplePlace from '../../data/examples.json' with { type: 'json' }
import { dateTime, literals, object, optional, text } from '../common/shape.ts'
import { keysOf } from '../common/typed.ts'
import type { Dataset } from '../domain/facts.ts'
import { type EventName, events } from './events/table.ts'

export type { EventName }
export type EventData<Name extends EventName> = Static<(typeof events)[Name]['data']>

export const eventNames = keysOf(events)

/** Matches of a watch are for its owner, so the event feed does not have them. */
export const feedEventNames = eventNames.filter((name) => name !== 'watch.matched')

/** What an endpoint receives that registers without `events`. */
export const defaultEvents = eventNames.filter((name) => events[name].byDefault)

/** The events to delete when real data of a data set replaces the sample. */
export const eventsRemovedWith = (dataset: Dataset): EventName[] =>
  eventNames.filter((name) => events[name].removedWith.includes(dataset))

interface Body<Name extends string, Data> {
  event: Name
  market: string
  data: Data
  timestamp: string
  sample?: boolean
  asOf?: string
}

const bodyFields = (event: string, data: Type.TObject) => ({
  event: literals([event], 'Name of the event'),
  market: text('Market identifier'),
  data,
  timestamp: dateTime('When it happened'),
  sample: optional.flag('True for generated sample data; absent for real data'),
  asOf: optional.date(
    'The day of its scores and returns, if the data of the market ends in the past; absent otherwise',
  ),
})

export type WebhookEvent = ReturnType<typeof webhookEvent>

interface Described {
  data: Type.TObject
  summary: string
  when: string
  example: object
}

const webhookEvent = (name: string, id: string, { data, summary, when, example }: Described) => ({
  schema: object(id, bodyFields(name, data)),
  summary,
  when,
  example: {
    event: name,
    market: examplePlace.market,
    data: example,
    timestamp: '2026-11-15T06:00:00.000Z',
    ...(name === 'webhook.test' ? {} : { sample: true }),
  },
})

const bodyId = ({ data }: Described): string => (data as { $id?: string }).$id!.replace(/Data$/, '')

const webhookTest = {
  data: Type.Object({ message: text('A fixed text') }),
  summary: 'A test event, sent on request',
  when: 'You ask for it with `POST /v1/webhooks/{id}/test`.',
  example: { message: 'This is a test event from Lotline. If you can verify its signature, you are ready.' },
}
export const webhookTestData = webhookTest.example

/** Every body that a webhook may receive, by the name of the event. */
export const webhookEvents: Record<string, WebhookEvent> = {
  ...Object.fromEntries(eventNames.map((name) => [name, webhookEvent(name, bodyId(events[name]), events[name])])),
  'webhook.test': webhookEvent('webhook.test', 'WebhookTest', webhookTest),
}

export type FeedEvent = { [Name in EventName]: { id: string } & Body<Name, EventData<Name>> }[EventName]

export const FeedEvent = Type.Unsafe<FeedEvent>(
  Type.Union(
    eventNames.map((name) =>
      object(`Feed${bodyId(events[name])}`, {
        id: text('The webhook-id of its deliveries'),
        ...bodyFields(name, events[name].data),
      }),
    ),
    { $id: 'FeedEvent' },
  ),
)

export const exampleFeedEvent = { id: 'evt_1Ab2', ...webhookEvents['permit.created']!.example } as FeedEvent
