// Matches of watches: written in the transaction of the run that changes the records, and announced later. A crash loses none.
import { type Condition, meets, type SearchRow } from '../../criteria/conditions.ts'
import { type OwnRows, type OwnValues, readStoredValues } from '../../criteria/own-assumptions.ts'
import { dayOf } from '../../domain/day.ts'
import type { MarketId } from '../../domain/facts.ts'
import type { SourceUse } from '../../domain/packs/source-uses.ts'
import { recordOfMatch } from '../../wire/events/visible.ts'
import { eventsPerAnnouncement, matchOf } from '../../wire/events/watch-match.ts'
import type { EventData } from '../../wire/events.ts'
import {
  type RecordChange,
  rowForMatch,
  testedFields,
  triggersOf,
  type WatchKind,
  type WatchTrigger,
  watchConditions,
  watchSlots,
  withoutListing,
} from '../../wire/watches.ts'
import { latestModel } from '../assessments/models.ts'
import { type Db, inTransaction, sql } from '../engine/database.ts'
import type { Queue } from '../engine/queue.ts'
import type { AssumptionSetTable, WatchMatchTable, WatchTable } from '../engine/schema.ts'
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
type Pending = Pick<WatchMatchTable, 'watchId' | 'record' | 'triggers' | 'before'>

/** A change as it is stored. Watches that test the same fields of a record share one. */
interface Sent extends Pick<WatchedChange, 'propertyId' | 'permitId' | 'address' | 'before' | 'after'> {
  record: string
}

interface Match {
  watchId: string
  triggers: WatchTrigger[]
  sent: Sent
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
  // Locked, so that none is announced before it is joined; after its watch, which a deletion locks first.
  const { rows: pending } = await sql<Pending>`
    select m.watch_id, m.record, m.triggers, m.before from watch_match m join watch w on w.id = m.watch_id
    where m.announced_at is null and m.market = ${market} and m.record = any(${changes.map(recordOf)}::text[])
    order by m.watch_id, m.record for key share of w for update of m`.execute(tx)
  const waiting = pendingByWatch(pending)
  const permitTimes = watches.some(({ values }) => values)
    ? await latestModel<object>(tx, 'permit-times', market)
    : undefined
  const own = ownChanges((values) => ownRows(values, permitTimes?.body))
  const sentOf = sentChanges()
  const matches: Match[] = []
  const undone: Pending[] = []
  for (const { watch, conditions, others, change } of pairsOf(watches, changes)) {
    const earlier = waiting.get(watch.id)?.get(recordOf(change))
    const joined: WatchedChange = earlier
      ? {
          ...change,
          before: earlier.before ?? undefined,
          scored: change.scored || earlier.triggers.includes('score'),
          permit: change.permit || earlier.triggers.includes('permit'),
        }
      : change
    const seen = own(watch, others, joined)
    const triggers = triggersOf(watch.kind, conditions, seen).filter((each) => watch.triggers.includes(each))
    if (triggers.length > 0) matches.push({ watchId: watch.id, triggers, sent: sentOf(watch, conditions, seen) })
    else if (earlier) undone.push(earlier)
  }
  await removeUndone(tx, undone)
  await writeMatches(tx, market, matches, now)
}

const pendingByWatch = (pending: readonly Pending[]): ReadonlyMap<string, ReadonlyMap<string, Pending>> => {
  const byWatch = Map.groupBy(pending, ({ watchId }) => watchId)
  return new Map([...byWatch].map(([id, own]) => [id, new Map(own.map((each) => [each.record, each]))]))
}

/** The change with returns at the assumptions of the watch. They are computed only where the conditions on other fields are met. */
const ownChanges = (rowsOf: (values: OwnValues) => ReturnType<OwnRows>) => {
  const bySet = new Map<string, (change: WatchedChange) => WatchedChange>()
  return ({ assumptionSetId, values }: Watching, others: readonly Condition[], change: WatchedChange) => {
    if (assumptionSetId === null || values === null) return change
    const { before, after } = change
    if (!meets(others, after) && !(before && meets(others, before))) return change
    const changeOf = bySet.get(assumptionSetId) ?? ownChange(rowsOf(readStoredValues(values)))
    bySet.set(assumptionSetId, changeOf)
    return changeOf(change)
  }
}

