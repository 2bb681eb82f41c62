// Permit search. Matches are counted up to a cap: up to it the page is cut from them; beyond, the date index is walked
// until the page is full.
import type { PermitClass, PermitStatus } from '../../contract/facts.ts'
import { marketsOfCity } from '../../contract/markets.ts'
import { permitCountCap } from '../../contract/operations/permits.ts'
import { marketOfProperty } from '../../contract/property-id.ts'
import { type Db, sql, withoutNulls } from '../engine/database.ts'
import { countByBits, docsByBits } from '../permit-search/bits.ts'
import {
  type Asked,
  asRead,
  byRare,
  byTerms,
  type PermitFilter,
  planned,
  startingAfter,
} from '../permit-search/conditions.ts'
import { type Counted, countable, filterTerms, withRest } from '../permit-search/groups.ts'
import { cityTerm, type FoundWords, findWords, permitsOf } from '../permit-search/terms.ts'
import { likeEscaped } from '../properties/signals.ts'

export type { PermitFilter, PermitPlace } from '../permit-search/conditions.ts'

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
  license?: string
  sample: boolean
  collectedAt: Date
  /** When a complete feed first no longer contained it. */
  removedAt?: Date
}

export const permitPage = async (db: Db, filter: PermitFilter, page: Cut): Promise<PermitPage> => {
  const citySlugs = filter.city === undefined ? undefined : await permitCities(db, filter.city)
  if (citySlugs?.length === 0) return nothing
  const words = [...new Set(filter.words?.map((word) => word.toLowerCase()))]
  const asked = { ...filter, citySlugs, words }
  if (words.length === 0) return matchesCounted(db, asRead(asked), asked, page)
  const found = await findWords(db, words, filterTerms(asked))
  if (found.words.some(({ many, terms, shapes }) => !many && terms.length + shapes.length === 0)) return nothing
  const counted = countable(asked, found)
  if (counted?.exact) return pageByBits(db, asked, page, counted)
  // The planner takes all words for equally rare, so it is given one.
  const rarest = found.words.filter(({ many }) => !many).sort((a, b) => a.permits - b.permits)[0]
  if (rarest && rarest.permits < fetchedAtMost)
    return planned(db, 'by index', (tx) => matchesCounted(tx, byRare(asked, [rarest]), asked, page))
  if (counted) {
    if ((await countByBits(db, counted.groups, permitCountCap)) > permitCountCap) return capped(db, asked, page)
    // Where the rest of the search leaves few, they are fetched and read for the words that bits cannot tell.
    if (counted.sure.length > 0 && (await countByBits(db, counted.sure, fetchedAtMost)) <= fetchedAtMost) {
      const docs = await docsByBits(db, counted.sure)
      return matchesCounted(db, sql`doc = any(${docs}::int[]) and ${byRare(asked, [])}`, asked, page)
    }
  }
  const telling = found.words.filter(({ many, permits }) => !many && permits < frequent * found.permits)
  if (telling.length > 0 && (await permitsToRead(db, asked, found)) > readAtMost)
    return planned(db, 'by index', (tx) => matchesCounted(tx, byTerms(asked, telling), asked, page))
  const narrow = asked.citySlugs ?? asked.minValuation ?? asked.issuedFrom ?? asked.issuedTo
  const way = narrow === undefined ? 'as they lie' : 'by date'
  return planned(db, way, (tx) => matchesCounted(tx, asRead(asked), asked, page))
}

export interface PermitPage {
  rows: PermitRow[]
  total: number
  truncated: boolean
}
interface Cut {
  limit: number
  offset: number
}
const nothing: PermitPage = { rows: [], total: 0, truncated: false }

/** From this share of rows on, the cap is reached sooner by reading rows than through the index. */
const frequent = 0.2

/** So many are read for a word in some 20 ms, a free key's 30 days among them. */
const readAtMost = 20_000

