// Rows that belong to a key. Every query is limited to the key, so the rows of other keys are not found.
import { type Db, sql } from '../engine/database.ts'

export const rowsOfKey = <Row>(
  table: 'assumption_set' | 'watch' | 'deal' | 'webhook_endpoint',
  columns: ReturnType<typeof sql>,
) => {
  const owned = (keyId: string) => sql`from ${sql.table(table)} where key_id = ${keyId}`
  return {
    /** Oldest first. */
    page: async (
      db: Db,
      keyId: string,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ rows: Row[]; total: number }> => {
      const { rows } = await sql<Row>`
        select ${columns} ${owned(keyId)} order by created_at, id limit ${limit} offset ${offset}`.execute(db)
      const counted = await sql<{ total: number }>`select count(*) as total ${owned(keyId)}`.execute(db)
      return { rows, total: counted.rows[0]!.total }
    },
    one: async (db: Db, keyId: string, id: string): Promise<Row | undefined> => {
      const { rows } = await sql<Row>`select ${columns} ${owned(keyId)} and id = ${id}`.execute(db)
      return rows[0]
    },
    /** False if there was none. */
    remove: async (db: Db, keyId: string, id: string): Promise<boolean> => {
      const { rows } = await sql`delete ${owned(keyId)} and id = ${id} returning id`.execute(db)
      return rows.length > 0
    },
  }
}
