// Checks each row of a feed. A row without a required value is rejected with the reason; a single implausible value is left
// out (it becomes unknown) and counted.
import type { Dataset } from '../domain/facts.ts'
import { isLayer, type RecordSource, type SourceConfig } from '../domain/packs/source-config.ts'
import type { RawRow } from '../sources/source.ts'
import type { StagedRow } from '../store/ingest/stage.ts'
import { condition } from './conditions.ts'
import { type DateOrders, dateOrders } from './date-order.ts'
import { dayAfter, type Facts, type Rejection } from './facts.ts'
import { kinds } from './kinds.ts'
import { layerChecker } from './layer-rows.ts'
import { mapper, nullsOf } from './map.ts'

export type Checked =
  | { staged: StagedRow; rejected?: undefined; city?: undefined }
  /** Includes the row's id if it could be read: a rejected row is still in the feed and must not be marked removed. */
  | { staged?: undefined; rejected: Rejection & { recordId?: string }; city?: string | undefined }

export interface Checker {
  check(row: RawRow): Checked
  /** Number of values left out of accepted rows, by reason. */
  leftOut: ReadonlyMap<string, number>
  /** Why the rows should not be loaded as they are; known when all are read. */
  problems?(): string[]
}

export const checker = (config: SourceConfig, now: Date, dates = dateOrders()): Checker =>
  isLayer(config) ? layerChecker(config) : recordChecker(config as RecordSource, now, dates)

const recordChecker = (config: RecordSource, now: Date, dates: DateOrders): Checker => {
  const map = mapper(config, dates)
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
    staged.raw = keptRow(row.fields)
    return { staged }
  }
  return { check, leftOut }
}

/**
 * The outline is kept in a table of its own; a second copy would double the size of a county's parcels. Row numbers of the service
 * change with every upload and would make every row a changed one.
 */
const keptRow = (given: RawRow['fields']): RawRow['fields'] => {
  const { _id, ':id': __, ':version': ___, ...kept } = given as Record<string, unknown>
  const fields = _id === undefined && __ === undefined ? given : kept
  const { outline, geometry, ...rest } = fields as Record<string, unknown>
  if (outline === undefined && (geometry as { outline?: unknown } | undefined)?.outline === undefined) return fields
  if (typeof geometry !== 'object' || geometry === null) return geometry === undefined ? rest : { ...rest, geometry }
  const { outline: _, ...facts } = geometry as Record<string, unknown>
  return { ...rest, geometry: facts }
}

const idFields: Readonly<Record<Dataset, readonly string[]>> = {
  parcels: ['apn', 'recordId'],
  listings: ['listingId'],
  sales: ['saleId'],
  permits: ['permitId'],
  rents: ['rentId'],
}
