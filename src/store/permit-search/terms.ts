// From the caller's words to the terms of the permit index (migration group/0005). A word of theirs is a part of a word of a
// permit, or of its number; the list of all terms that occur says of which.
import { type Db, sql } from '../engine/database.ts'
import { likeEscaped } from '../properties/signals.ts'

/** One word of a search, as the index can answer it. */
export interface FoundWord {
  word: string
  /** Index terms; a permit with any of them holds the word. */
  terms: Term[]
  /** Shapes of permit numbers that may hold the word, its digits open. */
  shapes: string[]
  /** False where the terms hold more permits than the word: a part of it was looked for. */
  exact: boolean
  /** True where more terms hold the word than the index is asked for: then these are only the most frequent. */
  many: boolean
  /** About how many permits the indexes have for it; with several terms in one permit, more than there are. */
  permits: number
}

export interface Term {
  term: string
  permits: number
  counted: boolean
}

export interface FoundWords {
  /** The longest of the words given. */
  words: FoundWord[]
  /** False where more words were given than these. */
  all: boolean
  /** The other terms asked for, as far as any permit has them. */
  others: Term[]
  /** Terms of the years permits were issued in, the newest first. */
  years: Term[]
  /** About how many permits there are in all. */
  permits: number
}

/** Of more words than these the shorter ones are read for in what the longer ones find. */
const wordsAtMost = 8
/** A word that more terms hold ("1" is in most numbers) costs less to read for than to look up, but where they are all rare. */
export const termsAtMost = 400
const rareTermsAtMost = 4000
/** Where more than one permit in so many has them, a cap's worth is met as soon by reading permits as they lie. */
const rareOneIn = 20

/** `given` is in lower case, no word twice. */
export const findWords = async (db: Db, given: readonly string[], others: readonly string[]): Promise<FoundWords> => {
  const words = [...given].sort((a, b) => b.length - a.length).slice(0, wordsAtMost)
  const { rows } = await sql<{ at: number } & HeldTerm>`
    with everything as materialized (
      select coalesce(sum(permits), 0)::bigint as permits from permit_term
      where term > ${`${valueMark}~`} and term < ${afterMark})
    select -1 as at, term, permits, counted, false as rare from permit_term where term = any(${others}::text[])
    union all
    select -2, term, permits, counted, false from permit_term where term >= ${yearMark} and term < ${shapeMark}
    union all
    select -3, '', permits, false, false from everything
    ${sql.join(words.map(termsHolding), sql` `)}`.execute(db)
  const each: HeldTerm[][] = words.map(() => [])
  for (const { at, ...term } of rows) if (at >= 0) each[at]!.push(term)
  return {
    permits: rows.find(({ at }) => at === -3)!.permits,
    years: rows.filter(({ at }) => at === -2).sort((a, b) => (a.term < b.term ? 1 : -1)),
    others: rows.filter(({ at }) => at === -1),
    words: words.map((word, at) => found(word, each[at]!)),
    all: words.length === given.length,
  }
}

/**
 * One term more than is asked for, to know that there are more; or all. A word of marks alone is in no term. No more are sorted than
 * decide whether they are rare: a short word is in most terms.
 */
const termsHolding = (word: string, at: number) => {
  const part = longestPart(word)
  if (part === '') return sql``
  return sql`union all (
    select ${at}::int, term, permits, counted, rare from (
      select *, row_number() over (order by permits desc) as place, count(*) over () <= ${rareTermsAtMost}
        and ${rareOneIn} * sum(permits) over () <= (select permits from everything) as rare
      from (
        select term, permits, counted from permit_term
        where ${hasTrigram(part) ? sql`term like ${`%${likeEscaped(part)}%`}` : sql`strpos(term, ${part}) > 0`} and left(term, 1) <> ${mark}
        union all
        select term, permits, counted from permit_term
        where term >= ${shapeMark} and term < ${valueMark} and strpos(substr(term, 3), ${shapeOf(word)}) > 0
        order by permits desc limit ${rareTermsAtMost + 1}) holding) held
    where place <= ${termsAtMost + 1} or rare order by place)`
}

interface HeldTerm extends Term {
  /** All terms that hold the word are here. */
  rare: boolean
}

