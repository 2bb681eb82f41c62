// The pull feed. An event gets its place once every transaction that began before it was written has ended, so a
// reader that has passed a place never misses one before it, however slow the transaction that wrote it.
import { type Db, inTransaction, sql } from './database.ts'

export interface FeedEvent {
  id: string
  position: number
  type: string
  body: string
  createdAt: Date
}

/** Any fixed number serves; it only has to be the same in every process. */
const placingLock = 7_105_462

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

/** Settled: no open transaction is older than the one that wrote it. At or above xmax it was written on another server
 *  and restored here, since nothing visible of this one can be. */
const settled = sql`(txid < pg_snapshot_xmin(pg_current_snapshot()) or txid >= pg_snapshot_xmax(pg_current_snapshot()))`

const placeEvents = async (db: Db): Promise<void> => {
  const waiting = await sql`select from event where position is null and ${settled} limit 1`.execute(db)
  if (waiting.rows.length === 0) return
  await inTransaction(db, async (tx) => {
    // One at a time, and the look happens after the lock: places are given in one order only.
    await sql`select pg_advisory_xact_lock(${placingLock})`.execute(tx)
    await sql`
      with placed as materialized (
        select id, nextval('event_position') as position from (
          select id from event where position is null and ${settled} order by txid, seq limit 50000 offset 0) in_order
      )
      update event e set position = placed.position from placed where e.id = placed.id`.execute(tx)
  })
}
