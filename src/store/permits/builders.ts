// Builders: their names, kept by each load of permits, and their figures, counted from permits when asked.
import { hash } from 'node:crypto'
import type { PermitClass } from '../../domain/facts.ts'
import { marketIds } from '../../domain/packs/markets.ts'
import { type BuilderName, builderIds, fewestBuilderPermits, type KnownBuilder } from '../../wire/builders.ts'
import { notifyData } from '../assessments/assessments.ts'
import { recordset } from '../engine/columns.ts'
import { type Db, execute, rowsOf, sql } from '../engine/database.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { visibleSince } from '../permit-search/conditions.ts'
import type { Sql } from '../search/compile.ts'

/**
 * The names that permits with these keys (market, city_slug, permit_id) give to builders or take from them, before their search rows
 * are written: new names, names with a new license, and former names. The daily recount finds what is left: how many permits a known
 * name has, its most frequent spelling, and licenses it no longer has.
 */
export const changedNames = (tx: Db, keys: Sql) =>
  rowsOf<{ market: string; name: string }>(tx)`
    select distinct p.market, n.name
    from permit p join (${keys}) k using (market, city_slug, permit_id) left join permit_search s using (market, city_slug, permit_id)
    left join builder b on b.market = p.market and b.name_key = p.contractor_key
    cross join lateral (values (p.contractor_key), (s.builder_key)) n (name)
    where n.name is not null and (b.name_key is null
      or (p.contractor_license is not null and p.contractor_license <> all(b.licenses))
      or (s.builder_key is not null and s.builder_key is distinct from p.contractor_key))`

/** Finds the builders of a market again. With `changed`, these names and those that have a license in common with them. */
export const indexBuilders = async (tx: Db, market: string, changed?: readonly string[]): Promise<void> => {
  if (changed?.length === 0) return
  const among = (column: string) => (changed ? sql`and ${sql.ref(column)} = any(${changed}::text[])` : sql``)
  const names = await rowsOf<BuilderName>(tx)`
    select contractor_key as name_key, mode() within group (order by contractor) as name, count(*) as permits,
      coalesce(array_agg(distinct contractor_license) filter (where contractor_license is not null), '{}') as licenses
    from permit where market = ${market} and contractor_key is not null
      and ${
        changed
          ? sql`(market, city_slug, permit_id) in (
              select market, city_slug, permit_id from permit_search where market = ${market} ${among('builder_key')})`
          : sql`true`
      }
    group by contractor_key`
  const known = await rowsOf<BuilderName & KnownBuilder & { unused: boolean }>(tx)`
    select name_key, builder_id, name, licenses, permits, hidden, hidden and not exists (
      select 1 from permit_search p where p.market = b.market and p.builder_key = b.name_key) as unused
    from builder b where market = ${market} and ${
      changed
        ? sql`builder_id in (select builder_id from builder where market = ${market}
            and (name_key = any(${changed}::text[]) or licenses && ${names.flatMap(({ licenses }) => licenses)}::text[]))`
        : sql`true`
    }`
  const recounted = new Set(changed)
  const others = changed ? known.filter(({ nameKey, unused }) => !unused && !recounted.has(nameKey)) : []
  const newId = (key: string) => `${market}-${hash('sha256', `${market}|${key}`).slice(0, 12)}`
  const rows = builderIds([...names, ...others], known, newId)
  // A hidden name stays hidden when its permits are removed and loaded again.
  await execute(tx)`
    delete from builder where market = ${market} and not hidden and name_key <> all(${names.map(({ nameKey }) => nameKey)}::text[])
      ${among('name_key')}`
  await execute(tx)`
    insert into builder as b (market, name_key, ${columns})
    select ${market}, x.name_key, x.builder_id, x.name, x.licenses, x.permits, x.hidden
    from ${recordset(
      'builder',
      rows.map(({ name, ...row }) => ({ ...row, name: name.split(/\s{2,}/)[0] })),
    )} x
    on conflict (market, name_key) do update set (${columns}) = row(${excluded})
      where (b.builder_id, b.name, b.licenses, b.permits, b.hidden) is distinct from (${excluded})`
}
const columns = sql.raw('builder_id, name, licenses, permits, hidden')
const excluded = sql.raw('excluded.builder_id, excluded.name, excluded.licenses, excluded.permits, excluded.hidden')

/** An id begins with its market. */
export const marketOfBuilder = (id: string): string | undefined =>
  marketIds().find((market) => id.startsWith(`${market}-`) && /^[0-9a-f]{12}$/.test(id.slice(market.length + 1)))

/** Returns how many names are hidden or shown again. */
export const hideBuilder = async (db: Db, id: string, hidden: boolean): Promise<number> => {
  const market = marketOfBuilder(id)
  if (!market) return 0
  const changed = await execute(groupOf(db, market))`
    update builder set hidden = ${hidden} where market = ${market} and builder_id = ${id}`
  await notifyData(db, market)
  return changed
}

export interface BuilderQuestion {
  market: string
  /** One builder. */
  id?: string | undefined
  citySlug?: string | undefined
  classes?: readonly string[] | undefined
  /** A part of a name, or a license. */
  q?: string | undefined
  /** Start of the last 12 months. */
  yearFrom: string
  /** Start of the history window: figures are those of permits within it. */
  since?: string | undefined
  sort: 'permits12m' | 'permits' | 'valuation' | 'units12m' | 'lastIssued'
}

