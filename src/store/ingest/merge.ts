// Matches staged listings, sales and permits to properties and merges them, in the transaction of the caller. Only new and
// changed rows are written, so loading the same feed twice writes nothing.
import type { Dataset } from '../../domain/facts.ts'
import { anyRow, type Db, execute, onlyRow, onlyValue, sql } from '../engine/database.ts'
import { onMarket } from '../properties/listing-status.ts'
import { insertedValues, keepInserts, keepUpdates, oldValues, updatedValues } from './changes.ts'
import { recordKeys, sameRecord, stageKey } from './record-keys.ts'
import { columnNames, recordColumns, type StageTables } from './stage.ts'

export interface Merge {
  sourceId: string
  runId: number
  now: Date
  /** Used for comparisons with dates in the rows. */
  today: Date
  /** Marks the properties this transaction changes. Read once: now() in each statement would differ between nodes. */
  touchedAt: Date
  /** Markets in which the source may have rows. */
  markets: readonly string[]
  stage: StageTables
  /** Whether the source has never completed a load. */
  firstLoad: boolean
}

export interface Merged {
  inserted: number
  updated: number
}

/** Records that are matched to a property. */
type RecordSet = Exclude<Dataset, 'parcels' | 'rents'>

/**
 * A feed may contain a record twice. The most recently modified row is kept; of equally recent ones, the one whose hash sorts
 * first. The order of rows does not matter, because a feed may be read in another order next time. A permit that has one row per
 * address keeps the other addresses, and such rows count as loaded.
 */
export const rejectDuplicates = async (tx: Db, holds: Dataset, { runId, stage }: Merge): Promise<number> => {
  const key = sql.raw(stageKey(holds))
  const isAddress = sql.raw(holds === 'permits' ? 's.address_key is distinct from r.kept_address' : 'false')
  await execute(tx)`
    create unlogged table ${stage.duplicates} as
    with twice as (select ${key} from ${stage.rows} group by ${key} having count(*) > 1)
    select s.n, ${sql.raw(holds === 'permits' ? 's.address_key, s.address' : 'null::text as address_key, null::text as address')},
      row_number() over same as choice, first_value(s.n) over same as kept,
      first_value(s.address_key) over same as kept_address
    from ${stage.rows} s where (${key}) in (select * from twice)
    window same as (partition by ${key} order by s.modified_at desc nulls last, md5(s.raw::text))`
  if (holds === 'permits')
    await execute(tx)`
      update ${stage.rows} s set other_addresses = o.addresses, other_address_keys = o.keys
      from (
        select kept, array_agg(address order by address) as addresses, array_agg(address_key order by address) as keys
        from (
          select distinct on (kept, address_key) kept, address, address_key from ${stage.duplicates}
          where choice > 1 and address_key is distinct from kept_address and address is not null
          order by kept, address_key, address) d
        group by kept) o
      where s.n = o.kept`
  return onlyValue<number>(tx)`
    with gone as (
      delete from ${stage.rows} s using ${stage.duplicates} r where r.n = s.n and r.choice > 1
      returning s.n, s.raw, ${isAddress} as is_address),
    kept as (
      insert into rejected_row (run_id, row_number, code, reason, raw)
      select ${runId}, n, 'duplicate', 'another row of this feed has the same id; the most recently modified is kept', raw from gone
      where not is_address
      on conflict do nothing)
    select count(*) from gone where not is_address`
}

/** A permit belongs to the source that recorded it first. Otherwise two feeds of one city would overwrite each other in every run. */
export const rejectOthersPermits = (tx: Db, { sourceId, runId, stage }: Merge) =>
  onlyValue<number>(tx)`
    with theirs as (
      delete from ${stage.rows} s using permit t
      where ${sameRecord('permits', sourceId)} and t.source_id <> ${sourceId}
      returning s.n, s.raw, t.source_id),
    kept as (
      insert into rejected_row (run_id, row_number, code, reason, raw)
      select ${runId}, n, 'held_by_other', 'this permit is already held from source ' || source_id, raw from theirs on conflict do nothing)
    select count(*) from theirs`

/**
 * Matches by parcel number, otherwise by address if exactly one property has it. A match by address alone has medium confidence;
 * if the row has a parcel number that no property has, the confidence is low, since one of the two is wrong. Starts from the
 * staged addresses: grouping all properties of a market takes as long for a feed of a hundred rows as for one of a million.
 */
