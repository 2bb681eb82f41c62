// Permits as they are served: one page of a search, one permit, and the permits of a property.

import type { Condition } from '../../criteria/conditions.ts'
import type { MarketId } from '../../domain/facts.ts'
import { marketsOfCity } from '../../domain/packs/markets.ts'
import { marketOfProperty } from '../../domain/property-id.ts'
import { countLimit, type FunnelStep } from '../../wire/pagination.ts'
import { columnsOf, type RowOf } from '../engine/columns.ts'
import { copiedRows } from '../engine/copy-rows.ts'
import { type Db, type Known, knownRows, prepared, rowsOf, sql } from '../engine/database.ts'
import type { PermitTable } from '../engine/schema.ts'
import { askEachGroup, askGroups, groupOf, groupOfAll, type Positioned } from '../engine/shard-groups.ts'
import { cityPattern, permitColumns } from '../permit-search/columns.ts'
import { matching } from '../permit-search/conditions.ts'
import { type PermitCity, type PermitFilter, questionOf } from '../permit-search/question.ts'
import {
  countMatches,
  findPermits,
  findSortedPermits,
  orderedMatches,
  type PermitKey,
} from '../permit-search/search.ts'
import { isHiddenSale } from '../properties/listing-status.ts'
import type { Sourced } from '../properties/source-columns.ts'
import { funnelOfGroups, matchesOf } from '../search/paging.ts'

export type { PermitFilter, PermitPosition } from '../permit-search/question.ts'

const ofPermit = columnsOf<PermitTable>()(
  'permitId city citySlug address projectType description sqft units contractor architect appliedOn issuedOn finaledOn status',
  'permitClass classWords otherAddresses lat lng collectedAt removedAt',
)

export type PermitRow = Known<
  RowOf<typeof ofPermit> &
    Pick<PermitTable, 'propertyId'> &
    Sourced & { valuation: PermitTable['valuationUsd']; builderId: string | null }
>

/** Newest first, or by `sort`; counted up to `countCap`. Every word must be in at least one of the six searchable fields. */
export const permitPage = async (
  from: Db,
  filter: PermitFilter,
  page: { limit: number; offset: number },
  countCap: number = countLimit,
) => {
  const db = groupOfAll(from, filter.markets ?? [])
  const cities = await citiesOf(db, filter)
  if (cities?.length === 0) return { rows: [], total: 0, truncated: false, notIssued: 0 }
  const question = questionOf(filter, cities)
  // A date of issue leaves them out by itself.
  const hasDates = filter.issuedFrom !== undefined || filter.issuedTo !== undefined
  const countNotIssued = async () => (hasDates ? 0 : countMatches(db, { ...question, issued: false }, countLimit))
  const { sort, point } = filter
  const [{ keys, total, truncated }, notIssued] = await Promise.all([
    sort
      ? findSortedPermits(db, question, { ...page, after: filter.afterSorted }, { sort, point }, countCap)
      : findPermits(db, question, { ...page, after: filter.after }, countCap),
    countNotIssued(),
  ])
  return {
    rows: await permitsByKey(db, keys, filter.since),
    /** For the cursor of a sorted page, in the order of the rows. */
    positions: sort && keys.map(({ position }) => position),
    /** Counted up to `countLimit`; then `truncated` is true. */
    total,
    truncated,
    /** How many are not issued, of all that meet the other conditions. */
    notIssued: Math.min(notIssued, countLimit),
  }
}

/** All permits of a search in its order, or without one in that of their keys, read by one statement of the transaction. */
export async function* allPermits(tx: Db, filter: PermitFilter): AsyncGenerator<PermitRow[]> {
  const cities = await citiesOf(tx, filter)
  if (cities?.length === 0) return
  const { matches, order } = orderedMatches(questionOf(filter, cities), filter)
  yield* copiedRows(
    tx,
    sql<PermitRow>`
      select ${columnsFor(filter.since)} from ${matches}
      join permit p on p.market = k.market and p.city_slug = k.city_slug and p.permit_id = k.permit_id
      ${sourceAndBuilder}
      order by ${order}`,
  )
}

/** All matches, or up to the cap and one more. */
export const countPermits = async (from: Db, filter: PermitFilter, cap: number): Promise<number> => {
  const db = groupOfAll(from, filter.markets ?? [])
  const cities = await citiesOf(db, filter)
  return cities?.length === 0 ? 0 : countMatches(db, questionOf(filter, cities), cap)
}

