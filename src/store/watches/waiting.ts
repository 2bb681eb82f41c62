// Matches that wait to be announced: one row for a changed record, with the triggers of its watches.
import type { MarketId } from '../../domain/facts.ts'
import { tableOfRows } from '../engine/columns.ts'
import { type Db, execute, rowsOf, sql, valuesOf } from '../engine/database.ts'
import type { WaitingMatchTable, WatchTable } from '../engine/schema.ts'
import { keyHasWebhooks } from '../webhooks/events.ts'
import { changeTypes, live, recordOf } from './changes.ts'

export type Waiting = Pick<WaitingMatchTable, 'id' | 'record' | 'watches' | 'before' | 'changedAt'>

/** The row in which a match waits, and the watch. */
export interface WaitingWatch {
  id: number
  watchId: string
}

/** What waits of these records. Locked, so that none is announced before a later change is joined to it. */
export const lockWaiting = (tx: Db, market: MarketId, records: readonly string[]) =>
  rowsOf<Waiting>(tx)`
    select id, record, watches, before, changed_at from waiting_match
    where market = ${market} and record = any(${records}::text[]) order by id for update`

/** Removes watches from the rows in which they wait. Hold the lock of the rows. */
export const removeWaiting = async (tx: Db, watches: readonly WaitingWatch[]): Promise<void> => {
  if (watches.length === 0) return
  const byRow = Map.groupBy(watches, ({ id }) => id)
  const rows = [...byRow].map(([id, some]) => JSON.stringify({ id, ids: some.map(({ watchId }) => watchId) }))
  await execute(tx)`
    update waiting_match m set watches = m.watches - array(select jsonb_array_elements_text(t.row->'ids'))
    from unnest(${rows}::jsonb[]) as t (row) where m.id = (t.row->>'id')::bigint`
  await execute(tx)`delete from waiting_match where id = any(${[...byRow.keys()]}::bigint[]) and watches = '{}'`
}

/** What waits for a watch was matched with the criteria that it had before. */
export const forgetWaiting = async (tx: Db, watchId: string): Promise<void> => {
  const ids = await valuesOf<number>(tx)`
    select id from waiting_match where watches ? ${watchId} order by id for update`
  const waiting = ids.map((id) => ({ id, watchId }))
  await removeWaiting(tx, waiting)
}

export type NewWaiting = Pick<
  WaitingMatchTable,
  'propertyId' | 'permitId' | 'address' | 'watches' | 'before' | 'after' | 'changedAt'
>

export const writeWaiting = async (tx: Db, market: MarketId, matches: readonly NewWaiting[]): Promise<void> => {
  if (matches.length === 0) return
  const homes = matches.map(({ propertyId }) => propertyId)
  const rows = await rowsOf<{ id: string; address: string }>(tx)`
    select id, address from property where market = ${market} and id = any(${homes}::text[])`
  const addresses = new Map(rows.map(({ id, address }) => [id, address]))
  const written = matches.map((match) => ({
    ...match,
    address: match.address ?? addresses.get(match.propertyId!),
    record: recordOf(match),
  }))
  await execute(tx)`
    insert into waiting_match (market, record, property_id, permit_id, address, before, after, watches, changed_at)
    select ${market}, c.* from ${tableOfRows(written, { ...changeTypes, watches: 'jsonb', changedAt: 'timestamptz' }, 'c')}`
}

/** One match of one watch. `waitingId`: the row in which it waits. `receiving`: its endpoints that can receive. */
export type DueMatch = Pick<
  WaitingMatchTable,
  'market' | 'propertyId' | 'permitId' | 'address' | 'before' | 'after' | 'changedAt'
> &
  Pick<WatchTable, 'kind' | 'name' | 'criteria' | 'triggers'> & {
    waitingId: number
    watchId: string
    receiving: string[]
    mailed: boolean
  }

/** The last time at which watches of each cadence were due. */
export interface DueTimes {
  instant: Date
  daily: Date
  weekly: Date
}

const mostAtOnce = 2_000

/** The watches `w` that the waiting match `m` is due for by their cadence. */
const dueWatches = ({ instant, daily, weekly }: DueTimes) =>
  sql`cross join lateral jsonb_each(m.watches) as e (watch_id, triggers)
    join watch w on w.id = e.watch_id join api_key k on k.id = w.key_id
    where ${live(instant)} and m.changed_at <= case when w.cadence = 'weekly' then ${weekly}
      when w.cadence = 'instant' and k.plan = 'pro' then ${instant} else ${daily} end::timestamptz
    order by w.id, m.changed_at desc, m.id limit ${mostAtOnce}`

export const takeDue = async (tx: Db, due: DueTimes): Promise<DueMatch[]> => {
  const locked = await valuesOf<number>(tx)`
    select id from waiting_match where id in (select m.id from waiting_match m ${dueWatches(due)})
    order by id for update skip locked`
  if (locked.length === 0) return []
  // Read after the rows are locked, since a change may have been joined to them; watches are locked against deletion.
  const rows = await rowsOf<DueMatch>(tx)`
    select m.id as waiting_id, m.market, m.property_id, m.permit_id, m.address, e.triggers, m.before, m.after, m.changed_at,
      w.id as watch_id, w.kind, w.name, w.criteria, w.email and k.confirmed_at is not null as mailed,
      array(select e.id from webhook_endpoint e where e.id = any(w.endpoints) and e.key_id = w.key_id and e.disabled_at is null
        and ${keyHasWebhooks(due.instant)} order by e.id) as receiving
    from (select * from waiting_match where id = any(${locked}::bigint[])) m ${dueWatches(due)}
    for key share of w`
  await removeWaiting(
    tx,
    rows.map(({ waitingId, watchId }) => ({ id: waitingId, watchId })),
  )
  return rows
}
