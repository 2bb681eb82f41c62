// The webhook endpoints of a key. Every query is limited to the caller's key, so the endpoints of other keys are not found.

import { randomBytes } from 'node:crypto'
import { badRequest, notFound, notPro } from '../common/errors.ts'
import { nonPublicReasonOfAny, webhookUrl } from '../common/public-address.ts'
import { pick } from '../common/typed.ts'
import { readSearch } from '../criteria/read.ts'
import type { Criteria } from '../criteria/vocabulary.ts'
import { defaultMarket } from '../domain/packs/markets.ts'
import { openDnsLookup } from '../sources/dns-lookup.ts'
import { inTransaction, withoutNulls } from '../store/engine/database.ts'
import { newId } from '../store/keys/keys.ts'
import { deliveriesOf, type LoggedDelivery, replayDelivery } from '../store/webhooks/delivery-log.ts'
import { enqueueDeliveries, eventBody } from '../store/webhooks/events.ts'
import {
  type Endpoint,
  enableEndpoint,
  endpointRows,
  registerEndpoint,
  removeEndpoint,
  rotateEndpoint,
  type Selection,
  updateEndpoint,
} from '../store/webhooks/webhooks.ts'
import { eventFilter } from '../wire/events/filter.ts'
import { defaultEvents, type EventName, webhookTestData } from '../wire/events.ts'
import * as wire from '../wire/operations/webhooks.ts'
import { type Context, implement } from './context.ts'
import { cursorPageOf, listAnswer } from './listing-page.ts'
import { ownedRows } from './owned-rows.ts'

export const registerWebhookRun = implement(wire.registerWebhook, async (context, input) => {
  const { db, sealer, now, webhookAllowPrivate } = context
  const { url, warnings } = await checkReceiver(input.url, webhookAllowPrivate)
  const selection = selectionOf(input)
  const signingSecret = newSecret()
  const id = await registerEndpoint(
    db,
    {
      keyId: ownerOf(context),
      url,
      ...selection,
      sealedSecret: sealer.seal('webhook-secret', signingSecret),
      most: wire.maxEndpointsPerKey,
    },
    now,
  )
  if (id === undefined)
    throw badRequest(
      `A key may have ${wire.maxEndpointsPerKey} webhook endpoints. Delete one with DELETE /v1/webhooks/{id}.`,
    )
  return {
    success: true as const,
    id,
    registeredUrl: url,
    ...servedSelection(selection),
    signingSecret,
    ...(warnings.length > 0 && { warnings }),
    ...suggestionsFor(input.filter),
  }
})

export const listWebhooksRun = implement(wire.listWebhooks, async (context, input) => {
  const answer = await endpoints.list(context, input)
  if (answer.pagination.total === 0) requirePro(context)
  return answer
})

export const updateWebhookRun = implement(wire.updateWebhook, async (context, { id, ...input }) => {
  const updated = await updateEndpoint(context.db, { keyId: ownerOf(context), id, ...selectionOf(input) })
  if (!updated) throw endpoints.missing(id)
  return { success: true as const, data: served(updated), ...suggestionsFor(input.filter) }
})

/** About a city or ZIP code that no market has. */
const suggestionsFor = ({ city, zip }: Criteria = {}): { suggestions?: readonly string[] } => {
  const { suggestions } = readSearch({ market: 'all', city, zip }, { kind: 'listings' })
  return suggestions.length > 0 ? { suggestions } : {}
}

interface SelectionInput {
  events?: readonly EventName[]
  filter?: Criteria
  everyChange?: boolean
}

/** Throws 400 for a filter that no event of the endpoint can meet. */
const selectionOf = ({ events = defaultEvents, filter, everyChange = false }: SelectionInput) => {
  if (filter) eventFilter(filter, events)
  return { events, filter: filter ?? null, everyChange, onMarketOnly: filter === undefined }
}

const servedSelection = ({ events, filter, everyChange, onMarketOnly }: Selection) => ({
  events: events as EventName[],
  ...(filter ? { filter } : {}),
  everyChange,
  onMarketOnly,
})

export const deleteWebhookRun = implement(wire.deleteWebhook, async (context, { id }) => {
  if (await removeEndpoint(context.db, ownerOf(context), id)) return { success: true }
  requirePro(context)
  throw endpoints.missing(id)
})

export const rotateWebhookRun = implement(wire.rotateWebhook, async (context, { id }) => {
  const { db, sealer, now } = context
  const signingSecret = newSecret()
  const sealedSecret = sealer.seal('webhook-secret', signingSecret)
  const rotated = await rotateEndpoint(db, { keyId: ownerOf(context), id, sealedSecret }, now)
  if (!rotated) throw endpoints.missing(id)
  return {
    success: true as const,
    id,
    registeredUrl: rotated.url,
    ...servedSelection(rotated),
    signingSecret,
    previousSecretExpiresAt: rotated.previousUntil.toISOString(),
  }
})

