import { sql } from './database.ts'

/** These columns of a row as a list, to compare rows. A point has no equality operator, so `location` is compared as text. */
export const comparedColumns = (names: readonly string[], row: string): ReturnType<typeof sql> =>
  sql.raw(names.map((name) => `${row}.${name}${name === 'location' ? '::text' : ''}`).join(', '))
