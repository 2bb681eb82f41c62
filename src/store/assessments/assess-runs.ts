// The record of each assessment run.

import type { RawBuilder } from 'kysely'
import type { MarketId } from '../../domain/facts.ts'
import { marketIds } from '../../domain/packs/markets.ts'
import { tableOfRows } from '../engine/columns.ts'
import {
  type Db,
  execute,
  firstRow,
  firstValue,
  type Known,
  knownRows,
  onlyRow,
  onlyValue,
  rowsOf,
  sql,
  valuesOf,
} from '../engine/database.ts'
import type { AssessRunTable } from '../engine/schema.ts'
import { askEachGroup, groupOf } from '../engine/shard-groups.ts'
import { newId } from '../keys/keys.ts'

export const beginAssessRun = async (db: Db, market: MarketId, now: Date): Promise<string> => {
  // The time comes first so that ids sort in the order of the runs.
  const id = `run_${Date.now()}${newId('')}`
  await execute(groupOf(db, market))`
    insert into assess_run (market, id, scope, state, started_at)
    values (${market}, ${id}, 'market', 'running', ${now})`
  return id
}

export const endAssessRun = (
  db: Db,
  market: MarketId,
  id: string,
  ended: { considered: number; changed: number; error?: string; modelVersion?: string },
  now: Date,
) =>
  execute(groupOf(db, market))`
    update assess_run set state = ${ended.error === undefined ? 'completed' : 'failed'}, finished_at = ${now},
    considered = ${ended.considered}, changed = ${ended.changed}, error = ${ended.error ?? null},
    model_version = ${ended.modelVersion ?? null}
    where market = ${market} and id = ${id}`

/** Set once the run knows its view. */
export const setRunBasis = (db: Db, market: MarketId, id: string, assessedOn: string, basis: string | undefined) =>
  execute(groupOf(db, market))`
    update assess_run set assessed_on = ${assessedOn}, basis = ${basis ?? null} where market = ${market} and id = ${id}`

/** Properties were assessed with another basis than the run: the next one assesses every property. */
export const forgetOtherBasis = (db: Db, market: MarketId, id: string, basis: string | undefined) =>
  execute(db)`
    update assess_run set basis = null
    where market = ${market} and id = ${id} and basis is not null and basis is distinct from ${basis ?? null}::text`

/** The last completed run of the whole market. */
export const lastRun = (db: Db, market: MarketId) =>
  firstRow<Pick<AssessRunTable, 'id' | 'assessedOn' | 'basis'>>(groupOf(db, market))`
    select id, assessed_on, basis ${fromLastRun(market)}`

const fromLastRun = (market: MarketId) => sql`
  from assess_run where market = ${market} and scope = 'market' and state = 'completed' order by finished_at desc limit 1`

/** When the last run of the whole market finished; undefined before the first. */
export const lastAssessed = (db: Db, market: MarketId) =>
  firstValue<Date>(db)`select finished_at ${fromLastRun(market)}`

/** The models of the last completed run of the whole market. */
export const lastRunVersion = (db: Db, market: MarketId) =>
  firstValue<string>(db)`select model_version ${fromLastRun(market)}`

/** Property ids greater than `afterId` and up to `toId`; without `toId`, up to the last one. */
export interface IdRange {
  afterId: string
  toId?: string
  /** Only those that can have changed between these days. */
  changed?: ChangeDays | undefined
}

/** The day of the last run and the day of this one. */
export interface ChangeDays {
  since: string
  until: string
}

/**
 * The properties whose assessment can be another one on a later day although the basis of the run is the same: those with new records or
 * events to announce, homes offered for another whole week (`wholeWeeks` in src/assess/bidding-war-of.ts), and those with a permit
 * dated between the days. test/assess/only-changed.test.ts compares the results with those of all properties.
 */
