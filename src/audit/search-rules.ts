// Criteria and orders against brute force: the first rows of every bound and every order of a list are asked of the service and
// computed from all of its rows. A row without the value drops out of a bound and comes last in both directions.
import { fieldCatalog, filtersOf } from '../criteria/fields.ts'
import { criteria, type SearchKind } from '../criteria/table.ts'
import { marketRules } from './rule.ts'
import type { ServiceReader } from './service-reader.ts'

/** One question about a list, and how its answer differs from what the rows say. */
export interface Comparison {
  readonly asked: string
  readonly differs?: string
}

type Value = number | string
type Row = Readonly<Record<string, unknown>>

/** `rows`: all of the list. Texts are left out, because their order depends on the database's collation. */
export const compareSearch = async (
  service: ServiceReader,
  { kind, path, rows }: { kind: SearchKind; path: string; rows: readonly object[] },
  limit: number,
): Promise<Comparison[]> => {
  const results: Comparison[] = []
  for (const field of fieldCatalog[kind]) {
    const valueIn = (row: object) => valueAt(row as Row, field.name)
    const known = rows.flatMap((row) => valueIn(row) ?? []).sort(byValue)
    if (known.length === 0) continue
    for (const name of filtersOf(kind, field)) {
      const type = boundOf(name)
      if (!type) continue
      const bound = known[known.length >> 1]!
      const asked = `${path}${name}=${bound}`
      const body = await service.json(`${asked}&limit=${limit}`)
      if (!body || isIgnored(body, name)) continue
      const meets = (value: Value | undefined) =>
        value !== undefined && (type === 'least' ? byValue(value, bound) >= 0 : byValue(value, bound) <= 0)
      const wrong = rowsOf(body).filter((row) => !meets(valueIn(row))).length
      const expected = known.filter(meets).length
      const total = body.pagination?.total ?? 0
      // Lists of leads and permits count to 10,000.
      const counts = Math.min(expected, 10_000) === Math.min(total, 10_000)
      const isRight = wrong === 0 && counts
      results.push({ asked, differs: isRight ? undefined : `${total} rows, ${wrong} wrong; expected ${expected}` })
    }
    if (!field.sort) continue
    for (const sort of [field.name, `-${field.name}`]) {
      const asked = `${path}sort=${sort}`
      const body = await service.json(`${asked}&limit=${limit}`)
      if (!body) continue
      const served = rowsOf(body).map(valueIn)
      const expected = sort === field.name ? known : known.toReversed()
      const at = served.findIndex((value, k) => value !== expected[k])
      const differs = at >= 0 ? `row ${at + 1} has ${served[at]}, expected ${expected[at]}` : undefined
      results.push({ asked, differs })
    }
  }
  return results
}

const valueAt = (row: Row, name: string): Value | undefined => {
  const value = name.split('.').reduce<unknown>((at, key) => (at as Row | undefined)?.[key], row)
  const isDate = typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
  return typeof value === 'number' || isDate ? (value as Value) : undefined
}

const byValue = (a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0)

/** Undefined for a criterion that does not bound one value. */
const boundOf = (name: string): 'least' | 'most' | undefined => {
  const type = (criteria as Record<string, { bound?: { type: string } }>)[name]?.bound?.type
  return type === undefined ? undefined : type === 'atLeast' || type === 'from' ? 'least' : 'most'
}

const rowsOf = ({ data }: { data?: unknown }): Row[] => (Array.isArray(data) ? (data as Row[]) : [])

const isIgnored = (body: object, name: string): boolean =>
  'ignored' in body && Array.isArray(body.ignored) && body.ignored.includes(name)

export const searchRules = marketRules({
  'criteria-and-orders: The first rows of every bound and every order of a list, and the totals of the bounds, are what its values say.':
    ({ comparisons }) => comparisons.flatMap(({ asked, differs }) => (differs ? [`${asked}: ${differs}`] : [])),
})
