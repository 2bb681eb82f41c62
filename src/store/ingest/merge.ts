// Staged listings, sales and permits become visible: matched to properties, then merged, in the caller's one transaction.
// Only new and changed rows are written, so a feed read again writes nothing.
import type { DataSet } from '../../contract/source-config.ts'
import { rankColumns } from '../assessments/assessments.ts'
import { type Db, sql } from '../engine/database.ts'
import { onMarket } from '../properties/listing-status.ts'
import { namesIn, recordColumns } from './stage.ts'

export interface Merge {
  sourceId: string
  runId: number
  now: Date
}

export interface Merged {
  inserted: number
  updated: number
}

type RecordSet = Exclude<DataSet, 'parcels'>

const tables: Readonly<Record<RecordSet, { table: string; key: string; sameKey: string }>> = {
  listings: { table: 'listing', key: 'listing_id', sameKey: 't.source_id = $source and t.listing_id = s.listing_id' },
  sales: { table: 'sale', key: 'sale_id', sameKey: 't.source_id = $source and t.sale_id = s.sale_id' },
  permits: {
    table: 'permit',
    key: 'city_slug, permit_id',
    sameKey: 't.city_slug = s.city_slug and t.permit_id = s.permit_id',
  },
}

/** The key of a row within its feed. */
export const stageKey = (holds: DataSet): string => (holds === 'parcels' ? 'id' : tables[holds].key)

/**
 * A feed may name a record twice. The most recently modified stays, then the one whose content sorts first: the order
 * of rows must not matter, since feeds are not read in the same order twice.
 */
export const refuseDuplicates = async (tx: Db, holds: DataSet, { runId }: Merge): Promise<number> => {
  const key = sql.raw(stageKey(holds))
  const { rows } = await sql<{ count: number }>`
    with twice as (select ${key} from stage group by ${key} having count(*) > 1),
    ranked as (
      select s.n, row_number() over (partition by ${key} order by s.modified_at desc nulls last, md5(s.raw::text)) as place
      from stage s where (${key}) in (select * from twice)),
    lost as (delete from stage s using ranked r where r.n = s.n and r.place > 1 returning s.n, s.raw),
    kept as (
      insert into refused_row (run_id, row_number, code, reason, raw)
      select ${runId}, n, 'duplicate', 'another row of this feed has the same id; the most recently modified is kept', raw from lost
      on conflict do nothing)
    select count(*) from lost`.execute(tx)
  return rows[0]!.count
}

