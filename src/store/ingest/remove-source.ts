// Removes a source and everything that came from it, in one transaction. Records of other sources stay.
import type { Holding } from '../../domain/facts.ts'
import { type Db, execute, firstValue, inTransaction, onlyRow, sql, valuesOf } from '../engine/database.ts'
import { shardGroups } from '../engine/migrate.ts'
import { indexHomesOfPermits, removeDeletedPermits } from '../permit-search/upkeep.ts'
import { indexSales } from '../search/sale-upkeep.ts'
import { dataChannel } from './freshness.ts'
import { joinLayers, layersOf, removeLayer } from './layers.ts'
import { lockMarkets } from './market-lock.ts'
import { readOthersInWhole } from './run.ts'
import { setGroupSearchPath } from './split-stage.ts'
import { columnNames, placeColumns, recordColumns } from './stage.ts'

type SourceRows = Record<Holding, number>

export const sourceRows = (db: Db, id: string) =>
  onlyRow<SourceRows>(db)`
    select (select count(*) from property where source_id = ${id} and known_from = 'parcel') as parcels,
      (select count(*) from listing where source_id = ${id}) as listings,
      (select count(*) from sale where source_id = ${id}) as sales,
      (select count(*) from permit where source_id = ${id}) as permits,
      (select count(*) from rent where source_id = ${id}) as rents,
      (select count(distinct hash) from layer_shape where source_id = ${id}) as layer`

/** Undefined if there is no such source. */
export const removeSource = async (db: Db, id: string, now: Date): Promise<SourceRows | undefined> =>
  inTransaction(db, async (tx) => {
    // A large source takes minutes.
    await execute(tx)`set local statement_timeout = 0`
    // A run of the source must not write while its rows are deleted.
    await execute(tx)`select pg_advisory_xact_lock(hashtextextended(${`lotline:source:${id}`}, 0))`
    const sample = await firstValue<boolean>(tx)`select sample from source where id = ${id}`
    if (sample === undefined) return undefined
    const markets = await valuesOf<string>(tx)`select id from public.market`
    await lockMarkets(tx, { sample, markets })
    const rows = await sourceRows(tx, id)
    for (const group of await shardGroups(tx)) {
      await setGroupSearchPath(tx, group)
      for (const market of markets)
        for (const layer of await layersOf(tx, market))
          if (layer.id === id) await removeLayer(tx, { touchedAt: now }, market, layer)
      await removeRecords(tx, id, now)
      await removeParcels(tx, id)
      await joinLayers(tx, { touchedAt: now, markets }, sql`p.known_from = 'listing'`)
      // Sales and permits of other sources lose what the parcels of this one said about them.
      await indexSales(tx)
      await indexHomesOfPermits(tx)
    }
    await readOthersInWhole(tx, id)
    await execute(tx)`delete from source_pause where source_id = ${id}`
    await execute(tx)`delete from source where id = ${id}`
    await execute(tx)`select pg_notify(${dataChannel}, '')`
    return rows
  })

const removeRecords = async (tx: Db, id: string, now: Date): Promise<void> => {
  // It contains sales of the source.
  await execute(tx)`delete from valuation where market in (select market from dataset_count where source_id = ${id})`
  await execute(tx)`delete from sale_search where source_id = ${id}`
  for (const table of ['permit', 'sale', 'listing']) {
    const name = sql.raw(table)
    await execute(tx)`
      insert into touched_property (market, property_id, touched_at)
      select distinct market, property_id, ${now}::timestamptz from ${name} where source_id = ${id} and property_id is not null
      on conflict (market, property_id) do update set touched_at = excluded.touched_at`
    await execute(tx)`delete from ${name} where source_id = ${id}`
  }
  await removeDeletedPermits(tx)
  await execute(tx)`delete from rent where source_id = ${id}`
}

const removeParcels = async (tx: Db, id: string): Promise<void> => {
  await listedHomesOnly(tx, sql`source_id = ${id}`)
  const selected = sql`(market, property_id) in (select market, id from property where source_id = ${id})`
  for (const table of ['permit', 'sale'])
    await execute(tx)`
      update ${sql.raw(table)} set property_id = null, match_method = 'none', match_confidence = 'low' where ${selected}`
  for (const table of ['assessment_history', 'assessment', 'touched_property'])
    await execute(tx)`delete from ${sql.raw(table)} where ${selected}`
  await execute(tx)`delete from property where source_id = ${id}`
}

/** Keeps the selected properties that have a listing, without the facts that their source gave. */
export const listedHomesOnly = async (tx: Db, selected: ReturnType<typeof sql>): Promise<void> => {
  const facts = columnNames(recordColumns.parcels).filter((name) => !keptColumns.has(name))
  await execute(tx)`delete from parcel_outline where ${selected}`
  await execute(tx)`
    delete from parcel_layer where (market, property_id) in (select market, id from property where ${selected})`
  await execute(tx)`
    update property p set known_from = 'listing', source_id = l.source_id, source_record_id = l.listing_id,
      overlays = '{}', feed_overlays = null, overlay_sources = null, buildings = null, stations = null, raw = null, removed_at = null, ${sql.raw(facts.map((name) => `${name} = null`).join(', '))}
    from (select distinct on (market, property_id) market, property_id, source_id, listing_id from listing
      order by market, property_id, current desc, listing_id) l
    where l.market = p.market and l.property_id = p.id
      and (p.market, p.id) in (select market, id from property where ${selected})`
}

/** Columns that identify and place a property. */
const keptColumns = new Set([...columnNames(placeColumns), 'source_record_id', 'overlays'])
