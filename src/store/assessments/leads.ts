// Leads: scored properties, read from the assessments.
import type { AduFinding } from '../../contract/adu.ts'
import type { MarketId } from '../../contract/facts.ts'
import { leadCountCap } from '../../contract/operations/leads.ts'
import type { RedevelopmentClass, RedevelopmentFinding } from '../../contract/redevelopment.ts'
import { type Sb9Finding, type Sb9Status, sb9Statuses } from '../../contract/sb9.ts'
import { type Db, type Known, sql, withoutNulls } from '../engine/database.ts'
import type { ListingTable, PropertyTable } from '../engine/schema.ts'
import { homeColumns } from '../properties/home-columns.ts'
import { onMarket } from '../properties/listing-status.ts'

export interface Page {
  limit: number
  offset: number
}

export interface Sb9Filter {
  market: MarketId
  statuses: readonly Sb9Status[]
  minUnits?: number
  excludeBlockers?: boolean
  citySlug?: string
}

export type LeadRow<Finding> = Known<
  Pick<PropertyTable, 'id' | 'address' | 'city' | 'lotSqft' | 'zoning'> & { price: ListingTable['priceUsd'] }
> & { finding: Finding }

export interface LeadPage<Finding> {
  rows: LeadRow<Finding>[]
  /** Matching rows on all pages, counted up to `leadCountCap`. */
  total: number
  /** True when more rows match than were counted. */
  totalCapped: boolean
}

/** Reads the index once per status: the first `limit + offset` rows of each status contain the page. */
export const sb9Page = (db: Db, filter: Sb9Filter, { limit, offset }: Page): Promise<LeadPage<Sb9Finding>> => {
  const matching = sql`
    from listing
    where market = ${filter.market} and current and ${onMarket('status')}
      ${filter.minUnits !== undefined ? sql`and sb9_max_units >= ${filter.minUnits}` : sql``}
      ${filter.excludeBlockers ? sql`and sb9_blocked is not true` : sql``}
      ${filter.citySlug !== undefined ? sql`and city_slug = ${filter.citySlug}` : sql``}`
  const statuses = sb9Statuses.filter((status) => filter.statuses.includes(status))
  if (statuses.length === 0) return Promise.resolve({ rows: [], total: 0, totalCapped: false })
  const first = statuses.map(
    (status, at) => sql`(
      select ${at}::int as status_order, sb9_max_units, property_id, price_usd ${matching} and sb9_status = ${status}
      order by sb9_max_units desc nulls last, property_id limit ${limit + offset})`,
  )
  return pageOf(
    db,
    sql`${matching} and sb9_status = any(${statuses}::text[])`,
    sql`
      select row_number() over (order by page.status_order, page.sb9_max_units desc nulls last, p.id) as row_order, p.id, p.address, p.city, page.price_usd as price,
        ${homeColumns}, p.zoning, a.sb9 as finding
      from (
        select * from (${sql.join(first, sql` union all `)}) f
        order by status_order, sb9_max_units desc nulls last, property_id limit ${limit} offset ${offset}) page
      join property p on p.market = ${filter.market} and p.id = page.property_id
      join listing l on l.market = p.market and l.property_id = p.id and l.current
      join assessment a on a.market = p.market and a.property_id = p.id`,
  )
}

export interface ScoredFilter {
  market: MarketId
  minScore: number
  class?: RedevelopmentClass
  excludeBlockers?: boolean
  citySlug?: string
}

export const aduPage = (db: Db, filter: Omit<ScoredFilter, 'class'>, page: Page) =>
  scoredPage<AduFinding>(db, 'adu', filter, page)

export const redevelopmentPage = (db: Db, filter: ScoredFilter, page: Page) =>
  scoredPage<RedevelopmentFinding>(db, 'redevelopment', filter, page)

const scoredPage = <Finding>(
  db: Db,
  kind: 'adu' | 'redevelopment',
  filter: ScoredFilter,
  { limit, offset }: Page,
): Promise<LeadPage<Finding>> => {
  const score = sql.ref(`${kind}_score`)
  const matching = sql`
    from assessment
    where market = ${filter.market} and ${score} >= ${filter.minScore}
      ${filter.class ? sql`and redevelopment_class = ${filter.class}` : sql``}
      ${filter.excludeBlockers ? sql`and not coalesce(${sql.ref(`${kind}_blocked`)}, false)` : sql``}
      ${filter.citySlug !== undefined ? sql`and city_slug = ${filter.citySlug}` : sql``}
      and not exists (
        select from property
        where property.market = ${filter.market} and property.id = assessment.property_id and property.removed_at is not null)`
  return pageOf(
    db,
    matching,
    sql`
      select row_number() over (order by page.score desc, p.id) as row_order, p.id, p.address, p.city,
        ${sql.ref(`a.${kind}`)} as finding
      from (
        select property_id, ${score} as score ${matching}
        order by ${score} desc, property_id limit ${limit} offset ${offset}) page
      join property p on p.market = ${filter.market} and p.id = page.property_id
      join assessment a on a.market = ${filter.market} and a.property_id = page.property_id`,
  )
}

/** Counts up to the cap and reads the page in one statement, so that both describe the same snapshot. */
const pageOf = async <Finding>(
  db: Db,
  matching: ReturnType<typeof sql>,
  page: ReturnType<typeof sql>,
): Promise<LeadPage<Finding>> => {
  const { rows } = await sql<{ total: number; rowOrder: number } & LeadRow<Finding>>`
    select counted.total, page.*
    from (select count(*) as total from (select 1 ${matching} limit ${leadCountCap + 1}) m) counted
    left join (${page}) page on true
    order by page.row_order`.execute(db)
  const counted = rows[0]!.total
  return {
    rows: rows
      .filter(({ id }) => id !== null)
      .map(({ total: _, rowOrder: __, ...row }) => withoutNulls(row) as LeadRow<Finding>),
    total: Math.min(counted, leadCountCap),
    totalCapped: counted > leadCountCap,
  }
}
