// When a completed run last updated the data of a response.
import type { Dataset, MarketId } from '../../domain/facts.ts'
import { type Db, firstValue, onlyRow, onlyValue, prepared } from '../engine/database.ts'
import { groupOf, groupOfAll } from '../engine/shard-groups.ts'

export const dataChannel = 'lotline_data'

/** True for a market with properties of which none is assessed. */
export const hasUnassessedData = (db: Db, market: MarketId) =>
  onlyValue<boolean>(groupOf(db, market))`select exists (select 1 from property where market = ${market})
      and not exists (select 1 from assessment where market = ${market}) as held`

/** Before the first run, when the database was created. Two statements, because one would need every node of a cluster. */
export const asOf = async (db: Db, datasets: readonly Dataset[], market?: MarketId): Promise<string> => {
  const [loaded, assessed] = await Promise.all([
    onlyRow<{ at: Date | null; created: Date }>(db)`${prepared}
      select max(r.finished_at) as at, (select min(applied_at) from public.migration) as created
      from public.ingest_run r join public.source s on s.id = r.source_id
      where r.state = 'completed' and s.holds = any(${datasets})
        and (${market ?? null}::text is null or s.market is null or s.market = ${market ?? null})`,
    // Permits are not assessed.
    datasets.includes('permits') ? undefined : lastAssessment(groupOfAll(db, market ? [market] : []), market),
  ])
  const { at, created } = loaded
  const finished = [at, assessed].flatMap((time) => time ?? [])
  return new Date(finished.length > 0 ? Math.max(...finished.map(Number)) : Number(created)).toISOString()
}

const lastAssessment = (db: Db, market: MarketId | undefined) =>
  firstValue<Date>(db)`${prepared}
    select max(finished_at) as at from assess_run
    where state = 'completed' and (${market ?? null}::text is null or market = ${market ?? null})`
