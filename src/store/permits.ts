// Permit search. Matches are counted up to a cap: up to it the page is cut from them; beyond, the date index is walked
// until the page is full. Left to itself the planner picks wrongly.
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

export const permitPage = async (
  db: Db,
  filter: PermitFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: PermitRow[]; total: number; truncated: boolean }> => {
  const citySlugs = filter.city === undefined ? undefined : await permitCities(db, filter.city)
  if (citySlugs?.length === 0) return { rows: [], total: 0, truncated: false }
  const way = await wayToCount(db, filter, citySlugs)
  const { total, rows } = await planned(db, way, (tx) => countedPage(tx, filter, citySlugs, page))
  if (total <= permitCountCap) return { rows, total, truncated: false }
  // With that many matches the page is soon full along the date index.
  const walked = await planned(db, 'by date', (tx) =>
    inFull(
      tx,
      sql`select city_slug, permit_id, issued_on from permit where ${conditions(filter, citySlugs)} ${pageOf(page)}`,
    ),
  )
  return { rows: walked, total: permitCountCap, truncated: true }
}

/** One pass for both: up to the cap the matches are all in hand, so the page is cut from them. Beyond it the page is not. */
const countedPage = async (
  db: Db,
  filter: PermitFilter,
  citySlugs: string[] | undefined,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: PermitRow[] }> => {
  const { rows } = await sql<{ total: number } & PermitRow>`
    with matched as materialized (
      select city_slug, permit_id, issued_on from permit
      where ${conditions({ ...filter, after: undefined }, citySlugs)} limit ${permitCountCap + 1}),
    counted as (select count(*) as total from matched),
    page as (
      select city_slug, permit_id, issued_on from matched
      where (select total from counted) <= ${permitCountCap} ${startingAfter(filter.after)} ${pageOf(page)})
    select counted.total, found.* from counted left join (
      select ${columns} from page
      join permit p on p.city_slug = page.city_slug and p.permit_id = page.permit_id
      join source s on s.id = p.source_id) found on true
    order by found.issued_on desc, found.permit_id, found.city_slug`.execute(db)
  const total = rows[0]!.total
  return { total, rows: rows.filter((row) => row.permitId !== null).map(withoutTotal) }
}

const withoutTotal = ({ total: _, ...row }: { total: number } & PermitRow) => withoutNulls(row) as PermitRow

const pageOf = ({ limit, offset }: { limit: number; offset: number }) =>
  sql`order by issued_on desc, permit_id, city_slug limit ${limit} offset ${offset}`

/**
 * How a set of permits is gone through. The planner knows nothing of how often a word occurs, so it is told: a frequent
 * word is met soon by reading rows as they lie, a rare one is found by the word index.
 */
type Way = 'as planned' | 'as they lie' | 'by index' | 'by date'

const settings: Readonly<Record<Exclude<Way, 'as planned'>, string>> = {
  'as they lie':
    'set local enable_bitmapscan = off; set local enable_indexscan = off; set local enable_indexonlyscan = off',
  'by index': 'set local enable_seqscan = off; set local enable_indexscan = off; set local enable_indexonlyscan = off',
  'by date': 'set local enable_seqscan = off; set local enable_bitmapscan = off',
}

const planned = <T>(db: Db, way: Way, work: (db: Db) => Promise<T>): Promise<T> =>
  way === 'as planned'
    ? work(db)
    : inTransaction(db, async (tx) => {
        await sql.raw(settings[way]).execute(tx)
        return work(tx)
      })

/** From this share of rows on, the cap is reached sooner by reading rows as they lie than through the word index. */
const frequent = 0.15
/** Pages looked at to learn how frequent; about two thousand rows, two milliseconds. */
const probePages = 100

const wayToCount = async (db: Db, filter: PermitFilter, citySlugs: string[] | undefined): Promise<Way> => {
  const words = filter.words ?? []
  if (words.length === 0) return 'as planned'
  const indexed = words.some(hasTrigram)
  const narrow = citySlugs !== undefined || filter.issuedFrom !== undefined
  if (narrow) return 'by index'
  const { rows } = await sql<{ share: number }>`
    select coalesce(avg((${conditions({ ...filter, after: undefined }, citySlugs)})::int), 0)::float8 as share
    from permit where ctid < ${`(${probePages},0)`}::tid`.execute(db)
  if (rows[0]!.share >= frequent) return 'as they lie'
  return indexed || filter.minValuation !== undefined ? 'by index' : 'as they lie'
}

const conditions = (filter: PermitFilter, citySlugs: string[] | undefined) => {
  const parts = [sql`issued_on is not null`]
  if (citySlugs?.length === 1) parts.push(sql`city_slug = ${citySlugs[0]}`)
  else if (citySlugs) parts.push(sql`city_slug = any(${citySlugs})`)
  for (const word of filter.words ?? []) parts.push(holdsWord(word.toLowerCase()))
  if (filter.minValuation !== undefined) parts.push(sql`valuation_usd >= ${filter.minValuation}`)
  if (filter.issuedFrom) parts.push(sql`issued_on >= ${filter.issuedFrom}`)
  if (filter.issuedTo) parts.push(sql`issued_on <= ${filter.issuedTo}`)
  return sql`${sql.join(parts, sql` and `)} ${startingAfter(filter.after)}`
}

/** A word the index knows nothing of is kept away from it: it would answer by going through the whole index. */
const holdsWord = (word: string) =>
  hasTrigram(word) ? sql`search like ${`%${likeEscaped(word)}%`}` : sql`strpos(search, ${word}) > 0`

/** Three letters or digits in a row make a trigram; the word index knows nothing shorter. */
const hasTrigram = (word: string) => /[\p{L}\p{N}]{3}/u.test(word)

const startingAfter = (after: PermitPlace | undefined) =>
  after === undefined
    ? sql``
    : sql`and issued_on <= ${after.issuedOn}
        and (issued_on < ${after.issuedOn} or (permit_id, city_slug) > (${after.permitId}, ${after.citySlug}))`

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
