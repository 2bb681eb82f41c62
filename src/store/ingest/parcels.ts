// Merges staged parcels into properties. A property's id never changes: a home known only through a listing keeps its id when
// its parcel is loaded.
import { type Db, execute, onlyValue, sql } from '../engine/database.ts'
import { updateCounts } from './dataset-counts.ts'
import { type Merge, type Merged, markTouched } from './merge.ts'
import { columnNames, recordColumns } from './stage.ts'

export const mergeParcels = async (tx: Db, merge: Merge): Promise<Merged & { rejected: number }> => {
  await findTargets(tx, merge)
  const rejected = await rejectSecondRows(tx, merge)
  return updateCounts(tx, 'parcels', merge, async () => {
    const updated = await updateParcels(tx, merge)
    const inserted = await insertParcels(tx, merge)
    await keepOutlines(tx, merge)
    return { inserted, updated, rejected }
  })
}

/**
 * Finds the property of each row by parcel number, by id, or by address: of a home known only through a listing, and where the row or
 * the property has no parcel number. Address points thus give their coordinates to the parcel at that address, in either order.
 */
const findTargets = async (tx: Db, { stage }: Merge): Promise<void> => {
  await execute(tx)`
    create unlogged table ${stage.target} as
    select s.n, s.market, coalesce(a.id, i.id, l.id) as property_id,
      case when a.id is not null then 1 when i.id is not null then 2 else 3 end as match_rank
    from ${stage.rows} s
    left join property a on a.market = s.market and a.apn_key = s.apn_key
    left join property i on a.id is null and i.market = s.market and i.id = s.id
    left join (
      select p.market, p.city_slug, p.address_key, min(p.id) as id, min(p.apn_key) as apn_key, min(p.known_from) as known_from
      from (
        select market, city_slug, address_key from ${stage.rows} group by market, city_slug, address_key having count(*) = 1) o
      join property p on p.market = o.market and p.city_slug = o.city_slug and p.address_key = o.address_key
      where p.removed_at is null
      group by 1, 2, 3 having count(*) = 1
    ) l on a.id is null and i.id is null and l.market = s.market and l.city_slug = s.city_slug and l.address_key = s.address_key
      and (l.apn_key is null or s.apn_key is null or (l.known_from = 'listing' and l.apn_key = s.apn_key))
    where coalesce(a.id, i.id, l.id) is not null`
  await execute(tx)`alter table ${stage.target} add primary key (n)`
  await execute(tx)`analyze ${stage.target}`
}

/** A row with a parcel number and one without may describe the same parcel. The row with the better match is kept. */
const rejectSecondRows = (tx: Db, { runId, stage }: Merge) =>
  onlyValue<number>(tx)`
    with ranked as (
      select n, row_number() over (partition by market, property_id order by match_rank, n) as choice from ${stage.target}),
    duplicates as (delete from ${stage.rows} s using ranked r where r.n = s.n and r.choice > 1 returning s.n, s.raw),
    kept as (
      insert into rejected_row (run_id, row_number, code, reason, raw)
      select ${runId}, n, 'duplicate', 'another row of this feed describes the same parcel', raw from duplicates on conflict do nothing)
    select count(*) from duplicates`

const identity = ['city', 'city_slug', 'address', 'address_key', 'source_record_id', 'source_url']
/** Part of the property's id, so they never change. */
const fixed = ['market', 'state']
const facts = columnNames(recordColumns.parcels).filter((name) => ![...fixed, ...identity, 'overlays'].includes(name))

/**
 * A parcel belongs to the source that loaded it first. Other sources only fill in missing values, until the first source no
 * longer contains the parcel. A value that is missing from a later feed is kept: otherwise two sources would overwrite each other
 * in every run.
 */
const updateParcels = async (tx: Db, merge: Merge): Promise<number> => {
  const { sourceId, now, stage } = merge
  const columns = [
    ...identity,
    ...facts,
    'overlays',
    'feed_overlays',
    'overlay_sources',
    'raw',
    'known_from',
    'source_id',
  ]
  const owned = `(p.source_id = o.id or p.known_from = 'listing' or p.removed_at is not null)`
  const value = (name: string) =>
    identity.includes(name)
      ? `case when ${owned} then coalesce(s.${name}, p.${name}) else p.${name} end`
      : `case when ${owned} then coalesce(s.${name}, p.${name}) else coalesce(p.${name}, s.${name}) end`
  const storedOverlays = 'coalesce(p.feed_overlays, p.overlays)'
  const feedOverlays = `case when ${owned} then ${storedOverlays} || s.overlays else s.overlays || ${storedOverlays} end`
  const values = [
    ...[...identity, ...facts].map((name) => `${value(name)} as ${name}`),
    // Where layers say something as well, "overlays" is what they and the feed say together: joinTouched computes it again.
    `case when p.feed_overlays is null then ${feedOverlays} else p.overlays end as overlays`,
    `case when p.feed_overlays is not null then ${feedOverlays} end as feed_overlays`,
    `case when ${owned} and s.slope_pct is not null then p.overlay_sources - 'slopePct' else p.overlay_sources end as overlay_sources`,
    `case when ${owned} then s.raw else p.raw end as raw`,
    `'parcel' as known_from`,
    `case when ${owned} then o.id else p.source_id end as source_id`,
  ].join(', ')
  return onlyValue<number>(tx)`
    with merged as (
      select p.market, p.id, ${sql.raw(values)} from ${stage.rows} s join ${stage.target} t on t.n = s.n
      join property p on p.market = t.market and p.id = t.property_id
      cross join (select ${sourceId}::text as id) o),
    done as (
      update property p set (${sql.raw(columns.join(', '))}, collected_at, updated_at)
        = row(${sql.raw(columns.map((name) => `m.${name}`).join(', '))}, ${now}::timestamptz, ${now}::timestamptz)
      from merged m where p.market = m.market and p.id = m.id
        and (${sql.raw(columns.map((name) => `p.${name}`).join(', '))}) is distinct from (${sql.raw(columns.map((name) => `m.${name}`).join(', '))})
      returning p.id as property_id, p.market),
    touched as (${markTouched(merge, 'select property_id, market from done')})
    select count(*) from done`
}

