// Columns of a table, named once: what a statement selects, and the type of its rows.
import { sql } from './database.ts'

/** `living_sqft` for `livingSqft`. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The columns as SQL, of the table that the statement calls `alias`. */
type Columns<Row> = ((alias?: string) => ReturnType<typeof sql>) & { row?: Row }

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text

/** `columnsOf<PermitTable>()('permitId citySlug status')`. The compiler rejects a name that the table does not have. */
export const columnsOf =
  <Table>() =>
  <Names extends string>(
    ...names: (Names & (Words<Names> extends keyof Table ? unknown : 'names a column that the table does not have'))[]
  ): Columns<Pick<Table, Words<Names> & keyof Table>> =>
  (alias) => {
    const columns = names.join(' ').split(' ').map(columnOf)
    return sql`${sql.join(columns.map((column) => (alias ? sql.id(alias, column) : sql.id(column))))}`
  }

export type RowOf<Selected> = Selected extends Columns<infer Row> ? Row : never
