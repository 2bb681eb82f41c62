// Rows that a complete feed no longer holds. They are kept and marked with the time; a listing that was for sale is off the
// market. A row that comes back is unmarked. A feed that lacks too much is taken for a broken one, and the run fails.
import type { DataSet } from '../contract/source-config.ts'
import { type Db, sql } from './database.ts'
import { type Merge, stageKey, touch } from './ingest-merge.ts'

/** What a feed must hold of the rows it brought before, to be believed. */
export interface Complete {
  maxGonePct: number
}

export interface Gone {
  gone: number
  returned: number
}

/** The feed lacks more than can be right: probably it was cut short where it was made. */
export class FeedTooShort extends Error {}

/** Of a few rows a share says nothing: one house sold of four is a quarter. */
const fewRows = 10

/** To be called when the stage is merged, with the rows that were new, and before a property's current listing is chosen. */
export const settleGone = async (
  tx: Db,
  holds: DataSet,
  merge: Merge & { complete?: Complete | undefined },
  inserted: number,
): Promise<Gone> => {
  const returned = await unmarkReturned(tx, holds, merge)
  const gone = merge.complete ? await markGone(tx, holds, merge, merge.complete, inserted) : 0
  return { gone, returned }
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

/** The keys of the rows this run brought. A parcel may be one that was known under another number. */
const brought = (holds: DataSet) =>
  holds === 'parcels'
    ? sql`select id from stage union select property_id from stage_target`
    : sql`select ${sql.raw(stageKey(holds))} from stage`

const unmarkReturned = async (tx: Db, holds: DataSet, merge: Merge): Promise<number> => {
  const table = sql.raw(tables[holds])
  const { rows } = await sql<{ count: number }>`
    with done as (
      update ${table} t set gone_at = null, updated_at = ${merge.now}::timestamptz
      where ${own(holds, merge)} and t.gone_at is not null and (${keyOf(holds)}) in (${brought(holds)})
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
  inserted: number,
): Promise<number> => {
  const table = sql.raw(tables[holds])
  const key = sql.raw(stageKey(holds))
  const same = (alias: string) =>
    sql.raw(
      stageKey(holds)
        .split(', ')
        .map((name) => `${alias}.${name} = t.${name}`)
        .join(' and '),
    )
  const unread = recordIds[holds].map(
    (id) => sql`and not exists (
      select from refused_row r where r.run_id = ${merge.runId} and r.record_id = ${sql.raw(`t.${id}`)})`,
  )
  await sql`
    create temp table stage_gone on commit drop as
    select ${keyOf(holds)} from ${table} t
    where ${own(holds, merge)} and t.gone_at is null
      and not exists (select from (${brought(holds)}) b where ${same('b')}) ${sql.join(unread, sql` `)}`.execute(tx)
  const { rows } = await sql<{ held: number; gone: number }>`
    select (select count(*) from ${table} t where ${own(holds, merge)} and t.gone_at is null) - ${inserted}::int as held,
      (select count(*) from stage_gone) as gone`.execute(tx)
  const { held, gone } = rows[0]!
  if (gone === 0) return 0
  if ((gone === held && maxGonePct < 100) || (gone > fewRows && 100 * gone > maxGonePct * held))
    throw new FeedTooShort(
      `The feed lacks ${gone} of the ${held} rows it held (${Math.round((100 * gone) / held)} %), more than the ${maxGonePct} % that may go in one run: probably it is cut short. Nothing was changed. If it is right, raise "maxGonePct" for one run.`,
    )
  await sql`analyze stage_gone (${key})`.execute(tx)
  await sql`
    with done as (
      update ${table} t set gone_at = ${merge.now}::timestamptz, updated_at = ${merge.now}::timestamptz ${offMarket(holds)}
      from stage_gone g where ${own(holds, merge)} and ${same('g')}
      returning ${propertyOf(holds)} as property_id, t.market)
    ${touch('select property_id, market from done')}`.execute(tx)
  return gone
}

/** What was sold stays sold. A pending one may have been: the sale, when it is recorded, says so. */
const offMarket = (holds: DataSet) =>
  holds === 'listings'
    ? sql`, status = case when t.status in ('active', 'coming_soon', 'pending') then 'withdrawn' else t.status end`
    : sql``

const keyOf = (holds: DataSet) =>
  sql.raw(
    stageKey(holds)
      .split(', ')
      .map((name) => `t.${name}`)
      .join(', '),
  )

const propertyOf = (holds: DataSet) => sql.raw(holds === 'parcels' ? 't.id' : 't.property_id')

/** What a refused row's id may be compared with. */
const recordIds: Readonly<Record<DataSet, readonly string[]>> = {
  parcels: ['apn', 'source_record_id'],
  listings: ['listing_id'],
  sales: ['sale_id'],
  permits: ['permit_id'],
}
