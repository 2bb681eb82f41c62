// Watches of homes that a run of parcels or listings changes, in the transaction of the run. The first load of a source matches nothing.
import { dayOf } from '../../domain/day.ts'
import type { MarketId } from '../../domain/facts.ts'
import { marketRanks } from '../assessments/score-distributions.ts'
import { type Db, sql } from '../engine/database.ts'
import type { TouchedPropertyTable } from '../engine/schema.ts'
import { changedRows } from '../search/changed-rows.ts'
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
  const relisted = await relistedHomes(tx, load, market, ids)
  const ranks = await marketRanks(tx, market)
  await recordMatches(
    tx,
    market,
    changed.flatMap(({ before, after }) =>
      relisted.has(after.id!)
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
 * Homes whose listing this run added or changed: they are matched after their assessment, with the events of the listing. A run that
 * changes other facts of such a home before the assessment, usually within a minute, matches them at once: an instant watch may then
 * report `entered` twice. Leaving the home out here would lose the change instead.
 */
const relistedHomes = async (
  tx: Db,
  { now }: Merge,
  market: MarketId,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ propertyId: string }>`
    select c.property_id from listing_change c
    join listing l on l.market = c.market and l.source_id = c.source_id and l.listing_id = c.listing_id and l.current
    where c.announced_at is null and c.market = ${market} and c.property_id = any(${ids}::text[])
      and c.changed_at = ${now}::timestamptz`.execute(tx)
  return new Set(rows.map(({ propertyId }) => propertyId))
}
