// When a completed run last updated the data of a response.
import type { MarketId } from '../../contract/facts.ts'
import { type Db, sql } from '../engine/database.ts'

export type Dataset = 'parcels' | 'listings' | 'sales' | 'permits'

export const dataChannel = 'lotline_data'

/** True for a market with properties of which none is assessed. */
export const hasUnassessedData = async (db: Db, market: MarketId): Promise<boolean> => {
  const { rows } = await sql<{
    held: boolean
  }>`select exists (select from property where market = ${market})
      and not exists (select from assessment where market = ${market}) as held`.execute(db)
  return rows[0]!.held
}

/** Before the first run, this is the time when the database was created. */
export const asOf = async (db: Db, datasets: readonly Dataset[], market?: MarketId): Promise<string> => {
  const { rows } = await sql<{ at: Date }>`
    select coalesce(
      greatest(
        (select max(r.finished_at) from ingest_run r join source s on s.id = r.source_id
         where r.state = 'completed' and s.holds = any(${datasets as string[]})
           and (${market ?? null}::text is null or s.market is null or s.market = ${market ?? null})),
        (select max(finished_at) from assess_run
         where state = 'completed' and ${!datasets.includes('permits')}
           and (${market ?? null}::text is null or market = ${market ?? null}))),
      (select min(applied_at) from public.migration)) as at`.execute(db)
  return rows[0]!.at.toISOString()
}
