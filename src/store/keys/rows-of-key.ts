// Rows that belong to a key. Every query is limited to the key, so the rows of other keys are not found.
import { anyRow, type Db, firstRow, onlyValue, rowsOf, sql } from '../engine/database.ts'

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
      const rows = await rowsOf<Row>(db)`
        select ${columns} ${owned(keyId)} order by created_at, id limit ${limit} offset ${offset}`
      return { rows, total: await onlyValue<number>(db)`select count(*) ${owned(keyId)}` }
    },
    one: (db: Db, keyId: string, id: string) => firstRow<Row>(db)`select ${columns} ${owned(keyId)} and id = ${id}`,
    /** False if there was none. */
    remove: (db: Db, keyId: string, id: string) => anyRow(db)`delete ${owned(keyId)} and id = ${id} returning id`,
  }
}
