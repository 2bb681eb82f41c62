import { type Db, sql } from './database.ts'

export interface SourceSummary {
  sample: number
  real: number
}

/** How many sample and how many real sources the store holds data of. */
export const sourceSummary = async (db: Db): Promise<SourceSummary> => {
  const { rows } = await sql<SourceSummary>`
    select count(*) filter (where sample) as sample, count(*) filter (where not sample) as real from source`.execute(db)
  return rows[0]!
}
