// Watches: which changes of a record a watch announces. Runs and the estimate of announcements per week use the same functions.
import type { Condition, SearchRow } from '../criteria/conditions.ts'
import { meets } from '../criteria/conditions.ts'
import { readSearch } from '../criteria/read.ts'
import { rowAs } from '../criteria/row-readings.ts'
import type { CriteriaInput } from '../criteria/table.ts'

export const watchKinds = ['listings', 'parcels', 'permits'] as const
export type WatchKind = (typeof watchKinds)[number]

export const watchTriggers = ['entered', 'left', 'price', 'status', 'score', 'permit'] as const
export type WatchTrigger = (typeof watchTriggers)[number]

export const watchCadences = ['instant', 'daily', 'weekly'] as const
export type WatchCadence = (typeof watchCadences)[number]

/** A permit has no price and no score. */
export const permitTriggers: readonly WatchTrigger[] = ['entered', 'left', 'status']

/**
 * The criteria of a stored watch, which were checked when it was saved. A percentile is tested with the one kept in the row. Bounds
 * of numbers come first: they are the quickest to test and reject most rows.
 */
export const watchConditions = (kind: WatchKind, criteria: CriteriaInput): readonly Condition[] => {
  const { conditions } = readSearch(criteria, { kind, maxPositions: Number.POSITIVE_INFINITY })
  const isBound = ({ type }: Condition) => type === 'atLeast' || type === 'atMost'
  return [...conditions.filter(isBound), ...conditions.filter((each) => !isBound(each))]
}

export interface RecordChange {
  /** Undefined for a record that is new. */
  before: SearchRow | undefined
  after: SearchRow
  /** A score changed by the threshold of property.score_updated or more. */
  scored?: boolean
  /** A permit of the home was recorded or changed its status. */
  permit?: boolean
}

/** What a change is to a search: empty if the record meets it neither before nor after. */
export const triggersOf = (
  kind: WatchKind,
  conditions: readonly Condition[],
  { before, after, scored = false, permit = false }: RecordChange,
): WatchTrigger[] => {
  const [from, to] = [rowAs(kind, before), rowAs(kind, after)]
  const was = from !== undefined && meets(conditions, from)
  const is = to !== undefined && meets(conditions, to)
  if (!was && !is) return []
  const [oldPrice, price] = [from?.numbers.price, to?.numbers.price]
  const found: Record<WatchTrigger, boolean> = {
    entered: is && !was,
    left: was && !is,
    price: oldPrice !== undefined && price !== undefined && oldPrice !== price,
    status: before?.texts.status !== undefined && before.texts.status !== after.texts.status,
    score: scored,
    permit: is && permit,
  }
  return watchTriggers.filter((name) => found[name])
}

/** UTC: in the morning of the United States. */
export const announcedAtHour = 13
const dayMs = 86_400_000

/** The last times at which daily and weekly (Monday) watches were due. */
export const watchSlots = (now: Date): { daily: Date; weekly: Date } => {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), announcedAtHour)
  const daily = new Date(today > now.getTime() ? today - dayMs : today)
  return { daily, weekly: new Date(daily.getTime() - ((daily.getUTCDay() + 6) % 7) * dayMs) }
}
