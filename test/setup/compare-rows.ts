// Whether the result of a statement is what its function declares: names, types, nulls.
import type { Declared, Kind, Statement } from './declared-rows.ts'

export interface Result {
  fields?: { name: string; dataTypeID: number }[]
  rows?: Record<string, unknown>[]
}

/** The types of PostgreSQL as the driver returns them, for results without rows. Values tell the others. */
const kindsByType: Readonly<Record<number, Kind>> = {
  16: 'boolean',
  17: 'bytes',
  ...Object.fromEntries([20, 21, 23, 26, 700, 701, 1700].map((type) => [type, 'number' as const])),
  ...Object.fromEntries([19, 25, 1042, 1043, 1082, 2950].map((type) => [type, 'string' as const])),
  ...Object.fromEntries([1114, 1184].map((type) => [type, 'Date' as const])),
  ...Object.fromEntries([1005, 1007, 1009, 1015, 1016, 1022, 1182, 1185, 1231].map((type) => [type, 'array' as const])),
}

const rowsCompared = 50

/** The statements whose texts are in this one, in their order: those with the most text. */
export const statementsOf = (text: string, statements: readonly Statement[]): Statement[] => {
  const matching = statements.filter(({ texts }) => isMadeOf(text, texts))
  const length = ({ texts }: Statement) => texts.join('').length
  const longest = Math.max(...matching.map(length))
  return matching.filter((statement) => length(statement) === longest)
}

const isMadeOf = (text: string, texts: readonly string[]): boolean => {
  const last = texts.at(-1)!
  if (!text.startsWith(texts[0]!) || !text.endsWith(last)) return false
  if (texts.length === 1) return text === last
  let at = texts[0]!.length
  for (const each of texts.slice(1, -1)) {
    const found = text.indexOf(each, at)
    if (found < 0) return false
    at = found + each.length
  }
  return at <= text.length - last.length
}

export const problemsOf = ({ at, row, value }: Statement, { fields, rows = [] }: Result): string[] => {
  const columns = fields!.map(({ name, dataTypeID }) => ({ name: camelCase(name), type: dataTypeID, column: name }))
  const problem = (declared: Declared, { name, type, column }: (typeof columns)[number]) => {
    const values = rows.slice(0, rowsCompared).map((each) => each[column])
    const wrong = values.map((each) => wrongKind(each, declared)).find((each) => each !== undefined)
    const kind = kindsByType[type]
    const found = wrong ?? (kind && !allows(declared.kinds, kind) ? kind : undefined)
    return found === undefined
      ? []
      : [`${at}: ${name} is declared ${declared.kinds.join(' | ')}, the statement returns ${found}`]
  }
  if (value)
    return columns.length === 1
      ? problem(value, columns[0]!)
      : [`${at}: one column expected, ${columns.length} returned`]
  return Object.entries(row ?? {}).flatMap(([name, declared]) => {
    const column = columns.find((each) => each.name === name)
    if (column) return problem(declared, column)
    return allows(declared.kinds, 'undefined')
      ? []
      : [`${at}: ${name} is declared, and the statement does not return it`]
  })
}

const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const allows = (kinds: readonly Kind[], kind: Kind): boolean => kinds.includes(kind) || kinds.includes('any')

const kindOf = (value: unknown): Kind => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (value instanceof Date) return 'Date'
  if (value instanceof Uint8Array) return 'bytes'
  return typeof value as Kind
}

const wrongKind = (value: unknown, { kinds, elements }: Declared): string | undefined => {
  const kind = kindOf(value)
  if (!allows(kinds, kind)) return kind
  const wrong = elements && Array.isArray(value) ? value.find((each) => !allows(elements, kindOf(each))) : undefined
  return wrong === undefined ? undefined : `an array with ${kindOf(wrong)}`
}
