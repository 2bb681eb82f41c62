// The outbox. An event, one delivery for each subscribed endpoint and the job of each delivery are written in the transaction that
// changes the data, so that either all of it happens or nothing.
import type { SearchRow } from '../../criteria/conditions.ts'
import { dayOf } from '../../domain/day.ts'
import { isOnMarket } from '../../domain/facts.ts'
import { eventFilter } from '../../wire/events/filter.ts'
import { events as eventTable } from '../../wire/events/table.ts'
import { isVisible, withinWindow } from '../../wire/events/visible.ts'
import type { EventData, EventName } from '../../wire/events.ts'
import { pastDays } from '../assessments/score-distributions.ts'
import { tableOfRows } from '../engine/columns.ts'
import { type Db, execute, inTransaction, rowsOf, sql } from '../engine/database.ts'
import type { Queue } from '../engine/queue.ts'
import type { DeliveryTable, EventTable, WebhookEndpointTable } from '../engine/schema.ts'
import { generatedData } from '../ingest/generated.ts'
import { type KeyTerms, keyTerms, windowOf } from '../keys/key-terms.ts'
import { newId } from '../keys/keys.ts'

export interface NewEvent {
  type: EventName
  market: string
  data: object
  /** The searchable row as it stands, which filters test. */
  searchRow?: SearchRow | undefined
  /** A change of a score below the threshold. */
  minor?: boolean
}

/** An event with the data of its row in the table of events. */
export const newEvent = <Name extends EventName>(
  type: Name,
  market: string,
  data: EventData<Name>,
  extras: Pick<NewEvent, 'searchRow' | 'minor'> = {},
): NewEvent => ({ type, market, data, ...extras })

/**
 * Returns the ids of the new events, in the order of `events`. `pastDay` is that of the run whose events they are: the stored one
 * changes only when the run ends.
 */
export const recordEvents = async (
  tx: Db,
  queue: Queue,
  events: readonly NewEvent[],
  now: Date,
  pastDay?: (market: string) => string | undefined,
): Promise<string[]> => {
  if (events.length === 0) return []
  const generated = await generatedData(tx)
  const stored = pastDay ? undefined : await pastDays(tx, [...new Set(events.map(({ market }) => market))])
  const dayIn = pastDay ?? ((market: string) => stored?.get(market))
  const bodyOf = ({ type, market, data, at }: Pick<NewEvent, 'type' | 'market' | 'data'> & { at: Date }): string =>
    eventBody(
      {
        ...{ event: type, market, data, sample: generated(market, eventTable[type].removedWith) },
        asOf: hasScores(type, data) ? dayIn(market) : undefined,
      },
      at,
    )
  const rows = inOrder(events, now).map((event) => ({
    ...event,
    id: newId('evt'),
    body: bodyOf(event),
    searchRow: event.searchRow ?? null,
    minor: event.minor ?? false,
  }))
  await inTransaction(tx, async (inner) => {
    await execute(inner)`
      insert into event (id, type, market, body, search_row, minor, created_at)
      select * from ${tableOfRows(rows, columnTypes)}`
    const endpoints = (await subscribedEndpoints(inner, now)).map((endpoint) => ({
      id: endpoint.id,
      receives: receiverOf(endpoint, now),
      windowed: windowOf(endpoint, now) !== undefined,
    }))
    await enqueueDeliveries(
      inner,
      queue,
      rows.flatMap((row) =>
        endpoints
          .filter(({ receives }) => receives(row))
          .map((endpoint) => ({
            endpointId: endpoint.id,
            eventId: row.id,
            eventType: row.type,
            body: endpoint.windowed ? bodyOf({ ...row, data: withinWindow(row.type, row.data) }) : row.body,
          })),
      ),
      now,
    )
  })
  return rows.map((row) => row.id)
}

const columnTypes = {
  ...{ id: 'text', type: 'text', market: 'text', body: 'text' },
  ...{ searchRow: 'jsonb', minor: 'boolean', at: 'timestamptz' },
}

/** Of a permit, only the teardown score of its property was assessed. */
const hasScores = (type: EventName, data: object): boolean =>
  eventTable[type].about !== 'permits' || (data as { teardownScore?: number }).teardownScore !== undefined

