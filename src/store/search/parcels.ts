// Parcels as a search serves them.
import { bestLead } from '../assessments/leads.ts'
import { type Db, type Known, sql } from '../engine/database.ts'
import type { AssessmentTable, PropertySearchTable } from '../engine/schema.ts'
import { type ParcelColumns, type PropertyKey, parcelRows } from '../properties/parcel-rows.ts'

type SearchedParcel = ParcelColumns &
  Pick<AssessmentTable, 'redevelopmentScore' | 'redevelopmentClass' | 'homes' | 'allowedUses'> &
  Pick<PropertySearchTable, 'aduScore' | 'sb9Status'> & {
    allowableSqft: number | null
    value: number | null
    valueLow: number | null
    valueHigh: number | null
  }
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
    sql`u.score as adu_score, a.redevelopment_score, a.redevelopment_class, a.homes, a.allowed_uses, t.status as sb9_status,
      (a.redevelopment->>'allowableSqft')::float8 as allowable_sqft, a.value_usd as value, a.value_low_usd as value_low,
      a.value_high_usd as value_high`,
    hiddenBefore,
    sql`${bestLead('t', 'lot_split')} ${bestLead('u', 'accessory_unit')}`,
    hiddenSources,
  )
