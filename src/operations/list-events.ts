// The event feed: what changed, by type and criteria. A receiver also reads it after an outage.

import { badRequest } from '../common/errors.ts'
import { pick } from '../common/typed.ts'
import { dayOf } from '../domain/day.ts'
import { datasets } from '../domain/facts.ts'
import { permitUrl, propertyUrl } from '../domain/page-urls.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { generatedData } from '../store/ingest/generated.ts'
import { receivedRecords } from '../store/search/received-records.ts'
import { countAfter, eventsAfter, type FeedEvent as StoredEvent } from '../store/webhooks/event-feed.ts'
import { eventFilter } from '../wire/events/filter.ts'
import { events } from '../wire/events/table.ts'
import { type NamedRecord, recordOfEvent, withinWindow } from '../wire/events/visible.ts'
import { defaultEvents, type FeedEvent } from '../wire/events.ts'
import { exampleEventCursor, listEvents } from '../wire/operations/webhooks.ts'
import { windowStart } from '../wire/plans.ts'
import { implement } from './context.ts'
import { historyWindow, listAnswer, pageOf } from './listing-page.ts'

const feedDays = 90

/** Events read at once, and read at most for one page: a rare match continues on the next page. */
const batch = 500
const mostRead = 10_000

export const listEventsRun = implement(listEvents, async ({ db, caller, now, publicUrl, surface, bulk }, input) => {
  const { types = defaultEvents, after, since: sinceText, limit: _, ...criteria } = input
  const page = pageOf(caller, { limit: input.limit })
  if (after !== undefined && sinceText !== undefined)
    throw badRequest('after and since cannot be used together: pass since for the first page and after for the next.')
  const query = { types, position: positionOf(after), since: sinceOf(sinceText, now) }
  const passes = eventFilter(criteria, types)
  const windowed = windowStart(caller.limits, now)
  const pageEvents: StoredEvent[] = []
  let { position } = query
  let read = 0
  let ended = false
  while (!ended && pageEvents.length <= page.limit && read < mostRead) {
    const next = await eventsAfter(db, { ...query, position, limit: batch, onlyPlaced: bulk !== undefined })
    ended = next.length < batch
    position = next.at(-1)?.position ?? position
    read += next.length
    const met = next.filter(({ type, searchRow }) => passes(type, searchRow))
    pageEvents.push(...(await receivedRecords(db, met, recordOf, { since: windowed, use: surface, today: dayOf(now) })))
  }
  const generated = await generatedData(db)
  const data = pageEvents.slice(0, page.limit).map(({ id, body }): FeedEvent => {
    const event = JSON.parse(body) as FeedEvent
    return {
      ...{ id, ...pick(event, 'event', 'market') },
      data: withLinks(publicUrl, windowed === undefined ? event.data : withinWindow(event.event, event.data)),
      timestamp: event.timestamp,
      ...(generated(event.market, events[event.event].removedWith) ? { sample: true } : {}),
      ...(event.asOf === undefined ? {} : { asOf: event.asOf }),
    } as FeedEvent
  })
  const isFull = pageEvents.length > page.limit
  const last = isFull ? pageEvents[page.limit - 1]!.position : position
  const filtered = windowed !== undefined || Object.keys(criteria).length > 0
  // On the last page, and with criteria, only the events that were read are counted; for an export, all that it reads.
  const counts = bulk ? bulk.countTo > 0 : isFull && !filtered
  const total = counts ? Math.max(pageEvents.length, await countAfter(db, query)) : pageEvents.length
  const answer = listAnswer(page, data, total, {
    asOf: await asOf(db, datasets),
    window: historyWindow(caller.limits, now),
  })
  const { nextCursor: _byOffset, ...pagination } = answer.pagination
  return {
    ...answer,
    // The feed is read by cursor. An offset would shift when old events are deleted.
    pagination: { ...pagination, nextOffset: null },
    nextCursor: last > 0 ? cursorOf(last) : (after ?? null),
    hasMore: isFull || !ended,
  }
})

const recordOf = ({ type, market, body, createdAt }: StoredEvent) =>
  recordOfEvent(type, market, JSON.parse(body).data, dayOf(createdAt))

/** Bodies are stored as they were signed. Links follow the address that the service has now. */
const withLinks = (publicUrl: string, data: object): object => {
  const linked: NamedRecord & { url?: string; permitUrl?: string } = { ...data }
  const { propertyId, citySlug, permitId } = linked
  if (linked.url && propertyId) linked.url = propertyUrl(publicUrl, propertyId)
  if (linked.permitUrl && citySlug && permitId) linked.permitUrl = permitUrl(publicUrl, citySlug, permitId)
  return linked
}

const sinceOf = (text: string | undefined, now: Date): Date => {
  const oldest = new Date(now.getTime() - feedDays * 86_400_000)
  if (text === undefined) return oldest
  const since = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (Number.isNaN(since.getTime()))
    throw badRequest(
      `since must be a date or a date-time with a zone, for example 2026-11-08 or 2026-11-08T09:00:00Z; it is "${text}".`,
    )
  // A day begins before its time of day.
  if (dayOf(since) < dayOf(oldest))
    throw badRequest(`since must be ${dayOf(oldest)} or later: events are kept for ${feedDays} days; it is "${text}".`)
  if (since > now)
    throw badRequest(`since must not be in the future; it is "${text}", and now is ${now.toISOString()}.`)
  return since
}

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