/** With a time: several events of one property are a millisecond apart, so that a receiver can order them. */
const inOrder = (events: readonly NewEvent[], now: Date): (NewEvent & { at: Date })[] => {
  const homeOf = ({ data }: NewEvent): unknown => (data as { propertyId?: string }).propertyId ?? data
  const byHome = Map.groupBy(events, homeOf)
  return events.map((event) => ({
    ...event,
    at: new Date(now.getTime() + byHome.get(homeOf(event))!.indexOf(event)),
  }))
}

/** The bytes that are signed and sent. */
export const eventBody = (
  {
    event,
    market,
    data,
    sample = false,
    asOf,
  }: { event: string; market: string; data: object; sample?: boolean; asOf?: string | undefined },
  now: Date,
): string => JSON.stringify({ event, market, data, timestamp: now.toISOString(), ...(sample ? { sample } : {}), asOf })

export type Subscriber = Pick<WebhookEndpointTable, 'id' | 'events' | 'filter' | 'everyChange' | 'onMarketOnly'> &
  KeyTerms

/** Of the endpoint `e` and its key `k`. */
export const subscriberColumns = sql`
  e.events, e.filter, e.every_change, e.on_market_only, ${keyTerms}`

/** Enabled endpoints of keys that have webhooks. Locked, so that none is deleted before its deliveries are written. */
const subscribedEndpoints = (tx: Db, now: Date) =>
  rowsOf<Subscriber>(tx)`
    select e.id, ${subscriberColumns}
    from webhook_endpoint e join api_key k on k.id = e.key_id
    where e.disabled_at is null and ${keyHasWebhooks(now)}
    order by e.id for key share of e`

type StoredEvent = Pick<EventTable, 'type' | 'searchRow' | 'minor'>

/** Which events an endpoint receives: by type, filter, threshold, and the history window of its key. */
export const receiverOf = (endpoint: Subscriber, now: Date): ((event: StoredEvent) => boolean) => {
  const passes = storedFilter(endpoint)
  const since = windowOf(endpoint, now)
  const today = dayOf(now)
  return ({ type, searchRow, minor }) =>
    endpoint.events.includes(type) &&
    (!minor || endpoint.everyChange) &&
    (type !== 'property.score_updated' || !endpoint.onMarketOnly || isOnMarketRow(searchRow)) &&
    passes(type, searchRow) &&
    isVisible(eventTable[type].about, searchRow, today, since)
}

/** A market, city or criterion of a stored filter may no longer exist. Its endpoint then receives nothing; the others must not wait. */
const storedFilter = ({ id, filter, events }: Subscriber): ReturnType<typeof eventFilter> => {
  try {
    return eventFilter(filter ?? {}, events as EventName[])
  } catch (error) {
    process.emitWarning(`Webhook endpoint ${id} receives no events, because its filter is no longer valid: ${error}`)
    return () => false
  }
}

const isOnMarketRow = (row: SearchRow | null): boolean => isOnMarket(row?.texts.status)

/** The key `k` has webhooks: not revoked, not expired, and Pro or in its promotion. */
export const keyHasWebhooks = (now: Date) => sql`
  k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
  and (k.plan = 'pro' or k.promotion_until > ${now})`

type NewDelivery = Pick<DeliveryTable, 'endpointId' | 'eventId' | 'eventType' | 'body'>

/** Writes deliveries with their jobs, due now. Returns their ids, in the order of `deliveries`. */
export const enqueueDeliveries = async (tx: Db, queue: Queue, deliveries: readonly NewDelivery[], now: Date) => {
  if (deliveries.length === 0) return []
  const written = deliveries.map((delivery) => ({ ...delivery, id: newId('dlv') }))
  const types = { id: 'text', endpointId: 'text', eventId: 'text', eventType: 'text', body: 'text' }
  const rows = await rowsOf<{ id: string; endpointId: string; failing: boolean }>(tx)`
    insert into delivery (id, endpoint_id, event_id, event_type, body, state, created_at, next_attempt_at)
    select id, endpoint_id, event_id, event_type, body, 'waiting', ${now}, ${now}
    from ${tableOfRows(written, types)}
    returning id, endpoint_id, exists (
      select 1 from webhook_endpoint e where e.id = endpoint_id and e.failing_since is not null) as failing`
  await queue.sendMany(tx, 'webhook-delivery', rows.map(deliveryJob))
  return written.map(({ id }) => id)
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
