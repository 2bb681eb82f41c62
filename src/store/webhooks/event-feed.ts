// The event feed for polling. An event gets its position when it is first read, after its transaction has committed. Positions are
// assigned in sequence, so a reader never misses an event with a lower position, even if the transaction that wrote the event was
// slow. Sequence numbers assigned while writing would not work: they become visible out of order.
import { advisoryLocks } from '../engine/advisory-locks.ts'
import { anyRow, type Db, execute, firstValue, inTransaction, onlyValue, rowsOf } from '../engine/database.ts'
import type { EventTable } from '../engine/schema.ts'

export type FeedEvent = Pick<EventTable, 'id' | 'type' | 'market' | 'body' | 'searchRow' | 'createdAt'> & {
  position: number
}

interface FeedQuery {
  types: readonly string[]
  position: number
  since: Date
}

/** Up to `limit` events after `position`, oldest first, no older than `since`. `onlyPlaced`: only reads, without events that have no position yet. */
export const eventsAfter = async (
  db: Db,
  { types, position, since, limit, onlyPlaced = false }: FeedQuery & { limit: number; onlyPlaced?: boolean },
): Promise<FeedEvent[]> => {
  if (!onlyPlaced) await assignPositions(db)
  return rowsOf<FeedEvent>(db)`
    select id, position, type, market, body, search_row, created_at from event
    where position > ${position} and created_at >= ${since} and type = any(${types}) order by position limit ${limit}`
}

/** Number of events after `position` that have a position. */
export const countAfter = (db: Db, { types, position, since }: FeedQuery) =>
  onlyValue<number>(db)`
    select count(*) as ready from event
    where position > ${position} and created_at >= ${since} and type = any(${types})`

export const assignPositions = async (db: Db): Promise<void> => {
  if (!(await anyRow(db)`select 1 from event where position is null limit 1`)) return
  await inTransaction(db, async (tx) => {
    // Events are selected after the lock is taken, so that a position becomes visible only when all lower ones are.
    await execute(tx)`select pg_advisory_xact_lock(${advisoryLocks.eventPositions})`
    await execute(tx)`
      with numbered as materialized (
        select id, nextval('event_position') as position from (
          select id from event where position is null order by txid, seq limit 50000 offset 0) in_order
      )
      update event e set position = numbered.position from numbered where e.id = numbered.id`
  })
}

export type PastEvent = Pick<EventTable, 'type' | 'body' | 'searchRow' | 'createdAt'>

interface PastQuery {
  types: readonly string[]
  /** Null for all. */
  markets: readonly string[] | null
  cities: readonly string[] | null
  since: Date
  limit: number
}

/** The newest events of the types that have a searchable row, without small changes of scores. `oldest`: of all events since then. */
export const pastEvents = async (db: Db, { types, markets, cities, since, limit }: PastQuery) => {
  const events = await rowsOf<PastEvent>(db)`
    select type, body, search_row, created_at from event
    where created_at >= ${since} and type = any(${types}) and not minor and search_row is not null
      and (${markets}::text[] is null or market = any(${markets}::text[]))
      and (${cities}::text[] is null or search_row->>'citySlug' = any(${cities}::text[]))
    order by created_at desc limit ${limit}`
  const oldest = await firstValue<Date>(db)`select min(created_at) from event where created_at >= ${since}`
  return { events, oldest }
}
