// Outlines of parcels.

import { marketOfProperty } from '../../domain/property-id.ts'
import type { ParcelShape } from '../../wire/property.ts'
import { type Db, firstValue, rowsOf } from '../engine/database.ts'
import type { ParcelOutlineTable } from '../engine/schema.ts'
import { groupOf } from '../engine/shard-groups.ts'

export const outlineOf = async (db: Db, propertyId: string): Promise<ParcelShape['coordinates'] | undefined> => {
  const market = marketOfProperty(propertyId)
  if (!market) return undefined
  return firstValue<ParcelOutlineTable['polygons']>(groupOf(db, market))`
    select polygons from parcel_outline where market = ${market} and property_id = ${propertyId}`
}

/** By property, without those of `hiddenSources`. */
export const outlinesOf = async (tx: Db, propertyIds: readonly string[], hiddenSources: readonly string[]) => {
  const markets = [...new Set(propertyIds.map(marketOfProperty))]
  const rows = await rowsOf<Pick<ParcelOutlineTable, 'propertyId' | 'polygons'>>(tx)`
    select property_id, polygons from parcel_outline
    where market = any(${markets}::text[]) and property_id = any(${propertyIds}::text[])
      and source_id <> all(${hiddenSources}::text[])`
  return new Map(rows.map(({ propertyId, polygons }) => [propertyId, polygons]))
}