/** How many permits the city and the dates leave, as far as it matters. */
const permitsToRead = async (db: Db, { citySlugs, issuedFrom, issuedTo }: Asked, found: FoundWords) => {
  if (!issuedFrom && !issuedTo) {
    const cities = new Set(citySlugs?.map(cityTerm))
    return citySlugs ? permitsOf(found.others.filter(({ term }) => cities.has(term))) : found.permits
  }
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from permit where ${asRead({ citySlugs, issuedFrom, issuedTo })} limit ${readAtMost + 1}) t`.execute(db)
  return rows[0]!.total
}

/** Along the date index where the page is full at once; else the matches of the newest years are fetched and sorted. */
const pageByBits = async (db: Db, asked: Asked, page: Cut, counted: Counted): Promise<PermitPage> => {
  const { among, years } = counted
  const sure = await countByBits(db, counted.groups, permitCountCap)
  if (sure > permitCountCap) return capped(db, asked, page)
  const groups = await withRest(db, counted)
  const total = groups === counted.groups ? sure : await countByBits(db, groups, permitCountCap)
  if (total === 0) return nothing
  if (total > permitCountCap) return capped(db, asked, page)
  const wanted = page.offset + page.limit
  const walked = (wanted * among) / Math.max(1, total)
  if (walked < walkedAtMost) return { ...(await capped(db, asked, page)), total, truncated: false }
  // As many years as hold the page if matches are spread evenly, and half as many again; all of them where that is too few.
  const some = total > fetchedAtOnce && !asked.after ? Math.ceil((1.5 * wanted * years.length) / total) : years.length
  for (const newest of some < years.length ? [years.slice(0, some), []] : [[]]) {
    const within = newest.length > 0 ? [...groups, { terms: newest }] : groups
    const docs = await docsByBits(db, within)
    const rows = await inFull(
      db,
      sql`select market, city_slug, permit_id, issued_on from permit where doc = any(${docs}::int[]) and issued_on is not null
        ${startingAfter(asked.after)} ${pageOf(page)}`,
    )
    if (newest.length === 0 || rows.length === page.limit) return { rows, total, truncated: false }
  }
  return nothing
}

/** A permit met along an index costs about as much as one fetched. */
const walkedAtMost = 400
const fetchedAtOnce = 300
const fetchedAtMost = 2500

/** With many matches the page is soon full along the date index. */
const capped = async (db: Db, asked: Asked, page: Cut): Promise<PermitPage> => {
  const rows = await planned(db, 'by date', (tx) =>
    inFull(
      tx,
      sql`select market, city_slug, permit_id, issued_on from permit where ${asRead(asked)} ${startingAfter(asked.after)} ${pageOf(page)}`,
    ),
  )
  return { rows, total: permitCountCap, truncated: true }
}

/** One pass for both: up to the cap the matches are all in hand, so the page is cut from them. Beyond it the page is not. */
const matchesCounted = async (
  db: Db,
  matching: ReturnType<typeof sql>,
  asked: Asked,
  page: Cut,
): Promise<PermitPage> => {
  const { rows } = await sql<{ total: number } & PermitRow>`
    with matched as materialized (
      select market, city_slug, permit_id, issued_on from permit where ${matching} limit ${permitCountCap + 1}),
    counted as (select count(*) as total from matched),
    page as (
      select market, city_slug, permit_id, issued_on from matched
      where (select total from counted) <= ${permitCountCap} ${startingAfter(asked.after)} ${pageOf(page)})
    select counted.total, found.* from counted left join (
      select ${columns} from page
      join permit p on p.market = page.market and p.city_slug = page.city_slug and p.permit_id = page.permit_id
      join source s on s.id = p.source_id) found on true
    order by found.issued_on desc, found.permit_id, found.city_slug`.execute(db)
  const total = rows[0]!.total
  if (total > permitCountCap) return capped(db, asked, page)
  return { rows: rows.filter((row) => row.permitId !== null).map(withoutTotal), total, truncated: false }
}

const withoutTotal = ({ total: _, ...row }: { total: number } & PermitRow) => withoutNulls(row) as PermitRow

const pageOf = ({ limit, offset }: Cut) =>
  sql`order by issued_on desc, permit_id, city_slug limit ${limit} offset ${offset}`

const columns = sql`
  p.permit_id, p.city, p.city_slug, p.address, p.project_type, p.description, p.valuation_usd as valuation, p.sqft,
  p.contractor, p.architect, p.applied_on, p.issued_on, p.finaled_on, p.status, p.permit_class, p.class_words,
  p.property_id, p.lat, p.lng, s.id as source_id, s.title as source_title, s.license, s.sample,
  coalesce(p.source_url, s.url) as source_url, p.collected_at, p.removed_at`

const inFull = async (db: Db, page: ReturnType<typeof sql>): Promise<PermitRow[]> => {
  const { rows } = await sql<PermitRow>`
    with page as (${page})
    select ${columns} from page
    join permit p on p.market = page.market and p.city_slug = page.city_slug and p.permit_id = page.permit_id
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
    where p.market = any(${marketsOfCity(citySlug)}) and p.city_slug = ${citySlug} and p.permit_id = ${permitId} and p.issued_on is not null`.execute(
    db,
  )
  return rows[0] && (withoutNulls(rows[0]) as PermitRow)
}

/** Every stage, issued or not: the property's timeline. */
export const permitsOfProperty = async (db: Db, propertyId: string, issuedSince?: string): Promise<PermitRow[]> => {
  const market = marketOfProperty(propertyId)
  if (!market) return []
  const { rows } = await sql<PermitRow>`
    select ${columns} from permit p join source s on s.id = p.source_id
    where p.market = ${market} and p.property_id = ${propertyId}
      and (${issuedSince ?? null}::date is null or coalesce(p.issued_on, p.applied_on) >= ${issuedSince ?? null})
    order by coalesce(p.issued_on, p.applied_on) desc nulls last, p.permit_id limit 200`.execute(db)
  return rows.map(withoutNulls) as PermitRow[]
}
