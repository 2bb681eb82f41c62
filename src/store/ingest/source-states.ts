// How each source is doing. `lotline doctor`, the Coverage page, /v1/coverage and the metrics read it here, so they agree.
import type { FeedProfile } from '../../domain/packs/source-config.ts'
import { type Db, onlyRow, rowsOf } from '../engine/database.ts'
import type { IngestRunTable, SourceTable } from '../engine/schema.ts'
import { isAbandoned } from './run.ts'

export type SourceState = Pick<
  SourceTable,
  'id' | 'kind' | 'config' | 'title' | 'license' | 'url' | 'sample' | 'schedule'
> & {
  /** The last completed run; null before the first. */
  lastRunAt: IngestRunTable['finishedAt']
  rejected: IngestRunTable['rowsRejected'] | null
  /** Why the newest run failed, and when the first failure since the last completed run was. */
  error: string | null
  failingSince: Date | null
  /** Rows marked as removed within 30 days. */
  removed: number
  /** Fields of which the last run has fewer values than an earlier one, with both shares. */
  lostFields: string[]
  /** A scheduled source that has missed its runs, or a map layer that was read more than a year ago. */
  stale: boolean
}

type Row = Omit<SourceState, 'lostFields' | 'stale'> & { profiles: FeedProfile[] }

export const sourceStates = async (db: Db, now: Date): Promise<SourceState[]> => {
  const rows = await rowsOf<Row>(db)`
    select s.id, s.kind, s.config, s.title, s.license, s.url, s.sample, s.schedule, good.finished_at as last_run_at,
      good.rows_rejected as rejected, bad.error, case when bad.error is not null then
        (select min(f.started_at) from ingest_run f where f.source_id = s.id and f.id > coalesce(good.id, 0)) end as failing_since,
      coalesce((select sum(rows_removed) from ingest_run where source_id = s.id and state = 'completed'
        and finished_at > ${now}::timestamptz - interval '30 days'), 0)::int as removed,
      coalesce((select jsonb_agg(p.filled order by p.id desc) from (
        select id, filled from ingest_run where source_id = s.id and state = 'completed' and filled is not null
        order by id desc limit 20) p), '[]') as profiles
    from source s
    left join lateral (select id, finished_at, rows_rejected from ingest_run
      where source_id = s.id and state = 'completed' order by id desc limit 1) good on true
    left join lateral (select case when r.state = 'failed' then coalesce(r.error, 'failed')
        when ${isAbandoned} then 'the process ended before the run did' end as error
      from ingest_run r where r.source_id = s.id order by r.id desc limit 1) bad on true
    order by s.id`
  return rows.map(({ profiles, ...row }) => ({ ...row, lostFields: lostFields(profiles), stale: isStale(row, now) }))
}

/** Fewer values by this part of the rows are named. A loss of half stops a run (ingest/drift.ts) unless the operator accepts it. */
const namedLoss = 0.05
const fewestRows = 20

const lostFields = ([last, ...earlier]: readonly FeedProfile[]): string[] => {
  if (!last || last.rows < fewestRows) return []
  // Compare only runs of at most 10 times the rows: one day of new permits has few issue dates, a full history has many.
  const isLike = ({ changesOnly, rows }: FeedProfile) =>
    changesOnly === last.changesOnly && rows >= fewestRows && rows <= 10 * last.rows
  const like = earlier.filter(isLike)
  if (like.length === 0) return []
  // Full reads are compared with the best of the last 19 runs, so a loss stays reported. Runs that read only changes vary too much and
  // are compared with the previous one.
  const before = last.changesOnly ? like.slice(0, 1) : like
  return Object.keys(like[0]!.fields).flatMap((field) => {
    const [was, is] = [
      Math.max(...before.map(({ fields, rows }) => (fields[field] ?? 0) / rows)),
      (last.fields[field] ?? 0) / last.rows,
    ]
    return was - is >= namedLoss ? [`${field} ${Math.round(100 * was)}% → ${Math.round(100 * is)}%`] : []
  })
}

/** A map layer is read once and forgotten: after a year its agency has usually drawn another one. */
const oldLayerMs = 366 * 86_400_000

const isStale = ({ schedule, lastRunAt, config }: Row | Omit<Row, 'profiles'>, now: Date): boolean =>
  (config.holds === 'layer' && lastRunAt !== null && now.getTime() - lastRunAt.getTime() > oldLayerMs) ||
  (schedule !== null && (!lastRunAt || now.getTime() - lastRunAt.getTime() > staleAfterMs(schedule)))

/**
 * A scheduled source is stale after two intervals without a completed run, since one run may fail and be retried. The interval is
 * the longest that the cron fields allow: a list such as "1,15" in the day field counts as one month.
 */
export const staleAfterMs = (schedule: string): number => {
  const [minute = '*', hour = '*', day = '*', month = '*', weekday = '*'] = schedule.trim().split(/\s+/)
  const days =
    month !== '*' ? 366 : day !== '*' ? 31 : weekday !== '*' ? 7 : hour !== '*' && !hour.startsWith('*/') ? 1 : 0
  if (days > 0) return 2 * days * 86_400_000
  const every = hour.startsWith('*/') ? Number(hour.slice(2)) : 1
  // A source that runs every few minutes may be late by two hours on a slow server without being stale.
  return (minute === '*' || hour === '*' ? 2 : 2 * (every || 1)) * 3_600_000
}

/** Numbers of sample and real sources with a completed run. A source without one has loaded nothing. */
export const sourceSummary = (db: Db) =>
  onlyRow<{ sample: number; real: number }>(db)`
    select count(*) filter (where sample) as sample, count(*) filter (where not sample) as real from source s
    where exists (select 1 from ingest_run r where r.source_id = s.id and r.state = 'completed')`
