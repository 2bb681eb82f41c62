// What the pages say about the whole: whether sample data is loaded, and the addresses a search engine may visit.
import { type Db, sql } from '../engine/database.ts'
import { shown } from './listing-status.ts'

export const sampleLoaded = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ loaded: boolean }>`select exists (select 1 from source where sample) as loaded`.execute(
    db,
  )
  return rows[0]!.loaded
}

export const newestPermitPlaces = async (db: Db, limit: number) => {
  const { rows } = await sql<{ citySlug: string; permitId: string; issuedOn: string }>`
    select city_slug, permit_id, issued_on from permit_search
    order by issued_on desc, permit_id, city_slug limit ${limit}`.execute(db)
  return rows
}

export const listedPropertyIds = async (db: Db, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select property_id as id from listing where current and ${shown('status')}
    order by market desc, rank_score desc nulls last, property_id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}
