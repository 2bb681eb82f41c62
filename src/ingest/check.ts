// Checks each row of a feed. A row without a required value is rejected with the reason; a single implausible value is left
// out (it becomes unknown) and counted.
import type { Condition, SourceConfig } from '../contract/source-config.ts'
import type { RawRow } from '../sources/source.ts'
import type { StagedRow } from '../store/ingest/stage.ts'
import { dayAfter, type Facts, type Rejection } from './facts.ts'
import { kinds } from './kinds.ts'
import { getter, mapper, nullsOf } from './map.ts'
import { isNull, readText } from './values.ts'

export type Checked =
  | { staged: StagedRow; rejected?: undefined; city?: undefined }
  /** Includes the row's id if it could be read: a rejected row is still in the feed and must not be marked removed. */
  | { staged?: undefined; rejected: Rejection & { recordId?: string }; city?: string | undefined }

export interface Checker {
  check(row: RawRow): Checked
  /** Number of values left out of accepted rows, by reason. */
  leftOut: ReadonlyMap<string, number>
}

export const checker = (config: SourceConfig, now: Date): Checker => {
  const map = mapper(config)
  const build = kinds[config.holds]
  const conditions = (config.require ?? []).map((one) => condition(one, nullsOf(config)))
  const leftOut = new Map<string, number>()
  // A listing may have a future date (an expected closing); more than two years ahead is a typing error.
  const latest = dayAfter(now, 731)
  // Past events cannot be dated after today; one extra day allows for clocks and time zones.
  const today = dayAfter(now, 1)
  const idOf = (values: Facts['values']) =>
    idFields[config.holds].map((field) => values[field] as string | undefined).find((id) => id !== undefined)
  const check = (row: RawRow): Checked => {
    if (row.problem) return { rejected: { ...row.problem, recordId: idOf(map(row.fields).values) } }
    for (const failure of conditions) {
      const reason = failure(row.fields)
      if (reason) return { rejected: { code: 'requirement', reason } }
    }
    const { values, unread } = map(row.fields)
    const facts: Facts = { values, unread, left: [], latest, today, rejection: undefined }
    const staged = build(facts, config)
    if (facts.rejection)
      return {
        rejected: { ...facts.rejection, recordId: idOf(values) },
        city: config.city ?? (values.city as string | undefined),
      }
    for (const { field } of unread) facts.left.push(`${field}: could not be read`)
    for (const reason of facts.left) {
      // Reasons can quote the feed, so their number is capped to bound memory.
      const key = leftOut.size < 500 || leftOut.has(reason) ? reason : 'other reasons'
      leftOut.set(key, (leftOut.get(key) ?? 0) + 1)
    }
    staged.n = row.number
    staged.raw = withoutOutline(row.fields)
    return { staged }
  }
  return { check, leftOut }
}

/** The outline is kept in a table of its own; a second copy would double the size of a county's parcels. */
const withoutOutline = (fields: RawRow['fields']): RawRow['fields'] => {
  const { outline, geometry, ...rest } = fields as Record<string, unknown>
  if (outline === undefined && (geometry as { outline?: unknown } | undefined)?.outline === undefined) return fields
  if (typeof geometry !== 'object' || geometry === null) return geometry === undefined ? rest : { ...rest, geometry }
  const { outline: _, ...facts } = geometry as Record<string, unknown>
  return { ...rest, geometry: facts }
}

const idFields: Readonly<Record<SourceConfig['holds'], readonly string[]>> = {
  parcels: ['apn', 'recordId'],
  listings: ['listingId'],
  sales: ['saleId'],
  permits: ['permitId'],
}

/** Returns the reason why a row fails the condition, or undefined. */
const condition = (
  { field, in: allowed, any, notIn, filled }: Condition,
  nulls: ReadonlySet<string> | undefined,
): ((fields: RawRow['fields']) => string | undefined) => {
  const get = getter(field)
  const set = (words: readonly string[] | undefined) => words && new Set(words.map((word) => word.toLowerCase()))
  const [mustBe, mustHave, mustNot] = [set(allowed), set(any), set(notIn)]
  return (fields) => {
    const held = get(fields)
    const items = (Array.isArray(held) ? held : held === undefined || held === null ? [] : [held]).map((each) =>
      String(each).trim().toLowerCase(),
    )
    // Same rule as the mapping: "null" and "n/a" count as empty.
    if (filled && !items.some((item) => !isNull(item, nulls))) return `${field} is empty; it must hold a value`
    const shown = items.length > 0 ? `"${readText(items.join(', '), 80)}"` : 'empty'
    if (mustBe && !items.every((item) => mustBe.has(item)))
      return `${field} is ${shown}; every value must be one of ${allowed!.join(', ')}`
    if (mustBe && !Array.isArray(held) && items.length === 0)
      return `${field} is empty; it must be one of ${allowed!.join(', ')}`
    if (mustHave && !items.some((item) => mustHave.has(item)))
      return `${field} is ${shown}; one value must be among ${any!.join(', ')}`
    if (mustNot && items.some((item) => mustNot.has(item)))
      return `${field} is ${shown}; it must be none of ${notIn!.join(', ')}`
    return undefined
  }
}