/** Whichever source first recorded a permit keeps it: two feeds of one city would otherwise overwrite each other for ever. */
export const refuseOthersPermits = async (tx: Db, { sourceId, runId }: Merge): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with theirs as (
      delete from stage s using permit t
      where t.city_slug = s.city_slug and t.permit_id = s.permit_id and t.source_id <> ${sourceId}
      returning s.n, s.raw, t.source_id),
    kept as (
      insert into refused_row (run_id, row_number, code, reason, raw)
      select ${runId}, n, 'held_by_other', 'this permit is already held from source ' || source_id, raw from theirs on conflict do nothing)
    select count(*) from theirs`.execute(tx)
  return rows[0]!.count
}

/**
 * By parcel number, else by address where exactly one property bears it. An address alone is medium; an address whose
 * parcel number is known but found nowhere is low, since one of the two is wrong.
 */
export const matchStage = async (tx: Db): Promise<void> => {
  await sql`
    create temp table stage_match on commit drop as
    select s.n, coalesce(a.id, d.id) as property_id,
      case when a.id is not null then 'apn' else 'address' end as match_method,
      case when a.id is not null then 'high' when s.apn_key is null then 'medium' else 'low' end as match_confidence,
      coalesce(a.known_from, d.known_from) as known_from
    from stage s
    left join property a on a.apn_key = s.apn_key
    left join (
      select city_slug, address_key, min(id) as id, min(known_from) as known_from from property where gone_at is null
      group by city_slug, address_key having count(*) = 1
    ) d on a.id is null and d.city_slug = s.city_slug and d.address_key = s.address_key
    where a.id is not null or d.id is not null`.execute(tx)
  await sql`analyze stage_match`.execute(tx)
}

export const mergeRecords = async (tx: Db, holds: RecordSet, merge: Merge): Promise<Merged> => {
  const { table, sameKey } = tables[holds]
  const columns = [...namesIn(recordColumns[holds]), 'raw']
  const match = ['property_id', 'match_method', 'match_confidence']
  const matched = `m.property_id, coalesce(m.match_method, 'none'), coalesce(m.match_confidence, 'low')`
  const same = sql.join(
    sameKey
      .split('$source')
      .flatMap((part, at) => (at === 0 ? [sql.raw(part)] : [sql`${merge.sourceId}`, sql.raw(part)])),
    sql.raw(''),
  )
  const own = list(columns, 's')
  // Rows that other sources hold are out of the stage by now, so a source that has none has nothing to compare with.
  const { rows: held } = await sql`
    select 1 from ${sql.raw(table)} where source_id = ${merge.sourceId} limit 1`.execute(tx)
  const update = sql<{ count: number }>`
    with changed as (
      select s.n, t.property_id as old_property, t.ctid as at from stage s join ${sql.raw(table)} t on ${same} left join stage_match m on m.n = s.n
      where (${sql.raw(`${list([...columns, ...match], 't')}`)}) is distinct from (${sql.raw(`${own}, ${matched}`)})),
    done as (
      update ${sql.raw(table)} t set (${sql.raw([...columns, ...match].join(', '))}, collected_at, updated_at)
        = row(${sql.raw(`${own}, ${matched}`)}, ${merge.now}::timestamptz, ${merge.now}::timestamptz)
      from changed c join stage s on s.n = c.n left join stage_match m on m.n = s.n
      where t.ctid = c.at returning t.property_id, t.market, c.old_property),
    touched as (${touch('select property_id, market from done union all select old_property, market from done')})
    select count(*) from done`
  const updated = held.length > 0 ? (await update.execute(tx)).rows[0]!.count : 0
  const { rows: inserted } = await sql<{ count: number }>`
    with done as (
      insert into ${sql.raw(table)} as t (source_id, collected_at, updated_at, ${sql.raw([...columns, ...match].join(', '))})
      select ${merge.sourceId}::text, ${merge.now}::timestamptz, ${merge.now}::timestamptz, ${sql.raw(`${own}, ${matched}`)}
      from stage s left join stage_match m on m.n = s.n
      ${held.length > 0 ? sql`where not exists (select from ${sql.raw(table)} t where ${same})` : sql``}
      returning t.property_id, t.market),
    touched as (${touch('select property_id, market from done')})
    select count(*) from done`.execute(tx)
  return { inserted: inserted[0]!.count, updated }
}

const list = (columns: readonly string[], from: string): string => columns.map((name) => `${from}.${name}`).join(', ')

export const touch = (properties: string) => sql`
  insert into touched_property (property_id, market)
  select distinct on (property_id) property_id, market from (${sql.raw(properties)}) p where property_id is not null
  on conflict (property_id) do update set touched_at = now()`

/**
 * Properties for listings that match none. They are matched again, and so found, by every later run. A listing whose parcel
 * is gone stays with it, or the home would be two when the parcel comes back.
 */
export const createListedProperties = async (tx: Db, merge: Merge): Promise<void> => {
  await sql`
    insert into stage_match (n, property_id, match_method, match_confidence, known_from)
    select s.n, t.property_id, t.match_method, t.match_confidence, p.known_from
    from property p join listing t on t.property_id = p.id and t.source_id = ${merge.sourceId}
    join stage s on s.listing_id = t.listing_id and s.city_slug = t.city_slug and s.address_key = t.address_key
    left join stage_match m on m.n = s.n
    where p.gone_at is not null and m.n is null`.execute(tx)
  await sql`
    insert into property (id, market, city, city_slug, address, address_key, apn, apn_key, lat, lng, known_from, source_id,
      source_record_id, source_url, collected_at, updated_at)
    select distinct on (s.id) s.id, s.market, s.city, s.city_slug, coalesce(s.address, 'Parcel ' || s.apn),
      coalesce(s.address_key, 'PARCEL ' || s.apn), s.apn, s.apn_key, s.lat, s.lng, 'listing', ${merge.sourceId}::text, s.listing_id,
      s.source_url, ${merge.now}::timestamptz, ${merge.now}::timestamptz
    from stage s left join stage_match m on m.n = s.n
    where m.n is null order by s.id, s.listing_id
    on conflict (id) do nothing`.execute(tx)
  await sql`
    insert into stage_match (n, property_id, match_method, match_confidence, known_from)
    select s.n, s.id, 'none', 'low', 'listing' from stage s left join stage_match m on m.n = s.n where m.n is null`.execute(
    tx,
  )
  // A home known through a listing alone is no parcel: finding it again is not a match.
  await sql`
    update stage_match set match_method = 'none', match_confidence = 'low' where known_from = 'listing' and match_method <> 'none'`.execute(
    tx,
  )
}

/** A listing that moves to another property is not its current one until that is chosen anew. */
export const releaseMovedListings = async (tx: Db, { sourceId }: Merge): Promise<void> => {
  await sql`
    update listing t set current = false from stage s join stage_match m on m.n = s.n
    where t.source_id = ${sourceId} and t.listing_id = s.listing_id and t.current and t.property_id <> m.property_id`.execute(
    tx,
  )
}

/**
 * Exactly one current listing for every property that has any: the latest. On the market without a date counts as now; one
 * withdrawn because it left its feed comes after all others, or it would hide what another source has for sale.
 */
export const chooseCurrentListings = async (tx: Db): Promise<void> => {
  await sql`
    create temp table stage_current on commit drop as
    select distinct on (l.property_id) l.source_id, l.listing_id, l.property_id
    from listing l join touched_property t on t.property_id = l.property_id and t.touched_at = now()
    order by l.property_id, l.gone_at is not null and l.status = 'withdrawn',
      coalesce(l.listed_on, l.pending_on, l.sold_on,
        case when ${onMarket('l.status')} then 'infinity'::date end) desc nulls last,
      l.sold_on desc nulls last, l.listing_id desc, l.source_id`.execute(tx)
  await sql`
    update listing l set current = false from stage_current c
    where l.property_id = c.property_id and l.current and (l.source_id, l.listing_id) <> (c.source_id, c.listing_id)`.execute(
    tx,
  )
  await sql`
    update listing l set current = true, (${rankColumns('')}) = row(${rankColumns('a.')})
    from stage_current c left join assessment a on a.property_id = c.property_id
    where l.source_id = c.source_id and l.listing_id = c.listing_id and not l.current`.execute(tx)
}
