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

/** By property, without those of `hiddenSources`. */
export const outlinesOf = async (
  tx: Db,
  propertyIds: readonly string[],
  hiddenSources: readonly string[],
): Promise<Map<string, ParcelShape['coordinates']>> => {
  const markets = [...new Set(propertyIds.map(marketOfProperty))]
  const { rows } = await sql<Pick<ParcelOutlineTable, 'propertyId' | 'polygons'>>`
    select property_id, polygons from parcel_outline
    where market = any(${markets}::text[]) and property_id = any(${propertyIds}::text[])
      and source_id <> all(${hiddenSources}::text[])`.execute(tx)
  return new Map(rows.map(({ propertyId, polygons }) => [propertyId, polygons]))
}
