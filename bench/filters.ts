// Filtered lists over a million listings, permits and sales, uncached: the most usual combinations of criteria through the operations
// that serve them, against the SQL that an expert would write for the same total and page, at 100,000 and a million rows.
import './packs.ts'
import type pg from 'pg'
import { valueAt } from '../src/common/typed.ts'
import type { Context as Call } from '../src/operations/context.ts'
import type { Database } from '../src/store/engine/database.ts'
import { plans } from '../src/wire/plans.ts'
import { type Context, trialRows } from './context.ts'
import { atMost, type Figure, figureOf, quantile } from './figure.ts'
import { type FilteredList, filteredLists } from './filter-lists.ts'
import { now, withMarket } from './market-data.ts'
import { costOf } from './sandbox.ts'

type Costs = Record<'ours' | 'expert' | 'oursCpu' | 'expertCpu', number[]>

export const measure = async (context: Context): Promise<Figure[]> => {
  const few = context.sized(100_000, 10_000, trialRows / 2)
  const many = context.sized(1_000_000, 100_000, trialRows)
  const costsAt = (rows: number) =>
    withMarket(context, { homes: rows, permits: rows }, (store) => askAll(store, context.sized(20, 6, 1)))
  const small = await costsAt(few)
  const large = await costsAt(many)
  return figuresOf([few, many], small, large)
}

/** Each request to us and to the expert's SQL in turn, after a warm-up of the database's memory. */
const askAll = async (database: Database, requests: number): Promise<Map<string, Costs>> => {
  const costs = new Map<string, Costs>()
  const call = {
    db: database.db,
    caller: { plan: 'pro', limits: plans.pro, client: 'bench', remaining: 1, windowResetsInSeconds: 60 },
    now,
    publicUrl: 'http://localhost',
  } as Call
  for (const list of filteredLists(0)) await Promise.all([ours(call, list), expert(database.pool, list)])
  for (let i = 1; i <= requests; i++)
    for (const list of filteredLists(i)) {
      const mine = await costOf(database.pool, () => ours(call, list))
      const theirs = await costOf(database.pool, () => expert(database.pool, list))
      if (mine.result !== theirs.result)
        throw new Error(`totals differ: ${list.name} ${mine.result}, expert ${theirs.result}`)
      const each = valueAt(costs, list.name, (): Costs => ({ ours: [], expert: [], oursCpu: [], expertCpu: [] }))
      each.ours.push(mine.elapsed)
      each.oursCpu.push(mine.cpu)
      each.expert.push(theirs.elapsed)
      each.expertCpu.push(theirs.cpu)
    }
  return costs
}

const ours = async (call: Call, { run, input }: FilteredList): Promise<number> => {
  const answer = (await run.run(call, { limit: 25, ...input })) as { pagination: { total: number } }
  return answer.pagination.total
}

const cap = 10_000

const keys = {
  property_search: 'market, property_id',
  permit_search: 'market, city_slug, permit_id',
  sale_search: 'market, source_id, sale_id',
} as const

const rowsOf = {
  property_search: `select p.*, l.*, a.*, s.* from unnest($1::text[], $2::text[]) k (market, id)
    join g00.property p using (market, id)
    join g00.listing l on l.market = p.market and l.property_id = p.id and l.current
    join source s on s.id = l.source_id
    left join g00.assessment a on a.market = p.market and a.property_id = p.id`,
  permit_search: `select p.*, s.* from unnest($1::text[], $2::text[], $3::text[]) k (market, city_slug, permit_id)
    join g00.permit p using (market, city_slug, permit_id) join source s on s.id = p.source_id`,
  sale_search: `select r.*, p.*, s.* from unnest($1::text[], $2::text[], $3::text[]) k (market, source_id, sale_id)
    join g00.sale r using (market, source_id, sale_id) join source s on s.id = r.source_id
    left join g00.property p on p.market = r.market and p.id = r.property_id`,
} as const

/** Total and page at the same time, then the rows of the page. */
const expert = async (pool: pg.Pool, { table, where, order, exact }: FilteredList): Promise<number> => {
  const key = keys[table]
  const [counted, page] = await Promise.all([
    pool.query<{ total: number }>(
      exact
        ? `select count(*)::int as total from g00.${table} where ${where}`
        : `select count(*)::int as total from (select from g00.${table} where ${where} limit ${cap + 1}) t`,
    ),
    pool.query(`select ${key} from g00.${table} where ${where} order by ${order} limit 26`),
  ])
  const columns = key.split(', ').map((name) => page.rows.map((row) => row[name]))
  await pool.query(rowsOf[table], columns)
  return exact ? counted.rows[0]!.total : Math.min(cap, counted.rows[0]!.total)
}

const p95 = (values: readonly number[]) => quantile(values, 0.95)
const p50 = (values: readonly number[]) => quantile(values, 0.5)

const areas = /box|radius|polygon/

const figuresOf = (sizes: readonly number[], small: ReadonlyMap<string, Costs>, large: ReadonlyMap<string, Costs>) => {
  const [few, many] = sizes as [number, number]
  const rows = many.toLocaleString('en-US')
  const names = [...large.keys()]
  const slowest = (among: readonly string[]) =>
    among.reduce((worst, name) => (p95(large.get(name)!.ours) > p95(large.get(worst)!.ours) ? name : worst))
  const ratio = ({ oursCpu, expertCpu }: Costs) => p50(oursCpu) / p50(expertCpu)
  const furthest = names.reduce((worst, name) => (ratio(large.get(name)!) > ratio(large.get(worst)!) ? name : worst))
  const growth = (name: string) => p50(large.get(name)!.oursCpu) / p50(small.get(name)!.oursCpu)
  const steepest = names.reduce((worst, name) => (growth(name) > growth(worst) ? name : worst))
  const nLogN = (many * Math.log(many)) / (few * Math.log(few))
  const slow = slowest(names)
  const slowArea = slowest(names.filter((name) => areas.test(name)))
  return [
    figureOf(`filters, ${rows}: slowest of ${names.length} lists, p95`, 'ms', [p95(large.get(slow)!.ours)], {
      target: atMost(50, 'ours'),
      note: slow,
    }),
    figureOf(`filters, ${rows}: slowest radius, box or polygon, p95`, 'ms', [p95(large.get(slowArea)!.ours)], {
      target: atMost(50, 'ours'),
      note: slowArea,
    }),
    figureOf(
      `filters, ${rows}: processor time furthest above the expert’s SQL`,
      'ms',
      [p50(large.get(furthest)!.oursCpu)],
      { rival: [p50(large.get(furthest)!.expertCpu)], target: atMost(2), note: furthest },
    ),
    figureOf(
      `filters: steepest growth of processor time from ${few.toLocaleString('en-US')} to ${rows} rows`,
      'ms',
      [p50(large.get(steepest)!.oursCpu)],
      {
        rival: [p50(small.get(steepest)!.oursCpu)],
        target: atMost(nLogN),
        note: `${steepest}; n log n is ${nLogN.toFixed(1)}`,
      },
    ),
  ]
}
