// Rows that a complete feed no longer holds. They are kept and marked with the time; a listing that was for sale is off the
// market. A row that comes back is unmarked. A feed that lacks too much is taken for a broken one, and the run fails.
import type { DataSet } from '../../contract/source-config.ts'
import { type Db, sql } from '../engine/database.ts'
import { onMarket } from '../properties/listing-status.ts'
import { type Merge, stageKey, touch } from './merge.ts'

/** What a feed must hold of the rows it brought before, to be believed. */
export interface Complete {
  maxGonePct: number
}

export interface Gone {
  gone: number
  returned: number
  /** Rows that seem gone and were not marked, since so many refused rows bear no id and might be these. */
  unsure?: { rows: number; nameless: number }
}

/** A source's rows, and of these the ones whose going says something of the feed. */
export interface Rows {
  all: number
  live: number
}

/** The feed lacks more than can be right: probably it was cut short where it was made. */
export class FeedTooShort extends Error {}

/** Of a few rows a share says little: one house sold of four is a quarter. More than half of them is a cut all the same. */
const fewRows = 10
const fewestRows = 5
const maxGoneOfFewPct = 50

/** To be asked before anything of the run is merged. */
export const rowsHeld = async (tx: Db, holds: DataSet, merge: Merge): Promise<Rows> => {
  const { rows } = await sql<Rows>`
    select count(*) as all, count(*) filter (where ${live(holds)}) as live from ${sql.raw(tables[holds])} t
    where ${own(holds, merge)} and t.gone_at is null`.execute(tx)
  return rows[0]!
}

/** To be called when the stage is merged, with the rows held before it was, and before a property's current listing is chosen. */
export const settleGone = async (
  tx: Db,
  holds: DataSet,
  merge: Merge & { complete?: Complete | undefined; held?: Rows | undefined },
): Promise<Gone> => {
  const marked = await anyMarked(tx, holds, merge)
  if (!marked && !merge.complete) return { gone: 0, returned: 0 }
  await listRefusedIds(tx, merge)
  const returned = marked ? await unmarkReturned(tx, holds, merge) : 0
  if (!merge.complete || !merge.held) return { gone: 0, returned }
  return { ...(await markGone(tx, holds, merge, merge.complete, merge.held)), returned }
}

/** A permit that its source no longer holds belongs to the one that brings it. */
export const takeOverGonePermits = async (tx: Db, { sourceId, now }: Merge): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with done as (
      update permit t set source_id = ${sourceId}, gone_at = null, collected_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
      from stage s where t.city_slug = s.city_slug and t.permit_id = s.permit_id and t.source_id <> ${sourceId}
        and t.gone_at is not null
      returning t.property_id, t.market),
    touched as (${touch('select property_id, market from done')})
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
const own = (holds: DataSet, { sourceId }: Merge) =>
  sql`t.source_id = ${sourceId}${sql.raw(holds === 'parcels' ? ` and t.known_from = 'parcel'` : '')}`

/** A feed of open listings loses what was sold or withdrawn as a matter of course. */
const live = (holds: DataSet) => (holds === 'listings' ? onMarket('t.status') : sql.raw('true'))

/** The keys of the rows this run brought, query by query. A parcel may be one that was known under another number. */
const brought = (holds: DataSet) => [
  sql`select ${sql.raw(stageKey(holds))} from stage`,
  ...(holds === 'parcels' ? [sql`select property_id as id from stage_target`] : []),
]

const wasBrought = (holds: DataSet) =>
  brought(holds).map((keys) => sql`exists (select from (${keys}) b where ${same(holds, 'b')})`)

const same = (holds: DataSet, alias: string) =>
  sql.raw(
    keyNames(holds)
      .map((name) => `${alias}.${name} = t.${name}`)
      .join(' and '),
  )

const anyMarked = async (tx: Db, holds: DataSet, merge: Merge): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from ${sql.raw(tables[holds])} t where ${own(holds, merge)} and t.gone_at is not null limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * The ids of the rows this run refused, by themselves: of a run under way the planner knows nothing and takes its refused rows
 * for a few; looked up by an index, it does not matter what it takes them for.
 */
const listRefusedIds = async (tx: Db, { runId }: Merge): Promise<void> => {
  await sql`create temp table stage_refused (record_id text primary key) on commit drop`.execute(tx)
  await sql`
    insert into stage_refused select distinct record_id from refused_row where run_id = ${runId} and record_id is not null`.execute(
    tx,
  )
  await sql`analyze stage_refused`.execute(tx)
}

