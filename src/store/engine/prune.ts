// Deletes data that is kept for a limited time, in steps so that no lock is held for long.
import { dayOf } from '../../contract/day.ts'
import { type Db, sql } from './database.ts'

/** Days that each kind is kept. */
const retentionDays = {
  events: 30,
  deliveries: 90,
  mails: 90,
  unconfirmedSubscribers: 30,
  newsletterIssues: 400,
  dailyCounts: 7,
  ingestRuns: 400,
} as const

type Pruned = Record<keyof typeof retentionDays | 'rejectedRows', number>

const step = 5_000

export const prune = async (db: Db, now: Date): Promise<Pruned> => {
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const steps = {
    events: sql`delete from event where id in
      (select id from event where created_at < ${before(retentionDays.events)} limit ${step})`,
    // A waiting delivery is kept at any age: its last attempt is still to come.
    deliveries: sql`delete from delivery where id in
      (select id from delivery where created_at < ${before(retentionDays.deliveries)} and state <> 'waiting' limit ${step})`,
    mails: sql`delete from mail where id in
      (select id from mail where queued_at < ${before(retentionDays.mails)} limit ${step})`,
    unconfirmedSubscribers: sql`delete from subscriber where id in
      (select id from subscriber where confirmed_at is null
        and created_at < ${before(retentionDays.unconfirmedSubscribers)} limit ${step})`,
    newsletterIssues: sql`delete from newsletter_issue where (subscriber_id, week) in
      (select subscriber_id, week from newsletter_issue where queued_at < ${before(retentionDays.newsletterIssues)} limit ${step})`,
    // Rejected rows show what to correct in a source. The last two runs with rejected rows are enough.
    rejectedRows: sql`delete from rejected_row where (run_id, row_number) in (
      select f.run_id, f.row_number from rejected_row f join ingest_run r on r.id = f.run_id
      where r.state <> 'running' and r.id not in (
        select id from (select id, row_number() over (partition by source_id order by id desc) as back
          from ingest_run where rows_rejected > 0) recent where back <= 2)
      limit ${step})`,
    // Kept at any age: the last completed run, which tells how fresh the data is and where an incremental read continues, and the
    // last run that loaded rows, which tells that the next load is not the first.
    ingestRuns: sql`delete from ingest_run where id in (
      select r.id from ingest_run r where r.started_at < ${before(retentionDays.ingestRuns)} and r.state <> 'running'
        and not (r.state = 'completed' and r.id in (
          select max(id) from ingest_run where state = 'completed' group by source_id
          union all select max(id) from ingest_run where state = 'completed' and rows_loaded > 0 group by source_id))
      limit ${step})`,
    dailyCounts: sql`delete from daily_count where day < ${dayOf(before(retentionDays.dailyCounts))}`,
  }
  const pruned = {} as Pruned
  for (const name of Object.keys(steps) as (keyof typeof steps)[]) {
    pruned[name] = 0
    for (;;) {
      const { numAffectedRows } = await steps[name].execute(db)
      pruned[name] += Number(numAffectedRows ?? 0n)
      if (Number(numAffectedRows ?? 0n) < step) break
    }
  }
  // A previous secret that no longer signs is not needed.
  await sql`update webhook_endpoint set previous_secret = null, previous_until = null where previous_until < ${now}`.execute(
    db,
  )
  return pruned
}