export const matchStage = async (tx: Db, { stage }: Merge): Promise<void> => {
  await execute(tx)`
    create unlogged table ${stage.match} as
    select s.n, coalesce(a.id, d.id) as property_id,
      case when a.id is not null then 'apn' else 'address' end as match_method,
      case when a.id is not null then 'high' when s.apn_key is null then 'medium' else 'low' end as match_confidence,
      coalesce(a.known_from, d.known_from) as known_from
    from ${stage.rows} s
    left join property a on a.market = s.market and a.apn_key = s.apn_key
    left join (
      select p.market, p.city_slug, p.address_key, min(p.id) as id, min(p.known_from) as known_from
      from (select distinct market, city_slug, address_key from ${stage.rows}) w
      join property p on p.market = w.market and p.city_slug = w.city_slug and p.address_key = w.address_key
      where p.removed_at is null
      group by 1, 2, 3 having count(*) = 1
    ) d on a.id is null and d.market = s.market and d.city_slug = s.city_slug and d.address_key = s.address_key
    where a.id is not null or d.id is not null`
  await execute(tx)`alter table ${stage.match} add primary key (n)`
  await execute(tx)`analyze ${stage.match}`
}

export const mergeRecords = async (tx: Db, holds: RecordSet, merge: Merge): Promise<Merged> => {
  const { table } = recordKeys[holds]
  const { stage } = merge
  const columns = [...columnNames(recordColumns[holds]), 'raw']
  const match = ['property_id', 'match_method', 'match_confidence']
  const matched = `m.property_id, coalesce(m.match_method, 'none'), coalesce(m.match_confidence, 'low')`
  const same = sameRecord(holds, merge.sourceId)
  const stagedColumns = list(columns, 's')
  // Rows of other sources have been removed from the staging table, so a source without rows has nothing to compare with.
  const hasStoredRows = await anyRow(tx)`
    select 1 from ${sql.raw(table)} where market = any(${merge.markets}) and source_id = ${merge.sourceId} limit 1`
  const update = () => onlyValue<number>(tx)`
    with changed as (
      select s.n, t.property_id as old_property, t.ctid as at ${oldValues(holds)}
      from ${stage.rows} s join ${sql.raw(table)} t on ${same} left join ${stage.match} m on m.n = s.n
      where (${sql.raw(`${list([...columns, ...match], 't')}`)}) is distinct from (${sql.raw(`${stagedColumns}, ${matched}`)})),
    done as (
      update ${sql.raw(table)} t set (${sql.raw([...columns, ...match].join(', '))}, collected_at, updated_at)
        = row(${sql.raw(`${stagedColumns}, ${matched}`)}, ${merge.now}::timestamptz, ${merge.now}::timestamptz)
      from changed c join ${stage.rows} s on s.n = c.n left join ${stage.match} m on m.n = s.n
      where t.ctid = c.at returning t.property_id, t.market, t.source_id, t.city_slug, c.old_property ${updatedValues(holds, 'c')}),
    touched as (${markTouched(merge, 'select property_id, market from done union all select old_property, market from done')})
    ${keepUpdates(holds, merge)}
    select count(*) from done`
  const updated = hasStoredRows ? await update() : 0
  const inserted = await onlyValue<number>(tx)`
    with done as (
      insert into ${sql.raw(table)} as t (source_id, collected_at, updated_at, ${sql.raw([...columns, ...match].join(', '))})
      select ${merge.sourceId}::text, ${merge.now}::timestamptz, ${merge.now}::timestamptz, ${sql.raw(`${stagedColumns}, ${matched}`)}
      from ${stage.rows} s left join ${stage.match} m on m.n = s.n
      ${hasStoredRows ? sql`where not exists (select 1 from ${sql.raw(table)} t where ${same})` : sql``}
      returning t.property_id, t.market, t.source_id, t.city_slug ${insertedValues(holds)}),
    touched as (${markTouched(merge, 'select property_id, market from done')})
    ${keepInserts(holds, merge)}
    select count(*) from done`
  return { inserted, updated }
}

export const mergeRents = async (tx: Db, { sourceId, now, stage }: Merge): Promise<Merged> => {
  const columns = [...columnNames(recordColumns.rents), 'raw']
  const written = sql.raw([...columns, 'collected_at', 'updated_at'].join(', '))
  return onlyRow<{ inserted: number; updated: number }>(tx)`
    with done as (
      insert into rent as t (source_id, ${written})
      select ${sourceId}::text, ${sql.raw(list(columns, 's'))}, ${now}::timestamptz, ${now}::timestamptz from ${stage.rows} s
      on conflict (market, source_id, rent_id) do update
        set (${written}) = row(${sql.raw(list([...columns, 'collected_at', 'updated_at'], 'excluded'))})
        where (${sql.raw(list(columns, 't'))}) is distinct from (${sql.raw(list(columns, 'excluded'))})
      returning t.xmax = 0 as is_new)
    select count(*) filter (where is_new) as inserted, count(*) filter (where not is_new) as updated from done`
}

