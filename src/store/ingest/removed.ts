// Rows that a complete feed no longer contains. They are kept and marked with the time, and an open listing becomes withdrawn.
// A row that the feed contains again is unmarked. A feed that lacks too many rows is treated as truncated, and the run fails.
import type { Dataset } from '../../domain/facts.ts'
import { anyRow, type Db, execute, onlyRow, onlyValue, sql } from '../engine/database.ts'
import { onMarket } from '../properties/listing-status.ts'
import { keepUpdates, oldValues, updatedValues } from './changes.ts'
import { countRemoved, updateCounts } from './dataset-counts.ts'
import { type Merge, markTouched } from './merge.ts'
import { recordKeys, sameRecord, stageKey } from './record-keys.ts'

/** Percent of the rows loaded before that may be missing from the feed. */
export interface CompleteFeed {
  maxGonePct: number
}

export interface Removed {
  removed: number
  returned: number
  /** Missing rows that were not marked, because each may be one of the rejected rows without an id. */
  notMarked?: { rows: number; withoutId: number }
}

/** All rows of a source, and those that count when a truncated feed is detected. */
export interface SourceRowCounts {
  all: number
  live: number
}

/** The feed lacks more rows than is plausible. It is probably truncated. */
export class FeedTooShort extends Error {}

/** Percentages of a few rows mean little: one of four listings sold is 25%. Up to `fewRows` missing rows may be half of all. */
const fewRows = 10
const fewestRows = 5
const maxRemovedOfFewPct = 50

/** Call this before the rows of the run are merged. */
export const storedRows = (tx: Db, holds: Dataset, merge: Merge) =>
  onlyRow<SourceRowCounts>(tx)`
    select count(*) as all, count(*) filter (where ${live(holds)}) as live from ${sql.raw(recordKeys[holds].table)} t
    where ${ofSource(holds, merge)} and t.removed_at is null`

/** Call this after the staged rows are merged and before the current listings are chosen. `stored` is the result of `storedRows`. */
export const markRemovedRows = async (
  tx: Db,
  holds: Dataset,
  merge: Merge & { complete?: CompleteFeed | undefined; stored?: SourceRowCounts | undefined },
): Promise<Removed> => {
  const marked = await anyMarked(tx, holds, merge)
  if (!marked && !merge.complete) return { removed: 0, returned: 0 }
  await listRejectedIds(tx, merge)
  const returned = marked ? await unmarkReturned(tx, holds, merge) : 0
  if (!merge.complete || !merge.stored) return { removed: 0, returned }
  return { ...(await markRemoved(tx, holds, merge, merge.complete, merge.stored)), returned }
}

/**
 * A permit whose city its source has corrected keeps its history under the new city, or is dropped if that city has it already.
 * Numbers repeat between cities, so the staged row must also have the address or the parcel of the stored one. Where neither row has
 * one, it must have the description and the day.
 */
export const moveCorrectedPermits = async (tx: Db, merge: Merge): Promise<void> => {
  if (merge.firstLoad || !(await listCorrected(tx, merge))) return
  const { sourceId, stage } = merge
  const isMoved = (alias: string) =>
    sql.raw(`${alias}.market = m.market and ${alias}.city_slug = m.city_slug and ${alias}.permit_id = m.permit_id`)
  await updateCounts(
    tx,
    'permits',
    merge,
    // Permits and their changes in one statement, after which the foreign key between them is checked.
    () =>
      execute(tx)`
      with dropped as (delete from permit t using ${stage.corrected} m where ${isMoved('t')} and not m.is_kept),
      renamed as (update permit t set city_slug = m.new_city from ${stage.corrected} m where ${isMoved('t')} and m.is_kept),
      history as (update permit_change c set city_slug = m.new_city from ${stage.corrected} m where ${isMoved('c')} and m.is_kept),
      searched as (delete from permit_search s using ${stage.corrected} m where ${isMoved('s')}),
      counted as (
        update dataset_count c set rows = c.rows - d.rows, removed = c.removed - d.removed
        from (select market, city_slug, count(*) as rows, count(removed_at) as removed from ${stage.corrected} group by 1, 2) d
        where c.market = d.market and c.city_slug = d.city_slug and c.dataset = 'permits' and c.source_id = ${sourceId}),
      touched as (${markTouched(merge, sql`select property_id, market from ${stage.corrected}`)})
      select 1`,
  )
  await execute(tx)`
    delete from permit_city c using (select distinct market, city_slug from ${stage.corrected}) m
    where c.market = m.market and c.city_slug = m.city_slug and not exists (
      select 1 from permit_search s where s.market = c.market and s.city_slug = c.city_slug)`
}

