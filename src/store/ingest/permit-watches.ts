// Permits that a run changes, and their homes, for watches. The first load of a source changes nothing for them.

import { rowBeforePermit } from '../../criteria/row-readings.ts'
import { dayOf } from '../../domain/day.ts'
import type { MarketId } from '../../domain/facts.ts'
import { type Db, rowsOf } from '../engine/database.ts'
import type { PermitChangeTable, PermitTable } from '../engine/schema.ts'
import { permitRowsByKey, searchRowsOf } from '../search/search-rows.ts'
import { recordChanges, watchedMarkets } from '../watches/changes.ts'
import type { Merge } from './merge.ts'
import { permitsAtOnce } from './permit-events.ts'

type Changed = Pick<PermitTable, 'market' | 'citySlug' | 'permitId' | 'propertyId' | 'address'> &
  Pick<PermitChangeTable, 'previousStatus'>

/** Called after a merge that has written permits. */
export const recordPermits = async (tx: Db, load: Merge): Promise<void> => {
  const watched = load.firstLoad ? [] : await watchedMarkets(tx, load.markets, load.now)
  if (watched.length === 0) return
  const rows = await rowsOf<Changed>(tx)`
    select p.market, p.city_slug, p.permit_id, p.property_id, p.address, c.previous_status from ${load.stage.rows} s
    join permit_change c on c.market = s.market and c.city_slug = s.city_slug and c.permit_id = s.permit_id
      and c.changed_at = ${load.now}::timestamptz
    join permit p on p.market = s.market and p.city_slug = s.city_slug and p.permit_id = s.permit_id
    where s.market = any(${watched}::text[])`
  for (const [market, marketRows] of Map.groupBy(rows, (row) => row.market))
    for (let at = 0; at < marketRows.length; at += permitsAtOnce)
      await recordMarket(tx, load, market, marketRows.slice(at, at + permitsAtOnce))
}

const recordMarket = async (tx: Db, { today, now }: Merge, market: MarketId, changed: readonly Changed[]) => {
  const permits = await permitRowsByKey(tx, market, changed)
  const homes = await searchRowsOf(
    tx,
    market,
    [...new Set(changed.flatMap(({ propertyId }) => propertyId ?? []))],
    dayOf(today),
    { deals: true },
  )
  const ofPermits = changed.flatMap(({ citySlug, permitId, propertyId, address, previousStatus }) => {
    const after = permits.get(`${citySlug}/${permitId}`)
    if (!after) return []
    const before = previousStatus === null ? undefined : rowBeforePermit(after, previousStatus)
    return [{ permitId, propertyId: propertyId ?? undefined, address: address ?? undefined, before, after }]
  })
  const ofHomes = [...homes].map(([propertyId, row]) => ({ propertyId, before: row, after: row, permit: true }))
  await recordChanges(tx, market, [...ofPermits, ...ofHomes], now)
}
