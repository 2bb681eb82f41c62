// Queries of the delivery worker. Each handles many rows: at a thousand deliveries per second, one statement per delivery would
// be too slow.
import { dayOf } from '../../domain/day.ts'
import {
  type DatedRecord,
  matchWithoutListing,
  recordOfEvent,
  recordOfMatch,
  withinWindow,
} from '../../wire/events/visible.ts'
import type { EventData, EventName } from '../../wire/events.ts'
import { tableOfRows } from '../engine/columns.ts'
import { type Db, execute, inTransaction, rowsOf, valuesOf } from '../engine/database.ts'
import type { FetchedJob, Queue } from '../engine/queue.ts'
import type { ApiKeyTable, DeliveryTable, WebhookEndpointTable } from '../engine/schema.ts'
import { type KeyTerms, keyTerms, windowOf } from '../keys/key-terms.ts'
import { receivedRecords } from '../search/received-records.ts'
import { deliveryJob, keyHasWebhooks } from './events.ts'

/** A due delivery with all data for an attempt. */
export type DueDelivery = Pick<DeliveryTable, 'id' | 'endpointId' | 'eventId' | 'body' | 'attempts'> &
  Pick<WebhookEndpointTable, 'url' | 'secret' | 'previousSecret' | 'previousUntil'> & {
    nextAttemptAt: Date
    /** True while the attempts of the endpoint fail. */
    failing: boolean
    /** The reason why it must not be sent, if any. */
    stopped: string | null
  }

/** The waiting deliveries among `ids`, with what their keys may receive now. One that is missing was delivered, ended or deleted. */
export const dueDeliveries = async (db: Db, ids: readonly string[], now: Date): Promise<DueDelivery[]> => {
  const rows = await rowsOf<DueDelivery & KeyTerms & Pick<DeliveryTable, 'eventType' | 'createdAt'>>(db)`
    select d.id, d.endpoint_id, d.event_id, d.event_type, d.created_at, d.body, d.attempts, d.next_attempt_at, ${keyTerms}, e.url, e.secret, e.previous_secret,
      e.previous_until, e.failing_since is not null as failing, case when e.disabled_at is not null then 'the endpoint is disabled'
        when not (${keyHasWebhooks(now)}) then 'the key no longer has webhooks' end as stopped
    from delivery d
    join webhook_endpoint e on e.id = d.endpoint_id
    join api_key k on k.id = e.key_id
    where d.id = any(${ids}) and d.state = 'waiting'`
  const received = new Map<Waiting, string | undefined>()
  for (const [since, windowRows] of Map.groupBy(rows, (row) => windowOf(row, now)))
    for (const [row, body] of await receivedBodies(db, windowRows, since, now)) received.set(row, body)
  return rows.map((row) => {
    const body = received.get(row)
    return body === undefined ? { ...row, stopped: row.stopped ?? outOfReach } : { ...row, body }
  })
}

type Waiting = Pick<DeliveryTable, 'eventType' | 'body' | 'createdAt'>

const outOfReach = 'the history window of the key or the source of the record does not permit it'

interface Body {
  event: string
  market: string
  data: object
  timestamp: string
}

/** The body of each delivery with what may be sent of it; undefined if that is nothing. */
const receivedBodies = async <Row extends Waiting>(
  db: Db,
  deliveries: readonly Row[],
  since: string | undefined,
  now: Date,
): Promise<Map<Row, string | undefined>> => {
  const records = deliveries.flatMap((row) => recordsOf(row).map((record) => ({ row, record })))
  const reception = { since, use: 'webhook', today: dayOf(now) } as const
  const received = await receivedRecords(db, records, ({ record }) => record, reception)
  if (since === undefined && received.length === records.length)
    return new Map(deliveries.map((row) => [row, row.body]))
  // Of a parcel, a window may hide the listing alone.
  const parcels = since === undefined ? [] : received.filter(({ record }) => record.about === 'parcels')
  const listed = new Set(
    await receivedRecords(db, parcels, ({ record }) => ({ ...record, about: 'listings' }), reception),
  )
  const unlisted = new Set(parcels.filter((each) => !listed.has(each)))
  const receivedByRow = Map.groupBy(received, ({ row }) => row)
  const all = Map.groupBy(records, ({ row }) => row)
  return new Map(
    deliveries.map((row) => {
      const mine = receivedByRow.get(row) ?? []
      const allRecords = all.get(row) ?? []
      if (allRecords.length > 0 && mine.length === 0) return [row, undefined]
      const shown = new Map(mine.map((each) => [allRecords.indexOf(each), !unlisted.has(each)]))
      return [row, bodyWith(row, (at) => shown.get(at), since !== undefined)]
    }),
  )
}

