// Maps each field to the column whose name fits best, if its values can be read as the field.
import { nameKey, namesOf } from '../column-names.ts'
import { targetFields } from '../map.ts'
import { type Column, homeTypeTenths, rankOf, share } from './columns.ts'
import type { Draft, Step } from './draft.ts'
import { readColumn, unitsBeside, unitsWithin } from './read-column.ts'

export const mapByName: Step = (draft) => {
  const { holds, filled, unclear } = draft
  // The operator names the market; a column "market" is a value.
  for (const field of Object.keys(targetFields[holds]).filter((name) => name !== 'market'))
    for (const { column, rank } of candidates(draft, field)) {
      const read =
        unitsBeside(field, column, filled) ?? unitsWithin(field, column) ?? readColumn(holds, field, column, draft)
      if ('reason' in read) {
        unclear.push({ field, column: column.name, reason: read.reason })
        continue
      }
      draft.add(field, [column], read.rule, { ...read, sure: read.sure && rank <= 1 })
      break
    }
}

/** The columns whose names fit a field, the best first. */
const candidates = (draft: Draft, field: string): { column: Column; rank: number }[] => {
  const { holds, filled, used } = draft
  const patterns = [nameKey(field), ...namesOf(holds, field)]
  const preference = preferences[field]?.(draft) ?? (() => 0)
  return filled
    .map((column) => ({ column, rank: rankOf(column, patterns) }))
    .filter(({ rank, column }) => rank >= 0 && (!used.has(column.name) || field === 'saleId'))
    .sort(
      (a, b) =>
        preference(b.column) - preference(a.column) ||
        a.rank - b.rank ||
        yearIn(b.column.name) - yearIn(a.column.name) ||
        b.column.values.length - a.column.values.length,
    )
}

/** Facts that are unknown where they are 0. */
const isRarelyZero = () => (column: Column) => (share(column.values, (text) => Number(text) === 0) > 0.75 ? 0 : 1)
/** What the values of the column must show before its name is compared; higher numbers are better. */
const preferences: Readonly<Record<string, (draft: Draft) => (column: Column) => number>> = {
  // Of several texts, the one that differs from row to row describes the work.
  description: ({ filled }) => {
    const most = Math.max(0, ...describing(filled).map(({ distinct }) => distinct))
    return ({ distinct }) => (distinct > most / 2 ? 1 : 0)
  },
  propertyType: () => homeTypeTenths,
  // "Last Sold Price" beside "Last Sold Date", rather than an amount with another name.
  priceUsd: ({ keyFor }) => {
    const sold = bareName(keyFor('soldOn'))
    return ({ name }) => (sold !== '' && bareName(nameKey(name)) === sold ? 1 : 0)
  },
  livingSqft: isRarelyZero,
  lotSqft: isRarelyZero,
  yearBuilt: isRarelyZero,
}

const bareName = (key: string): string => key.replace(/(date|dt|on|price|prc|amt|amount|val(ue)?)1?$/, '')

/** Columns that are named as the description of a permit. */
export const describing = (columns: readonly Column[]): Column[] =>
  columns.filter((column) => rankOf(column, namesOf('permits', 'description')) >= 0)

/** "LAND_VALUE_2024": the newest of several years is used. */
const yearIn = (name: string): number => Number(/(?:19|20)\d\d$/.exec(name)?.[0] ?? 0)
