// Announces the matches that are due: to the list of matches, which feeds read, and to webhooks. The mail follows (mail.ts).
import { rowForMatch } from '../criteria/row-readings.ts'
import { pastDays } from '../store/assessments/score-distributions.ts'
import { type Db, inTransaction } from '../store/engine/database.ts'
import type { Queue } from '../store/engine/queue.ts'
import { newId } from '../store/keys/keys.ts'
import { deliverWatch, writeAnnounced } from '../store/watches/matches.ts'
import { type DueMatch, takeDue } from '../store/watches/waiting.ts'
import { eventsPerAnnouncement } from '../wire/events/watch-match.ts'
import { announcedAtHour } from '../wire/watches.ts'
import { matchOf } from './served-matches.ts'
import { storedConditions } from './triggers.ts'

/** Announces the matches that are due by their cadence, with the deliveries to webhooks. Returns their number. */
export const announceMatches = (db: Db, { queue, publicUrl }: { queue: Queue; publicUrl: string }, now: Date) =>
  inTransaction(db, async (tx) => {
    const due = (await takeDue(tx, { instant: now, ...watchSlots(now) })).map((row) => ({ ...row, id: newId('wm') }))
    if (due.length === 0) return 0
    await writeAnnounced(tx, due.map(withShownRows), now)
    const days = await pastDays(tx, [...new Set(due.map(({ market }) => market))])
    for (const some of Map.groupBy(due, ({ watchId, market }) => `${watchId} ${market}`).values())
      await deliver(tx, queue, some, days, publicUrl, now)
    return due.length
  })

/** With what their watches test and show of a record: it has about 70 values, and a match is kept for each watch. */
const withShownRows = <Match extends DueMatch>(match: Match): Match => {
  const rowOfMatch = rowForMatch(storedConditions(match.kind, match.criteria) ?? [])
  return { ...match, before: match.before && rowOfMatch(match.before), after: rowOfMatch(match.after) }
}

/** To every endpoint of the watch that can receive; what the key may see is tested when it is sent. The rows are those of one watch and market. */
const deliver = async (
  tx: Db,
  queue: Queue,
  rows: readonly (DueMatch & { id: string })[],
  days: ReadonlyMap<string, string>,
  publicUrl: string,
  now: Date,
): Promise<void> => {
  const { watchId, name, kind, receiving, market } = rows[0]!
  if (receiving.length === 0) return
  const matches = rows.slice(0, eventsPerAnnouncement).map((row) => matchOf(kind, row, publicUrl))
  const data = { watchId, name, kind, matches, more: rows.length - matches.length }
  await deliverWatch(tx, queue, market, receiving, data, now, days.get(market))
}

const dayMs = 86_400_000

/** The last times at which daily and weekly (Monday) watches were due. */
export const watchSlots = (now: Date): { daily: Date; weekly: Date } => {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), announcedAtHour)
  const daily = new Date(today > now.getTime() ? today - dayMs : today)
  return { daily, weekly: new Date(daily.getTime() - ((daily.getUTCDay() + 6) % 7) * dayMs) }
}
