// Columns of the tables in answers, by the names of served fields.
import { type FieldPath, servedField } from '../domain/served-fields.ts'
import type { Column } from './table.ts'

const formats: Readonly<Record<string, NonNullable<Column['as']>>> = {
  dollars: 'usd',
  'dollars per square foot': 'usd',
  percent: 'pct',
  'square feet': 'sqft',
  kilometers: 'miles',
}

/** With a heading that differs from the usual one. */
export const column = (path: FieldPath, other?: string): Column => {
  const { unit, head = lastOf(path) } = servedField(path)
  const as = formats[unit ?? '']
  return { path, ...(as && { as }), head: other ?? head }
}
const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

export const columns = (...paths: readonly FieldPath[]): Column[] => paths.map((path) => column(path))
