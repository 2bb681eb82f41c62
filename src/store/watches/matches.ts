// Matches of watches: written in the transaction of the run that changes the records, and announced later. A crash loses none.
import { type Condition, meets } from '../../criteria/conditions.ts'
import { type OwnRows, type OwnValues, readStoredValues } from '../../criteria/own-assumptions.ts'
import { rowForMatch, withoutListing } from '../../criteria/row-readings.ts'
import { dayOf } from '../../domain/day.ts'
import type { MarketId } from '../../domain/facts.ts'
import type { SourceUse } from '../../domain/packs/source-uses.ts'
import { recordOfMatch } from '../../wire/events/visible.ts'
import { eventsPerAnnouncement, matchOf } from '../../wire/events/watch-match.ts'
import type { EventData } from '../../wire/events.ts'
import {
  type RecordChange,
  triggersOf,
  type WatchKind,
  type WatchTrigger,
  watchConditions,
  watchSlots,
} from '../../wire/watches.ts'
import { latestModel } from '../assessments/models.ts'
import { type Db, inTransaction, sql } from '../engine/database.ts'
import type { Queue } from '../engine/queue.ts'
import type { AssumptionSetTable, WaitingMatchTable, WatchMatchTable, WatchTable } from '../engine/schema.ts'
import { newId } from '../keys/keys.ts'
import { withoutReturns } from '../search/properties.ts'
import { receivedRecords } from '../search/received-records.ts'
import { enqueueDeliveries, eventBody, keyHasWebhooks } from '../webhooks/events.ts'

/** A changed home, or a permit if it has a number. */
export interface WatchedChange extends RecordChange {
  propertyId?: string | undefined
  permitId?: string | undefined
  /** Of a permit; the address of a home is read. */
  address?: string | undefined
  /** When an earlier change was made that it is joined to. */
  changedAt?: Date
}

/** The watch `w` and its key `k`. */
export const live = (now: Date) =>
  sql`w.paused_at is null and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`

const inMarket = (market: MarketId) => sql`(w.markets is null or ${market} = any(w.markets))`

/** Whether a run has to keep the rows before its changes. */
export const hasWatches = async (db: Db, market: MarketId, now: Date): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from watch w join api_key k on k.id = w.key_id where ${live(now)} and ${inMarket(market)} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Those of the markets with watches, in order. */
export const watchedMarkets = async (db: Db, markets: readonly MarketId[], now: Date): Promise<MarketId[]> => {
  const watched: MarketId[] = []
  for (const market of [...markets].sort()) if (await hasWatches(db, market, now)) watched.push(market)
  return watched
}

type Watching = Pick<WatchTable, 'id' | 'kind' | 'criteria' | 'triggers' | 'cities' | 'assumptionSetId'> & {
  values: AssumptionSetTable['values'] | null
}
type Waiting = Pick<WaitingMatchTable, 'id' | 'record' | 'watches' | 'before' | 'changedAt'>

/** A watch with its conditions; `others` are those on other fields than returns. */
interface Tested {
  watch: Watching
  conditions: readonly Condition[]
  others: readonly Condition[]
}

/** A match that is about to wait or to be announced: the row it waits in, and the watch. */
interface Taken {
  id: number
  watchId: string
}

/**
 * Tests the watches of the market on changed records. A change of a record that waits to be announced is joined to the earlier one:
 * what was undone meanwhile is not announced.
 */
