// The delivery log, replay, and the event feed that a receiver reads after an outage.
import { badRequest, notFound } from '../contract/errors.ts'
import type { FeedEvent } from '../contract/events.ts'
import { exampleEventCursor, listDeliveries, listEvents, replayDelivery } from '../contract/operations/webhooks.ts'
import { deliveriesOf, type LoggedDelivery, replayDelivery as replayStored } from '../store/webhooks/delivery-log.ts'
import { countAfter, eventsAfter } from '../store/webhooks/event-feed.ts'
import { implement } from './context.ts'
import { cursorAnswer, cursorPageOf, listAnswer, pageOf } from './listing-page.ts'
import { enabledEndpoint, ownEndpoint } from './webhooks.ts'

export const listDeliveriesRun = implement(listDeliveries, async (context, input) => {
  const endpoint = await ownEndpoint(context, input.id)
  const page = cursorPageOf(context.caller, input)
  const { rows, total } = await deliveriesOf(context.db, endpoint.id, { state: input.status, ...page })
  return cursorAnswer(page, rows.map(served), total, context.now.toISOString())
})

export const replayDeliveryRun = implement(replayDelivery, async (context, { id, deliveryId }) => {
  const endpoint = await enabledEndpoint(context, id)
  const made = await replayStored(context.db, context.queue, { endpointId: endpoint.id, deliveryId }, context.now)
  if (made === undefined) throw notFound(`This endpoint has no delivery ${deliveryId}.`)
  return { success: true as const, deliveryId: made }
})

/** Maximum age of events in the feed. */
const feedMs = 30 * 86_400_000

export const listEventsRun = implement(listEvents, async ({ db, caller, now }, input) => {
  const page = pageOf(caller, { limit: input.limit })
  const { limit } = page
  const position = positionOf(input.after)
  const since = new Date(now.getTime() - feedMs)
  const found = await eventsAfter(db, { position, since, limit: limit + 1 })
  const data = found.slice(0, limit).map(({ id, body }) => feedEvent(id, JSON.parse(body)))
  const last = found[data.length - 1]
  const hasMore = found.length > limit
  // On the last page the number of events is known without a count.
  const total = hasMore ? Math.max(found.length, await countAfter(db, { position, since })) : data.length
  const answer = listAnswer(page, data, total, { asOf: now.toISOString() })
  return {
    ...answer,
    // The feed is read by cursor. An offset would shift when old events are deleted.
    pagination: { ...answer.pagination, nextOffset: null },
    nextCursor: last ? cursorOf(last.position) : (input.after ?? null),
    hasMore,
  }
})

/** Event bodies are stored as signed, in the shape of the contract. */
const feedEvent = (id: string, { event, market, data, timestamp }: FeedEvent): FeedEvent =>
  ({ id, event, market, data, timestamp }) as FeedEvent

/** Opaque to callers, so that its content may change. */
const cursorOf = (position: number) => Buffer.from(`p${position}`).toString('base64url')

const positionOf = (cursor: string | undefined): number => {
  if (cursor === undefined) return 0
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!/^p\d{1,15}$/.test(text))
    throw badRequest(
      `after must be the nextCursor of an earlier page, for example after=${exampleEventCursor}; this one is not.`,
    )
  return Number(text.slice(1))
}

const served = ({
  id,
  eventId,
  eventType,
  state,
  note,
  createdAt,
  nextAttemptAt,
  deliveredAt,
  attempts,
}: LoggedDelivery) => ({
  id,
  eventId,
  event: eventType,
  status: state,
  ...(note !== null && { note }),
  createdAt: createdAt.toISOString(),
  ...(nextAttemptAt && { nextAttemptAt: nextAttemptAt.toISOString() }),
  ...(deliveredAt && { deliveredAt: deliveredAt.toISOString() }),
  attempts: attempts.map(({ attempt, startedAt, durationMs, status, error, response }) => ({
    attempt,
    at: new Date(startedAt).toISOString(),
    durationMs,
    ...(status !== null && { status }),
    ...(error !== null && { error }),
    ...(response !== null && { response }),
  })),
})
