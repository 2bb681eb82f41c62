// Chooses how to answer a question, from the estimated number of permits that match each condition. A pure function: the same
// question and estimates give the same plan.
import { hasTrigram, type Question } from './question.ts'

/** Estimated number of all permits, and of those that match each condition alone. */
export interface Estimates {
  permits: number
  /** One per word, in the order of the question; undefined for words that were not estimated. */
  words: readonly (number | undefined)[]
  /** If the question has two words: permits with both. */
  bothWords?: number | undefined
  /** The part of the word to look up in the index instead of the whole word. */
  parts?: readonly (string | undefined)[]
  markets?: number | undefined
  cities?: number | undefined
  classes?: number | undefined
  valuation?: number | undefined
  dates?: number | undefined
  /**
   * Permits issued in a year or later, the latest year first. If the question has a first date, the last entry is its year, and the
   * others are later.
   */
  fromYears?: readonly { year: number; rows: number }[] | undefined
  /** All other conditions together. */
  others?: number | undefined
  /** Those of them that have an index, together with cities and dates, which the index by kind of work contains. */
  indexedOthers?: number | undefined
}

export interface Plan {
  /**
   * The rows to read until the cap is reached: `index`, the permits that the trigram index finds; `others`, those of the kind of
   * work or area, found by their indexes; `market`, those of the markets; `dates`, those of the date range; `table`, all permits.
   */
  read: 'index' | 'others' | 'market' | 'dates' | 'table'
  /** The conditions that the index answers. All others are checked on the rows it finds. */
  indexed: Indexed
  /**
   * Permits of this year and later are counted first, because they are expected to exceed the cap. The index holds permits of the
   * same years close together, so the lookup reads only this part of it.
   */
  newestFirst?: number | undefined
  /** All words, the rarest first: the check of a row ends at the first missing word. */
  words: readonly string[]
  /**
   * With more matches than the cap, the page is filled by reading at most this many permits in date order; 0 if sorting all matches
   * costs less.
   */
  walk: number
}

export interface Indexed {
  /** Words, or parts of words, which are then checked on the row. */
  words: readonly string[]
  cities: boolean
  classes: boolean
  valuation: boolean
  /** The year in which the dates asked for begin, or later. */
  fromYear?: number | undefined
}

export const noneIndexed: Indexed = { words: [], cities: false, classes: false, valuation: false }

/** Microseconds, measured at a million permits on PostgreSQL 18 with the table and its indexes in shared buffers. */
const costs = {
  /** One row of a sequential scan, and one word searched in it. */
  readRow: 0.15,
  checkWord: 0.2,
  /** One row through the date index. */
  walkRow: 0.7,
  /** One row that the trigram index finds, and one page with such rows. */
  fetchRow: 0.6,
  fetchPage: 1.8,
  /** One filter that the index has answered, checked again on a row. */
  checkFilter: 0.3,
  /** One permit of the rarest condition that the trigram index answers: per word, and per other condition. */
  indexWord: 0.18,
  indexFilter: 0.03,
  /** Minimum cost of a word in the index: it has several trigrams. */
  indexStart: 3000,
}

const rowsPerPage = 32
/** The newest years are counted first if they are expected to have so many times the cap. If they have not, all are counted. */
const certainty = 1.2
/** For more rows than this, PostgreSQL may sort the table instead of reading the index in order. */
const longestWalk = 100_000

export const planSearch = (question: Question, estimates: Estimates, cap: number, wanted: number): Plan => {
  const permits = Math.max(1, estimates.permits)
  const share = (rows: number | undefined) => Math.min(1, Math.max(rows ?? permits, 1) / permits)
  const words = question.words
    .map((word, at) => ({ word, rows: estimates.words[at], part: estimates.parts?.[at] ?? word }))
    .sort((a, b) => (a.rows ?? permits) - (b.rows ?? permits) || b.word.length - a.word.length)
  const shares = words.map(({ rows }) => share(rows))
  const both = estimates.bothWords === undefined ? undefined : share(estimates.bothWords)
  const wordShare = together(shares, both)
  const { markets, cities, classes, valuation, dates: dated } = estimates
  const conditions = [markets, cities, classes, valuation, dated, estimates.others]
  const matches = conditions.reduce<number>((rows, each) => rows * share(each), permits * wordShare)
  // A row is checked for the next word only if it has all words before it.
  const check = words.reduce((cost, _, at) => cost + costs.checkWord * together(shares.slice(0, at)), 0)

  /** Reading ends at the cap. */
  const rowsRead = (among: number) => Math.min(among, (cap * among) / Math.max(matches, 1))
  const inDates = permits * share(estimates.dates)
  const dates = question.issuedFrom !== undefined || question.issuedTo !== undefined
  const index = indexPlan(question, words, estimates, { permits, inDates, matches, check, cap, both })
  /** Permits that one index finds, read until the cap or all of them. */
  const found = [
    { read: 'others' as const, rows: estimates.indexedOthers },
    { read: 'market' as const, rows: markets },
  ].flatMap(({ read, rows }) => (rows === undefined ? [] : [{ read, rows: Math.max(1, rows) }]))
  const byIndex = (rows: number, read: number) => fetching(read, rows, permits) + read * check
  const options: { read: Plan['read']; cost: number; costOfAll: number }[] = [
    // The oldest permits come first in the table.
    {
      read: 'table',
      cost: (permits - inDates) * costs.readRow + rowsRead(inDates) * (costs.readRow + check),
      costOfAll: permits * (costs.readRow + check),
    },
    ...(dates
      ? [{ read: 'dates' as const, cost: rowsRead(inDates) * (costs.walkRow + check), costOfAll: Infinity }]
      : []),
    ...(index ? [{ read: 'index' as const, cost: index.cost, costOfAll: index.costOfAll }] : []),
    ...found.map(({ read, rows }) => ({ read, cost: byIndex(rows, rowsRead(rows)), costOfAll: byIndex(rows, rows) })),
  ]
  const { read } = options.reduce((best, each) => (each.cost < best.cost ? each : best))

  // The page is read in date order only if the count has reached the cap.
  const walked = (wanted * inDates) / Math.max(matches, cap)
  const sorting = Math.min(
    ...options.map(({ costOfAll }) => costOfAll),
    // A page beyond the cap may have permits of earlier years.
    read === 'index' && index && wanted <= cap ? index.costOfNewest : Infinity,
  )
  return {
    read,
    indexed: index?.conditions ?? noneIndexed,
    newestFirst: index?.newestFirst,
    words: words.map(({ word }) => word),
    walk: walked * (costs.walkRow + check) < sorting ? Math.min(longestWalk, Math.ceil(2 * walked) + 2000) : 0,
  }
}

