// src/store/engine/schema.ts: one interface per table, with the names and types that queries return.
import type { Column, Table } from './read-schema.ts'

/** `typed`: the columns, as "table.column" or "column" in camelCase, that src/store/engine/column-types.ts gives a type of its own. */
export const rowTypes = (tables: readonly Table[], typed: ReadonlySet<string>): string => {
  const interfaces = tables.map(
    (table) => `/** ${table.comment ?? ''} */
export interface ${interfaceName(table.name)} {
${table.columns.map((column) => line(table.name, column, typed)).join('\n')}
}`,
  )
  return `// Written by \`npm run schema\` from the migrated database. Do not edit; change the migrations and run it again.
import type { ColumnTypes } from './column-types.ts'

${interfaces.join('\n\n')}
`
}

const line = (table: string, column: Column, typed: ReadonlySet<string>): string =>
  `  ${camelCase(column.name)}: ${typeOf(table, column, typed)}${column.comment ? ` // ${column.comment}` : ''}`

export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

export const interfaceName = (table: string): string => {
  const name = camelCase(table)
  return `${name[0]!.toUpperCase()}${name.slice(1)}Table`
}

const typeOf = (table: string, { name, type, nullable, values }: Column, typed: ReadonlySet<string>): string => {
  const column = `${camelCase(table)}.${camelCase(name)}`
  const own = [column, camelCase(name)].find((each) => typed.has(each))
  const base = own ? `ColumnTypes['${own}']` : (values?.map((value) => `'${value}'`).join(' | ') ?? known(type, column))
  return nullable ? `${base} | null` : base
}

const known = (type: string, column: string): string => {
  const found = Object.entries(types).find(([sql]) => type === sql || type.startsWith(`${sql}(`))
  if (!found) throw new Error(`${column} is ${type}: give it a type in src/store/engine/column-types.ts.`)
  return found[1]
}

/** As the parsers of src/store/engine/database.ts return them. json columns are typed one by one. */
const types: Readonly<Record<string, string>> = {
  text: 'string',
  'text[]': 'string[]',
  integer: 'number',
  bigint: 'number',
  'double precision': 'number',
  'double precision[]': '(number | null)[]',
  boolean: 'boolean',
  date: 'string',
  'timestamp with time zone': 'Date',
  bytea: 'Buffer',
  bit: 'string',
  xid8: 'string',
}
