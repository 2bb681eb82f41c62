import type { Dataset } from '../../domain/facts.ts'
import type { FeedProfile } from '../../domain/packs/source-config.ts'
import { type Db, rowsOf } from '../engine/database.ts'

/** Rows and values by field that the last complete read of every source of a data set had. Counting the tables would read all of them. */
export const filledFields = async (db: Db, holds: Dataset): Promise<FeedProfile['fields'] & { rows: number }> => {
  const rows = await rowsOf<{ filled: FeedProfile }>(db)`
    select r.filled from public.source s cross join lateral (
      select filled from public.ingest_run r
      where r.source_id = s.id and r.state = 'completed' and r.filled is not null and not (r.filled->>'changesOnly')::boolean
      order by r.id desc limit 1) r
    where s.holds = ${holds}`
  const total: FeedProfile['fields'] & { rows: number } = { rows: 0 }
  for (const { filled } of rows) {
    total.rows += filled.rows
    for (const [name, count] of Object.entries(filled.fields)) total[name] = (total[name] ?? 0) + count
  }
  return total
}