/**
 * Writes the stored permits with their new cities to a table, each once. False if there are none. The planner expects one row of the
 * join, so whatever follows reads the table, whose rows it knows: a feed may correct the city of all its permits.
 */
const listCorrected = async (tx: Db, { sourceId, markets, stage }: Merge): Promise<boolean> => {
  const otherCities = sql`array(
    select d.city_slug from dataset_count d where d.market = any(${markets}) and d.dataset = 'permits' and d.source_id = ${sourceId}
      and exists (select 1 from ${stage.rows} s where s.city_slug <> d.city_slug))`
  await execute(tx)`
    create unlogged table ${stage.corrected} as
    select distinct on (t.market, t.city_slug, t.permit_id)
      t.market, t.city_slug, t.permit_id, t.property_id, t.removed_at, s.city_slug as new_city, false as is_kept
    from ${stage.rows} s
    join permit t on t.market = s.market and t.permit_id = s.permit_id and t.city_slug = any(${otherCities}) and t.city_slug <> s.city_slug
    where t.source_id = ${sourceId} and (t.address_key = s.address_key or t.apn_key = s.apn_key
      or coalesce(t.address_key, t.apn_key, s.address_key, s.apn_key) is null
        and (t.description, coalesce(t.applied_on, t.issued_on)) = (s.description, coalesce(s.applied_on, s.issued_on)))
    order by t.market, t.city_slug, t.permit_id, s.city_slug`
  await execute(tx)`analyze ${stage.corrected}`
  await execute(tx)`
    delete from ${stage.corrected} m using ${stage.rows} s
    where s.market = m.market and s.city_slug = m.city_slug and s.permit_id = m.permit_id`
  await execute(tx)`
    update ${stage.corrected} m set is_kept = true from (
      select distinct on (market, new_city, permit_id) market, new_city, permit_id, city_slug from ${stage.corrected}
      order by market, new_city, permit_id, removed_at nulls first, city_slug) first
    where m.market = first.market and m.new_city = first.new_city and m.permit_id = first.permit_id and m.city_slug = first.city_slug
      and not exists (
        select 1 from permit p where p.market = m.market and p.city_slug = m.new_city and p.permit_id = m.permit_id)`
  return anyRow(tx)`select 1 from ${stage.corrected} limit 1`
}

/** A permit that its source no longer contains belongs to the next source that contains it. */
export const takeOverRemovedPermits = async (tx: Db, merge: Merge): Promise<number> => {
  const { sourceId, stage } = merge
  const removedBefore = await anyRow(tx)`
    select 1 from ${stage.rows} s join permit t on ${sameRecord('permits', sourceId)}
    where t.source_id <> ${sourceId} and t.removed_at is not null limit 1`
  return !removedBefore ? 0 : updateCounts(tx, 'permits', merge, () => takeOver(tx, merge))
}

const takeOver = async (tx: Db, merge: Merge): Promise<number> => {
  const { sourceId, now, stage } = merge
  return onlyValue<number>(tx)`
    with done as (
      update permit t set source_id = ${sourceId}, removed_at = null, collected_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
      from ${stage.rows} s where ${sameRecord('permits', sourceId)} and t.source_id <> ${sourceId}
        and t.removed_at is not null
      returning t.property_id, t.market),
    touched as (${markTouched(merge, 'select property_id, market from done')})
    select count(*) from done`
}

