// Which events a filter lets through: it tests the searchable row that an event keeps.

import { badRequest } from '../../common/errors.ts'
import { keysOf } from '../../common/typed.ts'
import { meets, type SearchRow } from '../../criteria/conditions.ts'
import { readSearch } from '../../criteria/read.ts'
import type { CriteriaInput, SearchKind } from '../../criteria/table.ts'
import { criteriaOf } from '../../criteria/vocabulary.ts'
import { type EventName, events } from './table.ts'

/**
 * Throws 400 for a criterion that applies to none of the types. Of a type to which a criterion does not apply, no event passes: its
 * rows do not have the value. No market means every market, and no `issued` permits in any stage.
 */
export const eventFilter = (
  criteria: CriteriaInput,
  types: readonly EventName[],
): ((type: EventName, row: SearchRow | null) => boolean) => {
  const kinds = [...new Set(types.map((type) => events[type].about))]
  const given = keysOf(criteria).filter((name) => criteria[name] !== undefined)
  for (const name of given)
    if (name !== 'market' && !kinds.some((kind) => appliesTo(kind, name)))
      throw badRequest(
        `${name} applies to none of the events ${types.join(', ')}. Leave it out, or add an event that has it.`,
      )
  const readings = new Map(kinds.map((kind) => [kind, readingOf(kind, criteria, given)]))
  return (type, row) => {
    if (given.length === 0) return true
    const reading = readings.get(events[type].about)
    return (
      row !== null && reading !== undefined && reading.markets.includes(row.market) && meets(reading.conditions, row)
    )
  }
}

const readingOf = (kind: SearchKind, criteria: CriteriaInput, given: readonly string[]) =>
  given.every((name) => name === 'market' || appliesTo(kind, name))
    ? readSearch({ issued: 'any', ...criteria, market: criteria.market ?? 'all' }, { kind })
    : undefined

const appliesTo = (kind: SearchKind, name: string): boolean => criteriaOf(kind).some(([each]) => each === name)
