// Parcels as a search serves them.
import { bestLead } from '../assessments/leads.ts'
import { type Db, type Known, sql } from '../engine/database.ts'
import type { AssessmentTable, PropertySearchTable } from '../engine/schema.ts'
import { type ParcelColumns, type PropertyKey, parcelRows } from '../properties/parcel-rows.ts'

type SearchedParcel = ParcelColumns &
  Pick<AssessmentTable, 'redevelopmentScore' | 'redevelopmentClass'> &
  Pick<PropertySearchTable, 'aduScore' | 'sb9Status'> & { allowableSqft: number | null }
export type ParcelRow = Known<SearchedParcel>

/** In the order of the keys. Listings sold before the day `hiddenBefore`, and those of `hiddenSources`, are not used. */
export const parcelsByKey = (
  db: Db,
  keys: readonly PropertyKey[],
  hiddenBefore?: string,
  hiddenSources?: readonly string[],
): Promise<ParcelRow[]> =>
  parcelRows<SearchedParcel>(
    db,
    keys,
    sql`u.score as adu_score, a.redevelopment_score, a.redevelopment_class, t.status as sb9_status,
      (a.redevelopment->>'allowableSqft')::float8 as allowable_sqft`,
    hiddenBefore,
    sql`${bestLead('t', 'lot_split')} ${bestLead('u', 'accessory_unit')}`,
    hiddenSources,
  )

/** How many rows of property_search have a value, by column, and how many rows there are. */
export const filledProperties = async (
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
