// What a caller asks of permit search, made ready for the planner: cities looked up, words in lower case.

export interface PermitFilter {
  /** Part of a city's name. */
  city?: string
  /** All of them must be in it, in any case. */
  words?: readonly string[]
  minValuation?: number
  issuedFrom?: string
  issuedTo?: string
  /** Start after this permit, in list order. */
  after?: PermitPlace
}

/** A place in list order: newest first, then number, then city. */
export interface PermitPlace {
  issuedOn: string
  permitId: string
  citySlug: string
}

export interface PermitCity {
  market: string
  citySlug: string
}

export interface Question {
  /** Undefined where any city will do. */
  cities?: readonly PermitCity[] | undefined
  /** In lower case, none twice. */
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

/** The trigram index knows only words with three letters or digits in a row. */
export const hasTrigram = (word: string): boolean => /[\p{L}\p{N}]{3}/u.test(word)
