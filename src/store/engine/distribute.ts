// Shard groups on a Citus cluster: which of them are not on a node yet, the step that puts one there, and even nodes.
import { anyRow, type Database, type Db, execute, rowsOf, valuesOf } from './database.ts'
import { shardGroups, withMigrationLock } from './migrate.ts'
import { InvalidMove, isCluster } from './shards.ts'

/** The groups with markets whose tables are on the coordinator of a cluster. Empty on one server. */
export const notDistributed = async (db: Db): Promise<string[]> => {
  if (!(await isCluster(db))) return []
  return valuesOf<string>(db)`
    select distinct shard_group as name from public.market
    where shard_group not in (select schema_name::text from citus_schemas) order by 1`
}

const rejectOneServer = async (db: Db): Promise<void> => {
  if (await isCluster(db)) return
  throw new InvalidMove(
    'This database is not the coordinator of a Citus cluster: it has no extension citus. See docs/scale.md.',
  )
}

/** Evens out the bytes on the nodes of the cluster by moving whole groups, as Citus plans it. Loads of a group wait while it moves. */
export const rebalance = (database: Pick<Database, 'db'>, dryRun = false) =>
  withMigrationLock(database, async (connection) => {
    await rejectOneServer(connection)
    const moves = await rowsOf<{ group: string; from: string; to: string }>(connection)`
      select distinct c.relnamespace::regnamespace::text as group, p.sourcename || ':' || p.sourceport as from,
        p.targetname || ':' || p.targetport as to
      from get_rebalance_table_shards_plan() p join pg_class c on c.oid = p.table_name order by 1`
    if (moves.length > 0 && !dryRun) {
      await execute(connection)`select citus_rebalance_start(shard_transfer_mode => 'block_writes')`
      await execute(connection)`select citus_rebalance_wait()`
    }
    return moves
  })

/** Puts the tables of a group on a node of the cluster. Every group refers to `source`, so every node gets a copy of it first. */
export const distributeGroup = (database: Pick<Database, 'db'>, group: string): Promise<void> =>
  withMigrationLock(database, async (connection) => {
    await rejectOneServer(connection)
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
