// Answers a question. Matches are counted up to a cap. If there are no more, the page is taken from them; otherwise permits are
// read in date order, newest first, until the page is full.
import type { SortField, SortKey } from '../../contract/criteria/fields.ts'
import type { LatLng } from '../../contract/markets.ts'
import { type Db, sql } from '../engine/database.ts'
import type { PermitSearchTable } from '../engine/schema.ts'
import { distanceSql, type Sql } from '../search/compile.ts'
import { keysAfter, orderOf, type Position } from '../search/paging.ts'
import { permitColumns } from './columns.ts'
import { all, datesWithin, matching, matchingInDateOrder, startingAfter } from './conditions.ts'
import { estimate } from './estimates.ts'
import { type Plan, planSearch } from './plan.ts'
import type { PermitPosition, Question } from './question.ts'

export type PermitKey = Pick<PermitSearchTable, 'market' | 'citySlug' | 'permitId'>

export interface Page {
  limit: number
  offset: number
  after?: PermitPosition | undefined
}

export interface Found {
  /** Keys of the page, in list order. */
  keys: PermitKey[]
  /** Counted up to the cap. */
  total: number
  truncated: boolean
}

export const findPermits = async (db: Db, question: Question, page: Page, cap: number): Promise<Found> => {
  const plan = planSearch(question, await estimate(db, question), cap, page.offset + page.limit)
  return runPlan(db, question, plan, page, cap)
}

/** Every plan gives the same result. Plans differ only in their cost. */
export const runPlan = async (db: Db, question: Question, plan: Plan, page: Page, cap: number): Promise<Found> => {
  const { keys, total, by } = await countedToCap(db, question, plan, page, cap)
  if (total <= cap) return { keys, total, truncated: false }
  // The newest years have more matches than the cap, so they have every page up to it.
  const pageIn = page.after === undefined && page.offset + page.limit <= cap ? by : plan
  return { keys: await pageOfMany(db, question, pageIn, page), total: cap, truncated: true }
}

/** In the newest years first, if the plan expects them to exceed the cap. `by` is the plan that gave the total. */
const countedToCap = async (db: Db, question: Question, plan: Plan, page: Page, cap: number) => {
  if (plan.read === 'index' && plan.newestFirst !== undefined) {
    const by = { ...plan, indexed: { ...plan.indexed, fromYear: plan.newestFirst } }
    const counted = await countedMatches(db, question, by, page, cap)
    if (counted.total > cap) return { ...counted, by }
  }
  return { ...(await countedMatches(db, question, plan, page, cap)), by: plan }
}

const key = sql.raw('market, city_slug, permit_id, issued_on')

const listOrder = sql.raw('issued_on desc, permit_id, city_slug')

const inListOrder = ({ limit, offset }: Page) => sql`order by ${listOrder} limit ${limit} offset ${offset}`

/**
 * Total and page in one statement. With more matches than the cap, the page is empty. A date range is read in list order, because
 * PostgreSQL would otherwise read it through another index that contains the date, such as the one by class, which costs twice as much.
 */
const countedMatches = async (db: Db, question: Question, plan: Plan, page: Page, cap: number) => {
  const { rows } = await sql<{ total: number } & { [K in keyof PermitKey]: PermitKey[K] | null }>`
    with matched as materialized (
      select ${key} from permit_search where ${matching(question, plan)}
      ${plan.read === 'dates' ? sql`order by ${listOrder}` : sql``} limit ${cap + 1}),
    counted as (select count(*) as total from matched),
    page as (
      select ${key} from matched
      where (select total from counted) <= ${cap} ${startingAfter(page.after)} ${inListOrder(page)})
    select counted.total, page.market, page.city_slug, page.permit_id from counted left join page on true
    order by issued_on desc, permit_id, city_slug`.execute(db)
  const keys = rows.flatMap(({ market, citySlug, permitId }) =>
    market !== null && citySlug !== null && permitId !== null ? [{ market, citySlug, permitId }] : [],
  )
  return { total: rows[0]!.total, keys }
}

/** Reads a limited number of permits in date order. If they do not fill the page, for example because a word is only in old permits, all matches are sorted. */
const pageOfMany = async (db: Db, question: Question, plan: Plan, page: Page): Promise<PermitKey[]> => {
  if (plan.walk > 0) {
    const { rows } = await sql<PermitKey>`
      select market, city_slug, permit_id from (
        select * from permit_search
        where ${all(datesWithin(question, true))} ${startingAfter(page.after)}
        order by issued_on desc, permit_id, city_slug limit ${plan.walk}) permit_search
      where ${matchingInDateOrder(question, plan)} ${inListOrder(page)}`.execute(db)
    if (rows.length === page.limit) return rows
  }
  const { rows } = await sql<PermitKey>`
    with matched as materialized (
      select ${key} from permit_search where ${matching(question, sorted(plan))} ${startingAfter(page.after)})
    select market, city_slug, permit_id from matched ${inListOrder(page)}`.execute(db)
  return rows
}

/** For sorting, all matches are needed: from an index if one answers a condition, otherwise from the whole table. */
const sorted = (plan: Plan): Plan => {
  if (plan.read === 'others' || plan.read === 'market') return plan
  const { words, cities, classes, valuation } = plan.indexed
  return { ...plan, read: words.length > 0 || cities || classes || valuation ? 'index' : 'table' }
}

export interface SortedKey extends PermitKey {
  position: Position
  distanceMi?: number
}

/** All matches in another order than by date. */
export const findSortedPermits = async (
  db: Db,
  question: Question,
  { limit, offset, after }: { limit: number; offset: number; after?: Position | undefined },
  { sort, point }: { sort: readonly SortKey[]; point?: LatLng | undefined },
  cap: number,
): Promise<Omit<Found, 'keys'> & { keys: SortedKey[] }> => {
  const plan = planSearch(question, await estimate(db, question), cap, cap)
  const keys = sort.map(({ field }) => sortColumn(field, point))
  const id = sql`(permit_id || chr(10) || city_slug)`
  const shown = keys.map((each, at) => sql`${each} as ${sql.ref(`sort_${at}`)}`)
  const [{ total }, { rows }] = await Promise.all([
    countedToCap(db, question, plan, { limit: 1, offset: 0 }, cap),
    sql<Record<string, unknown> & PermitKey & { rowId: string }>`
      select market, city_slug, permit_id, ${sql.join([...shown, sql`${id} as row_id`])} from permit_search
      where ${all([matching(question, sorted(plan)), ...keysAfter(sort, keys, id, after)])}
      order by ${orderOf(sort, keys, id)} limit ${limit} offset ${offset}`.execute(db),
  ])
  return {
    total: Math.min(total, cap),
    truncated: total > cap,
    keys: rows.map(({ market, citySlug, permitId, rowId, ...values }) => ({
      market,
      citySlug,
      permitId,
      position: [...sort.map((_, at) => values[`sort${at}`] as Position[number]), rowId],
    })),
  }
}

const sortColumn = (field: SortField, point: LatLng | undefined): Sql => {
  if (field === 'id') return sql`permit_id`
  if (field === 'city') return sql`city_slug`
  if (field === 'distanceMi') return distanceSql(sql`location`, point!)
  const columns: Readonly<Record<string, Sql | undefined>> = { ...permitColumns.numbers, ...permitColumns.texts }
  return columns[field] ?? sql`null::double precision`
}