/** Each reason for being back is asked for apart: joined by "or" they are asked of every row in turn, minutes of a large feed. */
const unmarkReturned = async (tx: Db, holds: DataSet, merge: Merge): Promise<number> => {
  const table = sql.raw(tables[holds])
  const marked = sql`select ${keyOf(holds)} from ${table} t where ${own(holds, merge)} and t.gone_at is not null`
  const ways = [...wasBrought(holds), ...wasRefused(holds)].map((way) => sql`${marked} and ${way}`)
  const { rows } = await sql<{ count: number }>`
    with back as (${sql.join(ways, sql` union `)}),
    done as (
      update ${table} t set gone_at = null, updated_at = ${merge.now}::timestamptz
      from back where ${own(holds, merge)} and t.gone_at is not null and ${same(holds, 'back')}
      returning ${propertyOf(holds)} as property_id, t.market),
    touched as (${touch('select property_id, market from done')})
    select count(*) from done`.execute(tx)
  return rows[0]!.count
}

const markGone = async (
  tx: Db,
  holds: DataSet,
  merge: Merge,
  { maxGonePct }: Complete,
  held: Rows,
): Promise<Omit<Gone, 'returned'>> => {
  const table = sql.raw(tables[holds])
  const key = sql.raw(stageKey(holds))
  await sql`
    create temp table stage_gone on commit drop as
    select ${keyOf(holds)}, ${live(holds)} as live from ${table} t
    where ${own(holds, merge)} and t.gone_at is null
      ${sql.join(
        [...wasBrought(holds), ...wasRefused(holds)].map((way) => sql`and not ${way}`),
        sql` `,
      )}`.execute(tx)
  const { rows } = await sql<Rows & { nameless: number }>`
    select count(*) as all, count(*) filter (where live) as live,
      (select count(*) from refused_row where run_id = ${merge.runId} and record_id is null
        and code not in ('requirement', 'duplicate', 'held_by_other')) as nameless
    from stage_gone`.execute(tx)
  const { nameless, ...gone } = rows[0]!
  if (gone.all === 0) return { gone: 0 }
  const surely = { all: Math.max(0, gone.all - nameless), live: Math.max(0, gone.live - nameless) }
  refuseTooShort(holds, held, surely, maxGonePct)
  // Any of them may be a row whose id could not be read: which one, nobody can say. Only whoever knows the feed can tell
  // that rows without an id are none of it, by requiring one.
  if (nameless > 0) return { gone: 0, unsure: { rows: gone.all, nameless } }
  await sql`analyze stage_gone (${key})`.execute(tx)
  await sql`
    with done as (
      update ${table} t set gone_at = ${merge.now}::timestamptz, updated_at = ${merge.now}::timestamptz ${offMarket(holds)}
      from stage_gone g where ${own(holds, merge)} and ${same(holds, 'g')}
      returning ${propertyOf(holds)} as property_id, t.market)
    ${touch('select property_id, market from done')}`.execute(tx)
  return { gone: gone.all }
}

const refuseTooShort = (holds: DataSet, held: Rows, gone: Rows, maxGonePct: number): void => {
  const refuse = (lacks: number, of: number, rows: string, most: number): never => {
    throw new FeedTooShort(
      `The feed lacks ${lacks} of the ${of} ${rows} it held (${Math.round((100 * lacks) / of)} %), more than the ${most} % that may go in one run: probably it is cut short. Nothing was changed. If it is right, raise "maxGonePct" for one run.`,
    )
  }
  if (gone.all > 0 && gone.all === held.all && maxGonePct < 100) refuse(gone.all, held.all, 'rows', maxGonePct)
  const most = gone.live > fewRows ? maxGonePct : Math.max(maxGonePct, maxGoneOfFewPct)
  if (held.live >= fewestRows && 100 * gone.live > most * held.live)
    refuse(gone.live, held.live, holds === 'listings' ? 'listings for sale' : 'rows', most)
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

/** Whether a row is one that this run brought and refused: it is in the feed, whatever else is wrong with it. */
const wasRefused = (holds: DataSet) =>
  recordIds[holds].map((id) => sql`exists (select from stage_refused r where r.record_id = ${sql.raw(`t.${id}`)})`)

/** What a refused row's id may be compared with. */
const recordIds: Readonly<Record<DataSet, readonly string[]>> = {
  parcels: ['apn', 'source_record_id'],
  listings: ['listing_id'],
  sales: ['sale_id'],
  permits: ['permit_id'],
}
