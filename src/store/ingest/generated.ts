// Which data is generated: the sample data sets of each market.
import type { Dataset } from '../../domain/facts.ts'
import { type Db, rowsOf } from '../engine/database.ts'
import type { DatasetCountTable } from '../engine/schema.ts'

/** Tells whether one of the data sets of a market is generated sample data. Real data removes the sample of its data set. */
export const generatedData = async (db: Db) => {
  const rows = await rowsOf<Pick<DatasetCountTable, 'market' | 'dataset'>>(db)`
    select distinct c.market, c.dataset from dataset_count c join source s on s.id = c.source_id
    where s.sample and c.rows > 0`
  const generated = new Set(rows.map(({ market, dataset }) => `${market} ${dataset}`))
  return (market: string, datasets: readonly Dataset[]): boolean =>
    datasets.some((dataset) => generated.has(`${market} ${dataset}`))
}