const ownChange = (rowOf: ReturnType<OwnRows>) =>
  once((change: WatchedChange) => ({
    ...change,
    before: change.before && rowOf(change.before),
    after: rowOf(change.after),
  }))

/** Keeps the result for each change. */
const once = <Result>(compute: (change: WatchedChange) => Result): ((change: WatchedChange) => Result) => {
  const results = new Map<WatchedChange, Result>()
  return (change) => {
    const known = results.get(change) ?? compute(change)
    results.set(change, known)
    return known
  }
}

/** The change with the fields that a watch needs. Own returns are computed again from the whole row. */
const sentChanges = () => {
  const byFields = new Map<string, (change: WatchedChange) => Sent>()
  return (watch: Watching, conditions: readonly Condition[], change: WatchedChange): Sent => {
    const fields = watch.assumptionSetId === null ? testedFields(conditions) : 'all'
    const sentOf = byFields.get(fields) ?? sentWith(fields === 'all' ? (row) => row : rowForMatch(conditions))
    byFields.set(fields, sentOf)
    return sentOf(change)
  }
}

const sentWith = (kept: (row: SearchRow) => SearchRow) =>
  once((change) => {
    const { propertyId, permitId, address, before, after } = change
    return {
      record: recordOf(change),
      propertyId,
      permitId,
      address,
      before: before && kept(before),
      after: kept(after),
    }
  })

const recordOf = ({ permitId, propertyId, after }: WatchedChange): string =>
  permitId === undefined ? propertyId! : `${after.citySlug}/${permitId}`

/** Each watch with the changes of its kind and its cities. */
function* pairsOf(watches: readonly Watching[], changes: readonly WatchedChange[]) {
  const byCity = Map.groupBy(changes, ({ after }) => after.citySlug)
  for (const watch of watches) {
    const conditions = conditionsOf(watch)
    if (!conditions) continue
    const others = withoutReturns(conditions)
    for (const change of watch.cities ? watch.cities.flatMap((city) => byCity.get(city) ?? []) : changes)
      if ((watch.kind === 'permits') === (change.permitId !== undefined)) yield { watch, conditions, others, change }
  }
}

/** Undefined for criteria that this version refuses: they must not stop the run. */
const conditionsOf = ({ kind, criteria }: Watching): readonly Condition[] | undefined => {
  try {
    return watchConditions(kind, criteria)
  } catch {
    return undefined
  }
}

const removeUndone = async (tx: Db, undone: readonly Pending[]): Promise<void> => {
  if (undone.length === 0) return
  await sql`
    delete from watch_match where announced_at is null and (watch_id, record) in (
      select * from unnest(${undone.map((each) => each.watchId)}::text[], ${undone.map((each) => each.record)}::text[]))`.execute(
    tx,
  )
}

