// The watches of a key.
import { marketsSearched } from '../contract/criteria/read.ts'
import type { CriteriaInput } from '../contract/criteria/table.ts'
import type { Criteria } from '../contract/criteria/vocabulary.ts'
import { dayOf } from '../contract/day.ts'
import { ApiError, badRequest, needsOwnKey, notFound } from '../contract/errors.ts'
import { matchOf } from '../contract/events/watch-match.ts'
import { defaultMarket } from '../contract/markets.ts'
import {
  createWatch,
  deleteWatch,
  getWatch,
  listWatches,
  listWatchMatches,
  pauseWatch,
  resumeWatch,
  testWatch,
  updateWatch,
} from '../contract/operations/watches.ts'
import { mostSavedHomes, mostWatches, windowStart } from '../contract/plans.ts'
import {
  permitTriggers,
  type WatchCadence,
  type WatchKind,
  type WatchTrigger,
  watchConditions,
} from '../contract/watches.ts'
import { inTransaction } from '../store/engine/database.ts'
import { announcedMatches, deliverWatch } from '../store/watches/matches.ts'
import {
  deleteWatchRow,
  saveWatch,
  setPaused,
  type WatchContent,
  type WatchRow,
  watchesOf,
  watchOf,
} from '../store/watches/watches.ts'
import { endpointOf } from '../store/webhooks/webhooks.ts'
import { type Context, implement } from './context.ts'
import { cursorAnswer, cursorPageOf, historyWindow } from './listing-page.ts'
import { mailboxOf } from './mailbox.ts'
import { visibleRecords } from './visible-records.ts'
import { previewWatch } from './watch-preview.ts'

export const createWatchRun = implement(createWatch, async (context, { dryRun = false, ...input }) => {
  ownerOf(context)
  return saved(context, input, dryRun ? 'dryRun' : 'new')
})

export const updateWatchRun = implement(updateWatch, async (context, { id, ...input }) => {
  await ownWatch(context, id)
  return saved(context, input, { id })
})

export const listWatchesRun = implement(listWatches, async (context, input) => {
  const page = cursorPageOf(context.caller, input)
  const { rows, total } = await watchesOf(context.db, ownerOf(context).keyId, page)
  return cursorAnswer(page, rows.map(served), total, context.now.toISOString())
})

export const getWatchRun = implement(getWatch, async (context, { id }) => ({
  success: true,
  data: served(await ownWatch(context, id)),
  asOf: context.now.toISOString(),
}))

export const deleteWatchRun = implement(deleteWatch, async (context, { id }) => {
  if (!(await deleteWatchRow(context.db, ownerOf(context).keyId, id))) throw noWatch(id)
  return { success: true }
})

export const pauseWatchRun = implement(pauseWatch, async (context, { id }) => {
  if (!(await setPaused(context.db, ownerOf(context).keyId, id, context.now))) throw noWatch(id)
  return { success: true }
})

export const resumeWatchRun = implement(resumeWatch, async (context, { id }) => {
  if (!(await setPaused(context.db, ownerOf(context).keyId, id, null))) throw noWatch(id)
  return { success: true }
})

export const testWatchRun = implement(testWatch, async (context, { id }) => {
  const { name, endpoints, markets } = await ownWatch(context, id)
  if (endpoints.length === 0)
    throw badRequest('This watch has no channel to test. Add one with PUT /v1/watches/{id}, for example a webhook.')
  requirePro(context, 'Webhooks of a watch')
  const data = { watchId: id, name, matches: [], more: 0 }
  const deliveryIds = await inTransaction(context.db, (tx) =>
    deliverWatch(tx, context.queue, markets?.[0] ?? defaultMarket, endpoints, data, context.now),
  )
  return { success: true, deliveryIds }
})

/** Announced matches read for one answer. */
const mostMatches = 2_000

export const listWatchMatchesRun = implement(listWatchMatches, async (context, { id, ...input }) => {
  const { db, caller, now, publicUrl } = context
  const { kind } = await ownWatch(context, id)
  const page = cursorPageOf(caller, input)
  const since = windowStart(caller.limits, now)
  const found = await announcedMatches(db, id, mostMatches)
  const visible =
    since === undefined
      ? found
      : await visibleRecords(
          db,
          found,
          ({ market, propertyId, permitId, after, changedAt }) => ({
            market,
            about: kind,
            propertyId: propertyId ?? undefined,
            permit: permitId === null ? undefined : { citySlug: after.citySlug, permitId },
            day: dayOf(changedAt),
          }),
          since,
          dayOf(now),
        )
  const rows = visible.slice(page.offset, page.offset + page.limit).map((match) => ({
    ...matchOf(match, publicUrl),
    announcedAt: match.announcedAt!.toISOString(),
  }))
  const answer = cursorAnswer(page, rows, visible.length, now.toISOString())
  return { ...answer, historyWindow: historyWindow(caller.limits, now) }
})

