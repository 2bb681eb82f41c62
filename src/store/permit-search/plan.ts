// Chooses how to answer a question, from the estimated number of permits that match each condition. A pure function: the same
// question and estimates give the same plan.
import { hasTrigram, type Question } from './question.ts'

/** Estimated number of all permits, and of those that match each condition alone. */
export interface Estimates {
  permits: number
  /** One per word, in the order of the question; undefined for words that were not estimated. */
  words: readonly (number | undefined)[]
  cities?: number | undefined
  valuation?: number | undefined
  dates?: number | undefined
  /** All other conditions together. */
  others?: number | undefined
  /** Those of them that have an index, together with cities and dates, which the index by kind of work contains. */
  indexedOthers?: number | undefined
}

export interface Plan {
  /**
   * The rows to read until the cap is reached: `index`, the permits that the trigram index finds; `others`, those of the kind of
   * work or area, found by their indexes; `dates`, those of the date range; `table`, all permits.
   */
  read: 'index' | 'others' | 'dates' | 'table'
  /** The conditions that the index answers. All others are checked on the rows it finds. */
  indexed: { words: readonly string[]; cities: boolean; valuation: boolean }
  /** All words, the rarest first: the check of a row ends at the first missing word. */
  words: readonly string[]
  /**
   * With more matches than the cap, the page is filled by reading at most this many permits in date order; 0 if sorting all matches
   * costs less.
   */
  walk: number
}

/** Microseconds, measured at a million permits on PostgreSQL 18 with the table and its indexes in shared buffers. */
const costs = {
  /** One row of a sequential scan, and one word searched in it. */
  readRow: 0.15,
  checkWord: 0.3,
  /** One row through the date index. */
  walkRow: 0.7,
  /** One row that the trigram index finds, and one page with such rows. */
  fetchRow: 0.6,
  fetchPage: 1.5,
  /** One permit of the rarest condition that the trigram index answers: per word, and per other condition. */
  indexWord: 0.25,
  indexFacet: 0.08,
  /** Minimum cost of a word in the index: it has several trigrams. */
  indexStart: 3000,
}

const rowsPerPage = 32
/** For more rows than this, PostgreSQL may sort the table instead of reading the index in order. */
const longestWalk = 100_000

export const planSearch = (question: Question, estimates: Estimates, cap: number, wanted: number): Plan => {
  const permits = Math.max(1, estimates.permits)
  const share = (rows: number | undefined) => Math.min(1, Math.max(rows ?? permits, 1) / permits)
  const words = question.words
    .map((word, at) => ({ word, rows: estimates.words[at] }))
    .sort((a, b) => (a.rows ?? permits) - (b.rows ?? permits) || b.word.length - a.word.length)
  const shares = words.map(({ rows }) => share(rows))
  const wordShare = together(shares)
  const conditions = [estimates.cities, estimates.valuation, estimates.dates, estimates.others]
  const matches = conditions.reduce<number>((rows, each) => rows * share(each), permits * wordShare)
  // A row is checked for the next word only if it has all words before it.
  const check = words.reduce((cost, _, at) => cost + costs.checkWord * together(shares.slice(0, at)), 0)

  /** Reading ends at the cap. */
  const rowsRead = (among: number) => Math.min(among, (cap * among) / Math.max(matches, 1))
  const inDates = permits * share(estimates.dates)
  const dates = question.issuedFrom !== undefined || question.issuedTo !== undefined
  const fetching = (rows: number, found: number) => {
    const pagesHit = (permits / rowsPerPage) * (1 - (1 - found / permits) ** rowsPerPage)
    return rows * costs.fetchRow + pagesHit * (rows / found) * costs.fetchPage
  }
  const index = indexPlan(question, words, estimates, permits, share, rowsRead, fetching)
  const others = estimates.indexedOthers === undefined ? undefined : Math.max(1, estimates.indexedOthers)
  const options: { read: Plan['read']; cost: number }[] = [
    { read: 'table', cost: rowsRead(permits) * (costs.readRow + check) },
    ...(dates ? [{ read: 'dates' as const, cost: rowsRead(inDates) * (costs.walkRow + check) }] : []),
    ...(index ? [{ read: 'index' as const, cost: index.cost }] : []),
    ...(others
      ? [{ read: 'others' as const, cost: fetching(rowsRead(others), others) + rowsRead(others) * check }]
      : []),
  ]
  const { read } = options.reduce((best, each) => (each.cost < best.cost ? each : best))

  // The page is read in date order only if the count has reached the cap.
  const walked = (wanted * inDates) / Math.max(matches, cap)
  const sorting = Math.min(
    permits * (costs.readRow + check),
    index?.costOfAll ?? Number.POSITIVE_INFINITY,
    others ? fetching(others, others) + others * check : Number.POSITIVE_INFINITY,
  )
  return {
    read,
    indexed: index?.conditions ?? { words: [], cities: false, valuation: false },
    words: words.map(({ word }) => word),
    walk: walked * (costs.walkRow + check) < sorting ? Math.min(longestWalk, Math.ceil(2 * walked) + 2000) : 0,
  }
}

/**
 * The share of permits with all these words, the rarest first. Words that are asked for together are often in the same permits
 * ("heat pump", "kitchen island"), so each further word counts by a root of its share. As independent words they would be estimated
 * too rare, and a lookup of both in the index would be chosen where reading the table reaches the cap sooner.
 */
const together = (shares: readonly number[]): number =>
  shares.reduce((product, each, at) => product * each ** (1 / 2 ** at), 1)

/**
 * The rarest condition alone or together with the next ones: each further condition finds fewer permits and costs more in the
 * index. Undefined if the index can answer no condition.
 */
const indexPlan = (
  question: Question,
  words: readonly { word: string; rows: number | undefined }[],
  estimates: Estimates,
  permits: number,
  share: (rows: number | undefined) => number,
  rowsRead: (among: number) => number,
  fetching: (rows: number, found: number) => number,
) => {
  const conditions = [
    ...words.flatMap(({ word, rows }) => (rows !== undefined && hasTrigram(word) ? [{ word, rows }] : [])),
    ...(question.cities && estimates.cities !== undefined ? [{ cities: true, rows: estimates.cities }] : []),
    ...(question.minValuation !== undefined && estimates.valuation !== undefined
      ? [{ valuation: true, rows: estimates.valuation }]
      : []),
  ].sort((a, b) => a.rows - b.rows)
  const options = conditions.map((_, at) => {
    const chosen = conditions.slice(0, at + 1)
    const wordShare = together(chosen.flatMap((each) => ('word' in each ? [share(each.rows)] : [])))
    const facetShares = chosen.flatMap((each) => ('word' in each ? [] : [share(each.rows)]))
    const found = Math.max(1, permits * facetShares.reduce((product, each) => product * each, wordShare))
    const perEntry = chosen.reduce((sum, each) => sum + ('word' in each ? costs.indexWord : costs.indexFacet), 0)
    const starts = Math.max(1, chosen.filter((each) => 'word' in each).length)
    const lookup = starts * costs.indexStart + chosen[0]!.rows * perEntry
    return {
      cost: lookup + fetching(rowsRead(found), found),
      costOfAll: lookup + fetching(found, found),
      conditions: {
        words: chosen.flatMap((each) => ('word' in each ? [each.word] : [])),
        cities: chosen.some((each) => 'cities' in each),
        valuation: chosen.some((each) => 'valuation' in each),
      },
    }
  })
  return options.reduce<(typeof options)[number] | undefined>(
    (best, each) => (best && best.cost <= each.cost ? best : each),
    undefined,
  )
}