/** What a delivery is about; nothing for a test. */
const recordsOf = ({ eventType, body, createdAt }: Waiting): DatedRecord[] => {
  if (eventType === 'webhook.test') return []
  const { market, data } = JSON.parse(body) as Body
  if (eventType !== 'watch.matched') return [recordOfEvent(eventType as EventName, market, data, dayOf(createdAt))]
  const { kind = 'listings', matches } = data as EventData<'watch.matched'>
  return matches.map((match) => recordOfMatch(kind, market, match, dayOf(new Date(match.changedAt))))
}

/** `shows`: of a match, whether with its listing; undefined to leave it out. */
const bodyWith = (
  { eventType, body }: Waiting,
  shows: (at: number) => boolean | undefined,
  windowed: boolean,
): string => {
  const storedBody = JSON.parse(body) as Body
  const matched = storedBody.data as EventData<'watch.matched'>
  const data =
    eventType === 'watch.matched'
      ? {
          ...matched,
          matches: matched.matches.flatMap((match, at) =>
            shows(at) === undefined ? [] : shows(at) ? match : matchWithoutListing(match),
          ),
        }
      : windowed && eventType !== 'webhook.test'
        ? withinWindow(eventType as EventName, storedBody.data)
        : storedBody.data
  return JSON.stringify({ ...storedBody, data })
}

/** The outcome of one attempt and the new state of its delivery. */
export interface AttemptOutcome {
  job: FetchedJob
  deliveryId: string
  endpointId: string
  attempt: number
  startedAt: Date
  durationMs: number
  status?: number
  error?: string
  response?: string
  state: 'waiting' | 'delivered' | 'failed'
  /** Time of the next attempt, if the state is `waiting`. */
  nextAttemptAt?: Date
  /** True if the receiver answered 410 Gone: its endpoint is disabled. */
  gone?: boolean
}

export type DisabledEndpoint = Pick<WebhookEndpointTable, 'id' | 'url'> &
  Pick<ApiKeyTable, 'email'> & {
    reason: string
    /** False if the owner of the mailbox has not confirmed the key, which then causes no mail. */
    confirmed: boolean
  }

/** An endpoint is disabled when all its attempts have failed for this long. */
const failingLimitMs = 5 * 86_400_000

/** Writes the attempts, updates the deliveries and ends their jobs, in the transaction of `tx`. Returns the endpoints it disabled. */
export const recordOutcomes = async (tx: Db, queue: Queue, outcomes: readonly AttemptOutcome[], now: Date) => {
  const rows = outcomes.map(({ job: _, ...row }) => ({
    ...row,
    deliveredAt: row.state === 'delivered' ? new Date(row.startedAt.getTime() + row.durationMs) : undefined,
  }))
  await execute(tx)`
    insert into delivery_attempt (delivery_id, attempt, started_at, duration_ms, status, error, response)
    select "deliveryId", attempt, "startedAt", "durationMs", status, error, response
    from json_to_recordset(${JSON.stringify(rows)}) as given ("deliveryId" text, attempt integer,
      "startedAt" timestamptz, "durationMs" integer, status integer, error text, response text)
    where exists (select 1 from delivery d where d.id = "deliveryId")
    on conflict do nothing`
  // An attempt that two processes made counts once. A success counts in any case.
  const moved = await valuesOf<string>(tx)`
    update delivery d set state = given.state, attempts = greatest(d.attempts, given.attempt),
      next_attempt_at = given.next_attempt_at, delivered_at = given.delivered_at
    from ${tableOfRows(rows, { deliveryId: 'text', attempt: 'integer', state: 'text', nextAttemptAt: 'timestamptz', deliveredAt: 'timestamptz' })}
    where d.id = given.delivery_id and d.state = 'waiting'
      and (given.state = 'delivered' or d.attempts = given.attempt - 1)
    returning d.id`
  const movedIds = new Set(moved)
  const ended = outcomes.map(({ job }) => job)
  await queue.end(tx, 'webhook-delivery', ended)
  const next = outcomes
    .filter(({ state, deliveryId }) => state === 'waiting' && movedIds.has(deliveryId))
    .map(({ deliveryId: id, endpointId, nextAttemptAt }) =>
      deliveryJob({ id, endpointId, failing: true, startAfter: nextAttemptAt }),
    )
  await queue.sendMany(tx, 'webhook-delivery', next)
  return markEndpoints(tx, outcomes, now)
}