const insertParcels = async (tx: Db, merge: Merge): Promise<number> => {
  const { sourceId, now, stage } = merge
  const columns = [...fixed, ...identity, ...facts, 'overlays', 'raw']
  return onlyValue<number>(tx)`
    with done as (
      insert into property (id, known_from, source_id, collected_at, updated_at, ${sql.raw(columns.join(', '))})
      select s.id, 'parcel', ${sourceId}::text, ${now}::timestamptz, ${now}::timestamptz, ${sql.raw(columns.map((name) => `s.${name}`).join(', '))}
      from ${stage.rows} s left join ${stage.target} t on t.n = s.n where t.n is null
      returning id as property_id, market),
    touched as (${markTouched(merge, 'select property_id, market from done')})
    select count(*) from done`
}

/** An outline belongs to the source that owns the parcel. Another source provides one only where it has none. */
const keepOutlines = async (tx: Db, merge: Merge): Promise<void> => {
  const { sourceId, stage } = merge
  await execute(tx)`
    with done as (
    insert into parcel_outline (market, property_id, source_id, polygons, bounds)
    select s.market, coalesce(t.property_id, s.id), ${sourceId}::text, s.outline, s.bounds
    from ${stage.rows} s left join ${stage.target} t on t.n = s.n where s.outline is not null
    on conflict (market, property_id) do update set source_id = excluded.source_id, polygons = excluded.polygons, bounds = excluded.bounds
      where (parcel_outline.source_id = excluded.source_id or exists (select 1 from property p
          where p.market = excluded.market and p.id = excluded.property_id and p.source_id = excluded.source_id))
        and (parcel_outline.source_id <> excluded.source_id or parcel_outline.polygons::text <> excluded.polygons::text)
    returning property_id, market),
    touched as (${markTouched(merge, 'select property_id, market from done')})
    select 1`
}

/** Matches records that were loaded before their parcel. */
export const matchRecords = async (tx: Db, merge: Merge): Promise<void> => {
  const { changed } = merge.stage
  await execute(tx)`
    create unlogged table ${changed} as
    select p.market, p.id, p.apn_key, p.city_slug, p.address_key from property p
    join touched_property t on t.market = p.market and t.property_id = p.id
    where t.market = any(${merge.markets}) and t.touched_at = ${merge.touchedAt}`
  await execute(tx)`alter table ${changed} add primary key (market, id)`
  await execute(tx)`analyze ${changed}`
  for (const table of ['permit', 'sale'])
    await execute(tx)`
      with done as (
        update ${sql.raw(table)} r set property_id = f.id, match_method = 'apn', match_confidence = 'high' from ${changed} f
        where r.market = f.market and r.apn_key = f.apn_key and (r.property_id is distinct from f.id or r.match_method <> 'apn')
        returning r.property_id, r.market),
      touched as (${markTouched(merge, 'select property_id, market from done')})
      select 1`
  await execute(tx)`
    with moved as (
      select l.market, l.source_id, l.listing_id, l.property_id as old_property, f.id
      from listing l join ${changed} f on f.market = l.market and f.apn_key = l.apn_key
      join property p on p.market = f.market and p.id = f.id and p.known_from = 'parcel'
      where l.property_id <> f.id or l.match_method <> 'apn'),
    done as (
      update listing l set property_id = m.id, match_method = 'apn', match_confidence = 'high', current = l.current and m.old_property = m.id
      from moved m where l.market = m.market and l.source_id = m.source_id and l.listing_id = m.listing_id
      returning l.property_id, l.market, m.old_property),
    touched as (${markTouched(merge, 'select property_id, market from done union all select old_property, market from done')})
    select 1`
  // Materialized: where statistics say that every record has a property, the planner would repeat this for each one without.
  for (const table of ['permit', 'sale'])
    await execute(tx)`
      with lone as materialized (
        select p.market, p.city_slug, p.address_key, min(p.id) as id
        from (select distinct market, city_slug, address_key from ${changed}) f
        join property p on p.market = f.market and p.city_slug = f.city_slug and p.address_key = f.address_key
        where p.removed_at is null
        group by 1, 2, 3 having count(*) = 1),
      done as (
        update ${sql.raw(table)} r set property_id = l.id, match_method = 'address',
          match_confidence = case when r.apn_key is null then 'medium' else 'low' end
        from lone l where r.property_id is null and r.market = l.market and r.city_slug = l.city_slug
          and r.address_key = l.address_key
        returning r.property_id, r.market),
      touched as (${markTouched(merge, 'select property_id, market from done')})
      select 1`
  await execute(tx)`
    update listing l set match_method = 'address', match_confidence = case when l.apn_key is null then 'medium' else 'low' end
    from ${changed} f join property p on p.market = f.market and p.id = f.id and p.known_from = 'parcel' and p.removed_at is null
    where l.market = f.market and l.property_id = f.id and l.match_method = 'none' and l.city_slug = f.city_slug
      and l.address_key = f.address_key`
}
