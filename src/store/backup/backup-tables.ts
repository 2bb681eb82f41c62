// The content of a backup: every table of the shared schema and of the shard groups, referenced tables first, and the state of the
// sequences. Names are qualified: "public.api_key", "g00.permit".
import type pg from 'pg'
import { referencedFirst } from '../engine/shards.ts'

export interface BackupTable {
  name: string
  columns: string[]
  /** Rows are written in this order, so that equal tables give equal checksums. */
  orderBy: string[]
}

/** Every migration fills it from the program's list of markets, so it is not empty before a restore. */
export const marketTable = 'public.market'

/** The migrations run before a restore; exports are kept for a day only; backups and sizes are those of this server. */
const leftOut = ['migration', 'export', 'export_piece', 'backup_made', 'table_size']

/** The shared schema and those of the groups, or one group alone. */
const schemasOf = async (client: pg.ClientBase, group?: string): Promise<string[]> => {
  if (group !== undefined) return [group]
  const { rows } = await client.query<{ name: string }>(
    `select 'public' as name union select scope from public.migration where scope <> 'shared'`,
  )
  return rows.map(({ name }) => name)
}

/** Every table, referenced ones first, without staging tables (unlogged), computed columns and transaction ids of this server. */
export const tablesToBackUp = async (client: pg.ClientBase, group?: string): Promise<BackupTable[]> => {
  const { rows } = await client.query<BackupTable & { needs: string[] }>(
    `select n.nspname || '.' || c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          and a.atttypid <> 'xid8'::regtype order by a.attnum) as columns,
      array(select a.attname::text from pg_index i, unnest(i.indkey::int[]) with ordinality k (attnum, key_order)
        join pg_attribute a on a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid order by k.key_order) as "orderBy",
      array(select tn.nspname || '.' || t.relname from pg_constraint f
        join pg_class t on t.oid = f.confrelid join pg_namespace tn on tn.oid = t.relnamespace
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($2) and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
      and c.relname <> all($1)
    order by n.nspname, c.relname`,
    [leftOut, await schemasOf(client, group)],
  )
  return referencedFirst(rows)
}

export interface SequenceState {
  name: string
  lastValue: string
  isCalled: boolean
}

export const sequenceStates = async (client: pg.ClientBase, group?: string): Promise<SequenceState[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and n.nspname = any($1) order by 1`,
    [await schemasOf(client, group)],
  )
  const states: SequenceState[] = []
  for (const { name } of rows) {
    const state = await client.query(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${quotedTable(name)}`,
    )
    states.push({ name, ...state.rows[0] })
  }
  return states
}

export const appliedMigrations = async (client: pg.ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select scope || '/' || name as name from public.migration order by 1`,
  )
  return rows.map(({ name }) => name)
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A qualified name with each part quoted. */
export const quotedTable = (name: string): string => name.split('.').map(quoted).join('.')
