// Watches of homes that a run of parcels or listings changes, in the transaction of the run. The first load of a source matches nothing.
import { dayOf } from '../../domain/day.ts'
import type { MarketId } from '../../domain/facts.ts'
import { marketRanks } from '../assessments/score-distributions.ts'
import { type Db, sql } from '../engine/database.ts'
import type { TouchedPropertyTable } from '../engine/schema.ts'
import { type ChangedRow, changedRows } from '../search/changed-rows.ts'
import { indexPropertiesOf, indexTouched } from '../search/upkeep.ts'
import { recordMatches, watchedMarkets } from '../watches/matches.ts'
import type { Merge } from './merge.ts'

/** Homes whose rows are in memory at once. */
const homesAtOnce = 5_000

/** Updates the search rows of the homes that the run touched, and matches watches with what changed. */
export const indexHomes = async (tx: Db, load: Merge): Promise<void> => {
  const { markets, touchedAt, firstLoad, now } = load
  const watched = firstLoad ? [] : await watchedMarkets(tx, markets, now)
  await indexTouched(
    tx,
    markets.filter((market) => !watched.includes(market)),
    touchedAt,
  )
  for (const market of watched) {
    const { rows } = await sql<Pick<TouchedPropertyTable, 'propertyId'>>`
      select property_id from touched_property where market = ${market} and touched_at = ${touchedAt} order by property_id`.execute(
      tx,
    )
    for (let at = 0; at < rows.length; at += homesAtOnce)
      await indexWatched(
        tx,
        load,
        market,
        rows.slice(at, at + homesAtOnce).map(({ propertyId }) => propertyId),
      )
  }
}

const indexWatched = async (tx: Db, load: Merge, market: MarketId, ids: readonly string[]): Promise<void> => {
  const { today, now, ownRows, withPercentiles } = load
  const changed = await changedRows(tx, market, ids, dayOf(today), () => indexPropertiesOf(tx, market, ids))
  if (changed.length === 0) return
  const waiting = await homesWithListingChange(tx, load, market, ids)
  await keepRowsBefore(
    tx,
    load,
    market,
    changed.filter(({ after }) => waiting.get(after.id!)?.isFirst),
  )
  const ranks = await marketRanks(tx, market)
  await recordMatches(
    tx,
    market,
    changed.flatMap(({ before, after }) =>
      waiting.has(after.id!)
        ? []
        : [
            {
              propertyId: after.id!,
              before: before && withPercentiles(before, ranks),
              after: withPercentiles(after, ranks),
            },
          ],
    ),
    ownRows,
    now,
  )
}

/**
 * Homes with a change of their listing that waits for their assessment, of this run or of an earlier one. They are matched after it,
 * with all that changed since the row that the first change keeps.
 */
const homesWithListingChange = async (
  tx: Db,
  { now }: Merge,
  market: MarketId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { isFirst: boolean }>> => {
  const { rows } = await sql<{ propertyId: string; isFirst: boolean }>`
    select c.property_id, min(c.changed_at) = ${now}::timestamptz as is_first from listing_change c
    join listing l on l.market = c.market and l.source_id = c.source_id and l.listing_id = c.listing_id and l.current
    where c.announced_at is null and c.market = ${market} and c.property_id = any(${ids}::text[])
    group by c.property_id`.execute(tx)
  return new Map(rows.map((row) => [row.propertyId, row]))
}

const keepRowsBefore = async (tx: Db, { now }: Merge, market: MarketId, rows: readonly ChangedRow[]): Promise<void> => {
  if (rows.length === 0) return
  await sql`
    update listing_change c set row_before = r.row->'before' from unnest(${rows.map((row) => JSON.stringify(row))}::jsonb[]) as r (row)
    where c.market = ${market} and c.property_id = r.row->'after'->>'id' and c.changed_at = ${now}::timestamptz
      and c.announced_at is null`.execute(tx)
}