const markEndpoints = async (tx: Db, outcomes: readonly AttemptOutcome[], now: Date): Promise<DisabledEndpoint[]> => {
  const succeeded = new Set(outcomes.filter((each) => each.state === 'delivered').map((each) => each.endpointId))
  const failed = outcomes.filter((each) => each.state !== 'delivered' && !succeeded.has(each.endpointId))
  await execute(tx)`
    update webhook_endpoint set failing_since = null
    where id = any(${[...succeeded].sort()}) and failing_since is not null`
  if (failed.length === 0) return []
  const gone = [...new Set(failed.filter((each) => each.gone).map((each) => each.endpointId))]
  const first = new Map<string, Date>()
  for (const { endpointId, startedAt } of failed)
    if (!first.has(endpointId) || startedAt < first.get(endpointId)!) first.set(endpointId, startedAt)
  const ids = [...first.keys()].sort()
  // Rows are locked in a fixed order, so that two workers cannot deadlock.
  await execute(tx)`select 1 from webhook_endpoint where id = any(${ids}) order by id for no key update`
  await execute(tx)`
    update webhook_endpoint e set failing_since = given.since
    from unnest(${ids}::text[], ${ids.map((id) => first.get(id)!)}::timestamptz[]) as given (id, since)
    where e.id = given.id and e.failing_since is null`
  return rowsOf<DisabledEndpoint>(tx)`
    update webhook_endpoint e set disabled_at = ${now}, disabled_reason =
      case when e.id = any(${gone}) then 'the receiver answered 410 Gone' else 'every attempt has failed for 5 days' end
    from api_key k
    where k.id = e.key_id and e.id = any(${ids}) and e.disabled_at is null
      and (e.id = any(${gone}) or e.failing_since <= ${new Date(now.getTime() - failingLimitMs)})
    returning e.id, e.url, k.email, k.confirmed_at is not null as confirmed, e.disabled_reason as reason`
}

/** Reschedules jobs without counting an attempt. */
export const postpone = (
  db: Db,
  queue: Queue,
  postponed: readonly { job: FetchedJob; due: DueDelivery; until: Date }[],
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await execute(tx)`
      update delivery d set next_attempt_at = given.until
      from ${tableOfRows(
        postponed.map(({ due: { id }, until }) => ({ id, until })),
        { id: 'text', until: 'timestamptz' },
      )}
      where d.id = given.id and d.state = 'waiting' and d.next_attempt_at < given.until`
    const ended = postponed.map(({ job }) => job)
    await queue.end(tx, 'webhook-delivery', ended)
    const next = postponed.map(({ due, until }) => deliveryJob({ ...due, startAfter: until }))
    await queue.sendMany(tx, 'webhook-delivery', next)
  })

/** Ends jobs whose delivery is no longer waiting, and discards deliveries that must not be sent. */
export const discardDeliveries = (
  db: Db,
  queue: Queue,
  { jobs, stopped }: { jobs: readonly FetchedJob[]; stopped: readonly { id: string; reason: string }[] },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    if (stopped.length > 0)
      await execute(tx)`
        update delivery d set state = 'discarded', next_attempt_at = null, note = given.reason
        from ${tableOfRows(stopped, { id: 'text', reason: 'text' })}
        where d.id = given.id and d.state = 'waiting'`
    await queue.end(tx, 'webhook-delivery', jobs)
  })

/** A delivery that is overdue by this much may have lost its job. */
const overdueMs = 30 * 60_000

/**
 * Enqueues a new job for every overdue delivery without one and returns their number. The jobs of an endpoint that is over its limit
 * wait in the queue while their deliveries become overdue: a second job could send one twice.
 */
export const requeueOverdue = (db: Db, queue: Queue, now: Date): Promise<number> =>
  inTransaction(db, async (tx) => {
    const rows = await rowsOf<Pick<DueDelivery, 'id' | 'endpointId' | 'failing'>>(tx)`
      update delivery d set next_attempt_at = ${now} from webhook_endpoint e where e.id = d.endpoint_id and d.id in (
        select o.id from delivery o where o.state = 'waiting' and o.next_attempt_at < ${new Date(now.getTime() - overdueMs)}
          and not exists (select 1 from pgboss.job j where j.name = 'webhook-delivery'
            and j.state in ('created', 'retry', 'active') and j.data->>'deliveryId' = o.id)
        order by o.next_attempt_at limit 10000 for update of o skip locked)
      returning d.id, d.endpoint_id, e.failing_since is not null as failing`
    await queue.sendMany(tx, 'webhook-delivery', rows.map(deliveryJob))
    return rows.length
  })

/** Deletes the deliveries to all endpoints of these keys, in steps. */
export const deleteDeliveriesOf = async (db: Db, families: readonly string[]): Promise<void> => {
  for (;;) {
    const deleted = await execute(db)`
      delete from delivery where id in (
        select d.id from delivery d join webhook_endpoint e on e.id = d.endpoint_id join api_key k on k.id = e.key_id
        where k.family = any(${families}) limit 5000)`
    if (deleted < 5000) return
  }
}
