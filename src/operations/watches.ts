// The watches of a key.

import { ApiError, badRequest, rateLimited } from '../common/errors.ts'
import { pick } from '../common/typed.ts'
import { unseenInLines, visibleName } from '../common/unseen.ts'
import { defaultMarket } from '../domain/packs/markets.ts'
import { unsubscribeUrl } from '../secrets/unsubscribe-links.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import { newToken } from '../store/keys/account-tokens.ts'
import { claimToday, secondsToMidnight } from '../store/keys/daily-counts.ts'
import { dealOfWatch } from '../store/keys/deals.ts'
import { hashOf } from '../store/keys/keys.ts'
import { lockMailbox } from '../store/keys/mailbox-counts.ts'
import { enqueueMail } from '../store/keys/mails.ts'
import { announcedMatches, deliverWatch } from '../store/watches/matches.ts'
import { nextWatchMail, watchMailLimits } from '../store/watches/watch-mails.ts'
import { saveWatch, setPaused, type WatchRow, watchRows } from '../store/watches/watches.ts'
import { endpointRows } from '../store/webhooks/webhooks.ts'
import { matchOf, receivedMatches } from '../watches/served-matches.ts'
import type { InputOf } from '../wire/operation.ts'
import * as wire from '../wire/operations/watches.ts'
import { mostSavedHomes, mostWatches, windowStart } from '../wire/plans.ts'
import { permitTriggers } from '../wire/watches.ts'
import { type Context, implement } from './context.ts'
import { blankDeal, snapshotOf } from './deal-homes.ts'
import { cursorPageOf, historyWindow, listAnswer } from './listing-page.ts'
import { testWatchMail } from './mail-texts.ts'
import { ownerOf as ownerOfKey } from './mailbox.ts'
import { ownAssumptionsOf } from './own-assumptions.ts'
import { ownedRows } from './owned-rows.ts'
import { placesOf, previewWatch } from './watch-preview.ts'

export const createWatchRun = implement(wire.createWatch, async (context, { dryRun = false, ...input }) => {
  return saved(context, input, dryRun ? 'dryRun' : 'new')
})

export const updateWatchRun = implement(wire.updateWatch, async (context, { id, ...input }) => {
  return saved(context, input, await watches.own(context, id))
})

export const listWatchesRun = implement(wire.listWatches, (context, input) => watches.list(context, input))

/** Every watch and saved home of the key, for the account pages. */
export const everyWatch = async (context: Context) =>
  (await watchRows.page(context.db, ownerOf(context).keyId, { limit: 1_000, offset: 0 })).rows.map(served)

export const getWatchRun = implement(wire.getWatch, (context, input) => watches.get(context, input))

export const deleteWatchRun = implement(wire.deleteWatch, (context, input) => watches.remove(context, input))

export const pauseWatchRun = implement(wire.pauseWatch, async (context, { id }) => {
  if (!(await setPaused(context.db, ownerOf(context).keyId, id, context.now))) throw watches.missing(id)
  return { success: true }
})

export const resumeWatchRun = implement(wire.resumeWatch, async (context, { id }) => {
  if (!(await setPaused(context.db, ownerOf(context).keyId, id, null))) throw watches.missing(id)
  return { success: true }
})

export const testWatchRun = implement(wire.testWatch, async (context, { id }) => {
  const watch = await watches.own(context, id)
  const { name, kind, endpoints, markets, email } = watch
  if (endpoints.length === 0 && !email)
    throw badRequest('This watch has nothing to test. Add mail or a webhook to its channels with PUT /v1/watches/{id}.')
  if (endpoints.length > 0) requireWebhooks(context)
  const data = { watchId: id, name, kind, matches: [], more: 0 }
  return inTransaction(context.db, async (tx) => {
    const mailed = email && (await mailTest(context, tx, watch))
    const deliveryIds =
      endpoints.length === 0
        ? []
        : await deliverWatch(tx, context.queue, markets?.[0] ?? defaultMarket(), endpoints, data, context.now)
    return { success: true, deliveryIds, mailed }
  })
})

