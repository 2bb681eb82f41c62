// The outbox. An event, one delivery for each subscribed endpoint and the job of each delivery are written in the transaction that
// changes the data, so that either all of it happens or nothing.
import type { EventData, EventName } from '../../contract/events.ts'
import { type Db, inTransaction, sql } from '../engine/database.ts'
import type { Queue } from '../engine/queue.ts'
import type { DeliveryTable, WebhookEndpointTable } from '../engine/schema.ts'
import { newId } from '../keys/keys.ts'

export interface NewEvent {
  type: EventName
  market: string
  data: object
}

/** An event with the data of its row in the table of events. */
export const newEvent = <Name extends EventName>(type: Name, market: string, data: EventData<Name>): NewEvent => ({
  type,
  market,
  data,
})

export const recordEvent = async (tx: Db, queue: Queue, event: NewEvent, now: Date): Promise<string> =>
  (await recordEvents(tx, queue, [event], now))[0]!

/** Returns the ids of the new events, in the order of `events`. */
export const recordEvents = async (tx: Db, queue: Queue, events: readonly NewEvent[], now: Date): Promise<string[]> => {
  if (events.length === 0) return []
  const rows = events.map(({ type, market, data }) => ({
    id: newId('evt'),
    type,
    market,
    body: eventBody(type, market, data, now),
  }))
  await inTransaction(tx, async (inner) => {
    await sql`
      insert into event (id, type, market, body, created_at)
      select id, type, market, body, ${now} from unnest(${rows.map((row) => row.id)}::text[],
        ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.market)}::text[],
        ${rows.map((row) => row.body)}::text[]) as given (id, type, market, body)`.execute(inner)
    const endpoints = await subscribedEndpoints(inner, now)
    await enqueueDeliveries(
      inner,
      queue,
      rows.flatMap(({ id, type, body }) =>
        endpoints
          .filter(({ events }) => events.includes(type))
          .map((endpoint) => ({ endpointId: endpoint.id, eventId: id, eventType: type, body })),
      ),
      now,
    )
  })
  return rows.map((row) => row.id)
}

/** The bytes that are signed and sent. */
export const eventBody = (event: string, market: string, data: object, now: Date): string =>
  JSON.stringify({ event, market, data, timestamp: now.toISOString() })

/** Enabled endpoints of keys that have webhooks. Locked, so that none is deleted before its deliveries are written. */
const subscribedEndpoints = async (tx: Db, now: Date) => {
  const { rows } = await sql<Pick<WebhookEndpointTable, 'id' | 'events'>>`
    select e.id, e.events from webhook_endpoint e join api_key k on k.id = e.key_id
    where e.disabled_at is null and ${keyHasWebhooks(now)}
    order by e.id for key share of e`.execute(tx)
  return rows
}

/** The key `k` has webhooks: not revoked, not expired, and Pro or in its promotion. */
export const keyHasWebhooks = (now: Date) => sql`
  k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
  and (k.plan = 'pro' or k.promotion_until > ${now})`

type NewDelivery = Pick<DeliveryTable, 'endpointId' | 'eventId' | 'eventType' | 'body'>

/** Writes deliveries with their jobs, due now. Returns their ids, in the order of `deliveries`. */
export const enqueueDeliveries = async (
  tx: Db,
  queue: Queue,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<string[]> => {
  if (deliveries.length === 0) return []
  const ids = deliveries.map(() => newId('dlv'))
  const { rows } = await sql<{ id: string; endpointId: string; failing: boolean }>`
    insert into delivery (id, endpoint_id, event_id, event_type, body, state, created_at, next_attempt_at)
    select id, endpoint_id, event_id, event_type, body, 'waiting', ${now}, ${now}
    from unnest(${ids}::text[], ${deliveries.map((each) => each.endpointId)}::text[],
      ${deliveries.map((each) => each.eventId)}::text[], ${deliveries.map((each) => each.eventType)}::text[],
      ${deliveries.map((each) => each.body)}::text[]) as given (id, endpoint_id, event_id, event_type, body)
    returning id, endpoint_id, exists (
      select 1 from webhook_endpoint e where e.id = endpoint_id and e.failing_since is not null) as failing`.execute(tx)
  await queue.sendMany(tx, 'webhook-delivery', rows.map(deliveryJob))
  return ids
}

/** The job of a delivery. Jobs of one endpoint are a group; while its attempts fail, fewer of them run at once. */
export const deliveryJob = (delivery: {
  id: string
  endpointId: string
  failing: boolean
  startAfter?: Date | undefined
}) => ({
  data: { deliveryId: delivery.id },
  group: { id: delivery.endpointId, ...(delivery.failing ? { tier: 'failing' } : {}) },
  ...(delivery.startAfter ? { startAfter: delivery.startAfter } : {}),
})
