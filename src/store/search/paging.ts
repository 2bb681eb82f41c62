// Order, cursor and funnel, the same for every table that is searched.

import { type Condition, conditionText } from '../../criteria/conditions.ts'
import type { SortField, SortKey } from '../../criteria/fields.ts'
import type { MarketId } from '../../domain/facts.ts'
import type { LatLng } from '../../domain/packs/markets.ts'
import { countLimit, type FunnelStep } from '../../wire/pagination.ts'
import { type Db, onlyValue, sql } from '../engine/database.ts'
import { askEachGroup } from '../engine/shard-groups.ts'
import { all, type Columns, compile, compileUnknown, distanceSql, type Sql } from './compile.ts'

/** The sort values of a row, null where unknown, and last its id. */
export type Position = readonly (number | string | null)[]

/** The sort values of a row, selected under these names. */
export type SortValues = Readonly<Record<`sort${number}`, Position[number]>>

export const positionOf = (row: SortValues, sort: readonly SortKey[], id: string): Position => [
  ...sort.map((_, at) => row[`sort${at}`] ?? null),
  id,
]

/** Rows without the value come last, ties by id. `neverNull`: fields of every row, for which one index gives both directions. */
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

/** Rows that come after a position in that order. `idAfter`: the same for the id, where it has several columns. */
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

/** What a search reads: rows, and the expressions behind their fields. */
export interface Source {
  from: Sql
  /** Which rows exist for this caller and list, before any condition. */
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

/** All matches, or up to the cap and one more. */
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

/** One page of several groups: each gives its first rows, which are put in order. `idOf`: the parts that order by id compares. */
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

/** As `orderOf`: unknown values last in both directions. */
const compareValues = (a: Position[number], b: Position[number], descending = false): number => {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b === descending ? 1 : -1
}

/** Without it, the planner would copy each expression to every place that uses it, and test a polygon many times for one row. */
export const evaluatedOnce = sql`offset 0`

/** The rows that meet some conditions, for a funnel. */
export const matchesOf = (
  { from, base, columns }: Omit<Source, 'where'>,
  met: readonly Condition[],
  lacking?: Condition,
): Sql => sql`
  select ${lacking ? compileUnknown(lacking, columns) : sql`false`} as lacks from ${from} where ${all([...base, ...compile(met, columns)])}`

/**
 * How many rows meet each condition and those before it, and how many meet all others: counted to the limit, like totals, each from the
 * index that fits. `matches` selects the rows that meet `met`; its column `lacks` is true where the value of `lacking` is unknown. At the
 * limit, which rows were counted is arbitrary, so the count of unknown values is left out.
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
