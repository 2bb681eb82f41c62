// The changes of permits that watches would have been matched with, as runs have recorded them.
import { rowBeforePermit } from '../../criteria/row-readings.ts'
import type { MarketId } from '../../domain/facts.ts'
import { type Db, firstValue, rowsOf } from '../engine/database.ts'
import type { PermitChangeTable, PermitTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { permitRowsByKey } from '../search/search-rows.ts'

interface Past {
  /** Null for all. */
  cities: readonly string[] | null
  since: Date
  limit: number
}

type Changed = Pick<PermitChangeTable, 'citySlug' | 'permitId' | 'status' | 'previousStatus' | 'changedAt'> &
  Pick<PermitTable, 'address'>

/** New permits and changes of the status, newest first, with the present row of the permit. `oldest`: of all of the market since then. */
export const pastPermitChanges = async (from: Db, market: MarketId, { cities, since, limit }: Past) => {
  const db = groupOf(from, market)
  const changed = await rowsOf<Changed>(db)`
    select c.city_slug, c.permit_id, c.status, c.previous_status, c.changed_at, p.address
    from permit_change c join permit p on p.market = c.market and p.city_slug = c.city_slug and p.permit_id = c.permit_id
    where c.market = ${market} and c.changed_at >= ${since} and p.removed_at is null
      and (${cities}::text[] is null or c.city_slug = any(${cities}::text[]))
    order by c.changed_at desc limit ${limit}`
  const permits = await permitRowsByKey(db, market, changed)
  const changes = changed.flatMap(({ citySlug, permitId, status, previousStatus, changedAt, address }) => {
    const row = permits.get(`${citySlug}/${permitId}`)
    if (!row) return []
    const before = previousStatus === null ? undefined : rowBeforePermit(row, previousStatus)
    const after = rowBeforePermit(row, status)
    return [{ permitId, address: address ?? undefined, before, after, changedAt }]
  })
  const oldest = await firstValue<Date>(db)`
    select min(changed_at) from permit_change where market = ${market} and changed_at >= ${since}`
  return { changes, oldest }
}
