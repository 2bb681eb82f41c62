import { type Db, onlyRow } from '../engine/database.ts'

export interface SourceSummary {
  sample: number
  real: number
}

/** Numbers of sample and real sources with a completed run. A source without one has loaded nothing. */
export const sourceSummary = (db: Db) =>
  onlyRow<SourceSummary>(db)`
    select count(*) filter (where sample) as sample, count(*) filter (where not sample) as real from source s
    where exists (select 1 from ingest_run r where r.source_id = s.id and r.state = 'completed')`
