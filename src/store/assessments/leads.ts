// Leads as they are served: a property with one finding of its assessment.
import type { MarketId } from '../../contract/facts.ts'
import { type Db, type Known, sql, withoutNulls } from '../engine/database.ts'
import type { AssessmentTable, ListingTable, PropertyTable, SourceTable } from '../engine/schema.ts'
import { groupOfAll } from '../engine/shard-groups.ts'
import { homeColumns } from '../properties/home-columns.ts'

export type LeadRow<Kind extends 'sb9' | 'adu' | 'redevelopment'> = Known<
  Pick<PropertyTable, 'id' | 'market' | 'address' | 'city' | 'lotSqft' | 'zoning' | 'overlays' | 'collectedAt'> &
    Pick<ListingTable, 'lat' | 'lng'> &
    Pick<SourceTable, 'license'> & {
      price: ListingTable['priceUsd']
      sourceId: SourceTable['id'] | null
      sourceTitle: SourceTable['title'] | null
      sourceUrl: SourceTable['url']
      sourceKind: SourceTable['kind'] | null
      sourceUses: NonNullable<SourceTable['config']['uses']> | null
      sample: SourceTable['sample'] | null
    }
> & { finding: NonNullable<AssessmentTable[Kind]> }

/** In the order of the keys. `hiddenBefore`: the facts of listings sold before this day are not used. */
export const leadsByKey = async <Kind extends 'sb9' | 'adu' | 'redevelopment'>(
  db: Db,
  kind: Kind,
  keys: readonly { market: MarketId; id: string }[],
  hiddenBefore?: string,
): Promise<LeadRow<Kind>[]> => {
  if (keys.length === 0) return []
  const { rows } = await sql<LeadRow<Kind>>`
    select p.id, p.market, p.address, p.city, p.zoning, p.overlays, p.collected_at, l.price_usd as price, ${homeColumns},
      s.id as source_id, s.title as source_title, s.license, s.sample,
      s.kind as source_kind, s.config->'uses' as source_uses, coalesce(p.source_url, s.url) as source_url,
      ${sql.ref(`a.${kind}`)} as finding
    from unnest(${keys.map(({ market }) => market)}::text[], ${keys.map(({ id }) => id)}::text[])
      with ordinality k (market, id, key_order)
    join property p on p.market = k.market and p.id = k.id
    join assessment a on a.market = k.market and a.property_id = k.id
    left join listing l on l.market = k.market and l.property_id = k.id and l.current
      and (${hiddenBefore ?? null}::date is null or l.status <> 'sold' or l.sold_on >= ${hiddenBefore ?? null}::date)
    left join source s on s.id = p.source_id
    order by k.key_order`.execute(
    groupOfAll(
      db,
      keys.map(({ market }) => market),
    ),
  )
  return rows.map((row) => withoutNulls(row) as LeadRow<Kind>)
}