export const recordMatches = async (
  tx: Db,
  market: MarketId,
  changes: readonly WatchedChange[],
  ownRows: OwnRows,
  now: Date,
): Promise<void> => {
  if (changes.length === 0) return
  const cities = [...new Set(changes.map(({ after }) => after.citySlug))]
  const { rows: watches } = await sql<Watching>`
    select w.id, w.kind, w.criteria, w.triggers, w.cities, w.assumption_set_id, s."values"
    from watch w join api_key k on k.id = w.key_id
    left join assumption_set s on s.id = w.assumption_set_id and (s.market is null or s.market = ${market})
    where ${live(now)} and ${inMarket(market)} and (w.cities is null or w.cities && ${cities}::text[])`.execute(tx)
  if (watches.length === 0) return
  // Locked, so that none is announced before it is joined.
  const { rows: waiting } = await sql<Waiting>`
    select id, record, watches, before, changed_at from waiting_match
    where market = ${market} and record = any(${changes.map(recordOf)}::text[]) order by id for update`.execute(tx)
  const waitingOf = Map.groupBy(waiting, ({ record }) => record)
  const permitTimes = watches.some(({ values }) => values)
    ? await latestModel<object>(tx, 'permit-times', market)
    : undefined
  const own = ownChanges((values) => ownRows(values, permitTimes?.body))
  const joinedTo = joinedChanges()
  const found = new Map<WatchedChange, WaitingMatchTable['watches']>()
  const taken: Taken[] = []
  const test = (
    { watch, conditions, others }: Tested,
    change: WatchedChange,
    waits: readonly Waiting[] | undefined,
  ) => {
    const earlier = waits?.find((row) => row.watches[watch.id])
    if (earlier) taken.push({ id: earlier.id, watchId: watch.id })
    const seen = own(watch, others, earlier ? joinedTo(earlier, change) : change)
    if (!seen) return
    const triggers = triggersOf(watch.kind, conditions, seen).filter((each) => watch.triggers.includes(each))
    if (triggers.length === 0) return
    const matched = found.get(seen) ?? {}
    matched[watch.id] = triggers
    found.set(seen, matched)
  }
  const ofKind = changesByCity(changes.map((change) => ({ change, waits: waitingOf.get(recordOf(change)) })))
  for (const watch of watches) {
    const conditions = conditionsOf(watch)
    if (!conditions) continue
    const tested = { watch, conditions, others: withoutReturns(conditions) }
    for (const { change, waits } of ofKind(watch)) test(tested, change, waits)
  }
  await removeTaken(tx, taken)
  await writeWaiting(tx, market, found, now)
}

/** The change since before the earlier one that waits. */
const joinedChanges = () => {
  const byEarlier = new Map<Waiting, WatchedChange>()
  return (earlier: Waiting, change: WatchedChange): WatchedChange => {
    const had = (trigger: WatchTrigger) => Object.values(earlier.watches).some((each) => each.includes(trigger))
    const joined = byEarlier.get(earlier) ?? {
      ...change,
      before: earlier.before ?? undefined,
      scored: change.scored || had('score'),
      permit: change.permit || had('permit'),
      changedAt: earlier.changedAt,
    }
    byEarlier.set(earlier, joined)
    return joined
  }
}

/**
 * The change with returns at the assumptions of the watch. They are computed only where the conditions on other fields are met.
 * Undefined if these are met neither before nor after the change, which is no match then.
 */
const ownChanges = (rowsOf: (values: OwnValues) => ReturnType<OwnRows>) => {
  const bySet = new Map<string, (change: WatchedChange) => WatchedChange>()
  return ({ assumptionSetId, values }: Watching, others: readonly Condition[], change: WatchedChange) => {
    if (assumptionSetId === null || values === null) return change
    const { before, after } = change
    if (!meets(others, after) && !(before && meets(others, before))) return undefined
    const changeOf = bySet.get(assumptionSetId) ?? ownChange(rowsOf(readStoredValues(values)))
    bySet.set(assumptionSetId, changeOf)
    return changeOf(change)
  }
}

/** Computed once for each change. */
const ownChange = (rowOf: ReturnType<OwnRows>) => {
  const results = new Map<WatchedChange, WatchedChange>()
  return (change: WatchedChange): WatchedChange => {
    const known = results.get(change) ?? {
      ...change,
      before: change.before && rowOf(change.before),
      after: rowOf(change.after),
    }
    results.set(change, known)
    return known
  }
}

const recordOf = ({ permitId, propertyId, after }: WatchedChange): string =>
  permitId === undefined ? propertyId! : `${after.citySlug}/${permitId}`

/** The changes of the kind and the cities of a watch. */
const changesByCity = <Of extends { change: WatchedChange }>(changes: readonly Of[]) => {
  const grouped = (some: readonly Of[]) => ({
    all: some,
    byCity: Map.groupBy(some, ({ change }) => change.after.citySlug),
  })
  const permits = grouped(changes.filter(({ change }) => change.permitId !== undefined))
  const homes = grouped(changes.filter(({ change }) => change.permitId === undefined))
  return ({ kind, cities }: Watching): readonly Of[] => {
    const { all, byCity } = kind === 'permits' ? permits : homes
    return cities ? cities.flatMap((city) => byCity.get(city) ?? []) : all
  }
}

/** Undefined for criteria that this version refuses: they must not stop the run. */
const conditionsOf = ({ kind, criteria }: Pick<Watching, 'kind' | 'criteria'>): readonly Condition[] | undefined => {
  try {
    return watchConditions(kind, criteria)
  } catch {
    return undefined
  }
}

