// Matches as they are sent and shown, and which of them a key may see.
import type { SearchRow } from '../criteria/conditions.ts'
import { rowAs, withoutListing } from '../criteria/row-readings.ts'
import { dayOf } from '../domain/day.ts'
import type { SourceUse } from '../domain/packs/source-uses.ts'
import { permitUrl, propertyUrl } from '../domain/page-urls.ts'
import { type Db, withoutNulls } from '../store/engine/database.ts'
import { receivedRecords } from '../store/search/received-records.ts'
import type { StoredMatch } from '../store/watches/matches.ts'
import { recordOfMatch } from '../wire/events/visible.ts'
import type { WatchMatch } from '../wire/events/watch-match.ts'
import type { WatchKind } from '../wire/watches.ts'

export const matchOf = (
  kind: WatchKind,
  match: Omit<StoredMatch, 'market' | 'announcedAt'>,
  publicUrl: string,
): WatchMatch => {
  const { id, propertyId, permitId, address, triggers, before, after, changedAt } = match
  return {
    id,
    triggers: [...triggers],
    ...withoutNulls({ propertyId, permitId, address }),
    city: after.city ?? after.citySlug,
    citySlug: after.citySlug,
    url: permitId === null ? propertyUrl(publicUrl, propertyId ?? '') : permitUrl(publicUrl, after.citySlug, permitId),
    ...valuesOf(rowAs(kind, after)),
    ...(before ? { previous: valuesOf(rowAs(kind, before)) } : {}),
    changedAt: changedAt.toISOString(),
  }
}

const valuesOf = (row: SearchRow | undefined) => {
  if (!row) return {}
  const { price, teardownScore, returnPct } = row.numbers
  return { price, status: row.texts.status, teardownScore: teardownScore && Math.round(teardownScore), returnPct }
}

/** What of the matches of one watch may be sent or shown now. */
export const receivedMatches = async <Match extends StoredMatch>(
  db: Db,
  matches: readonly Match[],
  { kind, since, use, now }: { kind: WatchKind; since: string | undefined; use: SourceUse; now: Date },
): Promise<Match[]> => {
  const received = (some: readonly Match[], as: WatchKind) =>
    receivedRecords(
      db,
      some,
      ({ market, propertyId, permitId, triggers, after: { citySlug }, changedAt }) => {
        const named = withoutNulls({ citySlug, triggers, propertyId, permitId })
        return recordOfMatch(as, market, named, dayOf(changedAt))
      },
      { since, use, today: dayOf(now) },
    )
  const visible = await received(matches, kind)
  if (kind !== 'parcels' || since === undefined) return visible
  const listed = new Set(await received(visible, 'listings'))
  return visible.map((match) =>
    listed.has(match)
      ? match
      : { ...match, before: match.before && withoutListing(match.before), after: withoutListing(match.after) },
  )
}
