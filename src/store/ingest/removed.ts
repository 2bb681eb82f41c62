// Rows that a complete feed no longer contains. They are kept and marked with the time; a listing that was for sale is off the
// market. A row that comes back is unmarked. A feed that lacks too many rows is treated as truncated, and the run fails.
import type { DataSet } from '../../contract/source-config.ts'
import { type Db, sql } from '../engine/database.ts'
import { onMarket } from '../properties/listing-status.ts'
import { type Merge, stageKey, touch } from './merge.ts'

/** How many of the rows loaded before a feed may lack. */
export interface Complete {
  maxGonePct: number
}

export interface Removed {
  removed: number
  returned: number
  /** Rows that seem removed and were not marked, since so many rejected rows have no id and might be these. */
  unsure?: { rows: number; nameless: number }
}

/** A source's rows, and of these the ones whose removal says something about the feed. */
export interface Rows {
  all: number
  live: number
}

/** The feed lacks more than is plausible: probably it was truncated at its origin. */
export class FeedTooShort extends Error {}

/** Of a few rows a share says little: one house sold of four is a quarter. More than half of them means a truncated feed. */
const fewRows = 10
const fewestRows = 5
const maxRemovedOfFewPct = 50

/** Call it before anything of the run is merged. */
export const rowsHeld = async (tx: Db, holds: DataSet, merge: Merge): Promise<Rows> => {
  const { rows } = await sql<Rows>`
    select count(*) as all, count(*) filter (where ${live(holds)}) as live from ${sql.raw(tables[holds])} t
    where ${own(holds, merge)} and t.removed_at is null`.execute(tx)
  return rows[0]!
}

/** Call it after the stage is merged, with the rows held before, and before a property's current listing is chosen. */
export const markRemovedRows = async (
  tx: Db,
  holds: DataSet,
  merge: Merge & { complete?: Complete | undefined; held?: Rows | undefined },
): Promise<Removed> => {
  const marked = await anyMarked(tx, holds, merge)
  if (!marked && !merge.complete) return { removed: 0, returned: 0 }
  await listRejectedIds(tx, merge)
  const returned = marked ? await unmarkReturned(tx, holds, merge) : 0
  if (!merge.complete || !merge.held) return { removed: 0, returned }
  return { ...(await markRemoved(tx, holds, merge, merge.complete, merge.held)), returned }
}

/** A permit that its source no longer contains belongs to the next source that has it. */
export const takeOverRemovedPermits = async (tx: Db, merge: Merge): Promise<number> => {
  const { sourceId, now, stage } = merge
  const { rows } = await sql<{ count: number }>`
    with done as (
      update permit t set source_id = ${sourceId}, removed_at = null, collected_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
      from ${stage.rows} s where t.market = s.market and t.city_slug = s.city_slug and t.permit_id = s.permit_id and t.source_id <> ${sourceId}
        and t.removed_at is not null
      returning t.property_id, t.market),
    touched as (${touch(merge, 'select property_id, market from done')})
    select count(*) from done`.execute(tx)
  return rows[0]!.count
}

const tables: Readonly<Record<DataSet, string>> = {
  parcels: 'property',
  listings: 'listing',
  sales: 'sale',
  permits: 'permit',
}

/** The source's own rows; a home known through a listing is none of a parcel feed's. */
const own = (holds: DataSet, { sourceId, markets }: Merge) =>
  sql`t.market = any(${markets}) and t.source_id = ${sourceId}${sql.raw(holds === 'parcels' ? ` and t.known_from = 'parcel'` : '')}`

/** A feed of open listings loses what was sold or withdrawn as a matter of course. */
const live = (holds: DataSet) => (holds === 'listings' ? onMarket('t.status') : sql.raw('true'))

/** The keys of the rows this run read, query by query. A parcel may be one that was known under another number. */
const keysInFeed = (holds: DataSet, { stage }: Merge) => [
  sql`select ${sql.raw(stageKey(holds))} from ${stage.rows}`,
  ...(holds === 'parcels' ? [sql`select market, property_id as id from ${stage.target}`] : []),
]

const isInFeed = (holds: DataSet, merge: Merge) =>
  keysInFeed(holds, merge).map((keys) => sql`exists (select from (${keys}) b where ${same(holds, 'b')})`)

const same = (holds: DataSet, alias: string) =>
  sql.raw(
    keyNames(holds)
      .map((name) => `${alias}.${name} = t.${name}`)
      .join(' and '),
  )

const anyMarked = async (tx: Db, holds: DataSet, merge: Merge): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from ${sql.raw(tables[holds])} t where ${own(holds, merge)} and t.removed_at is not null limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/**
 * The ids of the rows this run rejected, in a table of their own: the planner has no statistics of a run in progress and
 * expects few rejected rows; with an index its estimate does not matter.
 */
const listRejectedIds = async (tx: Db, { runId, stage }: Merge): Promise<void> => {
  await sql`create unlogged table ${stage.rejected} (record_id text primary key)`.execute(tx)
  await sql`
    insert into ${stage.rejected} select distinct record_id from rejected_row where run_id = ${runId} and record_id is not null`.execute(
    tx,
  )
  await sql`analyze ${stage.rejected}`.execute(tx)
}

