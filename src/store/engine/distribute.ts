// Shard groups on a Citus cluster: which of them are not on a node yet, and the step that puts one there.
import { anyRow, type Database, type Db, execute, rowsOf } from './database.ts'
import { shardGroups, withMigrationLock } from './migrate.ts'
import { InvalidMove, isCluster } from './shards.ts'

/** The groups with markets whose tables are on the coordinator of a cluster. Empty on one server. */
export const notDistributed = async (db: Db): Promise<string[]> => {
  if (!(await isCluster(db))) return []
  const rows = await rowsOf<{ name: string }>(db)`
    select distinct shard_group as name from public.market
    where shard_group not in (select schema_name::text from citus_schemas) order by 1`
  return rows.map(({ name }) => name)
}

/** Puts the tables of a group on a node of the cluster. Every group refers to `source`, so every node gets a copy of it first. */
export const distributeGroup = (database: Pick<Database, 'db'>, group: string): Promise<void> =>
  withMigrationLock(database, async (connection) => {
    if (!(await isCluster(connection)))
      throw new InvalidMove(
        'This database is not the coordinator of a Citus cluster: it has no extension citus. See docs/scale.md.',
      )
    if (!(await shardGroups(connection)).includes(group))
      throw new InvalidMove(`There is no shard group ${group}. Create it: lotline shards add ${group}`)
    const done = await anyRow(connection)`
      select 1 from citus_schemas where schema_name::text = ${group}`
    if (done) throw new InvalidMove(`Shard group ${group} is distributed already.`)
    await connection.transaction().execute(copySource)
    await execute(connection)`select citus_schema_distribute(to_regnamespace(${group}))`
  })

/** Citus makes the tables that refer to `source` again, with identities that start at 1. They continue where they were. */
const copySource = async (tx: Db): Promise<void> => {
  const done = await anyRow(tx)`
    select 1 from pg_dist_partition where logicalrelid = 'public.source'::regclass and repmodel = 't'`
  if (done) return
  const identities = await rowsOf<{ table: string; column: string; last: string | null }>(tx)`
    select c.oid::regclass::text as table, a.attname as column,
      pg_sequence_last_value(pg_get_serial_sequence(c.oid::regclass::text, a.attname)::regclass)::text as last
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> ''`
  await execute(tx)`select create_reference_table('public.source')`
  for (const { table, column, last } of identities)
    if (last !== null) await execute(tx)`select setval(pg_get_serial_sequence(${table}, ${column}), ${last}::bigint)`
}
