// How the values of a column are read as a field, or why they cannot be.
import { type Dataset, permitClasses } from '../../domain/facts.ts'
import type { FieldRule } from '../../domain/packs/source-config.ts'
import { stateCodes } from '../../domain/states.ts'
import { nameKey } from '../column-names.ts'
import { targetFields } from '../map.ts'
import { isEmptyWord, readBoolean, readNumber, unreadable } from '../values.ts'
import { propertyType } from '../vocabulary.ts'
import { areHomeTypes, type Column, quoted, share } from './columns.ts'
import { misfit } from './field-evidence.ts'
import { areaUnits, readAmounts } from './read-amounts.ts'
import { readDates } from './read-dates.ts'
import type { Table } from './table.ts'

export type Read = { rule: FieldRule; sure: boolean; note?: string } | { reason: string }

export const readColumn = (
  holds: Dataset,
  field: string,
  column: Column,
  { isMonthFirst = false, hasBuildings = false }: Partial<Table> = {},
): Read => {
  const { name, values } = column
  const type = targetFields[holds][field]
  if (scales.has(field)) return { reason: 'the scale of the grades must be mapped by hand; see docs/sources.md' }
  if (field === 'issuedOn' && nameKey(name) === 'date')
    return { reason: 'its name does not say whether it is the day of the application or of the issue' }
  if (type === 'date' || field === 'modifiedAt') return readDates(name, values, isMonthFirst)
  if (type === 'number' || type === 'integer' || field === 'valuation')
    return readAmounts(field, name, values, hasBuildings && /Usd$|^livingSqft$/.test(field) ? 100 : 1)
  if (type === 'boolean')
    return share(values, (text) => typeof readBoolean(text) === 'boolean') > 0.95
      ? { rule: name, sure: true }
      : { reason: 'the values are not yes or no' }
  const texts = values.map(String)
  const withState = field === 'city' ? cityWithState(name, texts) : undefined
  if (withState) return withState
  const reason = (type === 'list' ? undefined : misfit(field, texts)) ?? textProblem(holds, field, column, texts)
  if (reason) return { reason }
  if (field === 'propertyType') return readTypes(name, texts)
  if (field === 'zip') return readZips(name, texts)
  const isCapitals = (field === 'city' || field === 'county') && texts.every((text) => text === text.toUpperCase())
  return { rule: isCapitals ? { field: name, case: 'title' } : name, sure: true }
}

/** Grades whose best and worst differ from feed to feed. */
const scales = new Set(['quality', 'condition', 'view'])

const textProblem = (holds: Dataset, field: string, column: Column, texts: readonly string[]): string | undefined => {
  const { name, values, distinct } = column
  if (field === 'apn' && /^geoid/.test(nameKey(name)) && texts.every((text) => /^\d{5,12}$/.test(text)))
    return 'it is a census tract or block number'
  if (field === 'projectType' && ((distinct > 50 && distinct > values.length / 2) || areHomeTypes(column)))
    return 'the values describe the work or the type of home, not the kind of permit'
  // A city's own classes belong to the kind of work.
  if (field === 'permitClass' && !texts.every((text) => (permitClasses as readonly string[]).includes(text)))
    return `the values are not classes of Lotline (${permitClasses.join(', ')})`
  if (fewestDistinct[holds]?.[0] === field && distinct < fewestDistinct[holds][1] * values.length)
    return `only ${distinct} different values in ${values.length} rows`
  if (field === 'saleId' && distinct < values.length) return 'several rows have the same value'
  return undefined
}
/** The number of a row, and the least share of different values. A parcel has a row for each of its buildings or homes. */
const fewestDistinct: Partial<Record<Dataset, readonly [field: string, share: number]>> = {
  permits: ['permitId', 0.5],
  listings: ['listingId', 0.5],
  parcels: ['apn', 0.2],
}

/** "Kent, WA 98032". */
const cityWithState = (name: string, texts: readonly string[]): Read | undefined => {
  const states = [...new Set(texts.map((text) => /[, ] *([A-Z]{2})(?: +\d{5}\S*)?$/.exec(text.trim())?.[1] ?? ''))]
  if (!states.every((state) => stateCodes.includes(state))) return undefined
  const rule = { field: name, strip: `,?\\s+(?:${states.join('|')})\\b.*$`, case: 'title' } as const
  return { rule, sure: true, note: 'without the state' }
}

const readTypes = (name: string, texts: readonly string[]): Read => {
  const unknown = texts.filter((text) => propertyType(text) === undefined)
  if (unknown.length > 0.9 * texts.length)
    return { reason: 'its words must be mapped by hand; see "words" in docs/sources.md' }
  return unknown.length === 0
    ? { rule: name, sure: true }
    : { rule: name, sure: false, note: `left empty: ${quoted(unknown)}; map them with "words"` }
}

const readZips = (name: string, texts: readonly string[]): Read => {
  if (share(texts, /^\s*[a-z]{2} \d{5}\s*$/i) > 0.8)
    return { rule: { field: name, pattern: '\\d{5}$' }, sure: true, note: 'after the state' }
  // A ZIP code that was a number has lost its first 0.
  return share(texts, /zip/i.test(name) ? /^\d{4,5}(\.0|-|-?\d{4})?$/ : /^\d{5}(\.0|-?\d{4})?$/) > 0.8
    ? { rule: name, sure: true }
    : { reason: 'the values are not ZIP codes' }
}

/** "lotAreaValue" beside "lotAreaUnits": each row says its unit. */
export const unitsBeside = (field: string, { name }: Column, columns: readonly Column[]): Read | undefined => {
  const stem = nameKey(name).replace(/(value|size)$/, '')
  const beside = columns.find(
    (column) => /^(.+)(?:units?|uom)(?:type|code|name)?$/.exec(nameKey(column.name))?.[1] === stem,
  )
  if (!/Sqft$/.test(field) || !beside) return undefined
  const words = [...new Set(beside.values.map(String))]
  const rule = words.flatMap((word) => {
    const unit = areaUnits.find(({ letters, names }) => letters?.test(word) || names.test(nameKey(word)))
    return unit ? { field: name, unit: unit.unit, when: { field: beside.name, in: [word] } } : []
  })
  return rule.length < words.length
    ? { reason: `not every unit in ${beside.name} is known` }
    : { sure: true, note: `in the units of ${beside.name}`, rule }
}

/** "0.26 acre lot" and "6,098 sqft": each value says its unit. */
export const unitsWithin = (field: string, { name, values }: Column): Read | undefined => {
  const given = values.filter((value) => !isEmptyWord(value))
  const [acres, sqft] = [amountInAcres, amountInSqft].map((form) => share(given, new RegExp(form, 'i')))
  const isPlain = share(values, (text) => readNumber(text) !== unreadable) > 0.9 && (acres === 0 || sqft === 0)
  if (!/Sqft$/.test(field) || isPlain || acres! + sqft! < 0.9) return undefined
  return {
    rule: [
      { field: name, pattern: amountInAcres, unit: 'acres' },
      { field: name, pattern: amountInSqft },
    ],
    sure: true,
    note: 'in the units of its values',
  }
}

/** The point of ".25 acres" is a part of the number. "501 sq m" is no area in square feet. */
const amountInAcres = '^[^\\w.]*([\\d.,]+)\\s*ac'
const amountInSqft = '^[^\\w.]*([\\d.,]+)\\s*s(?:q(?:uare|r)?[\\s.]*)?f'
