// Parcels as a search serves them.
import type { MarketId } from '../../contract/facts.ts'
import { type Db, type Known, sql, withoutNulls } from '../engine/database.ts'
import type { AssessmentTable, ListingTable, PropertyTable, SourceTable } from '../engine/schema.ts'
import { groupOfAll } from '../engine/shard-groups.ts'
import { homeColumns } from '../properties/home-columns.ts'

export type ParcelRow = Known<
  Pick<PropertyTable, 'id' | 'market' | 'address' | 'city' | 'apn' | 'zoning' | 'overlays' | 'collectedAt'> &
    Pick<ListingTable, 'livingSqft' | 'lotSqft' | 'yearBuilt' | 'lat' | 'lng'> &
    Pick<AssessmentTable, 'aduScore' | 'redevelopmentScore' | 'redevelopmentClass' | 'sb9Status'> &
    Pick<SourceTable, 'license'> & {
      status: ListingTable['status'] | null
      price: ListingTable['priceUsd']
      allowableSqft: number | null
      sourceId: SourceTable['id'] | null
      sourceTitle: SourceTable['title'] | null
      sourceUrl: SourceTable['url']
      sourceKind: SourceTable['kind'] | null
      sourceUses: NonNullable<SourceTable['config']['uses']> | null
      sample: SourceTable['sample'] | null
    }
>

/** In the order of the keys. `hiddenBefore`: listings sold before this day are not used. */
export const parcelsByKey = async (
  db: Db,
  keys: readonly { market: MarketId; id: string }[],
  hiddenBefore?: string,
): Promise<ParcelRow[]> => {
  if (keys.length === 0) return []
  const { rows } = await sql<ParcelRow>`
    select p.id, p.market, p.address, p.city, p.apn, p.zoning, p.overlays, p.collected_at, l.status,
      case when l.status <> 'withdrawn' then l.price_usd end as price, ${homeColumns},
      a.adu_score, a.redevelopment_score, a.redevelopment_class, a.sb9_status,
      (a.redevelopment->>'allowableSqft')::float8 as allowable_sqft, s.id as source_id, s.title as source_title, s.license,
      s.sample, s.kind as source_kind, s.config->'uses' as source_uses, coalesce(p.source_url, s.url) as source_url
    from unnest(${keys.map(({ market }) => market)}::text[], ${keys.map(({ id }) => id)}::text[])
      with ordinality k (market, id, key_order)
    join property p on p.market = k.market and p.id = k.id
    left join assessment a on a.market = k.market and a.property_id = k.id
    left join listing l on l.market = k.market and l.property_id = k.id and l.current
      and (${hiddenBefore ?? null}::date is null or l.status <> 'sold' or l.sold_on >= ${hiddenBefore ?? null}::date)
    left join source s on s.id = p.source_id
    order by k.key_order`.execute(
    groupOfAll(
      db,
      keys.map(({ market }) => market),
    ),
  )
  return rows.map(withoutNulls)
}

/** The share of a market's rows that have a value, by column of property_search, in percent. */
export const fillRatesOfProperties = async (
  db: Db,
  kind: 'listings' | 'parcels',
  columns: readonly string[],
): Promise<Record<string, number>> => {
  const counts = columns.map((column) => sql`count(${sql.ref(column)}) as ${sql.ref(column)}`)
  const { rows } = await sql<Record<string, number>>`
    select count(*) as rows, ${sql.join(counts)} from property_search
    where ${kind === 'listings' ? sql`status is not null` : sql`not removed`}`.execute(db)
  return rows[0]!
}