export const canHaveChanged = (market: MarketId, { since, until }: ChangeDays) => sql`
  select property_id from touched_property where market = ${market}
  union select property_id from listing_change where market = ${market} and announced_at is null
  union select property_id from property_search where market = ${market} and status in ('active', 'coming_soon')
    and greatest(0, ${until}::date - listed_on) / 7 <> greatest(0, ${since}::date - listed_on) / 7
  union select property_id from permit_search where market = ${market} and issued_on > ${since}::date and issued_on <= ${until}::date
  union select property_id from permit_search where market = ${market} and finaled_on > ${since}::date and finaled_on <= ${until}::date`

/** Ranges of about `size` properties each. A property added during the run belongs to one of them and moves no other to a different range. */
export const idRanges = async (db: Db, market: MarketId, size: number, changed?: ChangeDays): Promise<IdRange[]> => {
  const ids = changed
    ? sql`select property_id as id from (${canHaveChanged(market, changed)}) c where property_id is not null`
    : sql`select id from property where market = ${market}`
  const ends = await valuesOf<string>(db)`
    select id from (select id, row_number() over (order by id) as n from (${ids}) i) p
    where n % ${size} = 0 order by id`
  return ['', ...ends].map((afterId, at) => ({ afterId, toId: ends[at], changed }))
}

type BatchCounts = Pick<AssessRunTable, 'considered' | 'changed'>

export const setBatches = (db: Db, market: MarketId, runId: string, batches: number) =>
  execute(groupOf(db, market))`update assess_run set batches = ${batches} where market = ${market} and id = ${runId}`

/** True if this batch was the last open one of the run, so that the caller ends the run. Locks the run so that only one worker gets true. */
export const endBatch = async (
  tx: Db,
  market: MarketId,
  runId: string,
  afterId: string,
  { considered, changed }: BatchCounts,
): Promise<boolean> => {
  const run = await firstRow<Pick<AssessRunTable, 'state'> & { batches: number }>(tx)`
    select state, batches from assess_run where market = ${market} and id = ${runId} for update`
  await execute(tx)`insert into assess_batch (market, run_id, after_id, considered, changed)
    values (${market}, ${runId}, ${afterId}, ${considered}, ${changed}) on conflict do nothing`
  const done = await onlyValue<number>(tx)`
    select count(*) as done from assess_batch where market = ${market} and run_id = ${runId}`
  return run?.state === 'running' && done >= run.batches
}

export const batchTotals = (tx: Db, market: MarketId, runId: string) =>
  onlyRow<BatchCounts>(tx)`
    select coalesce(sum(considered), 0) as considered, coalesce(sum(changed), 0) as changed
    from assess_batch where market = ${market} and run_id = ${runId}`

/** Markets with properties to assess again, without those never assessed as a whole or being assessed now: that run includes them. */
export const marketsTouched = (db: Db, now: Date): Promise<MarketId[]> =>
  marketsWhere(
    db,
    sql`exists (select 1 from touched_property t where t.market = m.market)
      and exists (select 1 from assess_run r where r.market = m.market and r.scope = 'market' and r.state = 'completed')
      and not ${runningNow(now)}`,
  )

/** Each group is asked for its own markets: on a cluster, a read over all groups copies their tables to one node every minute. */
const marketsWhere = async (db: Db, condition: RawBuilder<unknown>): Promise<MarketId[]> => {
  const parts = await askEachGroup(
    db,
    marketIds(),
    (group, markets) =>
      valuesOf<MarketId>(group)`
      select m.market from unnest(${markets}::text[]) m (market) where ${condition}`,
  )
  return parts.flat().sort()
}

const runningNow = (now: Date) => sql`exists (select 1 from assess_run r where r.market = m.market
  and r.scope = 'market' and r.state = 'running' and r.started_at > ${now}::timestamptz - interval '1 hour')`

/** The first assessment starts this long after the last load, so that sources loaded one after another are assessed together. */
const settledSeconds = 30

/**
 * Markets to assess without waiting for the daily run: those with real data that were never assessed as a whole, half a minute after
 * their last load, and those that only a version before 4 assessed. Its runs have no day and lack what decisions need. A run that failed
 * is tried again after an hour. Sample data is assessed by the command that loads it.
 */
