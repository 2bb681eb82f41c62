// Measured accuracy of the models. The newest row per model and market is served.

import type { MarketId } from '../../domain/facts.ts'
import type { LiveAccuracy } from '../../domain/findings/coverage-and-accuracy.ts'
import { marketIds } from '../../domain/packs/markets.ts'
import { type Db, execute, onlyRow, onlyValue, rowsOf } from '../engine/database.ts'
import type { AccuracyTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { generatedData } from '../ingest/generated.ts'
import { latestModel, saveModel } from './models.ts'

export const latestAccuracy = (db: Db) =>
  rowsOf<AccuracyTable>(db)`
    select distinct on (name, market) name, market, measured_at, data, model_version, measures
    from accuracy order by name, market, measured_at desc`

export const recordAccuracy = (db: Db, row: AccuracyTable) =>
  execute(groupOf(db, row.market))`insert into accuracy (name, market, measured_at, data, model_version, measures)
    values (${row.name}, ${row.market}, ${row.measuredAt}, ${row.data}, ${row.modelVersion}, ${JSON.stringify(row.measures)})
    on conflict (market, name, measured_at) do update set measures = excluded.measures, data = excluded.data`

/** Figures of a model that the market no longer has would be read as those of what is served. */
export const removeAccuracyExcept = (db: Db, market: AccuracyTable['market'], names: readonly string[]) =>
  execute(groupOf(db, market))`delete from accuracy where market = ${market} and name <> all(${names}::text[])`

export const removeValueAccuracy = (db: Db, market: AccuracyTable['market']) =>
  execute(groupOf(db, market))`delete from accuracy where market = ${market} and name like 'value-%'`

/** How many homes and sales of a market have coordinates, without which there are no values. */
export const locatedRecords = (db: Db, market: AccuracyTable['market']) =>
  onlyRow<Record<'homes' | 'homesLocated' | 'sales' | 'salesLocated', number>>(groupOf(db, market))`
    select (select count(*) from property where market = ${market} and removed_at is null) as homes,
      (select count(lat) from property where market = ${market} and removed_at is null) as homes_located,
      count(*) as sales, count(coalesce(p.lat, s.lat)) as sales_located
    from sale s left join property p on p.market = s.market and p.id = s.property_id
    where s.market = ${market} and s.removed_at is null`

export const valuedHomes = (db: Db, market: AccuracyTable['market']) =>
  onlyValue<number>(groupOf(db, market))`
    select count(value_usd) from assessment where market = ${market}`

// Scored forecasts of each market, as the last assessment run computed them from the ledger.
const name = 'live-accuracy'

interface StoredLive {
  /** Day of the first forecast. */
  since: string
  rows: readonly Omit<LiveAccuracy, 'market' | 'sample'>[]
}

export const saveLiveAccuracy = (db: Db, market: MarketId, live: StoredLive, now: Date) =>
  saveModel(db, name, market, name, live, now)

export type Ledger = Awaited<ReturnType<typeof forecastLedger>>

export const forecastLedger = async (db: Db) => {
  const generated = await generatedData(db)
  /** Day of the first forecast by market. Empty before the first run. */
  const since = new Map<MarketId, string>()
  const live: LiveAccuracy[] = []
  for (const market of marketIds()) {
    const stored = await latestModel<StoredLive>(db, name, market)
    if (!stored) continue
    since.set(market, stored.since)
    for (const row of stored.rows)
      live.push({ market, ...row, ...(generated(market, ['listings', 'sales']) ? { sample: true } : {}) })
  }
  return { since, live }
}
