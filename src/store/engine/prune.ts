// Deletes data that is kept for a limited time, in steps so that no lock is held for long.
import { keysOf } from '../../common/typed.ts'
import { dayOf } from '../../domain/day.ts'
import { type Db, execute, sql } from './database.ts'
import { shardGroups } from './migrate.ts'

/** Days that each kind is kept. */
const retentionDays = {
  events: 90,
  deliveries: 90,
  mails: 90,
  unconfirmedSubscribers: 30,
  newsletterIssues: 400,
  dailyCounts: 7,
  /** After they expired. Limits count the links of the last day. */
  accountTokens: 1,
  accountSessions: 0,
  keyUsage: 400,
  watchMatches: 90,
  waitingMatches: 90,
  ingestRuns: 400,
  exports: 30,
  backups: 400,
  tableSizes: 90,
  /** Older changes of scores are thinned to the last one of each month. */
  scoreChanges: 90,
  /** Older forecasts are thinned to one a year. */
  forecasts: 730,
} as const

type Pruned = Record<keyof typeof retentionDays | 'rejectedRows' | 'exportPieces', number>

const step = 5_000

export const prune = async (db: Db, now: Date): Promise<Pruned> => {
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000)
  /** Some rows that are older by this column than they are kept. */
  const older = (name: keyof typeof retentionDays, table: string, column: string, key = 'id', and = sql``) => sql`
    delete from ${sql.id(table)} where (${sql.raw(key)}) in (select ${sql.raw(key)} from ${sql.id(table)}
      where ${sql.id(column)} < ${before(retentionDays[name])} ${and} limit ${step})`
  const steps = {
    events: older('events', 'event', 'created_at'),
    // A waiting delivery is kept at any age: its last attempt is still to come.
    deliveries: older('deliveries', 'delivery', 'created_at', 'id', sql`and state <> 'waiting'`),
    mails: older('mails', 'mail', 'queued_at'),
    unconfirmedSubscribers: older(
      'unconfirmedSubscribers',
      'subscriber',
      'created_at',
      'id',
      sql`and confirmed_at is null`,
    ),
    newsletterIssues: older('newsletterIssues', 'newsletter_issue', 'queued_at', 'subscriber_id, week'),
    // Rejected rows show what to correct in a source. The last two runs with rejected rows are enough. A permit that another source
    // holds is read again when that one drops it, so its refusal is kept until a run reads all rows.
    rejectedRows: sql`delete from rejected_row where (run_id, row_number) in (
      select f.run_id, f.row_number from rejected_row f join ingest_run r on r.id = f.run_id
      where r.state <> 'running' and r.id not in (
        select id from (select id, row_number() over (partition by source_id order by id desc) as back
          from ingest_run where rows_rejected > 0) recent where back <= 2)
        and (f.code <> 'held_by_other' or exists (select 1 from ingest_run w
          where w.source_id = r.source_id and w.id > r.id and w.state = 'completed' and w.filled->>'changesOnly' = 'false'))
      limit ${step})`,
    // Kept at any age: the last completed run, which tells how fresh the data is and where an incremental read continues, and the
    // last run that loaded rows, which tells that the next load is not the first.
    ingestRuns: sql`delete from ingest_run where id in (
      select r.id from ingest_run r where r.started_at < ${before(retentionDays.ingestRuns)} and r.state <> 'running'
        and not (r.state = 'completed' and r.id in (
          select max(id) from ingest_run where state = 'completed' group by source_id
          union all select max(id) from ingest_run where state = 'completed' and rows_loaded > 0 group by source_id))
      limit ${step})`,
    accountTokens: older('accountTokens', 'account_token', 'expires_at', 'hash'),
    accountSessions: older('accountSessions', 'account_session', 'expires_at'),
    keyUsage: sql`delete from key_usage where (family, day) in
      (select family, day from key_usage where day < ${dayOf(before(retentionDays.keyUsage))} limit ${step})`,
    exports: older('exports', 'export', 'created_at'),
    exportPieces: sql`delete from export_piece where (export_id, attempt, piece) in
      (select p.export_id, p.attempt, p.piece from export_piece p join export e on e.id = p.export_id
        where e.expires_at < ${now} limit ${step})`,
    watchMatches: older('watchMatches', 'watch_match', 'changed_at'),
    waitingMatches: older('waitingMatches', 'waiting_match', 'changed_at'),
    backups: older('backups', 'backup_made', 'made_at', 'made_at'),
    tableSizes: sql`delete from table_size where day < ${dayOf(before(retentionDays.tableSizes))}`,
    dailyCounts: sql`delete from daily_count where day < ${dayOf(before(retentionDays.dailyCounts))}`,
  }
  const pruned = {} as Pruned
  pruned.scoreChanges = 0
  pruned.forecasts = 0
  for (const group of await shardGroups(db)) {
    pruned.scoreChanges += await inSteps(db, monthsOnly(group, before(retentionDays.scoreChanges)))
    pruned.forecasts += await inSteps(db, yearsOnly(group, dayOf(before(retentionDays.forecasts))))
  }
  for (const name of keysOf(steps)) {
    pruned[name] = await inSteps(db, steps[name])
  }
  // A previous secret that no longer signs is not needed.
  await execute(db)`
    update webhook_endpoint set previous_secret = null, previous_until = null where previous_until < ${now}`
  return pruned
}

const inSteps = async (db: Db, statement: ReturnType<typeof sql>): Promise<number> => {
  let all = 0
  for (;;) {
    const deleted = await execute(db)`${statement}`
    all += deleted
    if (deleted < step) return all
  }
}

/** Deletes changes that were followed by another one in the same month. */
const monthsOnly = (group: string, until: Date) => {
  const history = sql.id(group, 'assessment_history')
  return sql`delete from ${history} where (market, property_id, changed_at) in (
    select h.market, h.property_id, h.changed_at from ${history} h
    where h.changed_at < ${until} and exists (
      select 1 from ${history} l where l.market = h.market and l.property_id = h.property_id
        and l.changed_at > h.changed_at and l.changed_at < ${until}
        and to_char(l.changed_at at time zone 'UTC', 'YYYY-MM') = to_char(h.changed_at at time zone 'UTC', 'YYYY-MM'))
    limit ${step})`
}

/** Keeps one forecast of each home, model and year: the last one made while it was on the market, otherwise the last one. */
const yearsOnly = (group: string, until: string) => {
  const forecast = sql.id(group, 'forecast')
  return sql`delete from ${forecast} where (market, property_id, model, made_on) in (
    select f.market, f.property_id, f.model, f.made_on from ${forecast} f
    where f.made_on < ${until} and exists (
      select 1 from ${forecast} l where l.market = f.market and l.property_id = f.property_id and l.model = f.model
        and l.made_on < ${until} and date_trunc('year', l.made_on) = date_trunc('year', f.made_on)
        and (l.listing_id is not null, l.made_on) > (f.listing_id is not null, f.made_on))
    limit ${step})`
}
