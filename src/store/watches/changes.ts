// The changes that watches are matched with: written in the transaction of the run that makes them, taken by the worker that matches
// them. A crash between the two loses none.
import type { RecordChange, SearchRow } from '../../criteria/conditions.ts'
import type { MarketId } from '../../domain/facts.ts'
import { advisoryLocks } from '../engine/advisory-locks.ts'
import { tableOfRows } from '../engine/columns.ts'
import { anyRow, type Db, execute, onlyValue, rowsOf, sql, valuesOf } from '../engine/database.ts'
import type { WatchedChangeTable } from '../engine/schema.ts'

/** A changed home, or a permit if it has a number. */
export interface WatchedChange extends RecordChange {
  propertyId?: string | undefined
  permitId?: string | undefined
  /** Of a permit; the address of a home is read when it matches. */
  address?: string | undefined
}

/** The watch `w` and its key `k`. */
export const live = (now: Date) =>
  sql`w.paused_at is null and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`

/** Whether a run has to keep the rows before its changes. */
export const hasWatches = (db: Db, market: MarketId, now: Date) =>
  anyRow(db)`
    select 1 from watch w join api_key k on k.id = w.key_id
    where ${live(now)} and (w.markets is null or ${market} = any(w.markets)) limit 1`

/** Those of the markets with watches, in order. */
export const watchedMarkets = async (db: Db, markets: readonly MarketId[], now: Date): Promise<MarketId[]> => {
  const watched: MarketId[] = []
  for (const market of [...markets].sort()) if (await hasWatches(db, market, now)) watched.push(market)
  return watched
}

export const recordOf = ({ permitId, propertyId, after }: { after: SearchRow } & RecordName): string =>
  permitId == null ? propertyId! : `${after.citySlug}/${permitId}`

interface RecordName {
  propertyId?: string | null | undefined
  permitId?: string | null | undefined
}

/** The columns that changes, waiting matches and announced ones have. */
export const changeTypes = {
  ...{ record: 'text', propertyId: 'text', permitId: 'text', address: 'text' },
  ...{ before: 'jsonb', after: 'jsonb' },
}

export const recordChanges = async (tx: Db, market: MarketId, changes: readonly WatchedChange[], now: Date) => {
  if (changes.length === 0) return
  const rows = changes.map(({ scored = false, permit = false, ...change }) => ({
    ...{ ...change, scored, permit },
    record: recordOf(change),
  }))
  const types = { ...changeTypes, scored: 'boolean', permit: 'boolean' }
  await execute(tx)`
    insert into watched_change (market, record, property_id, permit_id, address, before, after, scored, permit, changed_at)
    select ${market}, c.*, ${now} from ${tableOfRows(rows, types, 'c')}`
}

export const marketsWithChanges = (db: Db) =>
  valuesOf<MarketId>(db)`
    select distinct market from watched_change order by market`

/** Takes the oldest changes of a market, in order. One transaction at a time does, because changes of a record are matched in order. */
export const takeChanges = async (tx: Db, market: MarketId, most: number): Promise<WatchedChangeTable[]> => {
  const isLocked = await onlyValue<boolean>(tx)`
    select pg_try_advisory_xact_lock(${advisoryLocks.matching}, hashtext(${market}))`
  if (!isLocked) return []
  const rows = await rowsOf<WatchedChangeTable>(tx)`
    delete from watched_change where id in (select id from watched_change where market = ${market} order by id limit ${most})
    returning *`
  return rows.sort((a, b) => a.id - b.id)
}
