// Measured accuracy of the models, newest figure per model and market.
import type { AccuracyMeasures } from '../../contract/trust.ts'
import { type Db, sql } from '../engine/database.ts'

export interface AccuracyRow {
  name: string
  market: string
  measuredAt: Date
  data: string
  modelVersion: string
  measures: AccuracyMeasures
}

export const latestAccuracy = async (db: Db): Promise<AccuracyRow[]> => {
  const { rows } = await sql<AccuracyRow>`
    select distinct on (name, market) name, market, measured_at, data, model_version, measures
    from accuracy order by name, market, measured_at desc`.execute(db)
  return rows
}

export const recordAccuracy = (db: Db, row: AccuracyRow) =>
  sql`insert into accuracy (name, market, measured_at, data, model_version, measures)
    values (${row.name}, ${row.market}, ${row.measuredAt}, ${row.data}, ${row.modelVersion}, ${JSON.stringify(row.measures)})
    on conflict (market, name, measured_at) do update set measures = excluded.measures, data = excluded.data`.execute(
    db,
  )
