import { type Db, sql } from './database.ts'

export const readSetting = async <T>(db: Db, name: string): Promise<T | undefined> => {
  const { rows } = await sql<{ value: T }>`select value from setting where name = ${name}`.execute(db)
  return rows[0]?.value
}

export const writeSetting = (db: Db, name: string, value: unknown) =>
  sql`insert into setting (name, value) values (${name}, ${JSON.stringify(value)}::jsonb)
    on conflict (name) do update set value = excluded.value`.execute(db)
