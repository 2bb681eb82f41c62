// What a backup holds: every table of ours, in an order in which they can be filled, and where counting goes on.
import type pg from 'pg'

export interface BackedTable {
  name: string
  columns: string[]
  /** Rows are dumped in this order, so that equal tables give equal bytes. */
  orderBy: string[]
}

/**
 * Every table of the schema but the list of migrations, referenced ones first. Left out are columns the database makes
 * itself, and transaction numbers: they mean something on the server that gave them only.
 */
export const backedTables = async (client: pg.ClientBase): Promise<BackedTable[]> => {
  const { rows } = await client.query<BackedTable & { needs: string[] }>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          and a.atttypid <> 'xid8'::regtype order by a.attnum) as columns,
      array(select a.attname::text from pg_index i, unnest(i.indkey::int[]) with ordinality k (attnum, place)
        join pg_attribute a on a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid order by k.place) as "orderBy",
      array(select f.confrelid::regclass::text from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'migration'
    order by c.relname`)
  const waiting = new Map(rows.map((row) => [row.name, row]))
  const ordered: BackedTable[] = []
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ needs }) => !needs.some((name) => waiting.has(name)))
    if (ready.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`)
    for (const { name, columns, orderBy } of ready) {
      ordered.push({ name, columns, orderBy })
      waiting.delete(name)
    }
  }
  return ordered
}

export interface SequenceState {
  name: string
  lastValue: string
  isCalled: boolean
}

export const sequenceStates = async (client: pg.ClientBase): Promise<SequenceState[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const states: SequenceState[] = []
  for (const { name } of rows) {
    const state = await client.query(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${quoted(name)}`,
    )
    states.push({ name, ...state.rows[0] })
  }
  return states
}

export const appliedMigrations = async (client: pg.ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>('select name from migration order by name')
  return rows.map(({ name }) => name)
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
