// The delivery log for owners and operators, and replay of deliveries.
import { type Db, firstRow, inTransaction, onlyValue, rowsOf, sql } from '../engine/database.ts'
import type { Queue } from '../engine/queue.ts'
import type { DeliveryTable, EventTable } from '../engine/schema.ts'
import { enqueueDeliveries, keyHasWebhooks, receiverOf, type Subscriber, subscriberColumns } from './events.ts'

export type LoggedDelivery = Pick<
  DeliveryTable,
  'id' | 'eventId' | 'eventType' | 'state' | 'note' | 'createdAt' | 'nextAttemptAt' | 'deliveredAt'
> & { attempts: LoggedAttempt[] }

interface LoggedAttempt {
  attempt: number
  /** Text: the query returns attempts as JSON. */
  startedAt: string
  durationMs: number
  status: number | null
  error: string | null
  response: string | null
}

export const deliveriesOf = async (
  db: Db,
  endpointId: string,
  { state, limit, offset }: { state?: string; limit: number; offset: number },
): Promise<{ rows: LoggedDelivery[]; total: number }> => {
  const chosen = sql`endpoint_id = ${endpointId} ${state === undefined ? sql`` : sql`and state = ${state}`}`
  const rows = await rowsOf<LoggedDelivery>(db)`
    with page as (
      select * from delivery where ${chosen} order by created_at desc, id limit ${limit} offset ${offset}
    )
    select d.id, d.event_id, d.event_type, d.state, d.note, d.created_at, d.next_attempt_at, d.delivered_at,
      coalesce((select json_agg(json_build_object('attempt', a.attempt, 'startedAt', a.started_at,
          'durationMs', a.duration_ms, 'status', a.status, 'error', a.error, 'response', a.response) order by a.attempt)
        from delivery_attempt a where a.delivery_id = d.id), '[]') as attempts
    from page d order by d.created_at desc, d.id`
  return { rows, total: await onlyValue<number>(db)`select count(*) from delivery where ${chosen}` }
}

/** Sends one event to its endpoint again, as a new delivery with the same event id. */
export const replayDelivery = (
  db: Db,
  queue: Queue,
  { endpointId, deliveryId }: { endpointId: string; deliveryId: string },
  now: Date,
): Promise<string | undefined> =>
  inTransaction(db, async (tx) => {
    const delivery = await firstRow<Pick<DeliveryTable, 'eventId' | 'eventType' | 'body'>>(tx)`
      select event_id, event_type, body from delivery where id = ${deliveryId} and endpoint_id = ${endpointId}`
    return delivery && (await enqueueDeliveries(tx, queue, [{ endpointId, ...delivery }], now))[0]
  })

interface Replay {
  since: Date
  until: Date
  endpointId?: string
  /** Include delivered events. Without it, only events that were not delivered and are not waiting. */
  all?: boolean
}

/** Rows per transaction, so that a long range does not become one long transaction. */
const step = 1_000

/** Enqueues the events of a time range again for enabled endpoints that subscribe to them, also those from while they were disabled. */
export const replayRange = async (db: Db, queue: Queue, replay: Replay, now: Date): Promise<number> => {
  let queued = 0
  let after = { endpointId: '', seq: -1 }
  for (;;) {
    const rows = await inTransaction(db, async (tx) => {
      const missedEvents = await missed(tx, replay, after, now)
      const received = missedEvents.filter((each) =>
        receiverOf({ ...each, id: each.endpointId }, now)({ ...each, type: each.eventType }),
      )
      queued += (await enqueueDeliveries(tx, queue, received, now)).length
      return missedEvents
    })
    const last = rows.at(-1)
    if (!last) return queued
    after = last
  }
}

type Missed = Omit<Subscriber, 'id'> &
  Pick<EventTable, 'seq' | 'body' | 'searchRow' | 'minor'> & {
    endpointId: string
    eventId: string
    eventType: EventTable['type']
  }

const missed = (
  tx: Db,
  { since, until, endpointId, all }: Replay,
  after: { endpointId: string; seq: number },
  now: Date,
) =>
  rowsOf<Missed>(tx)`
    select e.id as endpoint_id, ${subscriberColumns}, v.seq, v.id as event_id, v.type as event_type, v.body, v.search_row, v.minor
    from webhook_endpoint e
    join api_key k on k.id = e.key_id
    join event v on v.type = any(e.events)
    where e.disabled_at is null and ${keyHasWebhooks(now)} and v.created_at >= ${since} and v.created_at < ${until}
      and (${endpointId ?? null}::text is null or e.id = ${endpointId ?? null})
      and (e.id, v.seq) > (${after.endpointId}, ${after.seq})
      ${
        all
          ? sql``
          : sql`and not exists (select 1 from delivery d where d.event_id = v.id and d.endpoint_id = e.id
              and d.state in ('waiting', 'delivered'))`
      }
    order by e.id, v.seq limit ${step} for key share of e`
