// Which listings a query means, written as the indexes on listings have it: a parameter would hide it from them.
import { onMarketStatuses, shownStatuses } from '../../contract/facts.ts'
import { sql } from '../engine/database.ts'

/** `status`: the column, with its table's name where there are several. */
export const onMarket = (status: string) => isOneOf(status, onMarketStatuses)

export const shown = (status: string) => isOneOf(status, shownStatuses)

const isOneOf = (status: string, statuses: readonly string[]) =>
  sql.raw(`${status} in (${statuses.map((each) => `'${each}'`).join(', ')})`)
