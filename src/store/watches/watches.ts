// The watches of a key. Every query is limited to the key, so the watches of other keys are not found.
import { advisoryLocks } from '../engine/advisory-locks.ts'
import { type Db, inTransaction, sql } from '../engine/database.ts'
import type { WatchTable } from '../engine/schema.ts'
import { newId } from '../keys/keys.ts'

export type WatchContent = Pick<
  WatchTable,
  'name' | 'kind' | 'criteria' | 'markets' | 'cities' | 'triggers' | 'cadence' | 'endpoints' | 'note' | 'savedHome'
>
export type WatchRow = WatchContent & Pick<WatchTable, 'id' | 'pausedAt' | 'createdAt' | 'updatedAt'>

const columns = sql`id, name, kind, criteria, markets, cities, triggers, cadence, endpoints, note, saved_home, paused_at,
  created_at, updated_at`

export const watchesOf = async (
  db: Db,
  keyId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: WatchRow[]; total: number }> => {
  const { rows } = await sql<WatchRow>`
    select ${columns} from watch where key_id = ${keyId} order by created_at, id limit ${limit} offset ${offset}`.execute(
    db,
  )
  const counted = await sql<{ total: number }>`select count(*) as total from watch where key_id = ${keyId}`.execute(db)
  return { rows, total: counted.rows[0]!.total }
}

export const watchOf = async (db: Db, keyId: string, id: string): Promise<WatchRow | undefined> => {
  const { rows } = await sql<WatchRow>`
    select ${columns} from watch where key_id = ${keyId} and id = ${id}`.execute(db)
  return rows[0]
}

export interface WatchOwner {
  keyId: string
  mailbox: string
  /** The confirmed keys of a mailbox share one count, the others another. */
  confirmed: boolean
}

/**
 * Saves a watch, or replaces the one with this id. Returns its id; undefined if the mailbox has the maximum number. The caller has
 * checked that the watch exists.
 */
export const saveWatch = (
  db: Db,
  { keyId, mailbox, confirmed }: WatchOwner,
  content: WatchContent,
  { id = newId('wat'), most, now }: { id?: string | undefined; most: number; now: Date },
): Promise<string | undefined> =>
  inTransaction(db, async (tx) => {
    // Keeps the count of a mailbox exact.
    await sql`select pg_advisory_xact_lock(${advisoryLocks.watches}, hashtext(${mailbox}))`.execute(tx)
    const { rows } = await sql<{ others: number }>`
      select count(*) as others from watch w join api_key k on k.id = w.key_id
      where w.mailbox = ${mailbox} and w.saved_home = ${content.savedHome} and w.id <> ${id}
        and k.revoked_at is null and (k.confirmed_at is not null) = ${confirmed}`.execute(tx)
    if (rows[0]!.others >= most) return undefined
    await sql`
      insert into watch (id, key_id, mailbox, name, kind, criteria, markets, cities, triggers, cadence, endpoints, note, saved_home,
        created_at, updated_at)
      values (${id}, ${keyId}, ${mailbox}, ${content.name}, ${content.kind}, ${JSON.stringify(content.criteria)}::jsonb,
        ${content.markets}, ${content.cities}, ${content.triggers}, ${content.cadence}, ${content.endpoints}, ${content.note},
        ${content.savedHome}, ${now}, ${now})
      on conflict (id) do update set name = excluded.name, kind = excluded.kind, criteria = excluded.criteria,
        markets = excluded.markets, cities = excluded.cities, triggers = excluded.triggers, cadence = excluded.cadence,
        endpoints = excluded.endpoints, note = excluded.note, saved_home = excluded.saved_home, updated_at = excluded.updated_at`.execute(
      tx,
    )
    // What waits was matched with the criteria before.
    await sql`delete from watch_match where watch_id = ${id} and announced_at is null`.execute(tx)
    return id
  })

export const deleteWatchRow = async (db: Db, keyId: string, id: string): Promise<boolean> => {
  const { rows } = await sql`delete from watch where key_id = ${keyId} and id = ${id} returning id`.execute(db)
  return rows.length > 0
}

export const setPaused = async (db: Db, keyId: string, id: string, pausedAt: Date | null): Promise<boolean> => {
  const { rows } = await sql`
    update watch set paused_at = ${pausedAt} where key_id = ${keyId} and id = ${id} returning id`.execute(db)
  return rows.length > 0
}
