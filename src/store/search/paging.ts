// Order, pages, counts and funnels of a search. Every searched table uses these functions.

import { type Condition, conditionText } from '../../criteria/conditions.ts'
import type { SortField, SortKey } from '../../criteria/fields.ts'
import type { MarketId } from '../../domain/facts.ts'
import type { LatLng } from '../../domain/packs/markets.ts'
import { countLimit, type FunnelStep } from '../../wire/pagination.ts'
import { type Db, onlyValue, sql } from '../engine/database.ts'
import { askEachGroup } from '../engine/shard-groups.ts'
import { all, type Columns, compile, compileUnknown, distanceSql, type Sql } from './compile.ts'

/** A row's place in the order: its sort values (null if unknown), then its id. */
export type Position = readonly (number | string | null)[]

/** The sort values as a statement returns them: `sort0`, `sort1` … (`sort_0`, `sort_1` … in SQL). */
export type SortValues = Readonly<Record<`sort${number}`, Position[number]>>

export const positionOf = (row: SortValues, sort: readonly SortKey[], id: string): Position => [
  ...sort.map((_, at) => row[`sort${at}`] ?? null),
  id,
]

/**
 * Unknown values come last, and rows with equal values are ordered by id. `neverNull`: fields that every row has. Without `nulls last`,
 * one index serves both directions.
 */
export const orderOf = (
  sort: readonly SortKey[],
  keys: readonly Sql[],
  id: Sql,
  neverNull: readonly SortField[] = [],
): Sql =>
  sql.join([
    ...keys.map((key, at) => {
      const { field, descending } = sort[at]!
      return sql`${key}${descending ? sql` desc` : sql``}${neverNull.includes(field) ? sql`` : sql` nulls last`}`
    }),
    id,
  ])

/** The condition of the rows after a position in the order of `orderOf`. `idAfter` compares an id that has several columns. */
export const keysAfter = (
  sort: readonly SortKey[],
  keys: readonly Sql[],
  id: Sql,
  after: Position | undefined,
  idAfter = (last: Position[number] | undefined): Sql => sql`${id} > ${last}`,
): Sql[] => {
  if (after === undefined) return []
  const isSame = (at: number) => (after[at] === null ? sql`${keys[at]!} is null` : sql`${keys[at]!} = ${after[at]}`)
  const comesAfter = (at: number): Sql =>
    after[at] === null
      ? sql`false`
      : sort[at]!.descending
        ? sql`(${keys[at]!} < ${after[at]} or ${keys[at]!} is null)`
        : sql`(${keys[at]!} > ${after[at]} or ${keys[at]!} is null)`
  const cases = [
    ...keys.map((_, at) => all([...keys.slice(0, at).map((_, before) => isSame(before)), comesAfter(at)])),
    all([...keys.map((_, at) => isSame(at)), idAfter(after.at(-1))]),
  ]
  return [
    sql`(${sql.join(
      cases.map((each) => sql`(${each})`),
      sql` or `,
    )})`,
  ]
}

export interface KeyPage {
  limit: number
  offset: number
  after?: Position | undefined
}

/** The tables and conditions of a search, and the expression of each field. */
export interface Source {
  from: Sql
  /** Conditions of the list and of the caller's plan. `where` also has those of the criteria. */
  base: Sql[]
  where: Sql[]
  columns: Columns
}

/** The expression that a list is ordered by. */
export const sortColumn = (field: SortField, columns: Columns, id: Sql, point: LatLng | undefined): Sql => {
  if (field === 'id') return id
  if (field === 'city') return columns.citySlug
  if (field === 'distanceMi') return distanceSql(columns.location!, point!)
  return valueColumn(field, columns) ?? sql`null::double precision`
}

export const valueColumn = (field: string, { numbers, texts }: Columns): Sql | undefined => {
  const known: Readonly<Record<string, Sql | undefined>> = { ...numbers, ...texts }
  return known[field]
}

