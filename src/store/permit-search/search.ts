// Answers a question. Matches are counted up to a cap. If there are no more, the page is taken from them; otherwise permits are
// read in date order, newest first, until the page is full.
import { pick } from '../../common/typed.ts'
import type { SortKey } from '../../criteria/fields.ts'
import type { LatLng } from '../../domain/packs/markets.ts'
import { type Db, onlyValue, rowsOf, sql } from '../engine/database.ts'
import type { PermitTable } from '../engine/schema.ts'
import { all, type Sql } from '../search/compile.ts'
import { keysAfter, orderOf, type Position, positionOf, type SortValues, sortColumn } from '../search/paging.ts'
import { permitColumns } from './columns.ts'
import { datesWithin, matching, matchingInDateOrder, startingAfter } from './conditions.ts'
import type { PermitPosition, Question } from './question.ts'

export type PermitKey = Pick<PermitTable, 'market' | 'citySlug' | 'permitId'>

export interface Page {
  limit: number
  offset: number
  after?: PermitPosition | undefined
}

export interface Found {
  /** Keys of the page, in list order, with their positions in a sorted list. */
  keys: (PermitKey & { position?: Position })[]
  /** Counted up to the cap. */
  total: number
  truncated: boolean
}

export const findPermits = async (db: Db, question: Question, page: Page, cap: number): Promise<Found> => {
  const { limit, offset, after } = page
  const newest = { columns: key, order: listOrder(question), after: startingAfter(after, question), limit, offset }
  const { rows, total } = await countedMatches<PermitKey>(db, question, newest, cap)
  if (total <= cap) return { keys: rows, total, truncated: false }
  return { keys: await pageOfMany(db, question, page, cap), total: cap, truncated: true }
}

/** All matches as the table `k`, with its order. Without a sort it is that of the primary keys, so the first row comes at once. */
export const orderedMatches = (
  question: Question,
  { sort, point }: { sort?: readonly SortKey[] | undefined; point?: LatLng | undefined },
): { matches: Sql; order: Sql } => {
  const columns = sort ? sortedColumns(sort, point) : sql.raw('market, city_slug, permit_id')
  return {
    matches: sql`(select ${columns} from permit_search where ${matching(question)}) k`,
    order: sort
      ? orderOf(sort, sortValues(sort, 'k.'), sql.ref('k.row_id'))
      : sql.raw('k.market, k.city_slug, k.permit_id'),
  }
}

/** A page in any order: the columns that are read of each match, and the order and where to start (`and …`), on these columns. */
interface PageQuery {
  columns: Sql
  order: Sql
  after: Sql
  limit: number
  offset: number
}

const key = sql.raw('market, city_slug, permit_id, issued_on, applied_on')

/** The order of an index. */
const newestFirst = sql.raw('issued_on desc, permit_id, city_slug')
const listOrder = ({ issued }: Question) =>
  issued
    ? newestFirst
    : sql.raw(
        `issued_on desc nulls last, case when issued_on is null then applied_on end desc nulls last, permit_id, city_slug`,
      )

const inOrder = (order: Sql, { limit, offset }: Page) => sql`order by ${order} limit ${limit} offset ${offset}`

/** Total and page in one statement. With more matches than the cap, the page is empty. */
const countedMatches = async <Row>(
  db: Db,
  question: Question,
  { columns, order, after, limit, offset }: PageQuery,
  cap: number,
): Promise<{ total: number; rows: Row[] }> => {
  const rows = await rowsOf<Row & { total: number; permitId: string | null }>(db)`
    with matched as materialized (
      select ${columns} from permit_search where ${matching(question)} limit ${cap + 1}),
    counted as (select count(*) as total from matched),
    page as (
      select * from matched where (select total from counted) <= ${cap} ${after}
      order by ${order} limit ${limit} offset ${offset})
    select * from counted left join page on true order by ${order}`
  return { total: rows[0]!.total, rows: rows.filter(({ permitId }) => permitId !== null) }
}

/** Up to the cap and one more. */
export const countMatches = (db: Db, question: Question, cap: number): Promise<number> =>
  onlyValue<number>(
    db,
  )`select count(*) from (select 1 from permit_search where ${matching(question)} limit ${cap + 1}) m`

/** Reads some permits in date order, more for a late page. If they do not fill the page, all matches are sorted. */
const pageOfMany = async (db: Db, question: Question, page: Page, cap: number): Promise<PermitKey[]> => {
  const rowsRead = 2 * cap + 5 * (page.offset + page.limit)
  // Those not issued come after all others, so a page that issued permits fill is the right one.
  if (question.issued !== false && page.after?.issuedOn !== null) {
    const issued = { ...question, issued: true }
    const newest = await rowsOf<PermitKey>(db)`
      select market, city_slug, permit_id from (
        select * from permit_search where ${all(datesWithin(issued))} ${startingAfter(page.after, issued)}
        order by ${newestFirst} limit ${rowsRead}) permit_search
      where ${matchingInDateOrder(question)} ${inOrder(newestFirst, page)}`
    if (newest.length === page.limit) return newest
  }
  return rowsOf<PermitKey>(db)`
    with matched as materialized (
      select ${key} from permit_search where ${matching(question)} ${startingAfter(page.after, question)})
    select market, city_slug, permit_id from matched ${inOrder(listOrder(question), page)}`
}

/** In another order than by date. With more matches than the cap, all of them are sorted. */
export const findSortedPermits = async (
  db: Db,
  question: Question,
  { limit, offset, after }: { limit: number; offset: number; after?: Position | undefined },
  { sort, point }: { sort: readonly SortKey[]; point?: LatLng | undefined },
  cap: number,
): Promise<Found> => {
  const values = sortValues(sort)
  const id = sql.ref('row_id')
  const [startsAfter] = keysAfter(sort, values, id, after)
  const page: PageQuery = {
    columns: sortedColumns(sort, point),
    order: orderOf(sort, values, id),
    after: startsAfter ? sql`and ${startsAfter}` : sql``,
    limit,
    offset,
  }
  const { rows, total } = await countedMatches<SortedRow>(db, question, page, cap)
  return {
    total: Math.min(total, cap),
    truncated: total > cap,
    keys: (total > cap ? await sortedPage(db, question, page) : rows).map((row) => ({
      ...pick(row, 'market', 'citySlug', 'permitId'),
      position: positionOf(row, sort, row.rowId),
    })),
  }
}

const sortValues = (sort: readonly SortKey[], table = '') => sort.map((_, at) => sql.ref(`${table}sort_${at}`))

const sortedColumns = (sort: readonly SortKey[], point: LatLng | undefined): Sql => {
  const values = sortValues(sort)
  return sql.join([
    sql`market, city_slug, permit_id, permit_id || chr(10) || city_slug as row_id`,
    ...sort.map(({ field }, at) => sql`${sortColumn(field, permitColumns, sql`permit_id`, point)} as ${values[at]!}`),
  ])
}

type SortedRow = SortValues & PermitKey & { rowId: string }

const sortedPage = (db: Db, question: Question, page: PageQuery) =>
  rowsOf<SortedRow>(db)`
    select * from (select ${page.columns} from permit_search where ${matching(question)}) matched
    where true ${page.after} order by ${page.order} limit ${page.limit} offset ${page.offset}`