/** Removes watches from the rows in which they wait. Hold the lock of the rows. */
const removeTaken = async (tx: Db, taken: readonly Taken[]): Promise<void> => {
  if (taken.length === 0) return
  const byRow = Map.groupBy(taken, ({ id }) => id)
  const rows = [...byRow].map(([id, own]) => JSON.stringify({ id, ids: own.map(({ watchId }) => watchId) }))
  await sql`
    update waiting_match m set watches = m.watches - array(select jsonb_array_elements_text(t.row->'ids'))
    from unnest(${rows}::jsonb[]) as t (row) where m.id = (t.row->>'id')::bigint`.execute(tx)
  await sql`delete from waiting_match where id = any(${[...byRow.keys()]}::bigint[]) and watches = '{}'`.execute(tx)
}

const writeWaiting = async (
  tx: Db,
  market: MarketId,
  found: ReadonlyMap<WatchedChange, WaitingMatchTable['watches']>,
  now: Date,
): Promise<void> => {
  if (found.size === 0) return
  const homes = [...found.keys()].flatMap(({ address, propertyId }) => (address === undefined && propertyId) || [])
  const { rows } = await sql<{ id: string; address: string }>`
    select id, address from property where market = ${market} and id = any(${homes}::text[])`.execute(tx)
  const addresses = new Map(rows.map(({ id, address }) => [id, address]))
  const written = [...found].map(([change, watches]) => {
    const { propertyId, permitId, address = addresses.get(propertyId!), before, after, changedAt = now } = change
    const names = { record: recordOf(change), property_id: propertyId, permit_id: permitId, address }
    return JSON.stringify({ ...names, watches, before, after, changed_at: changedAt })
  })
  await sql`
    insert into waiting_match (market, record, property_id, permit_id, address, watches, before, after, changed_at)
    select ${market}, c.* from unnest(${written}::jsonb[]) as m (match) cross join lateral jsonb_to_record(m.match)
      as c (record text, property_id text, permit_id text, address text, watches jsonb, before jsonb, after jsonb, changed_at timestamptz)`.execute(
    tx,
  )
}

export type StoredMatch = Pick<
  WatchMatchTable,
  | 'id'
  | 'market'
  | 'propertyId'
  | 'permitId'
  | 'address'
  | 'triggers'
  | 'before'
  | 'after'
  | 'changedAt'
  | 'announcedAt'
>

export const matchColumns = sql`m.id, m.market, m.property_id, m.permit_id, m.address, m.triggers, m.before, m.after, m.changed_at, m.announced_at`

