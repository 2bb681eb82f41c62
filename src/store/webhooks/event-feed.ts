// The pull feed. An event gets its place when it is first seen, after its transaction has committed, and places are given
// one after another: a reader that has passed a place never misses one before it, however slow the transaction that
// wrote the event. Sequence numbers taken while writing would not do: they become visible out of order.
import { advisoryLocks } from '../engine/advisory-locks.ts'
import { type Db, inTransaction, sql } from '../engine/database.ts'
import type { EventTable } from '../engine/schema.ts'

export type FeedEvent = Pick<EventTable, 'id' | 'type' | 'body' | 'createdAt'> & { position: number }

/** Up to `limit` events after `position`, oldest first, no older than `since`. */
export const eventsAfter = async (
  db: Db,
  { position, since, limit }: { position: number; since: Date; limit: number },
): Promise<FeedEvent[]> => {
  await placeEvents(db)
  const { rows } = await sql<FeedEvent>`
    select id, position, type, body, created_at from event
    where position > ${position} and created_at >= ${since} order by position limit ${limit}`.execute(db)
  return rows
}

/** How many there are after `position`, of those that have their place. */
export const countAfter = async (db: Db, { position, since }: { position: number; since: Date }): Promise<number> => {
  const { rows } = await sql<{ ready: number }>`
    select count(*) as ready from event where position > ${position} and created_at >= ${since}`.execute(db)
  return rows[0]!.ready
}

const placeEvents = async (db: Db): Promise<void> => {
  const waiting = await sql`select from event where position is null limit 1`.execute(db)
  if (waiting.rows.length === 0) return
  await inTransaction(db, async (tx) => {
    // One at a time, and the look happens after the lock: a place is seen only when all before it are.
    await sql`select pg_advisory_xact_lock(${advisoryLocks.placingEvents})`.execute(tx)
    await sql`
      with placed as materialized (
        select id, nextval('event_position') as position from (
          select id from event where position is null order by txid, seq limit 50000 offset 0) in_order
      )
      update event e set position = placed.position from placed where e.id = placed.id`.execute(tx)
  })
}
