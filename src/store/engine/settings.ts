import { type Db, execute, firstValue } from './database.ts'

export const readSetting = async <T>(db: Db, name: string) =>
  firstValue<T>(db)`select value from setting where name = ${name}`

export const writeSetting = (db: Db, name: string, value: unknown) =>
  execute(db)`insert into setting (name, value) values (${name}, ${JSON.stringify(value)}::jsonb)
    on conflict (name) do update set value = excluded.value`