/** Once a day and watch, within the limits of the mailbox. With webhooks to test, a mail that may not be sent is no error. */
const mailTest = async (context: Context, tx: Db, watch: WatchRow): Promise<boolean> => {
  const { now, publicUrl, caller } = context
  const { mailbox, confirmed } = ownerOf(context)
  const refused = (error: ApiError) => {
    if (watch.endpoints.length === 0) throw error
    return false
  }
  if (!confirmed) return refused(new ApiError(403, unconfirmedNote))
  await lockMailbox(tx, mailbox)
  const wait = Math.ceil(((await nextWatchMail(tx, mailbox, now)).getTime() - now.getTime()) / 1000)
  const { everyMinutes, perDay } = watchMailLimits
  const limit = `one watch email per ${everyMinutes} minutes and ${perDay} per day`
  if (wait > 0) return refused(rateLimited(`The limit for this mailbox is ${limit}. Try again in ${wait} s.`, wait))
  const onceADay = 'A watch can be tested by mail once a day. Try again tomorrow (UTC).'
  if ((await claimToday(tx, 'watch-tests', watch.id, 1, now)) === undefined)
    return refused(rateLimited(onceADay, secondsToMidnight(now)))
  const { email, currentKeyId } = caller.key!
  const unsubscribe = unsubscribeUrl(context.sealer, publicUrl, currentKeyId)
  await enqueueMail(tx, context, testWatchMail(email, watch, unsubscribe, publicUrl), { mailbox, now })
  return true
}

const unconfirmedNote =
  'Mail starts when the owner of the mailbox confirms the key: by the link in the mail of the key, or on the account page.'

/** Announced matches read for one answer. */
const mostMatches = 2_000

export const listWatchMatchesRun = implement(wire.listWatchMatches, async (context, { id, ...input }) => {
  const { db, caller, now, publicUrl, surface } = context
  const { kind } = await watches.own(context, id)
  const page = cursorPageOf(caller, input)
  const since = windowStart(caller.limits, now)
  const found = await announcedMatches(db, id, mostMatches)
  const visible = await receivedMatches(db, found, { kind, since, use: surface, now })
  const rows = visible.slice(page.offset, page.offset + page.limit).map((match) => ({
    ...matchOf(kind, match, publicUrl),
    announcedAt: match.announcedAt!.toISOString(),
  }))
  const answer = listAnswer(page, rows, visible.length, { asOf: now.toISOString() })
  return { ...answer, historyWindow: historyWindow(caller.limits, now) }
})

type WatchInput = Omit<InputOf<typeof wire.createWatch> & InputOf<typeof wire.updateWatch>, 'id' | 'dryRun'>

const saved = async (context: Context, input: WatchInput, target: 'new' | 'dryRun' | WatchRow) => {
  const { db, caller, now, publicUrl } = context
  const stored = typeof target === 'string' ? undefined : target
  const { content, feedToken } = await contentOf(context, input, stored)
  const matched = await previewWatch(context, content)
  const notes = content.email && caller.key!.confirmedAt === null ? [...matched.notes, unconfirmedNote] : matched.notes
  const preview = { ...matched, notes }
  const asOf = now.toISOString()
  if (target === 'dryRun') return { success: true, data: preview, asOf }
  const most = content.savedHome ? mostSavedHomes : mostWatches[caller.plan]
  const home = content.criteria.id?.length === 1 ? content.criteria.id[0]! : undefined
  const deal = stored && (await dealOfWatch(db, stored.id))
  if (deal && deal.propertyId !== home && !blankDeal(deal))
    throw badRequest(
      `The deal ${deal.id} belongs to this saved home, so its id cannot change. Delete the deal first, or save the other home by itself.`,
    )
  const saved = content.savedHome && home !== undefined ? await snapshotOf(context, home) : null
  const id = await saveWatch(db, ownerOf(context), content, { id: stored?.id, most, now, saved })
  if (id === undefined)
    throw badRequest(
      content.savedHome
        ? `The keys of a mailbox may save ${most} homes. Delete one with DELETE /v1/watches/{id}.`
        : `The ${caller.plan} keys of a mailbox may have ${most} watches together. Change one with PUT /v1/watches/{id} or delete one.`,
    )
  const atomUrl = feedToken === undefined ? {} : { atomUrl: `${publicUrl}/feeds/${feedToken}.atom` }
  return { success: true, data: { id, ...preview, ...atomUrl }, asOf }
}

