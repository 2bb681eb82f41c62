// The proposal for one data set while it is made: the steps add fields to it and leave fields out.
import type { Dataset } from '../../domain/facts.ts'
import type { FieldRule } from '../../domain/packs/source-config.ts'
import { nameKey } from '../column-names.ts'
import { namesIn, targetFields } from '../map.ts'
import { isEmptyNumber, isEmptyWord, isNull } from '../values.ts'
import { type Column, rankOf } from './columns.ts'
import { isStreetAddress } from './field-evidence.ts'
import type { Table } from './table.ts'

export interface ProposedField {
  field: string
  rule: FieldRule
  /** Values of the feed. */
  examples: string[]
  confidence: 'high' | 'medium'
  note?: string
}

/** A field whose column was found but not mapped. */
export interface UnclearField {
  field: string
  column: string
  reason: string
}

export interface Draft extends Table {
  readonly holds: Dataset
  readonly now: Date
  readonly fields: ProposedField[]
  unclear: UnclearField[]
  /** Names of the columns that a field reads. */
  readonly used: Set<string>
  /** Columns for the parts of an address, in the order of `addressParts` in column-names.ts. */
  addressParts: readonly (Column | undefined)[]
  /** Name of the column that holds a point. */
  point?: string
  /** Rents with a column per number of bedrooms. */
  rentColumns: { column: string; bedrooms: number }[]
  find(field: string): ProposedField | undefined
  has(field: string): boolean
  /** The column that a field reads; undefined if it reads several. */
  columnFor(field: string): Column | undefined
  /** The name of that column as `nameKey` writes it, or an empty text. */
  keyFor(field: string): string
  /** The unused columns that fit. */
  unused(fits: (column: Column) => boolean): Column[]
  /** The unused column whose name matches best. */
  unusedNamed(pattern: string, fits?: (column: Column) => boolean): Column | undefined
  /** Adds a field of the data set, with what is not the default. Fields of other data sets are ignored. */
  add(
    field: string,
    columns: readonly Column[],
    rule: FieldRule,
    more?: Pick<ProposedField, 'note'> & { sure?: boolean },
  ): void
  /** Adds a field that no column is named for, from the first unused column whose values fit. */
  addByValues(field: string, fits: (column: Column) => boolean): void
  /** Adds a field whose value is in several columns. */
  addJoined(field: string, parts: readonly (Column | undefined)[], join?: { separator?: string; strip?: string }): void
  /** Removes a field and says why. Its columns can be used again. */
  leaveOut(field: string, reason: string): void
}

export type Step = (draft: Draft) => void

export const newDraft = (table: Table, holds: Dataset, now: Date): Draft => {
  const { columns, filled } = table
  const draft: Draft = {
    ...table,
    ...{ holds, now, fields: [], unclear: [], used: new Set(), addressParts: [], rentColumns: [] },
    find: (field) => draft.fields.find((each) => each.field === field),
    has: (field) => draft.find(field) !== undefined,
    columnFor: (field) => {
      const rule = draft.find(field)?.rule
      const own = typeof rule === 'string' ? rule : (rule as { field?: string } | undefined)?.field
      return columns.find(({ name }) => name === own)
    },
    keyFor: (field) => nameKey(draft.columnFor(field)?.name ?? ''),
    unused: (fits) => filled.filter((column) => !draft.used.has(column.name) && fits(column)),
    unusedNamed: (pattern, fits = () => true) => {
      const found = draft.unused((column) => rankOf(column, [pattern]) >= 0 && fits(column))
      return found.find((column) => rankOf(column, [pattern]) === 0) ?? found[0]
    },
    add: (field, from, rule, { sure, note } = {}) => {
      if (!(field in targetFields[holds])) return
      for (const { name } of from) draft.used.add(name)
      const examples = examplesOf(field, from, rule)
      draft.fields.push({ field, examples, confidence: sure ? 'high' : 'medium', rule, ...(note ? { note } : {}) })
    },
    addByValues: (field, fits) => {
      const [column] = draft.has(field) ? [] : draft.unused(fits)
      if (column) draft.add(field, [column], column.name, { note: 'by its values' })
    },
    addJoined: (field, parts, join = {}) => {
      const found = parts.filter((part) => part !== undefined)
      const names = found.map(({ name }) => name)
      if (names.length > 0 && !draft.has(field))
        draft.add(field, found, names.length === 1 ? names[0]! : { join: names, ...join })
    },
    leaveOut: (field, reason) => {
      const at = draft.fields.findIndex((each) => each.field === field)
      if (at === -1) return
      const names = namesIn(draft.fields.splice(at, 1)[0]!.rule)
      for (const name of names) draft.used.delete(name)
      draft.unclear.push({ field, column: names.join(', '), reason })
    },
  }
  return draft
}

/** A step that leaves a field out if its column is not that of the field. */
export const leaveOutIf =
  (field: string, reason: string, isWrong: (draft: Draft) => unknown): Step =>
  (draft) => {
    if (draft.has(field) && isWrong(draft)) draft.leaveOut(field, reason)
  }

/** Three different values, joined as the rule joins them. */
const examplesOf = (field: string, columns: readonly Column[], rule: FieldRule): string[] => {
  const parts = typeof rule === 'object' && 'join' in rule ? columns : columns.slice(0, 1)
  const isShown = field === 'address' && columns.length === 1 ? isStreetAddress : () => true
  const examples = new Set<string>()
  for (const [row, value] of parts[0]!.all.entries()) {
    if (examples.size === 3) break
    if (isNull(value) || isEmptyWord(value) || isEmptyNumber(value)) continue
    const written = parts.flatMap(({ all }) => (isNull(all[row]) ? [] : String(all[row]).trim())).join(' ')
    const text = written.slice(0, 60)
    if (isShown(text)) examples.add(text)
  }
  return [...examples]
}
