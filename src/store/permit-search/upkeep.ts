// Updates the search table and the list of cities in the transaction that writes the permits.
import { comparedColumns } from '../engine/columns.ts'
import { anyRow, type Db, execute, inTransaction, rowsOf, sql, valuesOf } from '../engine/database.ts'
import type { PermitTable } from '../engine/schema.ts'
import { marketLock } from '../ingest/market-lock.ts'
import { indexBuilders } from '../permits/builders.ts'

const values = [
  'issued_on',
  'applied_on',
  'finaled_on',
  'valuation_usd',
  'units',
  'status',
  'permit_class',
  'contractor',
  'builder_key',
  'property_id',
  'zip',
  'location',
  'search',
]
/** The searched text of the permit `p`. Immutable functions only: a cluster cannot insert what another one computes. */
export const permitSearchText = sql`
  lower(coalesce(p.address, '') || case when p.other_addresses is null then '' else chr(10) || address_list(p.other_addresses) end
    || chr(10) || coalesce(p.project_type, '') || chr(10) || coalesce(p.description, '')
    || chr(10) || coalesce(p.contractor, '') || chr(10) || coalesce(p.architect, '') || chr(10) || p.permit_id)`

const manyRows = 1_000

const chosenBy = (keys: ReturnType<typeof sql> | undefined) =>
  keys ? sql`permit p join (${keys}) k using (market, city_slug, permit_id)` : sql`permit p`

const columns = (...names: string[]) => sql.raw(names.join(', '))

/**
 * Writes the permits that `keys` selects (market, city_slug, permit_id), or all permits, to the search table. Unchanged rows are not
 * written. New rows are written by year and city, so that the permits of a few years, and those of a city, are close together in the
 * table and in the index.
 */
export const indexPermits = async (tx: Db, keys?: ReturnType<typeof sql>): Promise<void> => {
  const chosen = chosenBy(keys)
  await execute(tx)`
    insert into permit_city (market, city_slug, city)
    select distinct on (market, city_slug) market, city_slug, p.city from ${chosen}
    on conflict do nothing`
  const isFirst = !(await anyRow(tx)`select 1 from permit_search limit 1`)
  const written = await execute(tx)`
    insert into permit_search as s (market, city_slug, permit_id, ${columns(...values)})
    with chosen as materialized (
      select market, city_slug, permit_id, p.city, p.issued_on, p.applied_on, p.finaled_on, p.valuation_usd, p.units, p.status,
        p.permit_class, p.contractor, p.contractor_key as builder_key, p.property_id,
        (select h.zip from ${parcel}) as zip,
        case when p.lat is not null and p.lng is not null then point(p.lng, p.lat) end as location,
        ${permitSearchText} as search
      from ${chosen})
    select market, city_slug, permit_id, ${columns(...values)} from chosen
    order by (issued_on - date '2000-01-01') / 365, city_slug, permit_class, issued_on
    on conflict (market, city_slug, permit_id) do update
      set (${columns(...values)}) = row(${columns(...values.map((name) => `excluded.${name}`))})
      where (${comparedColumns(values, 's')}) is distinct from (${comparedColumns(values, 'excluded')})`
  // The index grows to ten times its size while it is filled, so it is built again after a first load.
  if (isFirst && written >= manyRows) await execute(tx)`reindex index permit_search_words`
  // Otherwise every search reads the pending list of the index until autovacuum has merged it.
  else await execute(tx)`select gin_clean_pending_list(to_regclass('permit_search_words'))`
}

const parcel = sql`property h where h.market = p.market and h.id = p.property_id and h.known_from = 'parcel'`

/** Updates `property_id` and `zip` of the selected permits, or of all, after homes were loaded or removed. */
export const indexHomesOfPermits = async (tx: Db, keys?: ReturnType<typeof sql>): Promise<void> => {
  await execute(tx)`
    with chosen as materialized (
      select market, city_slug, permit_id, p.property_id, (select h.zip from ${parcel}) as zip from ${chosenBy(keys)})
    update permit_search s set property_id = c.property_id, zip = c.zip from chosen c
    where s.market = c.market and s.city_slug = c.city_slug and s.permit_id = c.permit_id
      and (s.property_id, s.zip) is distinct from (c.property_id, c.zip)`
}

/**
 * The same for a market, after the migration that adds the ZIP code. In parts: a statement for all permits could reach its time limit.
 * Under the lock of loads, whose newer homes must not be overwritten.
 */
export const indexHomesInParts = async (db: Db, market: string, permitsAtOnce = 20_000): Promise<void> => {
  let last: PermitKey | undefined = { citySlug: '', permitId: '' }
  while (last) last = await indexHomesAfter(db, market, last, permitsAtOnce)
}

type PermitKey = Pick<PermitTable, 'citySlug' | 'permitId'>

const indexHomesAfter = (db: Db, market: string, after: PermitKey, most: number): Promise<PermitKey | undefined> =>
  inTransaction(db, async (tx) => {
    await execute(tx)`select pg_advisory_xact_lock(${marketLock(market)})`
    const part = sql`select market, city_slug, permit_id from permit
      where market = ${market} and (city_slug, permit_id) > (${after.citySlug}, ${after.permitId}) order by city_slug, permit_id`
    await indexHomesOfPermits(tx, sql`${part} limit ${most}`)
    const [last] = await rowsOf<PermitKey>(tx)`${part} limit 1 offset ${most - 1}`
    return last
  })

/** Call this after permits were deleted; it also counts the builders again. A cascading foreign key would delete row by row and slow down every load. */
export const removeDeletedPermits = async (tx: Db): Promise<void> => {
  await execute(tx)`
    delete from permit_search s where not exists (
      select 1 from permit p
      where p.market = s.market and p.city_slug = s.city_slug and p.permit_id = s.permit_id)`
  await execute(tx)`
    delete from permit_city c where not exists (
      select 1 from permit_search s where s.market = c.market and s.city_slug = c.city_slug)`
  for (const market of await valuesOf<string>(tx)`select distinct market from builder`) await indexBuilders(tx, market)
}
