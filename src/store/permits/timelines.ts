// How long permits took, as life tables: how many ended, or were last seen open, after each number of days.
import type { PermitClass } from '../../domain/facts.ts'
import type { LifeTableRow } from '../../intelligence/statistics/survival.ts'
import type { TimelineGroup } from '../../wire/permit-timelines.ts'
import { notAfter, permitStatusOn } from '../assessments/known-on.ts'
import { type Db, rowsOf, sql } from '../engine/database.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { evaluatedOnce } from '../search/paging.ts'

export interface TimelineQuestion {
  market: string
  citySlug?: string | undefined
  classes?: readonly string[] | undefined
  minValuation?: number | undefined
  /** Date of application. */
  from?: string | undefined
  to?: string | undefined
  /** What happened after this day is unknown. */
  knownOn?: string | undefined
  groupBy: readonly TimelineGroup[]
}

/** The permits of one group, and their life tables from application to issue and from issue to the final inspection. */
export interface PermitLifeTables {
  citySlug: string | null
  permitClass: PermitClass | null
  year: number | null
  n: number
  open: number
  withoutApplicationDate: number
  invalidDates: number
  observedTo: string | null
  toIssue: LifeTableRow[]
  toFinal: LifeTableRow[]
}

const groupColumns = (groupBy: readonly TimelineGroup[]) => sql`
  ${groupBy.includes('city') ? sql`p.city_slug` : sql`null::text`} as city_slug,
  ${groupBy.includes('permitClass') ? sql`p.permit_class` : sql`null::text`} as permit_class,
  ${groupBy.includes('year') ? sql`extract(year from p.applied_on)::int` : sql`null::int`} as year`

/** With `permit_search` as `p`. The index permit_search_timeline has it, and every column that is read here. */
const lastDate = (known: (column: string) => unknown) =>
  sql`greatest(${known('p.applied_on')}, ${known('p.issued_on')}, ${known('p.finaled_on')})`

/** Every permit with its group and the newest date in the records of its city. */
const chosen = (question: TimelineQuestion) => {
  const { market, citySlug, classes, minValuation, from, to, knownOn, groupBy } = question
  const known = (column: string) => (knownOn === undefined ? sql.ref(column) : notAfter(column, knownOn))
  const inCity = citySlug === undefined ? sql`` : sql`and city_slug = ${citySlug}`
  return sql`
    select ${groupColumns(groupBy)}, p.applied_on, ${known('p.issued_on')} as issued_on,
      ${known('p.finaled_on')} as finaled_on, ${knownOn === undefined ? sql`p.status` : permitStatusOn('p', knownOn)} as status, c.last_on
    from permit_search p join (
      select city_slug, (
        select max(${lastDate(known)}) from permit_search p where p.market = k.market and p.city_slug = k.city_slug) as last_on
      from permit_city k where market = ${market} ${inCity} ${evaluatedOnce}) c using (city_slug)
    where p.market = ${market} ${inCity}
      ${classes === undefined ? sql`` : sql`and p.permit_class = any(${classes}::text[])`}
      ${minValuation === undefined ? sql`` : sql`and p.valuation_usd >= ${minValuation}`}
      ${from === undefined ? sql`` : sql`and p.applied_on >= ${from}::date and ${lastDate(sql.ref)} >= ${from}::date`}
      ${to === undefined ? sql`` : sql`and p.applied_on <= ${to}::date`}
      ${groupBy.includes('year') ? sql`and p.applied_on is not null` : sql``}`
}

const isInvalid = sql`(applied_on > issued_on or issued_on > finaled_on or (issued_on is null and applied_on > finaled_on))`

type Group = Pick<PermitLifeTables, 'citySlug' | 'permitClass' | 'year'>
/** `days` is null for permits without a start, or with dates in the wrong order. */
type Counted = Group & { days: number | null; n: number; ended: number }
type Totals = Pick<PermitLifeTables, 'open' | 'withoutApplicationDate' | 'invalidDates' | 'observedTo'>

/**
 * Counts the permits of each group by the days between two dates; one without the second date is still open. Grouped by hash:
 * sorting a million permits takes longer than reading them.
 */
const countedBy = <Row = Counted>(db: Db, question: TimelineQuestion, from: string, to: string, totals = sql``) =>
  rowsOf<Row>(groupOf(db, question.market))`
    select city_slug, permit_class, year, case when invalid is not true then coalesce(${sql.ref(to)}, last_on) - ${sql.ref(from)} end as days,
      count(*) as n, count(${sql.ref(to)}) as ended ${totals}
    from (select *, ${isInvalid} as invalid from (${chosen(question)}) x) y
    group by 1, 2, 3, 4`

/** All groups in the order of city, class and year. Each life table is counted in one scan, both at the same time. */
export const permitLifeTables = async (db: Db, question: TimelineQuestion): Promise<PermitLifeTables[]> => {
  const [toIssue, toFinal] = await Promise.all([
    countedBy<Counted & Totals>(
      db,
      question,
      'applied_on',
      'issued_on',
      sql`, count(*) filter (where issued_on is null and finaled_on is null and status not in ('expired', 'cancelled')) as open,
        count(*) filter (where applied_on is null) as without_application_date,
        count(*) filter (where invalid) as invalid_dates, max(last_on) as observed_to`,
    ),
    countedBy(db, question, 'issued_on', 'finaled_on'),
  ])
  const groups = new Map<string, PermitLifeTables>()
  const keyOf = ({ citySlug, permitClass, year }: Group) => JSON.stringify([citySlug, permitClass, year])
  // Every permit is in one row of each part.
  for (const row of toIssue) {
    const { citySlug, permitClass, year } = row
    const none = { n: 0, open: 0, withoutApplicationDate: 0, invalidDates: 0, observedTo: null }
    const group = groups.get(keyOf(row)) ?? { citySlug, permitClass, year, ...none, toIssue: [], toFinal: [] }
    groups.set(keyOf(row), group)
    for (const name of ['n', 'open', 'withoutApplicationDate', 'invalidDates'] as const) group[name] += row[name]
    if ((row.observedTo ?? '') > (group.observedTo ?? '')) group.observedTo = row.observedTo
  }
  // A load between the two reads may have added a group.
  for (const [part, rows] of [
    ['toIssue', toIssue],
    ['toFinal', toFinal],
  ] as const)
    for (const row of rows.sort((a, b) => (a.days ?? 0) - (b.days ?? 0)))
      if (row.days !== null)
        groups.get(keyOf(row))?.[part].push({ days: row.days, ended: row.ended, open: row.n - row.ended })
  // The order of the keys is that of their parts.
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}