/** How many permits remain after each condition. `filterOf`: the filter of some of the conditions. */
export const permitFunnel = async (
  db: Db,
  conditions: readonly Condition[],
  markets: readonly MarketId[],
  filterOf: (conditions: readonly Condition[]) => PermitFilter,
): Promise<FunnelStep[]> => {
  const city = conditions.find((condition) => condition.type === 'cityPart')
  const cities = city && (await permitCities(db, city.parts))
  // Whether permits are issued is part of every list of permits.
  const always = conditions.filter(({ type }) => type === 'issued')
  const steps = { markets, conditions: conditions.filter((condition) => !always.includes(condition)) }
  return funnelOfGroups(db, steps, (groupMarkets, met, lacking) => {
    const filter = filterOf([...always, ...met])
    const question = questionOf({ ...filter, markets: groupMarkets }, filter.city === undefined ? undefined : cities)
    return matchesOf({ from: sql`permit_search`, base: [matching(question)], columns: permitColumns }, [], lacking)
  })
}

const columnsFor = (since: string | undefined) => sql`
  ${ofPermit('p', 'named')}, p.valuation_usd as valuation, b.builder_id as "builderId", ${visiblePropertyId(since)} as "propertyId",
  s.id as "sourceId", s.title as "sourceTitle", s.license, s.sample, s.kind as "sourceKind", s.config->'uses' as "sourceUses",
  coalesce(p.source_url, s.url) as "sourceUrl"`

const sourceAndBuilder = sql.raw(`join source s on s.id = p.source_id
  left join builder b on b.market = p.market and b.name_key = p.contractor_key and not b.hidden`)

/** A home known only through a sale before the history window does not exist for the caller. */
const visiblePropertyId = (since: string | undefined) =>
  since === undefined
    ? sql`p.property_id`
    : sql`case when not exists (
        select 1 from property h join listing l on l.market = h.market and l.property_id = h.id and l.current
        where h.market = p.market and h.id = p.property_id and h.known_from = 'listing' and ${isHiddenSale('l', since)})
      then p.property_id end`

/** Returns the permits in the order of the keys. */
const permitsByKey = (db: Db, from: readonly PermitKey[], since?: string): Promise<PermitRow[]> =>
  askGroups(
    db,
    from,
    ['market', 'citySlug', 'permitId'],
    (group, k) => knownRows<PermitRow & Positioned>(group)`${prepared}
    select k.key_order, ${columnsFor(since)}
    from ${k} join permit p on p.market = k.market and p.city_slug = k.city_slug and p.permit_id = k.permit_id
    ${sourceAndBuilder}`,
  )

const citiesOf = async (db: Db, { city }: PermitFilter) =>
  city === undefined ? undefined : permitCities(db, city.split(','))

/** The cities with permits that have one of these slugs or whose name contains one of the parts. */
export const permitCities = async (db: Db, parts: readonly string[]): Promise<PermitCity[]> => {
  const patterns = parts.map((part) => cityPattern(part.trim().toLowerCase()))
  return rowsOf<PermitCity>(db)`${prepared}
    select market, city_slug from permit_city where lower(city) like any(${patterns}::text[]) or city_slug like any(${patterns}::text[])`
}

export const permitById = async (
  db: Db,
  citySlug: string,
  permitId: string,
  { issued, since }: { issued?: boolean | undefined; since?: string | undefined },
): Promise<PermitRow | undefined> => {
  const rows = await askEachGroup(
    db,
    marketsOfCity(citySlug),
    (group, markets) =>
      knownRows<PermitRow>(group)`
    select ${columnsFor(since)} from permit p ${sourceAndBuilder}
    where p.market = any(${markets}::text[]) and p.city_slug = ${citySlug} and p.permit_id = ${permitId}
      and (${issued ?? null}::bool is null or (p.issued_on is not null) = ${issued ?? null})
      and (${since ?? null}::date is null or coalesce(p.issued_on, p.applied_on) >= ${since ?? null})`,
  )
  return rows.flat()[0]
}

/**
 * Permits in every stage, issued or not, for the property's timeline. Includes permits that name the property as a further address,
 * if no other property has that address. Such a permit is matched to one property only, so scores and counts use it once.
 */
export const permitsOfProperty = async (db: Db, propertyId: string, issuedSince?: string): Promise<PermitRow[]> => {
  const market = marketOfProperty(propertyId)
  if (!market) return []
  return knownRows<PermitRow>(groupOf(db, market))`
    with found as (
      select city_slug, permit_id from permit where market = ${market} and property_id = ${propertyId}
      union
      select o.city_slug, o.permit_id from property h
      join permit o on o.market = h.market and o.city_slug = h.city_slug and o.other_address_keys @> array[h.address_key]
      where h.market = ${market} and h.id = ${propertyId} and not exists (
        select 1 from property same where same.market = h.market and same.city_slug = h.city_slug
          and same.address_key = h.address_key and same.id <> h.id and same.removed_at is null))
    select ${columnsFor(undefined)} from found
    join permit p on p.market = ${market} and p.city_slug = found.city_slug and p.permit_id = found.permit_id
    ${sourceAndBuilder}
    where (${issuedSince ?? null}::date is null or coalesce(p.issued_on, p.applied_on) >= ${issuedSince ?? null})
    order by coalesce(p.issued_on, p.applied_on) desc nulls last, p.permit_id limit 200`
}
