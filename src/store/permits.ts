// Permit search. Counting is capped and done first: with few matches the word index finds them and they are
// sorted; with many, the date index is walked until the page is full. Left to itself the planner picks wrongly.

import type { PermitClass, PermitStatus } from '../contract/facts.ts'
import { permitCountCap } from '../contract/operations/permits.ts'
import { type Db, inTransaction, sql, withoutNulls } from './database.ts'
import { likeEscaped } from './signals.ts'

export interface PermitFilter {
  /** Part of a city's name. */
  city?: string
  words?: readonly string[]
  minValuation?: number
  issuedFrom?: string
  issuedTo?: string
  /** Start after this permit, in list order. */
  after?: PermitPlace
}

/** A place in list order: newest first, then number, then city. */
export interface PermitPlace {
  issuedOn: string
  permitId: string
  citySlug: string
}

export interface PermitRow {
  permitId: string
  city: string
  citySlug: string
  address?: string
  projectType?: string
  description?: string
  valuation?: number
  sqft?: number
  contractor?: string
  architect?: string
  appliedOn?: string
  issuedOn?: string
  finaledOn?: string
  status: PermitStatus
  permitClass: PermitClass
  classWords: string[]
  propertyId?: string
  lat?: number
  lng?: number
  sourceId: string
  sourceTitle: string
  sourceUrl?: string
  licence?: string
  sample: boolean
  collectedAt: Date
}

/** With this many matches or fewer, sorting them is cheaper than walking the date index to find them. */
const sortable = 2_000

export const permitPage = async (
  db: Db,
  filter: PermitFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: PermitRow[]; total: number; truncated: boolean }> => {
  const citySlugs = filter.city === undefined ? undefined : await permitCities(db, filter.city)
  if (citySlugs?.length === 0) return { rows: [], total: 0, truncated: false }
  const matching = conditions({ ...filter, after: undefined }, citySlugs)
  const counted = await sql<{ total: number }>`
    select count(*) as total from (select 1 from permit where ${matching} limit ${permitCountCap + 1}) matched`.execute(
    db,
  )
  const total = counted.rows[0]!.total
  const page = sql`order by issued_on desc, permit_id, city_slug limit ${limit} offset ${offset}`
  const wanted = conditions(filter, citySlugs)
  const rows =
    total === 0
      ? []
      : total <= sortable
        ? await inFull(
            db,
            sql`
            with matched as materialized (select city_slug, permit_id, issued_on from permit where ${wanted})
            select city_slug, permit_id, issued_on from matched ${page}`,
          )
        : await inTransaction(db, async (tx) => {
            await sql`set local enable_bitmapscan = off`.execute(tx)
            await sql`set local enable_seqscan = off`.execute(tx)
            return inFull(tx, sql`select city_slug, permit_id, issued_on from permit where ${wanted} ${page}`)
          })
  return { rows, total: Math.min(total, permitCountCap), truncated: total > permitCountCap }
}

const conditions = (filter: PermitFilter, citySlugs: string[] | undefined) => {
  const parts = [sql`issued_on is not null`]
  if (citySlugs?.length === 1) parts.push(sql`city_slug = ${citySlugs[0]}`)
  else if (citySlugs) parts.push(sql`city_slug = any(${citySlugs})`)
  for (const word of filter.words ?? []) parts.push(sql`search like ${`%${likeEscaped(word.toLowerCase())}%`}`)
  if (filter.minValuation !== undefined) parts.push(sql`valuation_usd >= ${filter.minValuation}`)
  if (filter.issuedFrom) parts.push(sql`issued_on >= ${filter.issuedFrom}`)
  if (filter.issuedTo) parts.push(sql`issued_on <= ${filter.issuedTo}`)
  if (filter.after) {
    const { issuedOn, permitId, citySlug } = filter.after
    parts.push(sql`issued_on <= ${issuedOn}`)
    parts.push(sql`(issued_on < ${issuedOn} or (permit_id, city_slug) > (${permitId}, ${citySlug}))`)
  }
  return sql.join(parts, sql` and `)
}

const columns = sql`
  p.permit_id, p.city, p.city_slug, p.address, p.project_type, p.description, p.valuation_usd as valuation, p.sqft,
  p.contractor, p.architect, p.applied_on, p.issued_on, p.finaled_on, p.status, p.permit_class, p.class_words,
  p.property_id, p.lat, p.lng, s.id as source_id, s.title as source_title, s.licence, s.sample,
  coalesce(p.source_url, s.url) as source_url, p.collected_at`

const inFull = async (db: Db, page: ReturnType<typeof sql>): Promise<PermitRow[]> => {
  const { rows } = await sql<PermitRow>`
    with page as (${page})
    select ${columns} from page
    join permit p on p.city_slug = page.city_slug and p.permit_id = page.permit_id
    join source s on s.id = p.source_id
    order by page.issued_on desc, page.permit_id, page.city_slug`.execute(db)
  return rows.map(withoutNulls) as PermitRow[]
}

/** The slugs of the cities whose name holds `part`. Hops from city to city along the index: a few look-ups, not a scan. */
export const permitCities = async (db: Db, part: string): Promise<string[]> => {
  const { rows } = await sql<{ citySlug: string }>`
    with recursive hop as (
      (select city_slug, city from permit where issued_on is not null order by city_slug limit 1)
      union all
      select n.city_slug, n.city from hop, lateral (
        select city_slug, city from permit
        where issued_on is not null and city_slug > hop.city_slug order by city_slug limit 1) n
    )
    select city_slug from hop
    where lower(city) like ${`%${likeEscaped(part.toLowerCase())}%`} or city_slug like ${`%${likeEscaped(part.toLowerCase())}%`}`.execute(
    db,
  )
  return rows.map((row) => row.citySlug)
}

export const permitById = async (db: Db, citySlug: string, permitId: string): Promise<PermitRow | undefined> => {
  const { rows } = await sql<PermitRow>`
    select ${columns} from permit p join source s on s.id = p.source_id
    where p.city_slug = ${citySlug} and p.permit_id = ${permitId} and p.issued_on is not null`.execute(db)
  return rows[0] && (withoutNulls(rows[0]) as PermitRow)
}

/** Every stage, issued or not: the property's timeline. */
export const permitsOfProperty = async (db: Db, propertyId: string, issuedSince?: string): Promise<PermitRow[]> => {
  const { rows } = await sql<PermitRow>`
    select ${columns} from permit p join source s on s.id = p.source_id
    where p.property_id = ${propertyId}
      and (${issuedSince ?? null}::date is null or coalesce(p.issued_on, p.applied_on) >= ${issuedSince ?? null})
    order by coalesce(p.issued_on, p.applied_on) desc nulls last, p.permit_id limit 200`.execute(db)
  return rows.map(withoutNulls) as PermitRow[]
}
