// The columns of rows as a table, in CSV and in exports, from the schema of a row. Its fields come first. Each value inside an object
// follows in a column of its own, so that a sheet or a query needs no JSON; lists stay JSON in the column of
// their object, and values under names that the schema does not list are JSON in one column.
import type { ServedField } from '../domain/served-fields.ts'
import type { RowSchema } from './operation.ts'

export interface Column {
  /** As served; a dot leads into an object: `proforma.returnPct`. */
  name: string
  type: ServedField['type']
}

/** Objects with few fields of their own are listed by field; the others, such as a pro forma, as a whole. */
const opened = ['metadata', 'lot', 'far']

/** The fields of a row, the identifier first. */
export const fieldColumns = ({ properties = {}, anyOf = [] }: RowSchema): Column[] =>
  distinct([
    ...Object.entries(properties).flatMap(([name, schema]) =>
      opened.includes(name) && schema.properties
        ? Object.entries(schema.properties).map(([inner, of]) => ({ name: `${name}.${inner}`, type: typeOf(of) }))
        : [{ name, type: typeOf(schema) }],
    ),
    ...anyOf.flatMap(fieldColumns),
  ])

/** The fields, then the values inside them that have no column yet. */
export const tableColumns = (row: RowSchema, fields: readonly Column[] = fieldColumns(row)): Column[] =>
  distinct([...fields, ...valuesIn(row)])

const valuesIn = (schema: RowSchema, path = ''): Column[] => [
  ...(schema.anyOf ?? []).flatMap((each) => valuesIn(each, path)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]): Column[] => {
    const type = typeOf(inner)
    if (inner.properties || inner.anyOf)
      return valuesIn(name === 'ranks' ? ownRanks(inner, schema) : inner, `${path}${name}.`)
    return path === '' || type === 'list' ? [] : [{ name: `${path}${name}`, type }]
  }),
]

/** A row has ranks of its own scores only. */
const ownRanks = ({ properties = {} }: RowSchema, row: RowSchema): RowSchema => ({
  properties: Object.fromEntries(Object.entries(properties).filter(([score]) => row.properties?.[score])),
})

const distinct = (columns: readonly Column[]): Column[] =>
  [...Map.groupBy(columns, ({ name }) => name).values()].map(([first]) => first!)

const typeOf = ({ type, format }: RowSchema): Column['type'] => {
  const [name] = [type].flat()
  if (name === 'number' || name === 'integer' || name === 'boolean') return name
  if (name === 'string') return format === 'date' ? 'date' : 'text'
  return name === 'array' ? 'list' : 'object'
}
