// The conditions of a question as SQL. PostgreSQL chooses the indexes.
import { sql } from '../engine/database.ts'
import { likeEscaped } from '../properties/signals.ts'
import { all } from '../search/compile.ts'
import type { PermitCity, PermitPosition, Question } from './question.ts'

type Condition = ReturnType<typeof sql>

/**
 * The conditions for a permit to match. Those on city, class, valuation and year are written twice: as usual, and with the
 * expressions of the trigram index, so that one lookup in it can answer them together with the words.
 */
export const matching = (question: Question): Condition =>
  all([...indexConditions(question), ...datesWithin(question), ...rowConditions(question)])

/** For rows that were read in date order, within the dates: no index is used for them. */
export const matchingInDateOrder = (question: Question): Condition => all(rowConditions(question))

/** The words come last: PostgreSQL checks conditions of the same cost in this order, and a text is the longest value to search. */
const rowConditions = ({ markets, cities, classes, minValuation, others, words }: Question): Condition[] => [
  ...(minValuation === undefined ? [] : [sql`valuation_usd >= ${minValuation}`]),
  ...(classes === undefined ? [] : [sql`permit_class = any(${classes}::text[])`]),
  ...(markets === undefined ? [] : [sql`market = any(${markets}::text[])`]),
  ...(cities === undefined ? [] : inCities(cities)),
  ...others,
  ...words.map((word) => sql`search like ${`%${likeEscaped(word)}%`}`),
]

/** Each condition follows from one of the others and is written exactly as in the index. */
const indexConditions = ({
  cities,
  classes,
  minValuation,
  issued,
  since,
  issuedFrom = issued ? since : undefined,
}: Question): Condition[] => [
  ...(cities === undefined ? [] : [sql`array[city_slug] && ${slugsOf(cities)}::text[]`]),
  ...(classes === undefined ? [] : [sql`array[permit_class] && ${classes}::text[]`]),
  ...(minValuation === undefined ? [] : indexedValuation(minValuation)),
  ...(issuedFrom === undefined ? [] : indexedYears(issuedFrom)),
]

export const datesWithin = ({ issued, since, issuedFrom, issuedTo }: Question): Condition[] => [
  ...(issued === undefined ? [] : [issued ? sql`issued_on is not null` : sql`issued_on is null`]),
  ...(since === undefined ? [] : issued ? [sql`issued_on >= ${since}::date`] : [visibleSince(since)]),
  ...(issuedFrom === undefined ? [] : [sql`issued_on >= ${issuedFrom}::date`]),
  ...(issuedTo === undefined ? [] : [sql`issued_on <= ${issuedTo}::date`]),
]

/** The one rule for which permits a history window shows: lists, totals, funnels and figures of builders apply it. */
export const visibleSince = (since: string): Condition => sql`coalesce(issued_on, applied_on) >= ${since}::date`

/** Permits after this position in the list. */
export const startingAfter = (after: PermitPosition | undefined, { issued }: Question): Condition => {
  if (after === undefined) return sql``
  const { issuedOn, appliedOn } = after
  const sameDay = sql`(permit_id, city_slug) > (${after.permitId}, ${after.citySlug})`
  if (issuedOn !== null) {
    const older = sql`issued_on <= ${issuedOn}::date and (issued_on < ${issuedOn}::date or ${sameDay})`
    return issued ? sql`and ${older}` : sql`and (${older} or issued_on is null)`
  }
  return appliedOn === null
    ? sql`and issued_on is null and applied_on is null and ${sameDay}`
    : sql`and issued_on is null
        and (applied_on < ${appliedOn}::date or applied_on is null or (applied_on = ${appliedOn}::date and ${sameDay}))`
}

/** A longer range has most permits, and the lookup of its years would cost more than it saves. */
const mostYears = 20

/** From the year of this day to five years from now: the sample can be ahead of the calendar, and a clock can be behind. */
const indexedYears = (issuedFrom: string): Condition[] => {
  const from = yearOf(new Date(issuedFrom))
  const years = Array.from({ length: Math.max(1, yearOf(new Date()) + 6 - from) }, (_, at) => from + at)
  return years.length > mostYears ? [] : [sql`array[(issued_on - date '2000-01-01') / 365] && ${years}::integer[]`]
}

/** The year that the index has for a day: 365 days each, counted from 2000, which costs less to compute than a calendar year. */
const yearOf = (day: Date): number => Math.trunc((day.getTime() - Date.UTC(2000, 0, 1)) / 86_400_000 / 365)

/** The same steps as in the index. */
const valuationSteps = [100_000, 250_000, 500_000, 1_000_000, 2_500_000]

/** The highest step that every match reaches, if any. The index has each permit under all steps that it reaches. */
const indexedValuation = (minValuation: number): Condition[] => {
  const step = valuationSteps.filter((each) => each <= minValuation).length
  return step === 0
    ? []
    : [
        sql`(array[1,2,3,4,5])[1:width_bucket(valuation_usd, ${sql.lit(`{${valuationSteps}}`)}::double precision[])]
          && array[${step}]::integer[]`,
      ]
}

/** The market tells apart cities of the same name. */
const inCities = (cities: readonly PermitCity[]): Condition[] => {
  const markets = [...new Set(cities.map(({ market }) => market))]
  return [
    sql`city_slug = any(${slugsOf(cities)}::text[])`,
    markets.length === 1
      ? sql`market = ${markets[0]}`
      : sql`market || '/' || city_slug = any(${cities.map(({ market, citySlug }) => `${market}/${citySlug}`)}::text[])`,
  ]
}

const slugsOf = (cities: readonly PermitCity[]): string[] => [...new Set(cities.map(({ citySlug }) => citySlug))]
