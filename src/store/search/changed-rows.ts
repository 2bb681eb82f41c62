// The searchable rows that a run changes, before and after: what a watch tests with `meets`.
import { isDeepStrictEqual } from 'node:util'
import type { SearchRow } from '../../criteria/conditions.ts'
import type { MarketId } from '../../domain/facts.ts'
import type { Db } from '../engine/database.ts'
import { searchRowsOf } from './search-rows.ts'
import { lockSearchRows } from './upkeep.ts'

export interface ChangedRow {
  /** Undefined for a property that had no row. */
  before: SearchRow | undefined
  after: SearchRow
}

/**
 * Runs `write`, which updates the search rows of these properties in the same transaction, and returns the rows that it changed. They
 * are locked first, so that a change of another transaction is reported by that transaction only.
 */
export const changedRows = async (
  tx: Db,
  market: MarketId,
  ids: readonly string[],
  today: string,
  write: () => Promise<unknown>,
): Promise<ChangedRow[]> => {
  await lockSearchRows(tx, market, ids)
  const before = await searchRowsOf(tx, market, ids, today, { deals: true })
  await write()
  const after = await searchRowsOf(tx, market, ids, today, { deals: true })
  return [...after].flatMap(([id, row]) =>
    isDeepStrictEqual(row, before.get(id)) ? [] : [{ before: before.get(id), after: row }],
  )
}
