// The conditions of a question as SQL. Each can be written so that the trigram index answers it, or so that it is checked on each
// row. The plan decides which, because PostgreSQL underestimates the cost of its trigram index for frequent words.
import { dayOf } from '../../contract/day.ts'
import { sql } from '../engine/database.ts'
import { likeEscaped } from '../properties/signals.ts'
import { type Indexed, noneIndexed, type Plan } from './plan.ts'
import { hasTrigram, type PermitCity, type PermitPosition, type Question } from './question.ts'

type Condition = ReturnType<typeof sql>

/** The conditions for a permit to match, written for the access path of the plan. */
export const matching = (question: Question, plan: Plan): Condition => {
  const indexed = plan.read === 'index' ? plan.indexed : noneIndexed
  const parts: Condition[] = [
    ...indexed.words.map((word) => contains(word)),
    ...(indexed.cities ? [indexedCities(question.cities!)] : []),
    ...(indexed.classes ? [indexedClasses(question.classes!)] : []),
    ...(indexed.valuation ? [indexedValuation(question.minValuation!)] : []),
    ...(indexed.fromYear === undefined ? [] : [indexedYears(indexed.fromYear)]),
    ...datesWithin(question, plan.read === 'dates' || plan.read === 'others'),
    ...rowConditions(question, indexed, plan.read),
    ...plan.words
      .filter((word) => !indexed.words.includes(word))
      .map((word) => (plan.read === 'table' && !hasTrigram(word) ? contains(word) : checked(word))),
  ]
  return all(parts)
}

/** For rows read in date order. */
export const matchingInDateOrder = (question: Question, plan: Plan): Condition =>
  all([...rowConditions(question, noneIndexed, 'table'), ...plan.words.map(checked)])

export const all = (parts: readonly Condition[]): Condition =>
  parts.length === 0 ? sql`true` : sql.join(parts, sql` and `)

/** What an index has answered exactly is not checked again. */
const rowConditions = (
  { markets, cities, classes, minValuation, others }: Question,
  indexed: Indexed,
  read: Plan['read'],
): Condition[] => [
  ...others,
  ...(minValuation === undefined ? [] : [sql`valuation_usd >= ${minValuation}`]),
  ...(classes === undefined || indexed.classes ? [] : [inClasses(classes, read === 'others')]),
  ...(markets === undefined ? [] : [inMarkets(markets, read === 'market')]),
  ...(cities === undefined
    ? []
    : inCities(cities, indexed.cities ? 'known' : read === 'others' ? 'indexed' : 'hidden')),
]

/** A column as an expression that no index has. PostgreSQL would otherwise use an index of its own choice, which often costs more. */
const hidden = (column: 'market' | 'city_slug' | 'permit_class') => sql`(${sql.ref(column)} || '')`

export const inMarkets = (markets: readonly string[], byIndex: boolean): Condition =>
  sql`${byIndex ? sql.ref('market') : hidden('market')} = any(${markets as string[]}::text[])`

export const inClasses = (classes: readonly string[], byIndex: boolean): Condition =>
  sql`${byIndex ? sql.ref('permit_class') : hidden('permit_class')} = any(${classes as string[]}::text[])`

/**
 * If another access path was chosen, by the functions of the operators: PostgreSQL would otherwise combine both indexes, which costs
 * more. Written before the words, they are also checked before them.
 */
export const datesWithin = ({ issuedFrom, issuedTo }: Question, byIndex: boolean): Condition[] => [
  ...(issuedFrom === undefined
    ? []
    : [byIndex ? sql`issued_on >= ${issuedFrom}::date` : sql`date_ge(issued_on, ${issuedFrom}::date)`]),
  ...(issuedTo === undefined
    ? []
    : [byIndex ? sql`issued_on <= ${issuedTo}::date` : sql`date_le(issued_on, ${issuedTo}::date)`]),
]

/** Permits after this position in the list. */
export const startingAfter = (after: PermitPosition | undefined): Condition =>
  after === undefined
    ? sql``
    : sql`and issued_on <= ${after.issuedOn}::date
        and (issued_on < ${after.issuedOn}::date or (permit_id, city_slug) > (${after.permitId}, ${after.citySlug}))`

/** One word, or several in this order. */
export const contains = (...words: string[]): Condition => sql`search like ${pattern(...words)}`

/**
 * With functions, because an index answers only operators. `strpos` skips ahead by the length of the word, and PostgreSQL does not
 * estimate its rows, which would take 0.3 ms. Short words are found faster by the function of LIKE.
 */
const checked = (word: string): Condition =>
  word.length < 3 ? sql`textlike(search, ${pattern(word)})` : sql`strpos(search, ${word}) > 0`

const pattern = (...words: string[]): string => `%${words.map(likeEscaped).join('%')}%`

/** The next four are answered by the trigram index and written with its expressions. */
const indexedCities = (cities: readonly PermitCity[]): Condition => sql`array[city_slug] && ${slugsOf(cities)}::text[]`

const indexedClasses = (classes: readonly string[]): Condition =>
  sql`array[permit_class] && ${classes as string[]}::text[]`

/** Permits of this year and later, also of five years to come: the sample can be ahead of the calendar, and a clock can be behind. */
const indexedYears = (from: number): Condition => {
  const years = Array.from({ length: Math.max(1, yearOf(new Date()) + 6 - from) }, (_, at) => from + at)
  return sql`array[(issued_on - date '2000-01-01') / 365] && ${years}::integer[]`
}

/** The year that the index has for a day: 365 days each, counted from 2000, which costs less to compute than a calendar year. */
export const yearOf = (day: Date): number => Math.trunc(daysSince2000(day) / 365)
/** The first day of such a year. */
export const firstDayOf = (year: number): string => dayOf(new Date(Date.UTC(2000, 0, 1) + year * 365 * 86_400_000))
const daysSince2000 = (day: Date): number => Math.floor((day.getTime() - Date.UTC(2000, 0, 1)) / 86_400_000)

/** The highest step that every match reaches. The index has each permit under all steps that it reaches. */
const indexedValuation = (minValuation: number): Condition =>
  sql`(array[1,2,3,4,5])[1:width_bucket(valuation_usd, ${sql.lit(`{${valuationSteps}}`)}::double precision[])]
    && array[${stepsBelow(minValuation)}]::integer[]`

/** The same steps as in the index. */
const valuationSteps = [100_000, 250_000, 500_000, 1_000_000, 2_500_000]
const stepsBelow = (valuation: number): number => valuationSteps.filter((step) => step <= valuation).length
/** True if the index leaves out permits of a lower valuation. */
export const hasValuationStep = (minValuation: number): boolean => stepsBelow(minValuation) > 0

/** The market tells apart cities of the same name. */
const inCities = (cities: readonly PermitCity[], slug: 'known' | 'indexed' | 'hidden'): Condition[] => {
  const markets = [...new Set(cities.map(({ market }) => market))]
  return [
    ...(slug === 'known' ? [] : [inSlugs(cities, slug === 'indexed')]),
    markets.length === 1
      ? sql`${hidden('market')} = ${markets[0]}`
      : sql`market || '/' || city_slug = any(${cities.map(({ market, citySlug }) => `${market}/${citySlug}`)}::text[])`,
  ]
}

export const inSlugs = (cities: readonly PermitCity[], byIndex = true): Condition =>
  sql`${byIndex ? sql.ref('city_slug') : hidden('city_slug')} = any(${slugsOf(cities)}::text[])`

const slugsOf = (cities: readonly PermitCity[]): string[] => [...new Set(cities.map(({ citySlug }) => citySlug))]