/**
 * The share of permits with all these words, the rarest first; of two words, it has been estimated. Words that are asked for together
 * are often in the same permits ("heat pump", "kitchen island"), so each further word counts by a root of its share. As independent
 * words they would be estimated too rare, and a lookup of all in the index would be chosen where the rarest alone costs less.
 */
const together = (shares: readonly number[], both?: number): number =>
  both !== undefined && shares.length === 2
    ? Math.min(both, shares[0]!)
    : shares.reduce((product, each, at) => product * each ** (1 / 2 ** at), 1)

/** Reading `rows` of the rows that an index has found, which are spread over `among` permits. */
const fetching = (rows: number, found: number, among: number): number => {
  const pagesHit = (among / rowsPerPage) * (1 - (1 - Math.min(1, found / among)) ** rowsPerPage)
  return rows * costs.fetchRow + pagesHit * (rows / found) * costs.fetchPage
}

/**
 * The rarest condition alone or together with the next ones: each further condition finds fewer permits and costs more in the
 * index. All of them in all years asked for, or in the newest years that are expected to exceed the cap. Undefined if the index can
 * answer no condition.
 */
const indexPlan = (
  question: Question,
  words: readonly { word: string; part: string; rows: number | undefined }[],
  estimates: Estimates,
  {
    permits,
    inDates,
    matches,
    check,
    cap,
    both,
  }: Record<'permits' | 'inDates' | 'matches' | 'check' | 'cap', number> & { both: number | undefined },
) => {
  const share = (rows: number) => Math.min(1, Math.max(rows, 1) / permits)
  const conditions = [
    ...words.flatMap(({ word, part, rows }) => (rows !== undefined && hasTrigram(word) ? [{ word: part, rows }] : [])),
    ...(question.cities && estimates.cities !== undefined ? [{ filter: 'cities', rows: estimates.cities }] : []),
    ...(question.classes && estimates.classes !== undefined ? [{ filter: 'classes', rows: estimates.classes }] : []),
    ...(question.minValuation !== undefined && estimates.valuation !== undefined
      ? [{ filter: 'valuation', rows: estimates.valuation }]
      : []),
  ].sort((a, b) => a.rows - b.rows)
  if (conditions.length === 0) return undefined
  const fromYears = estimates.fromYears ?? []
  const firstYear = question.issuedFrom === undefined ? undefined : fromYears.at(-1)
  // A range with nearly all permits is only checked on the rows.
  const allYears = firstYear && firstYear.rows < 0.8 * permits ? firstYear : { year: undefined, rows: permits }
  const matchesIn = (rows: number) => matches * Math.min(1, rows / inDates)
  const enough = fromYears.filter((each) => each !== firstYear && matchesIn(each.rows) >= cap * certainty)
  const options = conditions.map((_, at) => {
    const chosen = conditions.slice(0, at + 1)
    const filters = chosen.flatMap((each) => ('filter' in each ? [each.filter] : []))
    const wordShares = chosen.flatMap((each) => ('word' in each ? [share(each.rows)] : []))
    const foundShare = chosen.reduce(
      (product, each) => product * ('filter' in each ? share(each.rows) : 1),
      together(wordShares, both),
    )
    const perEntry = wordShares.length * costs.indexWord + filters.length * costs.indexFilter
    /** Of the permits of these years. Reading ends at the cap, if the cap is reached. */
    const costIn = (rows: number, end: boolean) => {
      const found = Math.max(1, rows * foundShare)
      const read = end ? Math.min(found, (cap * found) / Math.max(matchesIn(rows), 1)) : found
      const lookup = Math.max(1, wordShares.length) * costs.indexStart + chosen[0]!.rows * share(rows) * perEntry
      const recheck = check + (filters.length + (rows < permits ? 1 : 0)) * costs.checkFilter
      return lookup + fetching(read, found, rows) + read * recheck
    }
    const ways = [
      { newestFirst: undefined, rows: allYears.rows },
      ...enough.map(({ year, rows }) => ({ newestFirst: year, rows })),
    ]
    const { newestFirst, rows } = ways.reduce((best, each) =>
      costIn(each.rows, true) < costIn(best.rows, true) ? each : best,
    )
    return {
      newestFirst,
      cost: costIn(rows, true),
      costOfAll: costIn(allYears.rows, false),
      costOfNewest: costIn(rows, false),
      conditions: {
        words: chosen.flatMap((each) => ('word' in each ? [each.word] : [])),
        cities: filters.includes('cities'),
        classes: filters.includes('classes'),
        valuation: filters.includes('valuation'),
        fromYear: allYears.year,
      },
    }
  })
  return options.reduce((best, each) => (each.cost < best.cost ? each : best))
}
