// Which changes of a record a watch announces. Runs and the estimate of announcements per week use the same functions.
import { type Condition, meets, type RecordChange } from '../criteria/conditions.ts'
import { readSearch } from '../criteria/read.ts'
import { rowAs } from '../criteria/row-readings.ts'
import type { CriteriaInput } from '../criteria/table.ts'
import { type WatchKind, type WatchTrigger, watchTriggers } from '../wire/watches.ts'

/** The criteria of a stored watch. A percentile is that of the row. Bounds of numbers come first: they are quick and reject most rows. */
export const watchConditions = (kind: WatchKind, criteria: CriteriaInput): readonly Condition[] => {
  const { conditions } = readSearch(criteria, { kind })
  const isBound = ({ type }: Condition) => type === 'atLeast' || type === 'atMost'
  return [...conditions.filter(isBound), ...conditions.filter((each) => !isBound(each))]
}

/** Undefined for criteria that this version refuses: they must not stop the others. */
export const storedConditions = (kind: WatchKind, criteria: CriteriaInput): readonly Condition[] | undefined => {
  try {
    return watchConditions(kind, criteria)
  } catch {
    return undefined
  }
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
  const triggers: Record<WatchTrigger, boolean> = {
    entered: is && !was,
    left: was && !is,
    price: oldPrice !== undefined && price !== undefined && oldPrice !== price,
    status: before?.texts.status !== undefined && before.texts.status !== after.texts.status,
    score: scored,
    permit: is && permit,
  }
  return watchTriggers.filter((name) => triggers[name])
}