interface WatchInput {
  name: string
  kind: WatchKind
  criteria?: Criteria
  on?: WatchTrigger[]
  cadence?: WatchCadence
  channels?: { webhooks?: string[] }
  note?: string
}

const saved = async (context: Context, input: WatchInput, target: 'new' | 'dryRun' | { id: string }) => {
  const { db, caller, now } = context
  const content = await contentOf(context, input)
  const preview = await previewWatch(context, content)
  const asOf = now.toISOString()
  if (target === 'dryRun') return { success: true, data: preview, asOf }
  const most = content.savedHome ? mostSavedHomes : mostWatches[caller.plan]
  const given = target === 'new' ? undefined : target.id
  const id = await saveWatch(db, ownerOf(context), content, { id: given, most, now })
  if (id === undefined)
    throw badRequest(
      content.savedHome
        ? `The keys of a mailbox may save ${most} homes. Delete one with DELETE /v1/watches/{id}.`
        : `The ${caller.plan} keys of a mailbox may have ${most} watches together. Change one with PUT /v1/watches/{id} or delete one.`,
    )
  return { success: true, data: { id, ...preview }, asOf }
}

const contentOf = async (context: Context, input: WatchInput): Promise<WatchContent> => {
  const { kind, criteria = {}, cadence = 'daily', channels: { webhooks: endpoints = [] } = {} } = input
  const name = input.name.replace(/\p{Cc}/gu, '').trim()
  if (name === '') throw badRequest('name must be text of 1 to 80 characters, for example "Teardowns under $3M".')
  const note = input.note?.replace(/(?!\n)\p{Cc}/gu, '').trim()
  const oneHome = criteria.id?.length === 1
  const triggers = input.on ?? (oneHome ? ['price', 'status', 'permit'] : ['entered'])
  const wrong = kind === 'permits' ? triggers.find((each) => !permitTriggers.includes(each)) : undefined
  if (wrong) throw badRequest(`on may be ${permitTriggers.join(', ')} for permits; it has "${wrong}".`)
  if (cadence === 'instant') requirePro(context, 'Instant announcements')
  if (endpoints.length > 0) requirePro(context, 'Webhooks of a watch')
  const { keyId } = ownerOf(context)
  for (const id of endpoints)
    if (!(await endpointOf(context.db, keyId, id)))
      throw badRequest(`channels.webhooks must be ids of GET /v1/webhooks; this key has no endpoint "${id}".`)
  const cities = watchConditions(kind, criteria as CriteriaInput).flatMap((each) =>
    each.type === 'city' ? each.slugs : [],
  )
  return {
    name,
    kind,
    criteria,
    markets: criteria.market === 'all' ? null : [...marketsSearched(criteria.market)],
    cities: cities.length === 0 ? null : cities,
    triggers,
    cadence,
    endpoints,
    note: note ? note : null,
    savedHome: oneHome && endpoints.length === 0,
  }
}

const ownWatch = async (context: Context, id: string): Promise<WatchRow> => {
  const found = await watchOf(context.db, ownerOf(context).keyId, id)
  if (!found) throw noWatch(id)
  return found
}

const noWatch = (id: string) => notFound(`This key has no watch ${id}.`)

const ownerOf = ({ caller }: Context) => {
  if (!caller.key) throw needsOwnKey('watches')
  const { currentKeyId, email, confirmedAt } = caller.key
  return { keyId: currentKeyId, mailbox: mailboxOf(email), confirmed: confirmedAt !== null }
}

const requirePro = ({ caller }: Context, what: string) => {
  if (!caller.limits.webhooks)
    throw new ApiError(403, 'forbidden', `${what} need a Pro key. Use the cadence daily or weekly without webhooks.`)
}

const served = (watch: WatchRow) => ({
  id: watch.id,
  name: watch.name,
  kind: watch.kind,
  criteria: watch.criteria,
  on: watch.triggers,
  cadence: watch.cadence,
  channels: { webhooks: watch.endpoints },
  ...(watch.note === null ? {} : { note: watch.note }),
  savedHome: watch.savedHome,
  paused: watch.pausedAt !== null,
  createdAt: watch.createdAt.toISOString(),
  updatedAt: watch.updatedAt.toISOString(),
})
