// Homes that a run of parcels or listings changes, for watches. The first load of a source changes nothing for them.
import { dayOf } from '../../domain/day.ts'
import type { MarketId } from '../../domain/facts.ts'
import { type Db, execute, rowsOf, valuesOf } from '../engine/database.ts'
import { type ChangedRow, changedRows } from '../search/changed-rows.ts'
import { indexPropertiesOf, indexTouched } from '../search/upkeep.ts'
import { recordChanges, watchedMarkets } from '../watches/changes.ts'
import type { Merge } from './merge.ts'

/** Homes whose rows are in memory at once. */
const homesAtOnce = 5_000

/** Updates the search rows of the homes that the run touched, by `index` where no watch needs them, and records what changed for watches. */
export const indexHomes = async (tx: Db, load: Merge, index = indexTouched): Promise<void> => {
  const { markets, touchedAt, firstLoad, now } = load
  const watched = firstLoad ? [] : await watchedMarkets(tx, markets, now)
  await index(
    tx,
    markets.filter((market) => !watched.includes(market)),
    touchedAt,
  )
  for (const market of watched) {
    const ids = await valuesOf<string>(tx)`
      select property_id from touched_property where market = ${market} and touched_at = ${touchedAt} order by property_id`
    for (let at = 0; at < ids.length; at += homesAtOnce)
      await indexWatched(tx, load, market, ids.slice(at, at + homesAtOnce))
  }
}

const indexWatched = async (tx: Db, load: Merge, market: MarketId, ids: readonly string[]): Promise<void> => {
  const { today, now } = load
  const changed = await changedRows(tx, market, ids, dayOf(today), () => indexPropertiesOf(tx, market, ids))
  if (changed.length === 0) return
  const waiting = await homesWithListingChange(tx, market, ids)
  await keepRowsBefore(
    tx,
    market,
    changed.filter(({ after }) => waiting.get(after.id!)?.isKept === false),
  )
  await recordChanges(
    tx,
    market,
    changed.flatMap((row) => (waiting.has(row.after.id!) ? [] : [{ ...row, propertyId: row.after.id! }])),
    now,
  )
}

/**
 * Homes with changes of a listing that wait for their assessment. They are matched after it, with all that changed since the row that
 * is kept. It is kept by the first run that changes it, which is a later one if there were no watches before.
 */
const homesWithListingChange = async (tx: Db, market: MarketId, ids: readonly string[]) => {
  const rows = await rowsOf<{ propertyId: string; isKept: boolean }>(tx)`
    select property_id, bool_or(row_before is not null) as is_kept from listing_change
    where announced_at is null and market = ${market} and property_id = any(${ids}::text[]) group by property_id`
  return new Map(rows.map((row) => [row.propertyId, row]))
}

/** In the first change that waits; a JSON null for a home that had no row. */
const keepRowsBefore = async (tx: Db, market: MarketId, rows: readonly ChangedRow[]): Promise<void> => {
  if (rows.length === 0) return
  await execute(tx)`
    update listing_change c set row_before = coalesce(r.row->'before', 'null')
    from unnest(${rows.map((row) => JSON.stringify(row))}::jsonb[]) as r (row)
    where c.market = ${market} and c.property_id = r.row->'after'->>'id' and c.announced_at is null and not exists (
      select 1 from listing_change e where e.market = c.market and e.property_id = c.property_id and e.announced_at is null
        and e.changed_at < c.changed_at)`
}