export const marketsToAssessFirst = (db: Db, now: Date): Promise<MarketId[]> =>
  marketsWhere(
    db,
    sql`not exists (select 1 from assess_run r where r.market = m.market and r.scope = 'market' and r.state = 'completed'
        and r.assessed_on is not null)
      and not exists (select 1 from ingest_run i
        where i.state = 'running' and i.started_at > ${now}::timestamptz - interval '1 hour')
      and not exists (select 1 from assess_run r where r.market = m.market and r.scope = 'market'
        and r.state <> 'completed' and r.started_at > ${now}::timestamptz - interval '1 hour')
      and (exists (select 1 from assess_run r where r.market = m.market and r.scope = 'market' and r.state = 'completed')
        or exists (select 1 from touched_property t where t.market = m.market)
        and not exists (select 1 from touched_property t where t.market = m.market
          and t.touched_at >= now() - make_interval(secs => ${settledSeconds}))
        and exists (select 1 from dataset_count d join source s on s.id = d.source_id
          where d.market = m.market and d.rows > 0 and not s.sample))`,
  )

/** The run of the whole market that is in progress. `progressPct` is set once the run is divided into batches. */
export const runInProgress = async (db: Db, market: MarketId) => {
  const [run] = await knownRows<Known<Pick<AssessRunTable, 'startedAt'> & { progressPct: number | null }>>(db)`
    select started_at, floor(100.0 * (select count(*) from assess_batch b where b.market = r.market and b.run_id = r.id)
      / nullif(batches, 0))::int as progress_pct
    from assess_run r where market = ${market} and scope = 'market' and state = 'running'
    order by id desc limit 1`
  return run
}

/** Removes up to `most` properties from the list in this transaction. Workers that run at the same time get different ones. */
export const takeTouched = (tx: Db, market: MarketId, most: number) =>
  valuesOf<string>(tx)`
    delete from touched_property where market = ${market} and property_id in (
      select property_id from touched_property where market = ${market}
      order by touched_at, property_id limit ${most} for update skip locked)
    returning property_id`

/**
 * Puts properties back on the list if a run of the market has begun, or has ended after the run `after`, the last one when their view
 * was opened: their assessments may have replaced newer ones. Call this last in the transaction that writes them. True if it did.
 */
export const touchAgain = async (
  tx: Db,
  market: MarketId,
  ids: readonly string[],
  after: string | undefined,
  now: Date,
): Promise<boolean> => {
  const last = (await lastRun(tx, market))?.id
  const written = await execute(tx)`
    insert into touched_property (market, property_id, touched_at)
    select m.market, id, ${now} from (select ${market}::text as market) m cross join unnest(${ids}::text[]) id
    where ${runningNow(now)} or ${last !== after}
    on conflict do nothing`
  return written > 0
}

/** A touch as a run saw it. A later touch of the same property has another time. */
interface TouchedRow {
  readonly propertyId: string
  /** As text, because a Date would lose the microseconds. */
  readonly touchedAt: string
}

/** Read before the properties of the range are read: whatever is touched later may be missing from what was read. */
export const touchedIn = (db: Db, market: MarketId, { afterId, toId }: IdRange) =>
  rowsOf<TouchedRow>(groupOf(db, market))`
    select property_id, touched_at::text as touched_at from touched_property
    where market = ${market} and property_id > ${afterId} ${toId === undefined ? sql`` : sql`and property_id <= ${toId}`}`

export const touchedAmong = async (db: Db, market: MarketId, ids: readonly string[]): Promise<Set<string>> => {
  const touched = await valuesOf<string>(groupOf(db, market))`
    select property_id from touched_property
    where market = ${market} and property_id = any(${ids}::text[])`
  return new Set(touched)
}

/** Removes the touches that a run has seen. By time, those of a load that commits after the run has read its property would be lost. */
export const clearTouched = (db: Db, market: MarketId, seen: readonly TouchedRow[]) =>
  seen.length === 0
    ? undefined
    : execute(groupOf(db, market))`
    delete from touched_property t
    using ${tableOfRows(seen, { propertyId: 'text', touchedAt: 'timestamptz' }, 's')}
    where t.market = ${market} and t.property_id = s.property_id and t.touched_at = s.touched_at`
