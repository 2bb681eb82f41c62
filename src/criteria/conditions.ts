// Conditions as a search understands them. `meets` decides for one row in memory; src/store/search/compile.ts writes the same
// conditions as SQL, and a test checks that both agree.
import type { MarketId, OverlayName, Overlays } from '../domain/facts.ts'
import { isCitySlug } from '../domain/packs/markets.ts'
import { type AddressPattern, fitsPattern } from './address-condition.ts'
import { type Area, isInside } from './geometry.ts'
import type { DateField, NumberField, TextField } from './search-columns.ts'

/** One row of a search, as its conditions see it. A value that is not known is missing. */
export interface SearchRow {
  market: MarketId
  id?: string
  citySlug: string
  city?: string
  zip?: string
  lat?: number
  lng?: number
  overlays?: Overlays
  /** Normalized, as in domain/address/address.ts. */
  addressKey?: string
  /** Further addresses of a permit, normalized. */
  otherAddressKeys?: readonly string[]
  /** The searchable text of a permit in lower case. */
  search?: string
  numbers: Readonly<Partial<Record<NumberField, number>>>
  texts: Readonly<Partial<Record<TextField, string>>>
  blocked?: boolean
  /** Percentiles at the time of the row, for a row that was kept. Without them, a percentile is looked up in `thresholds`. */
  percentiles?: Readonly<Partial<Record<'teardownRaw' | 'flippabilityRaw', number>>>
  /** What returns at own assumptions are computed from, for watches. */
  deal?: StoredDeal
}

/** A change of a searchable row. */
export interface RecordChange {
  /** Undefined for a record that is new. */
  before: SearchRow | undefined
  after: SearchRow
  /** A score changed by the threshold of property.score_updated or more. */
  scored?: boolean
  /** A permit of the home was recorded or changed its status. */
  permit?: boolean
}

type BaseTerms = readonly [
  existingSqft: number,
  isVacant: 0 | 1,
  buildSqft: number,
  arvPerSqft: number,
  shrinkWeight: number,
  marketMeanRoiPct: number | null,
  expectedUsd: number | null,
]
/** As in the column `deal` of property_search. */
export type DealTerms = readonly [
  ...base: BaseTerms,
  // Absent in rows of an earlier version.
  stories?: number | null,
  slopePct?: number | null,
]
/** With the largest size that zoning and sales allow, in the order in which rows were kept before stories and slope were. */
export type StoredDeal = readonly [
  ...terms: BaseTerms,
  mostSqft: number | null,
  stories?: number | null,
  slopePct?: number | null,
]

export const storedDeal = (
  [existing, vacant, build, arv, weight, mean, expected, stories = null, slope = null]: DealTerms,
  mostSqft: number | null,
): StoredDeal => [existing, vacant, build, arv, weight, mean, expected, mostSqft, stories, slope]

/** `name` is the parameter that asked for it. A row without the value does not meet the condition. */
export type Condition = { name: string } & (
  | { type: 'atLeast' | 'atMost'; field: NumberField; value: number }
  | { type: 'from' | 'to'; field: DateField; value: string }
  | { type: 'oneOf'; field: TextField; values: readonly string[] }
  | { type: 'contains'; field: TextField; text: string }
  | { type: 'city'; slugs: readonly string[] }
  /** A part of a city's name or slug. */
  | { type: 'cityPart'; parts: readonly string[] }
  | { type: 'zip' | 'ids'; values: readonly string[] }
  | { type: 'address'; text: string; patterns: readonly AddressPattern[] }
  | { type: 'words'; words: readonly string[] }
  | { type: 'overlay'; overlay: OverlayName; accepted: readonly ('yes' | 'no' | 'unknown')[] }
  | { type: 'notBlocked' }
  /** Whether a permit is issued. */
  | { type: 'issued'; is: boolean }
  /** The unrounded score that reaches a percentile, by market; a market without ranks has none. */
  | {
      type: 'rank'
      field: 'teardownRaw' | 'flippabilityRaw'
      thresholds: Readonly<Record<string, number>>
      value: number
    }
  | { type: 'area'; area: Area }
)

export const meets = (conditions: readonly Condition[], row: SearchRow): boolean => {
  for (const condition of conditions) if (!meetsOne(condition, row)) return false
  return true
}

const meetsOne = (condition: Condition, row: SearchRow): boolean => {
  switch (condition.type) {
    case 'atLeast':
      return (row.numbers[condition.field] ?? Number.NaN) >= condition.value
    case 'atMost':
      return (row.numbers[condition.field] ?? Number.NaN) <= condition.value
    case 'from': {
      const day = row.texts[condition.field]
      return day !== undefined && day >= condition.value
    }
    case 'to': {
      const day = row.texts[condition.field]
      return day !== undefined && day <= condition.value
    }
    case 'oneOf': {
      const text = row.texts[condition.field]?.toLowerCase()
      return text !== undefined && condition.values.some((value) => value.toLowerCase() === text)
    }
    case 'contains':
      return row.texts[condition.field]?.toLowerCase().includes(condition.text.toLowerCase()) ?? false
    case 'city':
      return condition.slugs.includes(row.citySlug)
    case 'cityPart':
      return condition.parts.some((part) =>
        isCitySlug(part)
          ? row.citySlug === part
          : row.citySlug.includes(part) || row.city?.toLowerCase().includes(part),
      )
    case 'zip':
      return row.zip !== undefined && condition.values.includes(row.zip)
    case 'ids':
      return row.id !== undefined && condition.values.includes(row.id)
    case 'address':
      return condition.patterns.some((pattern) => fitsPattern(pattern, row))
    case 'words':
      return condition.words.every((word) => row.search?.includes(word.toLowerCase()))
    case 'overlay':
      return condition.accepted.includes(row.overlays?.[condition.overlay] ?? 'unknown')
    case 'notBlocked':
      return row.blocked !== true
    case 'issued':
      return (row.texts.issuedOn !== undefined) === condition.is
    case 'rank': {
      const percentile = row.percentiles?.[condition.field]
      if (row.percentiles) return percentile !== undefined && percentile >= condition.value
      const threshold = condition.thresholds[row.market]
      return threshold !== undefined && (row.numbers[condition.field] ?? Number.NaN) >= threshold
    }
    case 'area':
      return row.lat !== undefined && row.lng !== undefined && isInside(condition.area, { lat: row.lat, lng: row.lng })
  }
}

/** The condition as a caller would write it: "maxPrice=3000000". */
export const conditionText = (condition: Condition): string => {
  if (condition.type === 'area')
    return condition.area.type === 'circle' ? `radiusMi=${condition.area.radiusMi}` : condition.name
  return `${condition.name}=${argumentOf(condition)}`
}

const argumentOf = (condition: Exclude<Condition, { type: 'area' }>): string | number | boolean => {
  if ('value' in condition) return condition.value
  if ('values' in condition) return condition.values.join(',')
  if ('text' in condition) return condition.text
  if ('slugs' in condition) return condition.slugs.join(',')
  if ('parts' in condition) return condition.parts.join(',')
  if ('words' in condition) return condition.words.join(' ')
  if ('overlay' in condition) return condition.overlay
  return condition.type === 'issued' ? condition.is : true
}
