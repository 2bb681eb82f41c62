// Conditions on the status of a listing, with literal values: with parameters, PostgreSQL could not use the partial indexes.
import { forSaleStatuses, onMarketStatuses, shownStatuses } from '../../domain/facts.ts'
import { sql } from '../engine/database.ts'

/** `status` is the column, with the alias of its table if the query has several. */
export const onMarket = (status: string) => isOneOf(status, onMarketStatuses)

export const forSale = (status: string) => isOneOf(status, forSaleStatuses)

export const isShownStatus = (status: string) => isOneOf(status, shownStatuses)

const isOneOf = (status: string, statuses: readonly string[]) =>
  sql.raw(`${status} in (${statuses.map((each) => `'${each}'`).join(', ')})`)

// Which homes a history window hides: those that were sold before it began, or on a day that is not known.
/** `row` has the columns status and sold_on. */
export const isHiddenSale = (row: string, since: string): ReturnType<typeof sql> =>
  sql`(${sql.ref(`${row}.status`)} = 'sold' and coalesce(${sql.ref(`${row}.sold_on`)} < ${since}::date, true))`

/** The opposite, also true without a listing. */
export const isNotHiddenSale = (row: string, since: string): ReturnType<typeof sql> =>
  sql`(${sql.ref(`${row}.status`)} is distinct from 'sold' or coalesce(${sql.ref(`${row}.sold_on`)} >= ${since}::date, false))`
