// Which records a history window shows as they are now.
import type { SearchKind } from '../contract/criteria/table.ts'
import { isVisible } from '../contract/events/visible.ts'
import type { MarketId } from '../contract/facts.ts'
import type { Db } from '../store/engine/database.ts'
import { groupOf } from '../store/engine/shard-groups.ts'
import { permitRowsByKey, searchRowsOf } from '../store/search/search-rows.ts'

/** What an event or a match is about, with the day of the change. */
export interface DatedRecord {
  market: MarketId
  about: SearchKind
  propertyId?: string | undefined
  permit?: { citySlug: string; permitId: string } | undefined
  day: string
}

export const visibleRecords = async <Item>(
  db: Db,
  items: readonly Item[],
  recordOf: (item: Item) => DatedRecord,
  since: string,
  today: string,
): Promise<Item[]> => {
  const visible = new Set<Item>()
  const records = items.map((item) => ({ item, record: recordOf(item) }))
  for (const [market, own] of Map.groupBy(records, ({ record }) => record.market)) {
    const group = groupOf(db, market)
    const homes = await searchRowsOf(
      group,
      market,
      own.flatMap(({ record }) => (record.permit ? [] : (record.propertyId ?? []))),
      today,
    )
    const permits = await permitRowsByKey(
      group,
      market,
      own.flatMap(({ record }) => record.permit ?? []),
    )
    for (const { item, record } of own) {
      const row = record.permit
        ? permits.get(`${record.permit.citySlug}/${record.permit.permitId}`)
        : homes.get(record.propertyId ?? '')
      if (isVisible(record.about, row, record.day, since)) visible.add(item)
    }
  }
  return items.filter((item) => visible.has(item))
}
