// The tables of a migrated database, read from its catalog: what src/store/engine/schema.ts and docs/schema.md are written from.
import type pg from 'pg'

export interface Column {
  name: string
  type: string
  nullable: boolean
  /** The only values a check constraint allows. */
  values?: string[]
  /** Computed by the database. */
  generated: boolean
  comment: string | null
}

export interface ForeignKey {
  columns: string[]
  table: string
  references: string[]
  onDelete: 'no action' | 'cascade'
}

export interface Table {
  schema: string
  name: string
  comment: string | null
  columns: Column[]
  primaryKey: string[]
  foreignKeys: ForeignKey[]
  /** Definitions without the primary key's. */
  indexes: { name: string; definition: string }[]
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
    indexes: table.indexes.map(({ name, definition }) => ({
      name,
      definition: definition.replaceAll(`${table.schema}.`, '').replaceAll('public.', ''),
    })),
  }))
}

/** "CHECK ((state = ANY (ARRAY['running'::text, 'failed'::text])))" → running, failed */
const valuesOf = (check: string): string[] => [...check.matchAll(/'([^']*)'::text/g)].map(([, value]) => value!)

const query = `
  select n.nspname as schema, c.relname as name, obj_description(c.oid, 'pg_class') as comment,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'nullable', not a.attnotnull, 'generated', a.attgenerated <> '' or a.attidentity <> '',
        'comment', col_description(c.oid, a.attnum),
        'check', (select pg_get_constraintdef(k.oid) from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'
          and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) like '%= ANY (ARRAY[%' limit 1)) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select coalesce(json_agg(a.attname order by k.place), '[]')
      from pg_index i, unnest(i.indkey::int[]) with ordinality k (attnum, place), pg_attribute a
      where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum) as "primaryKey",
    (select coalesce(json_agg(json_build_object('table', t.relname, 'onDelete',
        case f.confdeltype when 'c' then 'cascade' else 'no action' end,
        'columns', (select json_agg(a.attname order by k.place) from unnest(f.conkey) with ordinality k (attnum, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum),
        'references', (select json_agg(a.attname order by k.place) from unnest(f.confkey) with ordinality k (attnum, place)
          join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum)) order by f.conname), '[]')
      from pg_constraint f join pg_class t on t.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f') as "foreignKeys",
    (select coalesce(json_agg(json_build_object('name', x.relname, 'definition', pg_get_indexdef(i.indexrelid)) order by x.relname), '[]')
      from pg_index i join pg_class x on x.oid = i.indexrelid
      where i.indrelid = c.oid and not i.indisprimary) as indexes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', $1) and c.relkind = 'r' and c.relpersistence = 'p'
  order by n.nspname <> 'public', c.relname`