const writeMatches = async (tx: Db, market: MarketId, matches: readonly Match[], now: Date): Promise<void> => {
  if (matches.length === 0) return
  const ids = [...new Set(matches.map(({ watchId }) => watchId))]
  // Locked, so that none is deleted before its matches are written.
  const { rows } = await sql<Pick<WatchTable, 'id'>>`
    select id from watch where id = any(${ids}::text[]) order by id for key share`.execute(tx)
  const kept = new Set(rows.map(({ id }) => id))
  const written = matches.filter(({ watchId }) => kept.has(watchId))
  const sent = [...new Set(written.map((each) => each.sent))]
  const numberOf = new Map(sent.map((each, at) => [each, at + 1]))
  const homes = sent.flatMap(({ address, propertyId }) => (address === undefined && propertyId) || [])
  const { rows: found } = await sql<{ id: string; address: string }>`
    select id, address from property where market = ${market} and id = any(${homes}::text[])`.execute(tx)
  const addresses = new Map(found.map(({ id, address }) => [id, address]))
  const changes = sent.map(({ propertyId, permitId, address = addresses.get(propertyId!), ...change }) =>
    JSON.stringify({ ...change, property_id: propertyId, permit_id: permitId, address }),
  )
  await sql`
    insert into watch_match (id, watch_id, market, record, property_id, permit_id, address, triggers, before, after, changed_at)
    select 'wm_' || encode(uuid_send(gen_random_uuid()), 'hex'), m.watch_id, ${market}, c.record, c.property_id, c.permit_id, c.address,
      string_to_array(m.triggers, ','), c.before, c.after, ${now}
    from unnest(${written.map(({ watchId }) => watchId)}::text[],
      ${written.map((each) => numberOf.get(each.sent)!)}::int[], ${written.map(({ triggers }) => triggers.join())}::text[])
      as m (watch_id, number, triggers)
    join unnest(${changes}::jsonb[]) with ordinality as sent (change, number) on sent.number = m.number
    cross join lateral jsonb_to_record(sent.change) as c (record text, property_id text, permit_id text, address text, before jsonb, after jsonb)
    on conflict (watch_id, record) where announced_at is null do update set triggers = excluded.triggers, after = excluded.after`.execute(
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

type Due = StoredMatch &
  Pick<WatchTable, 'kind' | 'name' | 'endpoints'> & { watchId: string; receiving: string[]; mailed: boolean }

const mostAtOnce = 2_000

/** Announces the matches that are due by their cadence, with the deliveries to webhooks. Returns their number. */
export const announceMatches = (
  db: Db,
  { queue, publicUrl }: { queue: Queue; publicUrl: string },
  now: Date,
): Promise<number> =>
  inTransaction(db, async (tx) => {
    const { daily, weekly } = watchSlots(now)
    const { rows } = await sql<Due>`
      select ${matchColumns}, m.watch_id, w.kind, w.name, w.endpoints, w.email and k.confirmed_at is not null as mailed,
        array(select e.id from webhook_endpoint e where e.id = any(w.endpoints) and e.key_id = w.key_id and e.disabled_at is null
          and ${keyHasWebhooks(now)} order by e.id) as receiving
      from watch_match m join watch w on w.id = m.watch_id join api_key k on k.id = w.key_id
      where m.announced_at is null and ${live(now)}
        and m.changed_at <= case when w.cadence = 'weekly' then ${weekly} when w.cadence = 'instant' and k.plan = 'pro' then ${now}
          else ${daily} end::timestamptz
      order by m.watch_id, m.changed_at desc, m.id limit ${mostAtOnce} for update of m skip locked`.execute(tx)
    if (rows.length === 0) return 0
    const idsOf = (some: readonly Due[]) => some.map(({ id }) => id)
    await sql`
      update watch_match set announced_at = ${now}, mail_due = id = any(${idsOf(rows.filter(({ mailed }) => mailed))}::text[])
      where id = any(${idsOf(rows)}::text[])`.execute(tx)
    for (const own of Map.groupBy(rows, ({ watchId, market }) => `${watchId} ${market}`).values())
      await deliver(tx, queue, own, publicUrl, now)
    return rows.length
  })

/** To every endpoint of the watch that can receive; what the key may see is tested when it is sent. The rows are those of one watch and market. */
const deliver = async (tx: Db, queue: Queue, rows: readonly Due[], publicUrl: string, now: Date): Promise<void> => {
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
    select id from webhook_endpoint where id = any(${endpoints as string[]}::text[]) order by id for key share`.execute(
    tx,
  )
  const body = eventBody('watch.matched', market, data, now)
  const eventId = newId('evt')
  return enqueueDeliveries(
    tx,
    queue,
    rows.map(({ id }) => ({ endpointId: id, eventId, eventType: 'watch.matched', body })),
    now,
  )
}
