// Socrata Open Data (SODA): pages of rows in a stable order. https://dev.socrata.com/docs/queries/
import { isRecord } from '../common/typed.ts'
import { readJson } from './file.ts'
import { geoJsonShape } from './geojson.ts'
import { shapeFacts } from './geometry.ts'
import { isAddress, isDayOnly, laterTimestamp, pageTally, rowNumberer, SourceError, sourceOfPages } from './source.ts'

export const socrata = sourceOfPages(async function* (where, context, state) {
  const headers: Record<string, string> = context.token ? { 'x-app-token': context.token } : {}
  const size = where.pageSize ?? 5000
  const since = where.updatedField ? context.previous?.highWater : undefined
  const filters = [
    where.where && `(${where.where})`,
    since && `${where.updatedField} ${isDayOnly(since) ? '>=' : '>'} '${since.replaceAll("'", "''")}'`,
  ]
  const selected = (where.select ?? (where.updatedField ? ':*,*' : '*')).split(',').map((name) => name.trim())
  const holds = (name: string) => selected.includes(name) || selected.includes(name.startsWith(':') ? ':*' : '*')
  const isIdSelected = holds(':id') || !isAddress(where.url)
  // Without its time, no row could be left out of the next run; without their ids, repeated rows could not be told.
  const added = [isIdSelected ? [] : ':id', where.updatedField && !holds(where.updatedField) ? where.updatedField : []]
  const query = {
    $limit: String(size),
    // Without an order, pages may overlap or have gaps.
    $order: where.order ?? (where.updatedField ? `${where.updatedField},:id` : ':id'),
    // System fields such as :id and :updated_at must be requested.
    $select: [...added.flat(), ...selected].join(','),
  }
  const filter = filters.some(Boolean) ? { $where: filters.filter(Boolean).join(' and ') } : undefined
  const tally = pageTally(where.url, state, (fields) => fields[':id'])
  const count = async () => {
    const url = `${where.url}?${new URLSearchParams({ $select: 'count(*) as total', ...filter })}`
    tally.count(((await readJson(url, context, headers)) as { total?: unknown }[] | null)?.[0]?.total)
  }
  const row = rowNumberer()
  state.highWater = since
  // Before the first page: a row of it that is deleted meanwhile moves another one off the next page.
  if (isAddress(where.url)) await count()
  for (let offset = 0; ; ) {
    const page = isAddress(where.url)
      ? `${where.url}?${new URLSearchParams({ ...query, ...filter, $offset: String(offset) })}`
      : where.url
    const answer = await readJson(page, context, headers, (names) => {
      state.columns ??= columnsIn(names['x-soda2-fields'])
    })
    const rows = rowsOf(isAddress(where.url) ? answer : withNames(answer, onlyList(answer)), where.url)
    // A page may be shorter than requested, because servers limit it: only an empty page is the end.
    if (rows.length === 0) return isAddress(where.url) ? await tally.end(count) : undefined
    tally.add(rows)
    if (where.updatedField)
      for (const each of rows) state.highWater = laterTimestamp(state.highWater, each[where.updatedField], context.now)
    yield rows.map(({ [isIdSelected ? '' : ':id']: _, ...each }) => row(withShapes(each)))
    if (!isAddress(where.url)) return
    offset += rows.length
  }
})

/** Rows leave out empty fields, so only this header says which columns there are. It leaves out system fields. */
const columnsIn = (header: unknown): string[] | undefined => {
  try {
    const names: unknown = JSON.parse(String(header))
    return Array.isArray(names) ? [...names.map(String), ...systemFields] : undefined
  } catch {
    return undefined
  }
}
const systemFields = [':id', ':version', ':created_at', ':updated_at']

/** A polygon becomes a point, an area and an outline, as in the other kinds with shapes. */
const withShapes = (fields: Record<string, unknown>): Record<string, unknown> => {
  for (const [name, value] of Object.entries(fields))
    if (isPolygon(value)) return { ...fields, [name]: shapeFacts(geoJsonShape(value)) ?? { unreadable: value.type } }
  return fields
}
const isPolygon = (value: unknown): value is { type: string; coordinates: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  'coordinates' in value &&
  'type' in value &&
  (value.type === 'Polygon' || value.type === 'MultiPolygon')

/**
 * A saved file may hold its rows in the only list at its top, also an empty one, next to an object of columns. Otherwise they are in
 * the largest list at any depth: {"d": {"results": []}}.
 */
const onlyList = (saved: unknown): unknown => {
  const top = typeof saved === 'object' && saved !== null ? Object.values(saved).filter(Array.isArray) : []
  if (!Array.isArray(saved) && top.length === 1) return top[0]
  const [first, second] = listsIn(saved)
    .map((list) => [list, list.length * Object.keys(list[0] as object).length] as const)
    .sort((one, other) => other[1] - one[1])
  return first && first[1] > 2 * (second?.[1] ?? 0) ? first[0] : saved
}
const listsIn = (saved: unknown): unknown[][] => {
  if (typeof saved !== 'object' || saved === null) return []
  const rows: unknown[] = Object.values(saved)
  const isRow = (row: unknown) => typeof row === 'object' && row !== null
  if (Array.isArray(saved)) return rows.length > 0 && rows.every(isRow) ? [rows] : []
  const inside = rows.flatMap(listsIn)
  // An object of many rows by their ids; objects that hold lists of rows are no rows.
  const areRows = rows.length >= 20 && rows.every((row) => isRow(row) && !Array.isArray(row))
  return areRows && inside.length === 0 ? [rows] : inside
}

/** Rows that are lists get their names from another list, {"meta": {"view": {"columns": []}}, "data": [[]]}, or from the first row. */
const withNames = (saved: unknown, rows: unknown): unknown => {
  if (!Array.isArray(rows) || !rows.every(Array.isArray)) return rows
  const [first = [], second = []] = rows as unknown[][]
  const areData = (row: readonly unknown[]) => row.some((value) => typeof value !== 'string' || /^[\W\d]*$/.test(value))
  const names = namesIn(saved, rows) ?? (areData(first) || !areData(second) ? undefined : first.map(String))
  // Columns such as ":created_at" are those of the portal.
  return names
    ? (rows as unknown[][])
        .filter((row) => row !== first || names.some((name, at) => name !== row[at]))
        .map((row) => Object.fromEntries(names.flatMap((name, at) => (name.startsWith(':') ? [] : [[name, row[at]]]))))
    : rows
}
const namesIn = (saved: unknown, rows: readonly unknown[][]): string[] | undefined => {
  if (typeof saved !== 'object' || saved === null || saved === rows) return undefined
  const inside: unknown[] = Object.values(saved)
  const names = inside.map((each) => {
    const { fieldName, name = fieldName } = isRecord(each) ? each : { name: each }
    return String(fieldName).startsWith(':') ? `:${String(name)}` : name
  })
  const isNamed = Array.isArray(saved) && names.length === rows[0]?.length && new Set(names).size === names.length
  if (isNamed && names.every((name) => typeof name === 'string')) return names
  for (const each of inside) {
    const found = namesIn(each, rows)
    if (found) return found
  }
  return undefined
}

const rowsOf = (answer: unknown, url: string): Record<string, unknown>[] => {
  if (Array.isArray(answer) && answer.every((row) => typeof row === 'object' && row !== null)) return answer
  const said = typeof answer === 'object' && answer !== null && 'message' in answer ? `: ${String(answer.message)}` : ''
  throw new SourceError('not_rows', `${url} did not return an array of rows${said}.`)
}
