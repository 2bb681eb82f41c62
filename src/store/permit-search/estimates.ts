// Estimates how many permits match each condition of a question, from PostgreSQL's own statistics: ANALYZE keeps a sample of the
// searched texts, and EXPLAIN looks for the words in it. No other statistics have to be maintained.
import { type Db, sql } from '../engine/database.ts'
import {
  all,
  contains,
  datesWithin,
  firstDayOf,
  hasValuationStep,
  inClasses,
  inMarkets,
  inSlugs,
  yearOf,
} from './conditions.ts'
import type { Estimates } from './plan.ts'
import { partsOf, type Question } from './question.ts'

/** With more words, only the longest are estimated; the others are checked last. */
const wordsEstimated = 8

export const estimate = async (db: Db, question: Question): Promise<Estimates> => {
  const words = [...question.words].sort((a, b) => b.length - a.length).slice(0, wordsEstimated)
  const dates = datesWithin(question, true)
  const years = yearsToTry(question, yearOf(new Date()))
  const cities = question.cities ? [inSlugs(question.cities)] : []
  const classes = question.classes ? [inClasses(question.classes, true)] : []
  const { markets, minValuation } = question
  const valuation = minValuation !== undefined && hasValuationStep(minValuation)
  const withIndex = [...question.indexedOthers, ...classes]
  const named: [name: string, parts: readonly ReturnType<typeof sql>[]][] = [
    ...words.map((word): [string, ReturnType<typeof sql>[]] => [`word ${word}`, [contains(word)]]),
    ...(words.length === 2
      ? [words, words.toReversed()].map((pair, at): [string, ReturnType<typeof sql>[]] => [
          `pair ${at}`,
          [contains(...pair)],
        ])
      : []),
    ...years.map((year): [string, ReturnType<typeof sql>[]] => [
      `from ${year}`,
      [sql`issued_on >= ${firstDayOf(year)}::date`],
    ]),
    ['cities', cities],
    ['classes', classes],
    ['valuation', valuation ? [sql`valuation_usd >= ${minValuation}`] : []],
    ['markets', markets ? [inMarkets(markets, true)] : []],
    ['others', question.others],
    ['indexedOthers', withIndex.length > 0 ? [...withIndex, ...cities, ...dates] : []],
    ['dates', dates],
  ]
  const rowsOf = await expectedRows(db, [
    { name: 'permits', condition: sql`true` },
    ...named.flatMap(([name, parts]) => (parts.length > 0 ? [{ name, condition: all(parts) }] : [])),
  ])
  const permits = rowsOf('permits') ?? 1
  return {
    permits,
    words: question.words.map((word) => rowsOf(`word ${word}`)),
    bothWords: words.length === 2 ? (rowsOf('pair 0') ?? 0) + (rowsOf('pair 1') ?? 0) : undefined,
    parts: await rarestParts(db, question.words, permits, (word) => rowsOf(`word ${word}`) ?? 0),
    markets: rowsOf('markets'),
    cities: rowsOf('cities'),
    classes: rowsOf('classes'),
    valuation: rowsOf('valuation'),
    dates: rowsOf('dates'),
    fromYears: years.map((year) => ({ year, rows: rowsOf(`from ${year}`) ?? 0 })),
    others: rowsOf('others'),
    indexedOthers: rowsOf('indexedOthers'),
  }
}

/**
 * Years whose permits and all later ones may be enough to reach the cap, the latest first; then the year in which the dates asked
 * for begin. Without words other indexes answer more.
 */
const yearsToTry = ({ words, issuedFrom, issuedTo }: Question, thisYear: number): number[] => {
  if (words.length === 0) return []
  const first = issuedFrom === undefined ? undefined : yearOf(new Date(issuedFrom))
  const recent = issuedTo === undefined ? [0, 1, 2, 3, 4, 5, 6, 8].map((ago) => thisYear - ago) : []
  return [...recent.filter((year) => first === undefined || year > first), ...(first === undefined ? [] : [first])]
}

/** The share of permits from which a word is looked up by a part of it. For a rarer word, the estimates cost more than that saves. */
const frequent = 0.01
/** A part that is in many more permits than its word finds too many permits that have to be checked. */
const mostFound = 1.25

/** For each frequent long word, the rarest of its parts. */
const rarestParts = async (
  db: Db,
  words: readonly string[],
  permits: number,
  rowsOfWord: (word: string) => number,
): Promise<(string | undefined)[]> => {
  const parts = words.map((word) => (rowsOfWord(word) >= frequent * permits ? partsOf(word) : []))
  const rowsOf = await expectedRows(
    db,
    [...new Set(parts.flat())].map((part) => ({ name: part, condition: contains(part) })),
  )
  return words.map((word, at) => {
    const [rarest] = parts[at]!.sort((a, b) => (rowsOf(a) ?? 0) - (rowsOf(b) ?? 0))
    return rarest !== undefined && (rowsOf(rarest) ?? 0) <= mostFound * rowsOfWord(word) ? rarest : undefined
  })
}

/** The rows that PostgreSQL expects for each condition. */
const expectedRows = async (db: Db, conditions: readonly { name: string; condition: ReturnType<typeof sql> }[]) => {
  if (conditions.length === 0) return (): undefined => undefined
  // One common table expression per condition, so that the plan shows the expected rows of each.
  const expressions = conditions.map(
    ({ condition }, at) => sql`${sql.raw(`c${at}`)} as materialized (select 1 from permit_search where ${condition})`,
  )
  const each = conditions.map((_, at) => sql.raw(`select 1 from c${at}`))
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: ExplainedPlan }] }>`
    explain (format json) with ${sql.join(expressions, sql`, `)} ${sql.join(each, sql` union all `)}`.execute(db)
  const explained = Object.values(rows[0]!)[0]![0].Plan.Plans ?? []
  return (name: string): number | undefined => {
    const at = conditions.findIndex((each) => each.name === name)
    return at < 0 ? undefined : explained.find((plan) => plan['Subplan Name'] === `CTE c${at}`)?.['Plan Rows']
  }
}

interface ExplainedPlan {
  'Plan Rows': number
  'Subplan Name'?: string
  Plans?: ExplainedPlan[]
}