/** Counts all matches, or at most `cap + 1`, which shows that there are more than `cap`. */
export const countOfGroups = async (
  db: Db,
  markets: readonly MarketId[],
  sourceIn: (markets: readonly MarketId[]) => Source,
  cap?: number,
): Promise<number> => {
  const counts = await askEachGroup(db, markets, (group, groupMarkets) => {
    const { from, where } = sourceIn(groupMarkets)
    return cap === undefined
      ? onlyValue<number>(group)`select count(*) from ${from} where ${all(where)}`
      : onlyValue<number>(group)`select count(*) from (select 1 from ${from} where ${all(where)} limit ${cap + 1}) m`
  })
  const total = counts.reduce((sum, count) => sum + count, 0)
  return cap === undefined ? total : Math.min(total, cap + 1)
}

/** One page from several shard groups: reads the first rows of each group and merges them. `idOf` splits an id into what is compared. */
export const pageOfGroups = async <Row extends { position: Position }>(
  db: Db,
  { markets, sort }: { markets: readonly MarketId[]; sort: readonly SortKey[] },
  page: KeyPage,
  ask: (group: Db, markets: readonly MarketId[], page: KeyPage) => Promise<Row[]>,
  idOf: (id: string) => readonly string[] = (id) => [id],
): Promise<Row[]> => {
  const { limit, offset } = page
  const [first, ...others] = await askEachGroup(db, markets, (group, groupMarkets, alone) =>
    ask(group, groupMarkets, alone ? page : { ...page, limit: limit + offset, offset: 0 }),
  )
  if (others.length === 0) return first ?? []
  const ordered = ({ position }: Row) => [...position.slice(0, -1), ...idOf(String(position.at(-1)))]
  return [first!, ...others]
    .flat()
    .map((row) => ({ row, by: ordered(row) }))
    .sort((a, b) => {
      for (const [at, value] of a.by.entries()) {
        const order = compareValues(value, b.by[at]!, sort[at]?.descending)
        if (order !== 0) return order
      }
      return 0
    })
    .slice(offset, offset + limit)
    .map(({ row }) => row)
}

/** Compares like `orderOf`: unknown values are last in both directions. */
const compareValues = (a: Position[number], b: Position[number], descending = false): number => {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b === descending ? 1 : -1
}

/** Ends a subquery whose expressions are computed once per row. Without it, the planner repeats them wherever they are used. */
export const evaluatedOnce = sql`offset 0`

/** One row for each match of `met`. `lacks`: whether the value that `lacking` tests is unknown. */
export const matchesOf = (
  { from, base, columns }: Omit<Source, 'where'>,
  met: readonly Condition[],
  lacking?: Condition,
): Sql => sql`
  select ${lacking ? compileUnknown(lacking, columns) : sql`false`} as lacks from ${from} where ${all([...base, ...compile(met, columns)])}`

/**
 * For each condition: how many rows meet it and all before it, and how many meet every condition except it. Each count stops at
 * `countLimit` and is a query of its own, so that it can use the best index. `matches` selects the rows that meet `met`; its column
 * `lacks` is true if the value of `lacking` is unknown. A count that reaches the limit covers arbitrary rows, so it has no `unknown`.
 */
export const funnelOfGroups = async (
  db: Db,
  { markets, conditions }: { markets: readonly MarketId[]; conditions: readonly Condition[] },
  matches: (markets: readonly MarketId[], met: readonly Condition[], lacking?: Condition) => Sql,
): Promise<FunnelStep[]> => {
  if (conditions.length === 0) return []
  const groups = await askEachGroup(db, markets, (group, groupMarkets) => {
    const counted = (met: readonly Condition[], lacking?: Condition) => sql`(
      select array[count(*)::int, count(*) filter (where lacks)::int] from (${matches(groupMarkets, met, lacking)} limit ${countLimit}) m)`
    const counts = conditions.flatMap((condition, at) => [
      counted(conditions.slice(0, at + 1)),
      counted(
        conditions.filter((each) => each !== condition),
        condition,
      ),
    ])
    return onlyValue<[met: number, lacking: number][]>(group)`select array[${sql.join(counts)}] as counts`
  })
  const sum = (at: number, of: 0 | 1) =>
    Math.min(
      countLimit,
      groups.reduce((total, counts) => total + counts[at]![of], 0),
    )
  return conditions.map((condition, at) => ({
    condition: conditionText(condition),
    remaining: sum(2 * at, 0),
    wouldRemainWithout: sum(2 * at + 1, 0),
    ...(sum(2 * at + 1, 0) < countLimit ? { unknown: sum(2 * at + 1, 1) } : {}),
  }))
}
