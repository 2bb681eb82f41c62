// What a caller asks of permit search, prepared for the planner: cities looked up, words in lower case.
import type { PermitCityTable, PermitSearchTable } from '../engine/schema.ts'

export interface PermitFilter {
  /** Part of a city's name. */
  city?: string
  /** Every word must be in the permit. Case does not matter. */
  words?: readonly string[]
  minValuation?: number
  issuedFrom?: string
  issuedTo?: string
  /** Start after this permit, in list order. */
  after?: PermitPosition
}

/** A position in list order: newest first, then number, then city. */
export type PermitPosition = Pick<PermitSearchTable, 'issuedOn' | 'permitId' | 'citySlug'>

export type PermitCity = Pick<PermitCityTable, 'market' | 'citySlug'>

export interface Question {
  /** Undefined for all cities. */
  cities?: readonly PermitCity[] | undefined
  /** In lower case, without duplicates. */
  words: readonly string[]
  minValuation?: number | undefined
  issuedFrom?: string | undefined
  issuedTo?: string | undefined
}

export const questionOf = (filter: PermitFilter, cities: readonly PermitCity[] | undefined): Question => ({
  cities,
  words: [...new Set(filter.words?.map((word) => word.toLowerCase()))],
  minValuation: filter.minValuation,
  issuedFrom: filter.issuedFrom,
  issuedTo: filter.issuedTo,
})

/** The trigram index finds only words with three letters or digits in a row. */
export const hasTrigram = (word: string): boolean => /[\p{L}\p{N}]{3}/u.test(word)
