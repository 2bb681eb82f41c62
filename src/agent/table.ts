// Renders rows as a Markdown table for people and models.
import { milesPerKm } from '../domain/distance.ts'
import { cellText } from './clean.ts'

/** A column: the path of its field, the format of its values, and a short heading for a long path. */
export interface Column {
  path: string
  as?: 'usd' | 'pct' | 'sqft' | 'miles'
  head?: string
  /** Maximum characters of a table cell. */
  max?: number
}

export const table = (rows: readonly unknown[], columns: readonly Column[]): string => {
  const shown = columns.filter((column) => rows.some((row) => at(row, column.path) !== undefined))
  if (shown.length === 0) return ''
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    line(shown.map(({ head, path }) => cellText(head ?? path, 40))),
    line(shown.map(() => '---')),
    ...rows.map((row) => line(shown.map((column) => cell(at(row, column.path), column.as, column.max)))),
  ].join('\n')
}

/** `Name: value` lines of the known values. */
export const factLines = (row: unknown, columns: readonly Column[], bullet = ''): string =>
  columns
    .map((column) => ({ ...column, value: at(row, column.path) }))
    .filter(({ value }) => value !== undefined && value !== null)
    .map(({ head, path, value, as }) => `${bullet}${cellText(head ?? path, 60)}: ${cell(value, as, 320)}`)
    .join('\n')

export const at = (row: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      row,
    )

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const fine = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, useGrouping: false })

const cell = (value: unknown, as?: Column['as'], maxLength = 80): string => {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'number') return figure(value, as)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return cellText(value, maxLength)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : cellText(value.map(brief).join('; '), maxLength)
  return cellText(brief(value), maxLength)
}

const figure = (value: number, as?: Column['as']): string => {
  if (as === 'usd') return value < 0 ? `-$${whole.format(-value)}` : `$${whole.format(value)}`
  if (as === 'pct') return `${fine.format(value)}%`
  if (as === 'sqft') return `${whole.format(value)} sq ft`
  // The field is in kilometers.
  if (as === 'miles') return fine.format(value * milesPerKm)
  return fine.format(value)
}

// Objects inside a cell (block reasons, lots, units): their name or reason if they have one, otherwise their values.
const brief = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return String(value)
  const record = value as Record<string, unknown>
  const label = record.reason ?? record.title ?? record.code
  if (typeof label === 'string') return label
  if (typeof record.kind === 'string' && typeof record.sqft === 'number')
    return `${record.kind} ${figure(record.sqft, 'sqft')}`
  return Object.entries(record)
    .filter(([, item]) => typeof item !== 'object')
    .map(([name, item]) => `${name} ${typeof item === 'number' ? fine.format(item) : String(item)}`)
    .join(' ')
}