/** Each reason is a query of its own: joined by "or" they are evaluated for every row, minutes of a large feed. */
const unmarkReturned = async (tx: Db, holds: DataSet, merge: Merge): Promise<number> => {
  const table = sql.raw(tables[holds])
  const marked = sql`select ${keyOf(holds)} from ${table} t where ${own(holds, merge)} and t.removed_at is not null`
  const ways = [...isInFeed(holds, merge), ...wasRejected(holds, merge)].map((way) => sql`${marked} and ${way}`)
  const { rows } = await sql<{ count: number }>`
    with back as (${sql.join(ways, sql` union `)}),
    done as (
      update ${table} t set removed_at = null, updated_at = ${merge.now}::timestamptz
      from back where ${own(holds, merge)} and t.removed_at is not null and ${same(holds, 'back')}
      returning ${propertyOf(holds)} as property_id, t.market),
    touched as (${touch(merge, 'select property_id, market from done')})
    select count(*) from done`.execute(tx)
  return rows[0]!.count
}

const markRemoved = async (
  tx: Db,
  holds: DataSet,
  merge: Merge,
  { maxGonePct }: Complete,
  held: Rows,
): Promise<Omit<Removed, 'returned'>> => {
  const table = sql.raw(tables[holds])
  const { removed } = merge.stage
  await sql`
    create unlogged table ${removed} as
    select ${keyOf(holds)}, ${live(holds)} as live from ${table} t
    where ${own(holds, merge)} and t.removed_at is null
      ${sql.join(
        [...isInFeed(holds, merge), ...wasRejected(holds, merge)].map((way) => sql`and not ${way}`),
        sql` `,
      )}`.execute(tx)
  const { rows } = await sql<Rows & { nameless: number }>`
    select count(*) as all, count(*) filter (where live) as live,
      (select count(*) from rejected_row where run_id = ${merge.runId} and record_id is null
        and code not in ('requirement', 'duplicate', 'held_by_other')) as nameless
    from ${removed}`.execute(tx)
  const { nameless, ...missing } = rows[0]!
  if (missing.all === 0) return { removed: 0 }
  const surely = { all: Math.max(0, missing.all - nameless), live: Math.max(0, missing.live - nameless) }
  rejectTooShort(holds, held, surely, maxGonePct)
  // Any of them may be a row whose id could not be read: which one, nobody can say. Only whoever knows the feed can tell
  // that rows without an id are none of it, by requiring one.
  if (nameless > 0) return { removed: 0, unsure: { rows: missing.all, nameless } }
  await sql`alter table ${removed} add primary key (${sql.raw(stageKey(holds))})`.execute(tx)
  await sql`analyze ${removed} (${sql.raw(stageKey(holds))})`.execute(tx)
  await sql`
    with done as (
      update ${table} t set removed_at = ${merge.now}::timestamptz, updated_at = ${merge.now}::timestamptz ${offMarket(holds)}
      from ${removed} r where ${own(holds, merge)} and ${same(holds, 'r')}
      returning ${propertyOf(holds)} as property_id, t.market)
    ${touch(merge, 'select property_id, market from done')}`.execute(tx)
  return { removed: missing.all }
}

const rejectTooShort = (holds: DataSet, held: Rows, removed: Rows, maxGonePct: number): void => {
  const refuse = (lacks: number, of: number, rows: string, most: number): never => {
    throw new FeedTooShort(
      `The feed lacks ${lacks} of the ${of} ${rows} it held (${Math.round((100 * lacks) / of)}%), more than the ${most}% that may be removed in one run: probably it is truncated. Nothing was changed. If it is right, raise "maxGonePct" for one run.`,
    )
  }
  if (removed.all > 0 && removed.all === held.all && maxGonePct < 100) refuse(removed.all, held.all, 'rows', maxGonePct)
  const most = removed.live > fewRows ? maxGonePct : Math.max(maxGonePct, maxRemovedOfFewPct)
  if (held.live >= fewestRows && 100 * removed.live > most * held.live)
    refuse(removed.live, held.live, holds === 'listings' ? 'listings for sale' : 'rows', most)
}

/** What was sold stays sold. A pending one may have been: the sale, when it is recorded, says so. */
const offMarket = (holds: DataSet) =>
  holds === 'listings' ? sql`, status = case when ${live(holds)} then 'withdrawn' else t.status end` : sql``

const keyNames = (holds: DataSet) => stageKey(holds).split(', ')

const keyOf = (holds: DataSet) =>
  sql.raw(
    keyNames(holds)
      .map((name) => `t.${name}`)
      .join(', '),
  )

const propertyOf = (holds: DataSet) => sql.raw(holds === 'parcels' ? 't.id' : 't.property_id')

/** Whether a row is one that this run read and rejected: it is in the feed, whatever else is wrong with it. */
const wasRejected = (holds: DataSet, { stage }: Merge) =>
  recordIds[holds].map((id) => sql`exists (select from ${stage.rejected} r where r.record_id = ${sql.raw(`t.${id}`)})`)

/** What a rejected row's id may be compared with. */
const recordIds: Readonly<Record<DataSet, readonly string[]>> = {
  parcels: ['apn', 'source_record_id'],
  listings: ['listing_id'],
  sales: ['sale_id'],
  permits: ['permit_id'],
}