const list = (columns: readonly string[], from: string): string => columns.map((name) => `${from}.${name}`).join(', ')

export const markTouched = ({ touchedAt }: Merge, properties: string | ReturnType<typeof sql>) => sql`
  insert into touched_property (market, property_id, touched_at)
  select distinct market, property_id, ${touchedAt}::timestamptz from (${typeof properties === 'string' ? sql.raw(properties) : properties}) p where property_id is not null
  on conflict (market, property_id) do update set touched_at = excluded.touched_at`

/** Creates properties for listings that match none. One whose parcel was removed stays with it: the feed may contain it again. */
export const createListedProperties = async (tx: Db, merge: Merge): Promise<void> => {
  const { stage } = merge
  await execute(tx)`
    insert into ${stage.match} (n, property_id, match_method, match_confidence, known_from)
    select s.n, t.property_id, t.match_method, t.match_confidence, p.known_from
    from property p join listing t on t.market = p.market and t.property_id = p.id and t.source_id = ${merge.sourceId}
    join ${stage.rows} s on s.market = t.market and s.listing_id = t.listing_id and s.city_slug = t.city_slug
      and s.address_key = t.address_key
    left join ${stage.match} m on m.n = s.n
    where p.market = any(${merge.markets}) and p.removed_at is not null and m.n is null`
  await execute(tx)`
    insert into property (market, id, state, city, city_slug, zip, address, address_key, apn, apn_key, lat, lng, known_from, source_id,
      source_record_id, source_url, collected_at, updated_at)
    select distinct on (s.market, s.id) s.market, s.id, s.state, s.city, s.city_slug, s.zip, coalesce(s.address, 'Parcel ' || s.apn),
      coalesce(s.address_key, 'PARCEL ' || s.apn), s.apn, s.apn_key, s.lat, s.lng, 'listing', ${merge.sourceId}::text, s.listing_id,
      s.source_url, ${merge.now}::timestamptz, ${merge.now}::timestamptz
    from ${stage.rows} s left join ${stage.match} m on m.n = s.n
    where m.n is null order by s.market, s.id, s.listing_id
    on conflict (market, id) do nothing`
  await execute(tx)`
    insert into ${stage.match} (n, property_id, match_method, match_confidence, known_from)
    select s.n, s.id, 'none', 'low', 'listing' from ${stage.rows} s left join ${stage.match} m on m.n = s.n where m.n is null`
  // Finding a home that is known only through a listing is not a match with a parcel.
  await execute(tx)`
    update ${stage.match} set match_method = 'none', match_confidence = 'low' where known_from = 'listing' and match_method <> 'none'`
}

/** A listing that moves to another property is not current there until the current listing is chosen again. */
export const releaseMovedListings = async (tx: Db, { sourceId, stage }: Merge): Promise<void> => {
  await execute(tx)`
    update listing t set current = false from ${stage.rows} s join ${stage.match} m on m.n = s.n
    where ${sameRecord('listings', sourceId)} and t.current
      and t.property_id <> m.property_id`
}

/**
 * Marks the latest listing of each property as current. A listing on the market without a date counts as the newest. A listing
 * withdrawn because its feed no longer contains it comes last: otherwise it would hide an open listing of another source.
 */
export const chooseCurrentListings = async (tx: Db, { stage, touchedAt, markets }: Merge): Promise<void> => {
  await execute(tx)`
    create unlogged table ${stage.current} as
    select distinct on (l.market, l.property_id) l.market, l.source_id, l.listing_id, l.property_id
    from listing l join touched_property t on t.market = l.market and t.property_id = l.property_id
    where t.market = any(${markets}) and t.touched_at = ${touchedAt}
    order by l.market, l.property_id, l.removed_at is not null and l.status = 'withdrawn',
      coalesce(l.listed_on, l.pending_on, l.sold_on,
        case when ${onMarket('l.status')} then 'infinity'::date end) desc nulls last,
      l.sold_on desc nulls last, l.listing_id desc, l.source_id`
  await execute(tx)`alter table ${stage.current} add primary key (market, property_id)`
  await execute(tx)`
    update listing l set current = false from ${stage.current} c
    where l.market = c.market and l.property_id = c.property_id and l.current
      and (l.source_id, l.listing_id) <> (c.source_id, c.listing_id)`
  await execute(tx)`
    update listing l set current = true from ${stage.current} c
    where l.market = c.market and l.source_id = c.source_id and l.listing_id = c.listing_id and not l.current`
}
