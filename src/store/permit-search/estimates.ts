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
import type { Question } from './question.ts'

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
  const conditions = [
    { name: 'permits', condition: sql`true` },
    ...named.flatMap(([name, parts]) => (parts.length > 0 ? [{ name, condition: all(parts) }] : [])),
  ]
  // One common table expression per condition, so that the plan shows the expected rows of each.
  const expressions = conditions.map(
    ({ condition }, at) => sql`${sql.raw(`c${at}`)} as materialized (select from permit_search where ${condition})`,
  )
  const each = conditions.map((_, at) => sql.raw(`select from c${at}`))
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: ExplainedPlan }] }>`
    explain (format json) with ${sql.join(expressions, sql`, `)} ${sql.join(each, sql` union all `)}`.execute(db)
  const explained = Object.values(rows[0]!)[0]![0].Plan.Plans ?? []
  const rowsOf = (name: string): number | undefined => {
    const at = conditions.findIndex((each) => each.name === name)
    return at < 0 ? undefined : explained.find((plan) => plan['Subplan Name'] === `CTE c${at}`)?.['Plan Rows']
  }
  return {
    permits: rowsOf('permits') ?? 1,
    words: question.words.map((word) => rowsOf(`word ${word}`)),
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

interface ExplainedPlan {
  'Plan Rows': number
  'Subplan Name'?: string
  Plans?: ExplainedPlan[]
}