/** Rows of this source. A home known only through a listing does not belong to a parcel feed. */
const ofSource = (holds: Dataset, { sourceId, markets }: Merge) =>
  sql`t.market = any(${markets}) and t.source_id = ${sourceId}${sql.raw(holds === 'parcels' ? ` and t.known_from = 'parcel'` : '')}`

/** A feed of listings regularly drops sold and withdrawn ones, so only open listings count. */
const live = (holds: Dataset) => (holds === 'listings' ? onMarket('t.status') : sql.raw('true'))

/** Queries for the keys of the rows in this run. A parcel may also be in the feed under another id. */
const keysInFeed = (holds: Dataset, { stage }: Merge) => [
  sql`select ${sql.raw(stageKey(holds))} from ${stage.rows}`,
  ...(holds === 'parcels' ? [sql`select market, property_id as id from ${stage.target}`] : []),
]

const isInFeed = (holds: Dataset, merge: Merge) =>
  keysInFeed(holds, merge).map((keys) => sql`exists (select 1 from (${keys}) b where ${same(holds, 'b')})`)

const same = (holds: Dataset, alias: string) =>
  sql.raw(
    keyNames(holds)
      .map((name) => `${alias}.${name} = t.${name}`)
      .join(' and '),
  )

const anyMarked = (tx: Db, holds: Dataset, merge: Merge) =>
  anyRow(tx)`
    select 1 from ${sql.raw(recordKeys[holds].table)} t where ${ofSource(holds, merge)} and t.removed_at is not null limit 1`

/** Copies the ids of rejected rows to an indexed table: the planner underestimates those of a run in progress. */
const listRejectedIds = async (tx: Db, { runId, stage }: Merge): Promise<void> => {
  await execute(tx)`create unlogged table ${stage.rejected} (record_id text primary key)`
  await execute(tx)`
    insert into ${stage.rejected} select distinct record_id from rejected_row where run_id = ${runId} and record_id is not null`
  await execute(tx)`analyze ${stage.rejected}`
}

/** One query per reason. A single query with `or` would check every reason for every row, which takes minutes for a large feed. */
const unmarkReturned = async (tx: Db, holds: Dataset, merge: Merge): Promise<number> => {
  const table = sql.raw(recordKeys[holds].table)
  const marked = sql`select ${keyOf(holds)} from ${table} t where ${ofSource(holds, merge)} and t.removed_at is not null`
  const queries = [...isInFeed(holds, merge), ...wasRejected(holds, merge)].map(
    (reason) => sql`${marked} and ${reason}`,
  )
  return onlyValue<number>(tx)`
    with back as (${sql.join(queries, sql` union `)}),
    done as (
      update ${table} t set removed_at = null, updated_at = ${merge.now}::timestamptz
      from back where ${ofSource(holds, merge)} and t.removed_at is not null and ${same(holds, 'back')}
      returning ${propertyOf(holds)} as property_id, t.market, t.city_slug, t.source_id),
    counted as (${countRemoved(holds, '-')}),
    touched as (${markTouched(merge, 'select property_id, market from done')})
    select count(*) from done`
}

