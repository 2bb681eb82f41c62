// Leads as they are served: a property with one finding of its assessment.
import { type Db, type Known, sql } from '../engine/database.ts'
import type { AssessmentTable } from '../engine/schema.ts'
import { type ParcelColumns, type PropertyKey, parcelRows } from '../properties/parcel-rows.ts'

type LeadKind = 'sb9' | 'adu' | 'redevelopment'

export type LeadRow<Kind extends LeadKind> = Known<ParcelColumns> & { finding: NonNullable<AssessmentTable[Kind]> }

/** In the order of the keys. `hiddenBefore`: the facts of listings sold before this day are not used. */
export const leadsByKey = async <Kind extends LeadKind>(
  db: Db,
  kind: Kind,
  keys: readonly PropertyKey[],
  hiddenBefore?: string,
): Promise<LeadRow<Kind>[]> => {
  const rows = await parcelRows<ParcelColumns & { finding: AssessmentTable[Kind] }>(
    db,
    keys,
    sql`${sql.ref(`a.${kind}`)} as finding`,
    hiddenBefore,
  )
  return rows as LeadRow<Kind>[]
}
