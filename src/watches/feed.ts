// The Atom feed of a watch: its announced matches, as far as its key may see them when the feed is read.

import { dollars } from '../common/dollars.ts'
import { escapeHtml } from '../common/escape-html.ts'
import { marketIds, pastDaysText } from '../domain/packs/markets.ts'
import type { Db } from '../store/engine/database.ts'
import { windowOf } from '../store/keys/key-terms.ts'
import { hashOf } from '../store/keys/keys.ts'
import { announcedMatches, type StoredMatch } from '../store/watches/matches.ts'
import { type FeedWatch, watchOfFeed } from '../store/watches/watches.ts'
import { limitsOf } from '../wire/plans.ts'
import { type DataNotices, noticesOf, recordTitle } from './mail.ts'
import { matchOf, receivedMatches } from './served-matches.ts'
import { matchReasons } from './words.ts'

/** Read for one feed: some may be hidden. */
const mostRead = 2_000

/** Undefined if there is no such feed, or its watch or key has ended. */
export const watchFeed = async ({ db, publicUrl }: { db: Db; publicUrl: string }, token: string, now: Date) => {
  const watch = await watchOfFeed(db, hashOf(token), now)
  if (!watch) return undefined
  const announced = await announcedMatches(db, watch.id, mostRead)
  const since = windowOf(watch, now)
  const visible = await receivedMatches(db, announced, { kind: watch.kind, since, use: 'feed', now })
  const { maxResults } = limitsOf({ ...watch, createdAt: watch.keyCreatedAt }, now)
  return atom(watch, visible.slice(0, maxResults), publicUrl, await noticesOf(db, watch.markets ?? marketIds()))
}

/** Ids are urn:, so that the token of the feed is not in the feed. */
const atom = (
  watch: FeedWatch,
  matches: readonly StoredMatch[],
  publicUrl: string,
  { sample, days }: DataNotices,
): string => {
  const about = [sample ? 'Includes generated sample data: records may be made up.' : '', pastDaysText(days)].filter(
    Boolean,
  )
  const updated = matches[0]?.announcedAt ?? watch.createdAt
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:lotline:${watch.id}</id>
<title>${escapeHtml(watch.name)}</title>
${about.length > 0 ? `<subtitle>${escapeHtml(about.join(' '))}</subtitle>\n` : ''}<updated>${updated.toISOString()}</updated>
<author><name>Lotline</name></author>
<link rel="alternate" type="text/html" href="${escapeHtml(publicUrl)}/account/watches"/>
${matches.map((match) => entry(watch, match, publicUrl)).join('')}</feed>
`
}

const entry = (watch: FeedWatch, match: StoredMatch, publicUrl: string): string => {
  const { id, address, city, url, price, permitId } = matchOf(watch.kind, match, publicUrl)
  const reasons = matchReasons(watch, match)
  const said = price !== undefined && !reasons.some((text) => text.includes(dollars(price))) ? [dollars(price)] : []
  return `<entry>
<id>urn:lotline:${id}</id>
<title>${escapeHtml(recordTitle({ address, permitId, city }))}</title>
<updated>${match.announcedAt!.toISOString()}</updated>
<link rel="alternate" type="text/html" href="${escapeHtml(url)}"/>
<summary>${escapeHtml([...reasons, ...said].join('. '))}</summary>
</entry>
`
}