const markRemoved = async (
  tx: Db,
  holds: Dataset,
  merge: Merge,
  { maxGonePct }: CompleteFeed,
  stored: SourceRowCounts,
): Promise<Omit<Removed, 'returned'>> => {
  const table = sql.raw(recordKeys[holds].table)
  const { removed } = merge.stage
  await execute(tx)`
    create unlogged table ${removed} as
    select ${keyOf(holds)}, ${live(holds)} as live ${oldValues(holds)} from ${table} t
    where ${ofSource(holds, merge)} and t.removed_at is null
      ${sql.join(
        [...isInFeed(holds, merge), ...wasRejected(holds, merge)].map((reason) => sql`and not ${reason}`),
        sql` `,
      )}`
  const { withoutId, ...missing } = await onlyRow<SourceRowCounts & { withoutId: number }>(tx)`
    select count(*) as all, count(*) filter (where live) as live,
      (select count(*) from rejected_row where run_id = ${merge.runId} and record_id is null
        and code not in ('requirement', 'duplicate', 'held_by_other')) as without_id
    from ${removed}`
  if (missing.all === 0) return { removed: 0 }
  const atLeast = { all: Math.max(0, missing.all - withoutId), live: Math.max(0, missing.live - withoutId) }
  rejectTooShort(holds, stored, atLeast, maxGonePct)
  // Any missing row may be one of the rejected rows without an id. Only the operator can decide that rows without an id do not
  // belong to the feed, by requiring an id in the configuration.
  if (withoutId > 0) return { removed: 0, notMarked: { rows: missing.all, withoutId } }
  await execute(tx)`alter table ${removed} add primary key (${sql.raw(stageKey(holds))})`
  await execute(tx)`analyze ${removed} (${sql.raw(stageKey(holds))})`
  await execute(tx)`
    with done as (
      update ${table} t set removed_at = ${merge.now}::timestamptz, updated_at = ${merge.now}::timestamptz ${offMarket(holds)}
      from ${removed} r where ${ofSource(holds, merge)} and ${same(holds, 'r')}
      returning ${propertyOf(holds)} as property_id, t.market, t.city_slug, t.source_id ${updatedValues(holds, 'r')}),
    counted as (${countRemoved(holds, '+')}),
    touched as (${markTouched(merge, 'select property_id, market from done')})
    ${keepUpdates(holds, merge)}
    select 1`
  return { removed: missing.all }
}

const rejectTooShort = (
  holds: Dataset,
  stored: SourceRowCounts,
  removed: SourceRowCounts,
  maxGonePct: number,
): void => {
  const fail = (lacks: number, of: number, rows: string, most: number): never => {
    throw new FeedTooShort(
      `The feed lacks ${lacks} of the ${of} ${rows} loaded before (${Math.round((100 * lacks) / of)}%), more than the ${most}% that may be removed in one run. It is probably truncated. Nothing was changed. If the feed is right, load it once with --accept "the reason".`,
    )
  }
  if (removed.all > 0 && removed.all === stored.all && maxGonePct < 100)
    fail(removed.all, stored.all, 'rows', maxGonePct)
  const most = removed.live > fewRows ? maxGonePct : Math.max(maxGonePct, maxRemovedOfFewPct)
  if (stored.live >= fewestRows && 100 * removed.live > most * stored.live)
    fail(removed.live, stored.live, holds === 'listings' ? 'listings for sale' : 'rows', most)
}

/** A sold listing stays sold. A pending one may have been sold too, but that is known only when the sale is recorded. */
const offMarket = (holds: Dataset) =>
  holds === 'listings' ? sql`, status = case when ${live(holds)} then 'withdrawn' else t.status end` : sql``

const keyNames = (holds: Dataset) => stageKey(holds).split(', ')

const keyOf = (holds: Dataset) =>
  sql.raw(
    keyNames(holds)
      .map((name) => `t.${name}`)
      .join(', '),
  )

const propertyOf = (holds: Dataset) =>
  sql.raw(holds === 'parcels' ? 't.id' : holds === 'rents' ? 'null::text' : 't.property_id')

/** True for a row that this run rejected: it is in the feed, so it was not removed. */
const wasRejected = (holds: Dataset, { stage }: Merge) =>
  recordIds[holds].map(
    (id) => sql`exists (select 1 from ${stage.rejected} r where r.record_id = ${sql.raw(`t.${id}`)})`,
  )

/** Columns that may contain the id of a rejected row. */
const recordIds: Readonly<Record<Dataset, readonly string[]>> = {
  parcels: ['apn', 'source_record_id'],
  listings: ['listing_id'],
  sales: ['sale_id'],
  permits: ['permit_id'],
  rents: ['rent_id'],
}