/** A watch of one home without a channel. */
export const savedHome = async (context: Context, { name, market, id }: { name: string; market: string; id: string }) =>
  (await contentOf(context, { name, kind: 'parcels', criteria: { market, id: [id] } }, undefined)).content

/** `feedToken`: of a feed URL that is new. */
const contentOf = async (context: Context, input: WatchInput, stored: WatchRow | undefined) => {
  const { kind, criteria = {}, cadence = 'daily', assumptionSet, channels = {} } = input
  const { email = false, atom = false, webhooks: endpoints = [] } = channels
  const name = visibleName(input.name, 'Teardowns under $3M')
  const note = input.note?.replace(unseenInLines, '').trim()
  const oneHome = criteria.id?.length === 1
  const triggers = input.on ?? (oneHome ? ['price', 'status', 'permit'] : ['entered'])
  const wrong = kind === 'permits' ? triggers.find((each) => !permitTriggers.includes(each)) : undefined
  if (wrong) throw badRequest(`on may be ${permitTriggers.join(', ')} for permits; it has "${wrong}".`)
  if (cadence === 'instant' && context.caller.plan !== 'pro') throw needsPro('Instant announcements')
  if (endpoints.length > 0) requireWebhooks(context)
  const { keyId } = ownerOf(context)
  for (const id of endpoints)
    if (!(await endpointRows.one(context.db, keyId, id)))
      throw badRequest(`channels.webhooks must be ids of GET /v1/webhooks; this key has no endpoint "${id}".`)
  const { markets, cities } = placesOf(kind, criteria)
  if (assumptionSet !== undefined && kind === 'permits')
    throw badRequest('assumptionSet does not apply to permits, which have no return. Leave it out.')
  await ownAssumptionsOf(context, { assumptionSet }, markets?.[0])
  if (input.newFeedUrl && !atom) throw badRequest('newFeedUrl needs a feed: add "atom": true to channels.')
  const feedHash = input.newFeedUrl ? undefined : stored?.feedHash
  const feedToken = atom && !feedHash ? newToken() : undefined
  return {
    feedToken,
    content: {
      name,
      kind,
      criteria,
      markets,
      cities,
      assumptionSetId: assumptionSet ?? null,
      triggers,
      cadence,
      email,
      feedHash: feedToken ? hashOf(feedToken) : atom ? feedHash! : null,
      endpoints,
      note: note ? note : null,
      savedHome: oneHome && endpoints.length === 0 && !email && !atom,
    },
  }
}

const ownerOf = (context: Context) => ownerOfKey(context, 'watches')

/** Early access has webhooks, but is not the plan Pro. */
const requireWebhooks = ({ caller }: Context) => {
  if (!caller.limits.webhooks) throw needsPro('Webhooks of a watch')
}

const needsPro = (what: string) =>
  new ApiError(403, `${what} need a Pro key. Use the cadence daily or weekly without webhooks.`)

const served = (watch: WatchRow) => ({
  ...pick(watch, 'id', 'name', 'kind', 'criteria'),
  on: watch.triggers,
  cadence: watch.cadence,
  ...(watch.assumptionSetId === null ? {} : { assumptionSet: watch.assumptionSetId }),
  channels: { email: watch.email, atom: watch.feedHash !== null, webhooks: watch.endpoints },
  ...(watch.note === null ? {} : { note: watch.note }),
  savedHome: watch.savedHome,
  paused: watch.pausedAt !== null,
  createdAt: watch.createdAt.toISOString(),
  updatedAt: watch.updatedAt.toISOString(),
})

const watches = ownedRows('watch', watchRows, (context) => ownerOf(context).keyId, served)
