// Which homes a history window hides: those that were sold before it began, or on a day that is not known.
import { sql } from '../engine/database.ts'

/** `row` has the columns status and sold_on. */
export const isHiddenSale = (row: string, since: string): ReturnType<typeof sql> =>
  sql`(${sql.ref(`${row}.status`)} = 'sold' and coalesce(${sql.ref(`${row}.sold_on`)} < ${since}::date, true))`

/** The opposite, also true without a listing. */
export const isNotHiddenSale = (row: string, since: string): ReturnType<typeof sql> =>
  sql`(${sql.ref(`${row}.status`)} is distinct from 'sold' or coalesce(${sql.ref(`${row}.sold_on`)} >= ${since}::date, false))`