const found = (word: string, held: readonly HeldTerm[]): FoundWord => {
  const part = longestPart(word)
  const rows = held[0]?.rare ? held : held.slice(0, termsAtMost)
  const shapes = rows.filter(({ term }) => term.startsWith(shapeMark))
  const others = rows.filter(({ term }) => !term.startsWith(shapeMark))
  const digits = word.replace(/\D/g, '').length
  return {
    word,
    exact: part === word,
    many: part === '' || held.length > rows.length,
    // Without digits a shape is all there is to know of a number.
    terms: digits === 0 ? [...rows] : others,
    shapes: digits === 0 ? [] : shapes.map(({ term }) => term),
    permits: permitsOf(others) + permitsOf(shapes) * (hasTrigram(word) ? Math.min(1, places / 10 ** digits) : 1),
  }
}

export const permitsOf = (terms: readonly Term[]) => terms.reduce((sum, { permits }) => sum + permits, 0)

/** A number has about so many places where given digits may stand. */
const places = 8

/**
 * Texts are cut into words at blanks and at these marks; a word given with one in it is looked for by its longest part. So is
 * one of more than 200 letters: longer ones are whole in no piece of a long word.
 */
const longestPart = (word: string): string =>
  word
    .split(/[.,;:()"]/)
    .reduce((longest, part) => (part.length > longest.length ? part : longest))
    .slice(0, 200)

// Terms that are no words begin with a line break: cities as they are, years, shapes of numbers, steps of value.
const mark = '\n'
const afterMark = '\v'
export const yearMark = '\n!'
const shapeMark = '\n#'
const valueMark = '\n$'
const shapeOf = (word: string): string => word.replace(/[0-9]/g, '0')

export const cityTerm = (citySlug: string): string => mark + citySlug

/** Of permits valued at this or more, where that is a step of value. */
export const valueTerm = (usd: number): string | undefined => (steps.includes(usd) ? valueMark + usd : undefined)
const steps = [100_000, 250_000, 500_000, 1_000_000, 2_500_000]

export const hasAny = (terms: readonly string[]) =>
  sql`permit_terms(search, permit_id, city_slug, issued_on, valuation_usd) && ${terms}::text[]`

/**
 * With the terms hidden from the planner. It takes each for half a percent of all permits, so that a few hundred seem to be most of
 * them, and would then fetch every permit and work out its terms: a minute, where the index takes milliseconds.
 */
const hasAnyUnseen = (terms: readonly string[]) =>
  sql`permit_terms(search, permit_id, city_slug, issued_on, valuation_usd) && (select ${terms}::text[])`

/**
 * The index goes through all terms asked for at every row it finds: many at a time are slow, so they are asked for apart. Of very
 * many, which are rare, more at a time: each way of asking takes its time to plan.
 */
const termsAtOnce = (terms: number) => (terms > termsAtMost ? Math.ceil(terms / 20) : 16)

export const hasAnyOf = (terms: readonly string[]) => sql`(${sql.join(someAtOnce(terms), sql` or `)})`

const someAtOnce = (terms: readonly string[]) => {
  const ways = []
  const some = termsAtOnce(terms.length)
  for (let at = 0; at < terms.length; at += some) ways.push(hasAnyUnseen(terms.slice(at, at + some)))
  return ways
}

/** By the indexes of words and of numbers. Not for a word that nothing holds, or many terms. */
export const holdsFound = ({ word, terms, shapes, exact }: FoundWord) => {
  const ways = []
  // Numbers first: what the index of their parts finds is looked at again, way by way, and working out a permit's terms is slow.
  // A number of just this shape is this number; in a longer one it is a part.
  if (shapes.includes(shapeMark + shapeOf(word))) ways.push(sql`lower(permit_id) collate "C" = ${word}`)
  const longer = shapes.filter((shape) => shape !== shapeMark + shapeOf(word))
  const part = sql`lower(permit_id) like ${`%${likeEscaped(word)}%`}`
  if (longer.length > 0) ways.push(hasTrigram(word) ? part : sql`(${part} and ${hasAny(longer)})`)
  ways.push(...someAtOnce(terms.map(({ term }) => term)))
  const held = sql`(${sql.join(ways, sql` or `)})`
  return exact ? held : sql`${held} and ${holds(word)}`
}

/** By reading the permit. */
export const holds = (word: string) => sql`search like ${`%${likeEscaped(word.toLowerCase())}%`}`

/** Three letters or digits in a row make a trigram; the index of numbers knows nothing shorter. */
const hasTrigram = (word: string) => /[\p{L}\p{N}]{3}/u.test(word)
