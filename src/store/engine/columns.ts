// Columns of a table, named once: what a statement selects, and the type of its rows.
import { sql } from 'kysely'
import { keysOf } from '../../common/typed.ts'

/** `living_sqft` for `livingSqft`. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The columns as SQL, of the table that the statement calls `alias`; `named` for COPY, whose rows keep the names of the statement. */
type Columns<Row> = ((alias?: string, as?: 'named') => ReturnType<typeof sql>) & { row?: Row }

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text

/** `columnsOf<PermitTable>()('permitId citySlug status')`. The compiler rejects a name that the table does not have. */
export const columnsOf =
  <Table>() =>
  <Names extends string>(
    ...names: (Names & (Words<Names> extends keyof Table ? unknown : 'names a column that the table does not have'))[]
  ): Columns<Pick<Table, Words<Names> & keyof Table>> =>
  (alias, as) => {
    const columns = names
      .join(' ')
      .split(' ')
      .map((name) => {
        const column = alias ? sql.id(alias, columnOf(name)) : sql.id(columnOf(name))
        return as ? sql`${column} as ${sql.raw(`"${name}"`)}` : column
      })
    return sql`${sql.join(columns)}`
  }

/**
 * Rows as a table of the statement, with an array of values for each column: `tableOfRows(rows, { id: 'text', sentAt: 'timestamptz' })`
 * has the columns id and sent_at.
 */
export const tableOfRows = <Row extends object>(
  rows: readonly Row[],
  types: { [Name in keyof Row & string]?: string },
  name = 'given',
) => {
  const columns = keysOf(types) as (keyof Row & string)[]
  const arrays = columns.map((column) => {
    const type = types[column]!
    const cell = (value: unknown) => (type === 'jsonb' && value !== null ? JSON.stringify(value) : value)
    return sql`${rows.map((row) => cell(row[column] ?? null))}::${sql.raw(type)}[]`
  })
  return sql`unnest(${sql.join(arrays)}) as ${sql.id(name)} (${sql.join(columns.map((column) => sql.id(columnOf(column))))})`
}

/** Rows as a table with the columns of a stored one. */
export const recordset = (table: string, rows: readonly object[]) => {
  const named = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value])),
  )
  return sql`jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(named)}::jsonb)`
}

export type RowOf<Selected> = Selected extends Columns<infer Row> ? Row : never

/** These columns of a row as a list, to compare rows. A point has no equality operator, so `location` is compared as text. */
export const comparedColumns = (names: readonly string[], row: string): ReturnType<typeof sql> =>
  sql.raw(names.map((name) => `${row}.${name}${name === 'location' ? '::text' : ''}`).join(', '))
