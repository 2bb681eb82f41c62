// The conditions of a question as SQL. Each can be written so that the trigram index answers it, or so that it is checked on each
// row. The plan decides which, because PostgreSQL underestimates the cost of its trigram index for frequent words.
import { sql } from '../engine/database.ts'
import { likeEscaped } from '../properties/signals.ts'
import type { Plan } from './plan.ts'
import { hasTrigram, type PermitCity, type PermitPosition, type Question } from './question.ts'

type Condition = ReturnType<typeof sql>

/** The conditions for a permit to match, written for the access path of the plan. */
export const matching = (question: Question, plan: Plan): Condition => {
  const indexed = plan.read === 'index' ? plan.indexed : { words: [], cities: false, valuation: false }
  const parts: Condition[] = [
    ...indexed.words.map(contains),
    ...(indexed.cities ? [inFacets(question.cities!)] : []),
    ...(indexed.valuation ? [reachesFacet(question.minValuation!)] : []),
    ...datesWithin(question, plan.read === 'dates' || plan.read === 'others'),
    ...rowConditions(question, indexed.cities),
    ...plan.words
      .filter((word) => !indexed.words.includes(word))
      .map((word) => (plan.read === 'table' && !hasTrigram(word) ? contains(word) : checked(word))),
  ]
  return all(parts)
}

/** For rows read in date order. */
export const matchingInDateOrder = (question: Question, plan: Plan): Condition =>
  all([...rowConditions(question, false), ...plan.words.map(checked)])

export const all = (parts: readonly Condition[]): Condition =>
  parts.length === 0 ? sql`true` : sql.join(parts, sql` and `)

const rowConditions = ({ cities, minValuation, others }: Question, citiesDone: boolean): Condition[] => [
  ...others,
  ...(minValuation === undefined ? [] : [sql`valuation_usd >= ${minValuation}`]),
  ...(cities === undefined || citiesDone ? [] : [inCities(cities)]),
]

/** Hidden from the PostgreSQL planner (`+ 0`) if another access path was chosen: it would combine both indexes, which costs more. */
export const datesWithin = ({ issuedFrom, issuedTo }: Question, byIndex: boolean): Condition[] => {
  const issued = byIndex ? sql`issued_on` : sql`(issued_on + 0)`
  return [
    ...(issuedFrom === undefined ? [] : [sql`${issued} >= ${issuedFrom}::date`]),
    ...(issuedTo === undefined ? [] : [sql`${issued} <= ${issuedTo}::date`]),
  ]
}

/** Permits after this position in the list. */
export const startingAfter = (after: PermitPosition | undefined): Condition =>
  after === undefined
    ? sql``
    : sql`and issued_on <= ${after.issuedOn}::date
        and (issued_on < ${after.issuedOn}::date or (permit_id, city_slug) > (${after.permitId}, ${after.citySlug}))`

export const contains = (word: string): Condition => sql`search like ${pattern(word)}`

/** Calls the function of the LIKE operator, because an index can answer only the operator. */
const checked = (word: string): Condition => sql`textlike(search, ${pattern(word)})`

const pattern = (word: string): string => `%${likeEscaped(word)}%`

const facets = sql`permit_facets(market, city_slug, valuation_usd)`

export const inFacets = (cities: readonly PermitCity[]): Condition =>
  sql`${facets} && ${cities.map(({ market, citySlug }) => `${market}/${citySlug}`)}::text[]`

export const inCities = (cities: readonly PermitCity[]): Condition => {
  const slugs = [...new Set(cities.map(({ citySlug }) => citySlug))]
  const markets = [...new Set(cities.map(({ market }) => market))]
  return markets.length === 1
    ? sql`city_slug = any(${slugs}::text[]) and market = ${markets[0]}`
    : sql`market || '/' || city_slug = any(${cities.map(({ market, citySlug }) => `${market}/${citySlug}`)}::text[])`
}

/** Uses the highest valuation step up to `minValuation`: every matching permit has it. */
export const reachesFacet = (minValuation: number): Condition =>
  sql`${facets} @> ${[`$${valuationStep(minValuation)}`]}::text[]`

export const valuationStep = (minValuation: number): number | undefined =>
  valuationSteps.findLast((step) => step <= minValuation)

/** The same steps as in the SQL function permit_facets. */
const valuationSteps = [100_000, 250_000, 500_000, 1_000_000, 2_500_000]
