// The leads behind the agent tools, read from the assessments.
import { type Db, sql, withoutNulls } from './database.ts'

export interface Page {
  limit: number
  offset: number
}

export interface Sb9Filter {
  statuses: readonly string[]
  minUnits?: number
  excludeBlockers?: boolean
  citySlug?: string
}

export interface LeadRow {
  id: string
  address: string
  city: string
  price?: number
  lotSize?: number
  zoning?: string
  finding: Record<string, unknown>
}

const market = 'sf-peninsula'

const sb9Chosen = (filter: Sb9Filter) => sql`
  from listing l join assessment a on a.market = l.market and a.property_id = l.property_id
  where l.market = ${market} and l.current and l.status in ('active', 'coming_soon', 'pending')
    and a.sb9_status = any(${filter.statuses as string[]})
    ${filter.minUnits !== undefined ? sql`and a.sb9_max_units >= ${filter.minUnits}` : sql``}
    ${filter.excludeBlockers ? sql`and a.sb9_blocked is not true` : sql``}
    ${filter.citySlug !== undefined ? sql`and l.city_slug = ${filter.citySlug}` : sql``}`

export const sb9Page = async (db: Db, filter: Sb9Filter, page: Page): Promise<{ rows: LeadRow[]; total: number }> => {
  const counting = count(db, sb9Chosen(filter))
  const choosing = sql<LeadRow>`
    with page as (
      select l.property_id, l.price_usd, l.lot_sqft, a.sb9_status, a.sb9_max_units ${sb9Chosen(filter)}
      order by array_position(array['eligible', 'likely', 'blocked'], a.sb9_status), a.sb9_max_units desc nulls last,
        l.property_id
      limit ${page.limit} offset ${page.offset}
    )
    select p.id, p.address, p.city, page.price_usd as price, coalesce(page.lot_sqft, p.lot_sqft) as lot_size, p.zoning,
      a.sb9 as finding
    from page join property p on p.id = page.property_id join assessment a on a.property_id = page.property_id
    order by array_position(array['eligible', 'likely', 'blocked'], page.sb9_status), page.sb9_max_units desc nulls last,
      p.id`.execute(db)
  const [total, { rows }] = await Promise.all([counting, choosing])
  return { rows: rows.map(withoutNulls) as LeadRow[], total }
}

export interface ScoredFilter {
  minScore: number
  class?: string
  excludeBlockers?: boolean
  citySlug?: string
}

export const aduPage = (db: Db, filter: ScoredFilter, page: Page) => scoredPage(db, 'adu', filter, page)

export const redevelopmentPage = (db: Db, filter: ScoredFilter, page: Page) =>
  scoredPage(db, 'redevelopment', filter, page)

/** Few parcels are. They are read once, so that the order of scores still comes from its index. */
const gone = sql`(select id from property where gone_at is not null)`

const scoredPage = async (
  db: Db,
  kind: 'adu' | 'redevelopment',
  filter: ScoredFilter,
  page: Page,
): Promise<{ rows: LeadRow[]; total: number }> => {
  const score = sql.ref(`${kind}_score`)
  const chosen = sql`
    from assessment
    where market = ${market} and ${score} >= ${filter.minScore}
      ${filter.class ? sql`and redevelopment_class = ${filter.class}` : sql``}
      ${filter.excludeBlockers ? sql`and not coalesce(${sql.ref(`${kind}_blocked`)}, false)` : sql``}
      ${filter.citySlug !== undefined ? sql`and city_slug = ${filter.citySlug}` : sql``}`
  // Looking up the few is half the work of asking each of the many.
  const total = (await count(db, chosen)) - (await count(db, sql`${chosen} and property_id in ${gone}`))
  const { rows } = await sql<LeadRow>`
    with page as (
      select property_id, ${score} as score, ${sql.ref(kind)} as finding ${chosen} and property_id not in ${gone}
      order by ${score} desc, property_id limit ${page.limit} offset ${page.offset}
    )
    select p.id, p.address, p.city, p.lot_sqft as lot_size, p.zoning, page.finding
    from page join property p on p.id = page.property_id
    order by page.score desc, p.id`.execute(db)
  return { rows: rows.map(withoutNulls) as LeadRow[], total }
}

const count = async (db: Db, chosen: ReturnType<typeof sql>): Promise<number> => {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${chosen}`.execute(db)
  return rows[0]!.total
}
