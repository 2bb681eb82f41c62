// What is kept for a time only. In steps, so that no lock is held for long.
import { type Db, sql } from './database.ts'

/** Days each is kept. */
export const keptDays = { events: 30, deliveries: 90, mails: 90, newsletterIssues: 400, dailyCounts: 7 } as const

export type Pruned = Record<keyof typeof keptDays, number>

const step = 5_000

export const prune = async (db: Db, now: Date): Promise<Pruned> => {
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const steps = {
    events: sql`delete from event where id in
      (select id from event where created_at < ${before(keptDays.events)} limit ${step})`,
    // One still waiting is kept, however old: it has not had its last attempt.
    deliveries: sql`delete from delivery where id in
      (select id from delivery where created_at < ${before(keptDays.deliveries)} and state <> 'waiting' limit ${step})`,
    mails: sql`delete from mail where id in
      (select id from mail where queued_at < ${before(keptDays.mails)} limit ${step})`,
    newsletterIssues: sql`delete from newsletter_issue where (subscriber_id, week) in
      (select subscriber_id, week from newsletter_issue where queued_at < ${before(keptDays.newsletterIssues)} limit ${step})`,
    dailyCounts: sql`delete from daily_count where day < ${before(keptDays.dailyCounts).toISOString().slice(0, 10)}`,
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
  // A secret that no longer signs is no longer needed.
  await sql`update webhook_endpoint set previous_secret = null, previous_until = null where previous_until < ${now}`.execute(
    db,
  )
  return pruned
}
