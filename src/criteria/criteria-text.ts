// Criteria in words.
import { dollars } from '../common/dollars.ts'
import { cityBySlug, markets } from '../domain/packs/markets.ts'
import type { Condition } from './conditions.ts'
import { type CriteriaInput, type Criterion, criteria } from './table.ts'

const rows: Readonly<Record<string, Criterion>> = criteria

/** "max price $3,000,000" */
export const criterionText = (condition: Condition): string => {
  const row = rows[condition.name]
  const label = lower(row?.label ?? condition.name)
  if (!('value' in condition)) return label
  const { value } = condition
  if (typeof value === 'string') return `${label} ${value}`
  return `${label} ${row?.unit === 'dollars' ? dollars(value) : `${value.toLocaleString('en-US')}${row?.unit === 'percent' ? '%' : ''}`}`
}

const lower = (text: string): string => (/^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text)

const words = (name: string): string => name.replaceAll('_', ' ')

/** The criteria of a watch in words: "city Palo Alto, max price $3,000,000". */
export const criteriaText = ({ criteria: given }: { criteria: CriteriaInput }): string =>
  Object.entries(given).map(givenText).join(', ')

const givenText = ([name, value]: [string, unknown]): string => {
  const row = rows[name]
  const label = lower(row?.label ?? name)
  if (value === true || (typeof value === 'object' && !Array.isArray(value))) return label
  if (typeof value === 'number') return criterionText({ name, value } as Condition)
  const texts = [value].flat().map(String)
  return `${label} ${texts.map(name === 'city' || name === 'market' ? placeName : words).join(', ')}`
}

const placeName = (text: string): string =>
  cityBySlug(text)?.name ?? markets().find(({ id }) => id === text)?.name ?? text

/** A name for a watch that has none: as many whole criteria as fit. The market of a city says nothing more. */
export const watchName = ({ city, market, ...others }: CriteriaInput): string => {
  const named = { ...(city !== undefined ? { city } : market !== undefined ? { market } : {}), ...others }
  let name = ''
  for (const each of Object.entries(named).map(givenText)) {
    const longer = name === '' ? each : `${name}, ${each}`
    if (longer.length <= longestName) name = longer
  }
  return name === '' ? 'All' : name[0]!.toUpperCase() + name.slice(1)
}
const longestName = 80
