// Requests of a key by day.
import { tableOfRows } from '../engine/columns.ts'
import { type Db, execute, rowsOf } from '../engine/database.ts'
import type { KeyUsageTable } from '../engine/schema.ts'

/** Adds to the counts of each key and day. Keys that were deleted meanwhile are left out. */
export const addUsage = async (db: Db, counts: readonly KeyUsageTable[]): Promise<void> => {
  // In a fixed order, so that two processes cannot deadlock.
  const rows = counts.toSorted((a, b) => (`${a.family}${a.day}` < `${b.family}${b.day}` ? -1 : 1))
  await execute(db)`
    insert into key_usage as u (family, day, requests, refused)
    select given.* from ${tableOfRows(rows, { family: 'text', day: 'date', requests: 'bigint', refused: 'bigint' })}
    where exists (select 1 from api_key k where k.id = given.family)
    on conflict (family, day) do update set requests = u.requests + excluded.requests, refused = u.refused + excluded.refused`
}

/** Newest day first; days without a request are absent. */
export const usageSince = (db: Db, family: string, since: string) =>
  rowsOf<KeyUsageTable>(db)`
    select family, day, requests, refused from key_usage where family = ${family} and day >= ${since} order by day desc`
