// Which records may be sent or shown now: those that a history window shows, of sources that permit it.

import type { MarketId } from '../../domain/facts.ts'
import type { SourceUse } from '../../domain/packs/source-uses.ts'
import type { DatedRecord } from '../../wire/events/visible.ts'
import { isVisible } from '../../wire/events/visible.ts'
import { tableOfRows } from '../engine/columns.ts'
import { type Db, valuesOf } from '../engine/database.ts'
import { groupOf } from '../engine/shard-groups.ts'
import { sourcesWithout } from '../exports/exports.ts'
import { permitRowsByKey, searchRowsOf } from './search-rows.ts'

interface Reception {
  /** The first day of the key's history window; undefined without one. */
  since: string | undefined
  use: SourceUse
  today: string
}

export const receivedRecords = async <Item>(
  db: Db,
  items: readonly Item[],
  recordOf: (item: Item) => DatedRecord,
  { since, use, today }: Reception,
): Promise<Item[]> => {
  if (items.length === 0) return []
  const hidden = await sourcesWithout(db, use)
  if (since === undefined && hidden.length === 0) return [...items]
  const received = new Set<Item>()
  const records = items.map((item) => ({ item, record: recordOf(item) }))
  for (const [market, marketItems] of Map.groupBy(records, ({ record }) => record.market)) {
    const homeIds = marketItems.flatMap(({ record }) => (record.permit ? [] : (record.propertyId ?? [])))
    const permitKeys = marketItems.flatMap(({ record }) => record.permit ?? [])
    const group = groupOf(db, market)
    const forbidden = await recordsOfSources(group, market, homeIds, permitKeys, hidden)
    const homes = since === undefined ? undefined : await searchRowsOf(group, market, homeIds, today)
    const permits = since === undefined ? undefined : await permitRowsByKey(group, market, permitKeys)
    for (const { item, record } of marketItems) {
      const name = record.permit ? `${record.permit.citySlug}/${record.permit.permitId}` : (record.propertyId ?? '')
      const row = (record.permit ? permits : homes)?.get(name)
      if (!forbidden.has(name) && isVisible(record.about, row, record.day, since)) received.add(item)
    }
  }
  return items.filter((item) => received.has(item))
}

/** A home belongs to the source of its parcel and to that of its listing. */
const recordsOfSources = async (
  group: Db,
  market: MarketId,
  homeIds: readonly string[],
  permitKeys: readonly { citySlug: string; permitId: string }[],
  sources: readonly string[],
): Promise<Set<string>> => {
  if (sources.length === 0) return new Set()
  const names = await valuesOf<string>(group)`
    select p.id as name from property p where p.market = ${market} and p.id = any(${homeIds}::text[])
      and (p.source_id = any(${sources}::text[]) or exists (
        select 1 from listing l where l.market = p.market and l.property_id = p.id and l.source_id = any(${sources}::text[])
          and (l.current or not exists (
            select 1 from listing c where c.market = p.market and c.property_id = p.id and c.current))))
    union all
    select t.city_slug || '/' || t.permit_id from permit t
    join ${tableOfRows(permitKeys, { citySlug: 'text', permitId: 'text' }, 'k')} using (city_slug, permit_id)
    where t.market = ${market} and t.source_id = any(${sources}::text[])`
  return new Set(names)
}