/** The newest announced matches of a watch. */
export const announcedMatches = async (db: Db, watchId: string, most: number): Promise<StoredMatch[]> => {
  const { rows } = await sql<StoredMatch>`
    select ${matchColumns} from watch_match m where m.watch_id = ${watchId} and m.announced_at is not null
    order by m.announced_at desc, m.id limit ${most}`.execute(db)
  return rows
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
      ({ market, propertyId, permitId, triggers, after, changedAt }) =>
        recordOfMatch(
          as,
          market,
          {
            citySlug: after.citySlug,
            triggers,
            ...(propertyId ? { propertyId } : {}),
            ...(permitId ? { permitId } : {}),
          },
          dayOf(changedAt),
        ),
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

/** One match of one watch. `waitingId`: the row in which it waits. */
type Due = Omit<StoredMatch, 'announcedAt'> &
  Pick<WatchTable, 'kind' | 'name' | 'criteria' | 'endpoints'> & {
    waitingId: number
    watchId: string
    receiving: string[]
    mailed: boolean
  }

const mostAtOnce = 2_000

/** The watches `w` that the waiting match `m` is due for by their cadence. */
const dueWatches = (now: Date) => {
  const { daily, weekly } = watchSlots(now)
  return sql`cross join lateral jsonb_each(m.watches) as e (watch_id, triggers)
    join watch w on w.id = e.watch_id join api_key k on k.id = w.key_id
    where ${live(now)} and m.changed_at <= case when w.cadence = 'weekly' then ${weekly}
      when w.cadence = 'instant' and k.plan = 'pro' then ${now} else ${daily} end::timestamptz
    order by w.id, m.changed_at desc, m.id limit ${mostAtOnce}`
}

/** Announces the matches that are due by their cadence, with the deliveries to webhooks. Returns their number. */
export const announceMatches = (
  db: Db,
  { queue, publicUrl }: { queue: Queue; publicUrl: string },
  now: Date,
): Promise<number> =>
  inTransaction(db, async (tx) => {
    const { rows: locked } = await sql<{ id: number }>`
      select id from waiting_match where id in (select m.id from waiting_match m ${dueWatches(now)})
      order by id for update skip locked`.execute(tx)
    if (locked.length === 0) return 0
    // Read after the rows are locked, since a run may have changed them; watches are locked against deletion.
    const { rows: due } = await sql<Due>`
      select m.id as waiting_id, m.market, m.property_id, m.permit_id, m.address, e.triggers, m.before, m.after, m.changed_at,
        w.id as watch_id, w.kind, w.name, w.criteria, w.endpoints, w.email and k.confirmed_at is not null as mailed,
        array(select e.id from webhook_endpoint e where e.id = any(w.endpoints) and e.key_id = w.key_id and e.disabled_at is null
          and ${keyHasWebhooks(now)} order by e.id) as receiving
      from (select * from waiting_match where id = any(${locked.map(({ id }) => id)}::bigint[])) m ${dueWatches(now)}
      for key share of w`.execute(tx)
    const rows = due.map((row) => ({ ...row, id: newId('wm') }))
    await removeTaken(
      tx,
      rows.map(({ waitingId, watchId }) => ({ id: waitingId, watchId })),
    )
    await writeAnnounced(tx, rows, now)
    for (const own of Map.groupBy(rows, ({ watchId, market }) => `${watchId} ${market}`).values())
      await deliver(tx, queue, own, publicUrl, now)
    return rows.length
  })

/** With what their watches test and show of a record: it has about 70 values, and a match is kept for each watch. */
const writeAnnounced = async (tx: Db, rows: readonly (Due & { id: string })[], now: Date): Promise<void> => {
  const written = rows.map(({ id, watchId, market, propertyId, permitId, address, triggers, mailed, ...match }) => {
    const kept = rowForMatch(conditionsOf(match) ?? [])
    const { before, after, changedAt } = match
    const record = permitId === null ? propertyId : `${after.citySlug}/${permitId}`
    return JSON.stringify({
      ...{ id, watch_id: watchId, market, record, property_id: propertyId, permit_id: permitId, address, triggers },
      ...{ before: before && kept(before), after: kept(after), changed_at: changedAt, mail_due: mailed },
    })
  })
  await sql`
    insert into watch_match (announced_at, id, watch_id, market, record, property_id, permit_id, address, triggers, before, after,
      changed_at, mail_due)
    select ${now}, c.* from unnest(${written}::jsonb[]) as m (match) cross join lateral jsonb_to_record(m.match) as c (id text,
      watch_id text, market text, record text, property_id text, permit_id text, address text, triggers text[], before jsonb, after jsonb,
      changed_at timestamptz, mail_due boolean)`.execute(tx)
}

/** What waits for a watch was matched with the criteria that it had before. */
export const forgetWaiting = async (tx: Db, watchId: string): Promise<void> => {
  const { rows } = await sql<{ id: number }>`
    select id from waiting_match where watches ? ${watchId} order by id for update`.execute(tx)
  await removeTaken(
    tx,
    rows.map(({ id }) => ({ id, watchId })),
  )
}

/** To every endpoint of the watch that can receive; what the key may see is tested when it is sent. The rows are those of one watch and market. */
const deliver = async (
  tx: Db,
  queue: Queue,
  rows: readonly (Due & { id: string })[],
  publicUrl: string,
  now: Date,
): Promise<void> => {
  const { watchId, name, kind, receiving, market } = rows[0]!
  if (receiving.length === 0) return
  const matches = rows.slice(0, eventsPerAnnouncement).map((row) => matchOf(kind, row, publicUrl))
  const data = { watchId, name, kind, matches, more: rows.length - matches.length }
  await deliverWatch(tx, queue, market, receiving, data, now)
}

/** Returns the ids of the deliveries. Endpoints are locked, so that none is deleted before its deliveries are written. */
export const deliverWatch = async (
  tx: Db,
  queue: Queue,
  market: MarketId,
  endpoints: readonly string[],
  data: EventData<'watch.matched'>,
  now: Date,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from webhook_endpoint where id = any(${endpoints}::text[]) order by id for key share`.execute(tx)
  const body = eventBody('watch.matched', market, data, now)
  const eventId = newId('evt')
  return enqueueDeliveries(
    tx,
    queue,
    rows.map(({ id }) => ({ endpointId: id, eventId, eventType: 'watch.matched', body })),
    now,
  )
}
