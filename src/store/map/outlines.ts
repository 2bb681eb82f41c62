// Outlines of parcels.

import { marketOfProperty } from '../../domain/property-id.ts'
import type { ParcelShape } from '../../wire/property.ts'
import { type Db, sql } from '../engine/database.ts'
import type { ParcelOutlineTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'

export const outlineOf = async (db: Db, propertyId: string): Promise<ParcelShape['coordinates'] | undefined> => {
  const market = marketOfProperty(propertyId)
  if (!market) return undefined
  const { rows } = await sql<Pick<ParcelOutlineTable, 'polygons'>>`
    select polygons from parcel_outline where market = ${market} and property_id = ${propertyId}`.execute(
    groupOf(db, market),
  )
  return rows[0]?.polygons
}