export interface BuilderRow {
  builderId: string
  permits: number
  permits12m: number
  units12m: number | null
  valuation: number | null
  finaled: number
  lastIssued: string | null
  names: string[]
  licenses: string[] | null
  cities: string[]
  classes: PermitClass[]
}

const ofPlaceAndClass = ({ citySlug, classes }: Pick<BuilderQuestion, 'citySlug' | 'classes'>) => sql`
  ${citySlug === undefined ? sql`` : sql`and p.city_slug = ${citySlug}`}
  ${classes === undefined ? sql`` : sql`and p.permit_class = any(${classes}::text[])`}`

/** The cities or classes of each builder of the page, from the permits of those builders. */
const mostFirst = (name: 'cities' | 'classes', column: 'city_slug' | 'permit_class') => sql`
  ${sql.ref(`${name}_of`)} as (
    select builder_id, array_agg(${sql.ref(column)} order by n desc, ${sql.ref(column)}) as ${sql.ref(name)}
    from (select builder_id, ${sql.ref(column)}, count(*) as n from p where builder_id in (select builder_id from page) group by 1, 2) x
    group by 1)`

export const buildersOf = async (db: Db, question: BuilderQuestion, page: { limit: number; offset: number }) => {
  const { market, id, q, yearFrom, since, sort } = question
  const visible = since === undefined ? sql`` : sql`and ${visibleSince(since)}`
  // A name that only withheld permits have is withheld too.
  const named =
    since === undefined
      ? sql``
      : sql`and exists (select 1 from permit_search where market = n.market and builder_key = n.name_key
          and issued_on is not null ${visible})`
  const column = sql.ref(sort === 'lastIssued' ? 'last_issued' : sort)
  // The order must not show sums that are not served.
  const order =
    sort === 'valuation' || sort === 'units12m'
      ? sql`case when permits >= ${fewestBuilderPermits}::int then ${column} end desc nulls last, permits desc, builder_id`
      : sql`${column} desc nulls last, permits desc, builder_id`
  const rows = await rowsOf<{ [Name in keyof BuilderRow]: BuilderRow[Name] | null } & { total: number }>(
    groupOf(db, market),
  )`
    with p as not materialized (
      select b.builder_id, p.city_slug, p.permit_class, p.issued_on, p.finaled_on, p.units, p.valuation_usd
      from builder b join permit_search p on p.market = b.market and p.builder_key = b.name_key
      where b.market = ${market} and not b.hidden and p.issued_on is not null
        ${id === undefined ? sql`` : sql`and b.builder_id = ${id}`}
        ${visible} ${ofPlaceAndClass(question)}
        ${
          q === undefined
            ? sql``
            : sql`and b.builder_id in (select n.builder_id from builder n where n.market = ${market} ${named}
                and (position(lower(${q}) in lower(n.name)) > 0 or upper(${q}) = any(n.licenses)))`
        }),
    counted as (
      select builder_id, count(*) as permits, count(*) filter (where issued_on >= ${yearFrom}::date) as permits12m,
        sum(units) filter (where issued_on >= ${yearFrom}::date) as units12m, sum(valuation_usd) as valuation,
        count(finaled_on) as finaled, max(issued_on) as last_issued
      from p group by builder_id),
    page as (
      select * from counted order by ${order}
      limit ${page.limit} offset ${page.offset}),
    ${mostFirst('cities', 'city_slug')}, ${mostFirst('classes', 'permit_class')}
    select page.*, cities, classes, (select count(*) from counted) as total,
      (select array_agg(n.name order by n.permits desc, n.name) from builder n
        where n.market = ${market} and n.builder_id = page.builder_id ${named}) as names,
      (select array_agg(distinct l) from builder n, unnest(n.licenses) l
        where n.market = ${market} and n.builder_id = page.builder_id ${named}) as licenses
    from (select 1) one left join page on true left join cities_of using (builder_id) left join classes_of using (builder_id)
    order by ${order}`
  // A page after the last one has no rows, and the same total.
  return {
    rows: rows.filter((row): row is BuilderRow & { total: number } => row.builderId !== null),
    total: rows[0]!.total,
  }
}

/** Days from issue to the final inspection. An open permit counts to the newest date of its market. */
export const builderDays = (
  db: Db,
  { market, ...place }: Pick<BuilderQuestion, 'market' | 'citySlug' | 'classes'>,
  ids: readonly string[],
) =>
  rowsOf<{ builderId: string; days: number; ended: number; open: number }>(groupOf(db, market))`
    with p as (
      select b.builder_id, p.issued_on, p.finaled_on from builder b
      join permit_search p on p.market = b.market and p.builder_key = b.name_key
      where b.market = ${market} and b.builder_id = any(${ids}::text[]) and p.issued_on is not null
        ${ofPlaceAndClass(place)}),
    latest as (
      select greatest((select max(issued_on) from permit_search where market = ${market}),
        (select max(finaled_on) from permit_search where market = ${market})) as day)
    select builder_id, coalesce(finaled_on, day) - issued_on as days, count(finaled_on) as ended,
      count(*) - count(finaled_on) as open
    from p, latest where coalesce(finaled_on, day) >= issued_on group by 1, 2`
