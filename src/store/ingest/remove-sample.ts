// Removes generated sample data that real data replaces: the same data set of the market, and every generated record at an
// address or parcel number of the real rows, so that nothing generated is ever matched to a real record. The rest stays.

import type { Dataset, MarketId } from '../../domain/facts.ts'
import { eventsRemovedWith } from '../../wire/events.ts'
import { type Db, execute, rowsOf, sql, valuesOf } from '../engine/database.ts'
import { shardGroups } from '../engine/migrate.ts'
import type { SourceTable } from '../engine/schema.ts'
import { indexHomesOfPermits, removeDeletedPermits } from '../permit-search/upkeep.ts'
import type { Sql } from '../search/compile.ts'
import { indexMarket } from '../search/upkeep.ts'
import { countRows } from './dataset-counts.ts'
import { dataChannel } from './freshness.ts'
import { listedHomesOnly } from './remove-source.ts'
import { setGroupSearchPath } from './split-stage.ts'
import type { StageTables } from './stage.ts'

/** In the schema of the group that holds the staged rows. Returns true if there was a sample to remove. */
export const removeSample = async (tx: Db, holds: Dataset, stage: StageTables): Promise<boolean> => {
  const sources = await rowsOf<Pick<SourceTable, 'id' | 'holds'>>(tx)`
    select id, holds from source where sample`
  if (sources.length === 0) return false
  const ids = sources.map(({ id }) => id)
  const markets = await valuesOf<MarketId>(tx)`
    select distinct market from dataset_count
    where source_id = any(${ids}) and market in (select market from ${stage.rows})`
  if (markets.length === 0) return false
  if (holds === 'rents') return replaceRents(tx, ids, markets)
  const removed = await removeAtRealPlaces(tx, sql`source_id = any(${ids}) and market = any(${markets})`, stage)
  const replaced = sources.filter((source) => source.holds === holds).map(({ id }) => id)
  const generated = await valuesOf<string>(tx)`
    select distinct market from dataset_count
    where source_id = any(${replaced}) and market = any(${markets}) and rows > 0`
  if (!removed && generated.length === 0) return false
  await replaceDataset(tx, holds, replaced, generated)
  await removeDeletedPermits(tx)
  await indexHomesOfPermits(tx)
  await execute(tx)`
    delete from sale_search s where not exists (
      select 1 from sale t where t.market = s.market and t.source_id = s.source_id and t.sale_id = s.sale_id)`
  for (const market of markets) {
    await countRows(tx, market)
    await indexMarket(tx, market)
    await execute(tx)`select pg_notify(${dataChannel}, ${market})`
  }
  return true
}

/** No home, model or score depends on a rent. */
const replaceRents = async (tx: Db, sources: readonly string[], markets: readonly string[]): Promise<boolean> => {
  const removed = await execute(tx)`
    delete from rent where source_id = any(${sources}) and market = any(${markets})`
  for (const market of markets) await countRows(tx, market)
  return removed > 0
}

const replaceDataset = async (tx: Db, holds: Dataset, sources: readonly string[], markets: readonly string[]) => {
  const ofMarkets = sql`market = any(${markets})`
  await removeDataset(tx, holds, sql`source_id = any(${sources}) and ${ofMarkets}`, markets)
  // Models, values and scores that learned from generated records do not apply to real ones.
  for (const table of [
    'model',
    'valuation',
    'accuracy',
    'market_heat',
    'market_series',
    'value_change',
    'announced_score',
  ])
    await execute(tx)`delete from ${sql.raw(table)} where ${ofMarkets}`
  // Without a run, real homes are assessed as a whole as soon as their data is loaded.
  if (holds === 'parcels' || holds === 'listings')
    for (const table of ['street', 'assess_batch', 'assess_run'])
      await execute(tx)`delete from ${sql.raw(table)} where ${ofMarkets}`
  await execute(tx)`delete from event where ${ofMarkets} and type = any(${eventsRemovedWith(holds)})`
}

/** Removes homes with an address or parcel number of the staged rows, with their records, and unmatched records of these places. */
const removeAtRealPlaces = async (tx: Db, selected: Sql, { rows }: StageTables): Promise<boolean> => {
  const atRealPlace = sql`(exists (select 1 from ${rows} s where s.market = t.market and s.apn_key = t.apn_key)
    or exists (select 1 from ${rows} s where s.market = t.market and s.city_slug = t.city_slug and s.address_key = t.address_key))`
  const homes = sql`select market, id from property t where ${selected} and ${atRealPlace}`
  let removed = 0
  for (const table of ['permit', 'sale', 'listing'])
    removed += await execute(tx)`
      delete from ${sql.raw(table)} t where ${selected} and ((market, property_id) in (${homes}) or ${atRealPlace})`
  return (await removeHomes(tx, homes)) || removed > 0
}

/** Deletes referencing rows first: a cascade would look for them once per deleted row. */
const removeHomes = async (tx: Db, homes: Sql): Promise<boolean> => {
  for (const table of ['permit', 'sale'])
    await execute(tx)`
      update ${sql.raw(table)} set property_id = null, match_method = 'none', match_confidence = 'low'
      where (market, property_id) in (${homes})`
  const ofHomes = [
    'assessment_history',
    'assessment',
    'property_search',
    'touched_property',
    'parcel_outline',
    'parcel_layer',
  ]
  for (const table of ofHomes)
    await execute(tx)`delete from ${sql.raw(table)} where (market, property_id) in (${homes})`
  return (await execute(tx)`delete from property where (market, id) in (${homes})`) > 0
}

const removeDataset = async (tx: Db, holds: Dataset, selected: Sql, markets: readonly string[]) => {
  if (holds === 'permits') await execute(tx)`delete from permit where ${selected}`
  if (holds === 'sales') await execute(tx)`delete from sale where ${selected}`
  if (holds === 'listings') {
    await execute(tx)`delete from listing where ${selected}`
    await removeHomes(tx, sql`select market, id from property where ${selected} and known_from = 'listing'`)
  }
  if (holds === 'parcels') {
    await listedHomesOnly(tx, selected)
    await removeHomes(tx, sql`select market, id from property where ${selected}`)
    // Generated zones say nothing about real parcels.
    await execute(tx)`
      delete from layer_shape where market = any(${markets}) and source_id in (select id from source where sample)`
  }
}

/** Sample sources without rows in any market. */
export const removeEmptySampleSources = async (tx: Db): Promise<void> => {
  const usedSources = new Set<string>()
  for (const group of await shardGroups(tx)) {
    await setGroupSearchPath(tx, group)
    const ids = await valuesOf<string>(tx)`
      select distinct c.source_id from dataset_count c join source s on s.id = c.source_id where s.sample
      union select distinct source_id from layer_shape`
    for (const id of ids) usedSources.add(id)
  }
  await execute(tx)`delete from source where sample and id <> all(${[...usedSources]}::text[])`
}
