// How many scored leads there are, without counting them at every read (migration 0071): once they have been counted, triggers
// keep the numbers exact in every transaction.
import { type Db, inTransaction, sql } from '../engine/database.ts'

/** Fewer are counted as they are asked for in some two milliseconds. */
const countedFrom = 20_000

/**
 * Once a market has been assessed as a whole. A first run of few properties, which somebody waits for, leaves it to the next one.
 * Answers are the same without it, only slower, and the next run tries again: a busy table or a lost connection is no reason to
 * call the run that has just been completed a failed one. A statement that is wrong is.
 */
export const countLeadsAfter = async (db: Db, { market, considered }: { market: string; considered: number }) => {
  try {
    const { rows } = await sql<{ runs: number }>`
      select count(*) as runs from assess_run where market = ${market} and scope = 'market' and state = 'completed'`.execute(
      db,
    )
    if (considered >= countedFrom || rows[0]!.runs > 1) await countLeads(db)
  } catch (error) {
    if (!passing(error)) throw error
  }
}

/** Waited too long, ended, in another's way, short of room, or no connection, of which pg itself speaks without a code. */
const passing = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string }
  return code
    ? /^(55P03|57014|40P01|57P0\d|08\w{3}|53\w{3}|E[A-Z]+)$/.test(code)
    : /^Connection terminated|^timeout exceeded|^Client has encountered a connection error/.test(message ?? '')
}

/** Unless they are. */
export const countLeads = async (db: Db): Promise<void> => {
  if (!(await counted(db))) await inTransaction(db, countAll)
}

const countAll = async (tx: Db): Promise<void> => {
  // Whoever writes assessments meanwhile waits, ten seconds at most (src/store/database.ts): the lock and the two long statements
  // under it take less.
  await sql`set local lock_timeout = '3s'`.execute(tx)
  // Waits until no assessment is being written and keeps others from it, so that none is missed and none counted twice.
  await sql`lock table assessment in share row exclusive mode`.execute(tx)
  await sql`set local statement_timeout = '3s'`.execute(tx)
  // By another process, while we waited.
  if (await counted(tx)) return
  await sql`
    alter table assessment enable trigger leads_written, enable trigger leads_changed, enable trigger leads_gone,
      enable trigger leads_emptied`.execute(tx)
  await sql`delete from derived.lead_count`.execute(tx)
  // Each kind for itself, so that its narrow index has all that is asked for.
  await sql`
    insert into derived.lead_count (market, kind, score, city_slug, class, blocked, slot, leads)
    select market, 'adu', adu_score, city_slug, '', coalesce(adu_blocked, false), 0, count(*)
    from assessment where adu_score is not null group by 1, 3, 4, 6
    union all
    select market, 'redevelopment', redevelopment_score, city_slug, coalesce(redevelopment_class, ''),
      coalesce(redevelopment_blocked, false), 0, count(*)
    from assessment where redevelopment_score is not null group by 1, 3, 4, 5, 6
    union all
    select '', '', 0, '', '', false, 0, 0`.execute(tx)
}

const counted = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ counted: boolean }>`select ${areCounted} as counted`.execute(db)
  return rows[0]!.counted
}

/** The mark is there and the triggers are on: rows that came with a dump's data are kept by nobody while they are off. */
const areCounted = sql`(
  exists (select from derived.lead_count where market = '') and exists (
    select from pg_trigger where tgrelid = 'assessment'::regclass and tgname = 'leads_written' and tgenabled = 'O'))`

export interface CountedLeads {
  market: string
  kind: 'adu' | 'redevelopment'
  minScore: number
  class?: string
  excludeBlockers?: boolean
  citySlug?: string
}

/** An expression: how many there are, those of gone parcels among them; null where they are not counted yet. */
export const leadsCounted = ({ market, kind, minScore, class: only, excludeBlockers, citySlug }: CountedLeads) => sql`
  case when ${areCounted} then (
    select coalesce(sum(leads), 0)::bigint from derived.lead_count
    where market = ${market} and kind = ${kind} and score >= ${minScore}
      ${only ? sql`and class = ${only}` : sql``}
      ${excludeBlockers ? sql`and not blocked` : sql``}
      ${citySlug !== undefined ? sql`and city_slug = ${citySlug}` : sql``}) end`
