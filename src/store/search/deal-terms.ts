// The terms of stored pro formas, for computing returns with a caller's own assumptions.
import type { DealTerms } from '../../criteria/conditions.ts'
import type { MarketId } from '../../domain/facts.ts'
import { type Db, rowsOf, sql } from '../engine/database.ts'
import { groupOfAll } from '../engine/shard-groups.ts'
import { all } from './compile.ts'
import { type PropertyQuery, sourceOf } from './properties.ts'

export type DealRow = readonly [
  id: string,
  market: MarketId,
  citySlug: string,
  priceUsd: number,
  deal: DealTerms,
  mostSqft: number | null,
]

/** The largest size that zoning and sales allow, of the assessment `a`. */
export const mostSqft = sql`least((a.redevelopment->>'buildableSqft')::float8, greatest(
  (a.redevelopment#>>'{newHouses,sqft}')::float8, round(1.1 * (a.redevelopment#>>'{newHouses,largestCompSqft}')::float8)))`

/** Rows are read as JSON text of this many: parsing 20,000 rows one by one would take three times as long. */
const rowsPerSlice = 1_000

/** The deals of a search in slices of JSON, up to the cap and one more. `withSizes`: with the largest allowed size, from a long column. */
export const dealSlices = async (
  db: Db,
  query: PropertyQuery,
  { cap, withSizes }: { cap: number; withSizes: boolean },
): Promise<{ total: number; slices: string[] }> => {
  const { from, where } = sourceOf(query)
  const sizes = withSizes ? sql`join assessment a on a.market = s.market and a.property_id = s.property_id` : sql``
  const rows = await rowsOf<{ slice: string; total: number }>(groupOfAll(db, query.markets))`
    select json_agg(deal)::text as slice, count(*) as total from (
      select json_build_array(s.property_id, s.market, s.city_slug, s.price, s.deal,
        ${withSizes ? mostSqft : sql`null`}) as deal,
        (row_number() over () - 1) / ${rowsPerSlice} as slice
      from ${from} ${sizes}
      where ${all([...where, sql`s.deal is not null`, sql`s.price is not null`])} limit ${cap + 1}) d
    group by slice`
  return { total: rows.reduce((sum, { total }) => sum + total, 0), slices: rows.map(({ slice }) => slice) }
}
