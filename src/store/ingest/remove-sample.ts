// Removes the generated sample of a market when its first real data is loaded. The sample of other markets stays.
import { type Db, sql } from '../engine/database.ts'
import { shardGroups } from '../engine/migrate.ts'
import type { DatasetCountTable, SourceTable } from '../engine/schema.ts'
import { removeDeletedPermits } from '../permit-search/upkeep.ts'
import { dataChannel } from './freshness.ts'
import { setGroupSearchPath } from './split-stage.ts'
import type { StageTables } from './stage.ts'

/** In the schema of the group that holds the staged rows. Returns true if there was a sample to remove. */
export const removeSample = async (tx: Db, stage: StageTables): Promise<boolean> => {
  const { rows: sources } = await sql<Pick<SourceTable, 'id'>>`select id from source where sample`.execute(tx)
  if (sources.length === 0) return false
  const ids = sources.map(({ id }) => id)
  const { rows } = await sql<Pick<DatasetCountTable, 'market'>>`
    select distinct market from dataset_count
    where source_id = any(${ids}) and market in (select market from ${stage.rows})`.execute(tx)
  if (rows.length === 0) return false
  const markets = rows.map(({ market }) => market)
  await removeFrom(tx, ids, markets)
  await sql`
    delete from event where market = any(${markets}) and type in ('permit.created', 'property.score_updated')`.execute(
    tx,
  )
  for (const market of markets) await sql`select pg_notify(${dataChannel}, ${market})`.execute(tx)
  return true
}

/** Deletes referencing rows first: a cascade would look for them once per deleted row. */
const removeFrom = async (tx: Db, ids: readonly string[], markets: readonly string[]): Promise<void> => {
  const own = sql`source_id = any(${ids}) and market = any(${markets})`
  for (const table of ['permit', 'sale_search', 'sale', 'listing', 'dataset_count'])
    await sql`delete from ${sql.raw(table)} where ${own}`.execute(tx)
  await removeDeletedPermits(tx)
  for (const table of ['assessment_history', 'assessment', 'property_search', 'touched_property'])
    await sql`delete from ${sql.raw(table)} where (market, property_id) in (
      select market, id from property where ${own})`.execute(tx)
  await sql`delete from parcel_outline where ${own}`.execute(tx)
  await sql`delete from property where ${own}`.execute(tx)
  // Streets, models and runs of the sample do not apply to real homes. At this point the market contains nothing else.
  for (const table of ['street', 'model', 'accuracy', 'market_heat', 'assess_batch', 'assess_run'])
    await sql`delete from ${sql.raw(table)} where market = any(${markets})`.execute(tx)
}

/** Sample sources without rows in any market. */
export const removeEmptySampleSources = async (tx: Db): Promise<void> => {
  const held = new Set<string>()
  for (const group of await shardGroups(tx)) {
    await setGroupSearchPath(tx, group)
    const { rows } = await sql<Pick<DatasetCountTable, 'sourceId'>>`
      select distinct c.source_id from dataset_count c join source s on s.id = c.source_id where s.sample`.execute(tx)
    for (const { sourceId } of rows) held.add(sourceId)
  }
  await sql`delete from source where sample and id <> all(${[...held]}::text[])`.execute(tx)
}
