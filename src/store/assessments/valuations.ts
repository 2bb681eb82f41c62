// The stored valuation of each market: what its properties are assessed with until the market is valued again.
import type { Dataset, MarketId } from '../../domain/facts.ts'
import { type Db, sql } from '../engine/database.ts'
import type { DatasetCountTable, ValuationTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'

export type RecordCounts = Partial<Record<Dataset, number>>

export type ValuationHeader = Pick<ValuationTable, 'valuedOn' | 'version' | 'counts'>

export const valuationHeader = async (db: Db, market: MarketId): Promise<ValuationHeader | undefined> => {
  const { rows } = await sql<ValuationHeader>`
    select valued_on, version, counts from valuation where market = ${market}`.execute(groupOf(db, market))
  return rows[0]
}

/** The facts as they were saved; undefined if there are none of this version. */
export const valuationFacts = async (db: Db, market: MarketId, version: string): Promise<Buffer | undefined> => {
  const { rows } = await sql<Pick<ValuationTable, 'facts'>>`
    select facts from valuation where market = ${market} and version = ${version}`.execute(groupOf(db, market))
  return rows[0]?.facts
}

export const saveValuation = (
  db: Db,
  market: MarketId,
  { valuedOn, version, counts, facts }: Omit<ValuationTable, 'market'>,
) =>
  sql`insert into valuation (market, valued_on, version, counts, facts)
    values (${market}, ${valuedOn}, ${version}, ${JSON.stringify(counts)}, ${facts})
    on conflict (market) do update set valued_on = excluded.valued_on, version = excluded.version,
      counts = excluded.counts, facts = excluded.facts`.execute(groupOf(db, market))

/** Records of the market by data set, without removed ones. */
export const recordCounts = async (db: Db, market: MarketId): Promise<RecordCounts> => {
  const { rows } = await sql<Pick<DatasetCountTable, 'dataset'> & { present: number }>`
    select dataset, sum(rows - removed) as present from dataset_count where market = ${market} group by dataset`.execute(
    groupOf(db, market),
  )
  return Object.fromEntries(rows.map(({ dataset, present }) => [dataset, present]))
}
