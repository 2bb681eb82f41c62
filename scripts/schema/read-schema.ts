// The tables of a migrated database, read from its catalog: what src/store/engine/schema.ts is written from.
import type pg from 'pg'

export interface Column {
  name: string
  type: string
  nullable: boolean
  /** The only values a check constraint allows. */
  values?: string[]
  comment: string | null
}

export interface Table {
  schema: string
  name: string
  comment: string | null
  columns: Column[]
  primaryKey: string[]
  foreignKeys: { columns: string[]; table: string }[]
}

export const readSchema = async (client: Pick<pg.Pool, 'query'>, group: string): Promise<Table[]> => {
  const { rows } = await client.query<Omit<Table, 'columns'> & { columns: (Column & { check: string | null })[] }>(
    query,
    [group],
  )
  return rows.map((table) => ({
    ...table,
    columns: table.columns.map(({ check, ...column }) => ({
      ...column,
      ...(check ? { values: valuesOf(check) } : {}),
    })),
  }))
}

/** "CHECK ((state = ANY (ARRAY['running'::text, 'failed'::text])))" → running, failed */
const valuesOf = (check: string): string[] => [...check.matchAll(/'([^']*)'::text/g)].map(([, value]) => value!)

const query = `
  select n.nspname as schema, c.relname as name, obj_description(c.oid, 'pg_class') as comment,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'nullable', not a.attnotnull, 'comment', col_description(c.oid, a.attnum),
        'check', (select pg_get_constraintdef(k.oid) from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'
          and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) like '%= ANY (ARRAY[%' limit 1)) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select coalesce(json_agg(a.attname order by k.place), '[]')
      from pg_index i, unnest(i.indkey::int[]) with ordinality k (attnum, place), pg_attribute a
      where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum) as "primaryKey",
    (select coalesce(json_agg(json_build_object('table', t.relname,
        'columns', (select json_agg(a.attname order by k.place) from unnest(f.conkey) with ordinality k (attnum, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum)) order by f.conname), '[]')
      from pg_constraint f join pg_class t on t.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f') as "foreignKeys"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', $1) and c.relkind = 'r' and c.relpersistence = 'p'
  order by n.nspname <> 'public', c.relname`
