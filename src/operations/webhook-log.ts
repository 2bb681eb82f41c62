// The delivery log and replay.
import { notFound } from '../common/errors.ts'
import { deliveriesOf, type LoggedDelivery, replayDelivery as replayStored } from '../store/webhooks/delivery-log.ts'
import { listDeliveries, replayDelivery } from '../wire/operations/webhooks.ts'
import { implement } from './context.ts'
import { cursorPageOf, listAnswer } from './listing-page.ts'
import { enabledEndpoint, endpoints } from './webhooks.ts'

export const listDeliveriesRun = implement(listDeliveries, async (context, input) => {
  const endpoint = await endpoints.own(context, input.id)
  const page = cursorPageOf(context.caller, input)
  const { rows, total } = await deliveriesOf(context.db, endpoint.id, { state: input.status, ...page })
  return listAnswer(page, rows.map(served), total, { asOf: context.now.toISOString() })
})

export const replayDeliveryRun = implement(replayDelivery, async (context, { id, deliveryId }) => {
  const endpoint = await enabledEndpoint(context, id)
  const replayId = await replayStored(context.db, context.queue, { endpointId: endpoint.id, deliveryId }, context.now)
  if (replayId === undefined) throw notFound(`This endpoint has no delivery ${deliveryId}.`)
  return { success: true as const, deliveryId: replayId }
})

const served = ({
  eventType,
  state,
  note,
  createdAt,
  nextAttemptAt,
  deliveredAt,
  attempts,
  ...row
}: LoggedDelivery) => ({
  id: row.id,
  eventId: row.eventId,
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
