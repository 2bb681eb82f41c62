// How many scored leads there are, without counting them at every read (migration 0071): once they have been counted, triggers
// keep the numbers exact in every transaction.
import { type Db, inTransaction, sql } from './database.ts'

/** Fewer are counted as they are asked for in some two milliseconds. */
const countedFrom = 20_000

/** Once a market has been assessed as a whole. A first run of few properties, which somebody waits for, leaves it to the next one. */
export const countLeadsAfter = async (db: Db, { market, considered }: { market: string; considered: number }) => {
  const { rows } = await sql<{ runs: number }>`
    select count(*) as runs from assess_run where market = ${market} and scope = 'market' and state = 'completed'`.execute(
    db,
  )
  if (considered >= countedFrom || rows[0]!.runs > 1) await countLeads(db)
}

/** Unless they are. Where others keep writing assessments it is left for another time: the answers are the same. */
export const countLeads = async (db: Db): Promise<void> => {
  if (await areCounted(db)) return
  try {
    await inTransaction(db, countAll)
  } catch (error) {
    if ((error as { code?: string }).code !== lockNotAvailable) throw error
  }
}

const lockNotAvailable = '55P03'

const countAll = async (tx: Db): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local lock_timeout = '5s'`.execute(tx)
  // Waits until no assessment is being written and keeps others from it, so that none is missed and none counted twice.
  await sql`
    alter table assessment enable trigger leads_written, enable trigger leads_changed, enable trigger leads_gone,
      enable trigger leads_emptied`.execute(tx)
  // Another process may have counted them while we waited.
  await sql`
    insert into derived.lead_count (market, kind, score, city_slug, class, blocked, slot, leads)
    select a.market, l.kind, l.score, a.city_slug, l.class, l.blocked, 0, count(*) from assessment a, derived.leads_of(
      a.adu_score, a.adu_blocked, a.redevelopment_score, a.redevelopment_class, a.redevelopment_blocked) l
    where not exists (select from derived.lead_count)
    group by 1, 2, 3, 4, 5, 6`.execute(tx)
}

const areCounted = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ counted: boolean }>`
    select tgenabled = 'O' as counted from pg_trigger
    where tgrelid = 'assessment'::regclass and tgname = 'leads_written'`.execute(db)
  return rows[0]!.counted
}

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
  case when exists (select from derived.lead_count) then (
    select coalesce(sum(leads), 0)::bigint from derived.lead_count
    where market = ${market} and kind = ${kind} and score >= ${minScore}
      ${only ? sql`and class = ${only}` : sql``}
      ${excludeBlockers ? sql`and not blocked` : sql``}
      ${citySlug !== undefined ? sql`and city_slug = ${citySlug}` : sql``}) end`
