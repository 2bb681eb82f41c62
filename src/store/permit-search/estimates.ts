// Estimates how many permits match each condition of a question, from PostgreSQL's own statistics: ANALYZE keeps a sample of the
// searched texts, and EXPLAIN looks for the words in it. No other statistics have to be maintained.
import { type Db, sql } from '../engine/database.ts'
import { all, contains, datesWithin, inCities, inFacets, reachesFacet, valuationStep } from './conditions.ts'
import type { Estimates } from './plan.ts'
import type { Question } from './question.ts'

/** With more words, only the longest are estimated; the others are checked last. */
const wordsEstimated = 8

export const estimate = async (db: Db, question: Question): Promise<Estimates> => {
  const words = [...question.words].sort((a, b) => b.length - a.length).slice(0, wordsEstimated)
  const dates = datesWithin(question, true)
  const conditions: [name: string, condition: ReturnType<typeof sql>][] = [
    ['permits', sql`true`],
    ...words.map((word): [string, ReturnType<typeof sql>] => [`word ${word}`, contains(word)]),
    ...(question.cities ? [['cities', inFacets(question.cities)] satisfies [string, unknown]] : []),
    ...(question.minValuation !== undefined && valuationStep(question.minValuation) !== undefined
      ? [['valuation', reachesFacet(question.minValuation)] satisfies [string, unknown]]
      : []),
    ...(question.others.length > 0 ? [['others', all(question.others)] satisfies [string, unknown]] : []),
    ...(question.indexedOthers.length > 0
      ? [
          [
            'indexedOthers',
            all([...question.indexedOthers, ...(question.cities ? [inCities(question.cities)] : []), ...dates]),
          ] satisfies [string, unknown],
        ]
      : []),
    ...(dates.length > 0 ? [['dates', all(dates)] satisfies [string, unknown]] : []),
  ]
  // One common table expression per condition, so that the plan shows the expected rows of each.
  const named = conditions.map(
    ([, condition], at) => sql`${sql.raw(`c${at}`)} as materialized (select from permit_search where ${condition})`,
  )
  const each = conditions.map((_, at) => sql.raw(`select from c${at}`))
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: ExplainedPlan }] }>`
    explain (format json) with ${sql.join(named, sql`, `)} ${sql.join(each, sql` union all `)}`.execute(db)
  const explained = Object.values(rows[0]!)[0]![0].Plan.Plans ?? []
  const rowsOf = (name: string): number | undefined => {
    const at = conditions.findIndex(([each]) => each === name)
    return at < 0 ? undefined : explained.find((plan) => plan['Subplan Name'] === `CTE c${at}`)?.['Plan Rows']
  }
  return {
    permits: rowsOf('permits') ?? 1,
    words: question.words.map((word) => rowsOf(`word ${word}`)),
    cities: rowsOf('cities'),
    valuation: rowsOf('valuation'),
    dates: rowsOf('dates'),
    others: rowsOf('others'),
    indexedOthers: rowsOf('indexedOthers'),
  }
}

interface ExplainedPlan {
  'Plan Rows': number
  'Subplan Name'?: string
  Plans?: ExplainedPlan[]
}