export const enableWebhookRun = implement(wire.enableWebhook, async (context, { id }) => {
  if (!(await enableEndpoint(context.db, ownerOf(context), id))) throw endpoints.missing(id)
  return { success: true as const }
})

export const testWebhookRun = implement(wire.testWebhook, (context, { id }) =>
  inTransaction(context.db, async (tx) => {
    const { queue, now } = context
    await enabledEndpoint({ ...context, db: tx }, id)
    const body = eventBody({ event: 'webhook.test', market: defaultMarket(), data: webhookTestData }, now)
    const delivery = { endpointId: id, eventId: newId('evt'), eventType: 'webhook.test', body }
    const [deliveryId] = await enqueueDeliveries(tx, queue, [delivery], now)
    return { success: true as const, deliveryId: deliveryId! }
  }),
)

/** The caller's endpoint. Throws 404 for an endpoint of another key and 400 for a disabled one. */
const enabledEndpoint = async (context: Context, id: string): Promise<Endpoint> => {
  const endpoint = await endpoints.own(context, id)
  if (endpoint.disabledAt)
    throw badRequest(
      `This endpoint is disabled (${endpoint.disabledReason}). Enable it first with POST /v1/webhooks/${id}/enable.`,
    )
  return endpoint
}

/** A key can list and delete its endpoints even after its plan or early-access period has ended. */
const requirePro = ({ caller }: Context) => {
  if (!caller.limits.webhooks) throw notPro()
}

const ownerOf = ({ caller }: Context): string => {
  if (!caller.key) throw notPro()
  return caller.key.currentKeyId
}

/** 32 random bytes in the format of Standard Webhooks. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

const served = ({ id, url, createdAt, failingSince, disabledAt, disabledReason, ...selection }: Endpoint) => ({
  id,
  url,
  ...servedSelection(selection),
  status: disabledAt ? ('disabled' as const) : ('enabled' as const),
  ...(disabledReason !== null && { disabledReason }),
  ...(failingSince && { failingSince: failingSince.toISOString() }),
  createdAt: createdAt.toISOString(),
})

const endpoints = ownedRows('webhook endpoint', endpointRows, ownerOf, served)

export const listDeliveriesRun = implement(wire.listDeliveries, async (context, input) => {
  const endpoint = await endpoints.own(context, input.id)
  const page = cursorPageOf(context.caller, input)
  const { rows, total } = await deliveriesOf(context.db, endpoint.id, { state: input.status, ...page })
  return listAnswer(page, rows.map(servedDelivery), total, { asOf: context.now.toISOString() })
})

export const replayDeliveryRun = implement(wire.replayDelivery, async (context, { id, deliveryId }) => {
  const endpoint = await enabledEndpoint(context, id)
  const replayId = await replayDelivery(context.db, context.queue, { endpointId: endpoint.id, deliveryId }, context.now)
  if (replayId === undefined) throw notFound(`This endpoint has no delivery ${deliveryId}.`)
  return { success: true as const, deliveryId: replayId }
})

const servedDelivery = (row: LoggedDelivery) => ({
  ...pick(row, 'id', 'eventId'),
  event: row.eventType,
  status: row.state,
  note: row.note ?? undefined,
  createdAt: row.createdAt.toISOString(),
  nextAttemptAt: row.nextAttemptAt?.toISOString(),
  deliveredAt: row.deliveredAt?.toISOString(),
  attempts: row.attempts.map(({ attempt, startedAt, durationMs, ...answer }) => ({
    ...{ attempt, at: new Date(startedAt).toISOString(), durationMs },
    ...withoutNulls(answer),
  })),
})

/** Called at registration, so that mistakes are reported at once. Every connection checks the address again. */
export const checkReceiver = async (text: string, allowPrivate: boolean, resolve = addressesOf) => {
  const checked = webhookUrl(text, allowPrivate)
  if ('refusal' in checked) throw badRequest(`${checked.refusal}.`)
  const url = checked.url.href
  if (checked.literal) return { url, warnings: [] }
  const addresses = await resolve(checked.host, allowPrivate)
  if (addresses.length === 0)
    return {
      url,
      warnings: [`${checked.host} does not resolve at the moment: deliveries will fail until it does.`],
    }
  const refusal = allowPrivate ? undefined : nonPublicReasonOfAny(addresses)
  // Without the address: it would tell a stranger about the network of this server.
  if (refusal) throw badRequest(`url must be public: ${checked.host} resolves to an address that is not.`)
  return { url, warnings: [] }
}

const lookUps = { public: openDnsLookup({ allowPrivate: false }), private: openDnsLookup({ allowPrivate: true }) }

const addressesOf = async (host: string, allowPrivate: boolean): Promise<string[]> => {
  const answers = await lookUps[allowPrivate ? 'private' : 'public'](host).catch(() => [])
  return answers.map(({ address }) => address)
}
