// The record of each assessment run.
import type { MarketId } from '../contract/facts.ts'
import { type Db, sql } from './database.ts'

export const beginAssessRun = async (
  db: Db,
  market: MarketId,
  scope: 'market' | 'properties',
  now: Date,
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into assess_run (market, scope, state, started_at) values (${market}, ${scope}, 'running', ${now}) returning id`.execute(
    db,
  )
  return rows[0]!.id
}

export const endAssessRun = (
  db: Db,
  id: number,
  { considered, changed, error }: { considered: number; changed: number; error?: string },
  now: Date,
) =>
  sql`update assess_run set state = ${error === undefined ? 'completed' : 'failed'}, finished_at = ${now},
    considered = ${considered}, changed = ${changed}, error = ${error ?? null} where id = ${id}`.execute(db)
