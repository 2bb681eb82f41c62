// How long permits took, as life tables: how many ended, or were last seen open, after each number of days.
import type { PermitClass } from '../../domain/facts.ts'
import type { TimelineGroup } from '../../wire/permit-timelines.ts'
import { notAfter, permitStatusOn } from '../assessments/known-on.ts'
import { type Db, sql } from '../engine/database.ts'
import { groupOf } from '../engine/shard-groups.ts'

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

/** One number of days in one group. `part`: from application to issue, or from issue to the final inspection. */
interface TimelineDays {
  citySlug: string | null
  permitClass: PermitClass | null
  year: number | null
  part: 'issue' | 'final'
  days: number
  ended: number
  open: number
}

export interface TimelineCounts {
  citySlug: string | null
  permitClass: PermitClass | null
  year: number | null
  n: number
  open: number
  withoutApplicationDate: number
  invalidDates: number
  observedTo: string | null
}

const groupColumns = (groupBy: readonly TimelineGroup[]) => sql`
  ${groupBy.includes('city') ? sql`p.city_slug` : sql`null::text`} as city_slug,
  ${groupBy.includes('permitClass') ? sql`p.permit_class` : sql`null::text`} as permit_class,
  ${groupBy.includes('year') ? sql`extract(year from p.applied_on)::int` : sql`null::int`} as year`

/** Every permit with its group and the newest date in the records of its city. */
const chosen = (question: TimelineQuestion) => {
  const { market, citySlug, classes, minValuation, from, to, knownOn, groupBy } = question
  const known = (column: string) => (knownOn === undefined ? sql.ref(column) : notAfter(column, knownOn))
  return sql`
    select ${groupColumns(groupBy)}, p.applied_on, ${known('p.issued_on')} as issued_on,
      ${known('p.finaled_on')} as finaled_on, ${knownOn === undefined ? sql`p.status` : permitStatusOn('p', knownOn)} as status, c.last_on
    from permit_search p join (
      select city_slug, max(greatest(${known('applied_on')}, ${known('issued_on')}, ${known('finaled_on')})) as last_on from permit_search
      where market = ${market} group by city_slug) c on c.city_slug = p.city_slug
    where p.market = ${market}
      ${citySlug === undefined ? sql`` : sql`and p.city_slug = ${citySlug}`}
      ${classes === undefined ? sql`` : sql`and p.permit_class = any(${classes}::text[])`}
      ${minValuation === undefined ? sql`` : sql`and p.valuation_usd >= ${minValuation}`}
      ${from === undefined ? sql`` : sql`and p.applied_on >= ${from}::date`}
      ${to === undefined ? sql`` : sql`and p.applied_on <= ${to}::date`}
      ${groupBy.includes('year') ? sql`and p.applied_on is not null` : sql``}`
}

const isInvalid = sql`(applied_on > issued_on or issued_on > finaled_on or (issued_on is null and applied_on > finaled_on))`

export const timelineDays = async (db: Db, question: TimelineQuestion): Promise<TimelineDays[]> => {
  const { rows } = await sql<TimelineDays>`
    with p as materialized (select * from (${chosen(question)}) x where ${isInvalid} is not true),
    lengths as (
      select city_slug, permit_class, year, 'issue' as part, coalesce(issued_on, last_on) - applied_on as days,
        issued_on is not null as ended
      from p where applied_on is not null
      union all
      select city_slug, permit_class, year, 'final', coalesce(finaled_on, last_on) - issued_on, finaled_on is not null
      from p where issued_on is not null)
    select city_slug, permit_class, year, part, days, count(*) filter (where ended) as ended,
      count(*) filter (where not ended) as open
    from lengths group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`.execute(groupOf(db, question.market))
  return rows
}

export const timelineCounts = async (db: Db, question: TimelineQuestion): Promise<TimelineCounts[]> => {
  const { rows } = await sql<TimelineCounts>`
    select city_slug, permit_class, year, count(*) as n,
      count(*) filter (where issued_on is null and finaled_on is null and status not in ('expired', 'cancelled')) as open,
      count(*) filter (where applied_on is null) as without_application_date,
      count(*) filter (where ${isInvalid}) as invalid_dates, max(last_on) as observed_to
    from (${chosen(question)}) p group by 1, 2, 3 order by 1, 2, 3`.execute(groupOf(db, question.market))
  return rows
}
