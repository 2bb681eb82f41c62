// The table and key of each data set. A staged row has no column for its source: it is the source of the load.
import type { Dataset } from '../../domain/facts.ts'
import { sql } from '../engine/database.ts'

export const recordKeys: Readonly<Record<Dataset, { table: string; key: readonly string[] }>> = {
  parcels: { table: 'property', key: ['market', 'id'] },
  listings: { table: 'listing', key: ['market', 'source_id', 'listing_id'] },
  sales: { table: 'sale', key: ['market', 'source_id', 'sale_id'] },
  permits: { table: 'permit', key: ['market', 'city_slug', 'permit_id'] },
  rents: { table: 'rent', key: ['market', 'source_id', 'rent_id'] },
}

/** The key of a row within its feed. */
export const stageKey = (holds: Dataset): string =>
  recordKeys[holds].key.filter((column) => column !== 'source_id').join(', ')

/** The condition that stored row `t` is the record of staged row `s`. */
export const sameRecord = (holds: Dataset, sourceId: string) =>
  sql.join(
    recordKeys[holds].key.map((column) =>
      column === 'source_id' ? sql`t.source_id = ${sourceId}` : sql.raw(`t.${column} = s.${column}`),
    ),
    sql.raw(' and '),
  )
