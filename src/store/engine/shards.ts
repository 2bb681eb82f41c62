// Shard groups for the operator: which markets are in which group, a new group, and a market moved to another group while the
// service answers. Moving changes no id.
import { setTimeout as wait } from 'node:timers/promises'
import { OperatorError } from '../../common/operator-error.ts'
import { dataChannel } from '../ingest/freshness.ts'
import { marketLock } from '../ingest/market-lock.ts'
import { anyRow, type Database, type Db, execute, firstValue, onlyValue, rowsOf, sql, valuesOf } from './database.ts'
import { writeGroupViews } from './group-views.ts'
import { migrateGroup, shardGroups, withMigrationLock } from './migrate.ts'
import { mapAgeMs } from './shard-groups.ts'

export class InvalidMove extends OperatorError {}

export const listShards = async (db: Db) => {
  const groups: { name: string; markets: string[]; bytes: number }[] = []
  for (const name of await shardGroups(db)) {
    const markets = await valuesOf<string>(db)`select id from public.market where shard_group = ${name} order by id`
    groups.push({ name, markets, bytes: await sizeOf(db, name) })
  }
  return groups
}

/** Whether this database is the coordinator of a Citus cluster. */
export const isCluster = (db: Db) => anyRow(db)`select 1 as found from pg_extension where extname = 'citus'`

/** The bytes of the table `c` with its indexes. The tables of a distributed group are on the nodes of the cluster. */
export const relationBytes = async (db: Db) =>
  (await isCluster(db))
    ? sql`case when exists (select 1 from pg_dist_partition d where d.logicalrelid = c.oid)
        then citus_total_relation_size(c.oid::regclass) else pg_total_relation_size(c.oid) end`
    : sql`pg_total_relation_size(c.oid)`

const sizeOf = async (db: Db, group: string): Promise<number> =>
  onlyValue<number>(db)`
    select coalesce(sum(${await relationBytes(db)}), 0)::float8 as bytes from pg_class c
    where c.relnamespace = to_regnamespace(${group}) and c.relkind = 'r'`

/**
 * Creates a group with all its tables. Names are g00 to g99, so that they sort and cannot be another schema. On a cluster, the
 * tables are made on the coordinator only: nodes do not support every statement of the first migrations.
 */
export const addShard = async (database: Pick<Database, 'db'>, name: string): Promise<void> => {
  if (!/^g\d\d$/.test(name))
    throw new InvalidMove(`A shard group is named g00 to g99, for example g01; it is "${name}".`)
  await withMigrationLock(database, async (connection) => {
    if ((await shardGroups(connection)).includes(name)) throw new InvalidMove(`Shard group ${name} exists already.`)
    await execute(connection)`set citus.enable_ddl_propagation = off`
    await migrateGroup(connection, name).finally(() => execute(connection)`reset citus.enable_ddl_propagation`)
    await connection.transaction().execute(writeGroupViews)
  })
}

interface MoveOptions {
  /** How long the rows stay in the old group for processes that have not read the new place yet. */
  graceMs?: number
  onStep?: (step: string) => void
}

/** Copies the rows of a market to another group and switches in one transaction. Loads and assessments wait meanwhile; reads go on. */
export const moveMarket = async (
  database: Pick<Database, 'db'>,
  market: string,
  to: string,
  { graceMs = 2 * mapAgeMs, onStep = () => {} }: MoveOptions = {},
) =>
  withMigrationLock(database, async (connection) => {
    if (!(await shardGroups(connection)).includes(to))
      throw new InvalidMove(`There is no shard group ${to}. Create it: lotline shards add ${to}`)
    const tables = await groupTables(connection, to)
    const moved = await connection.transaction().execute(async (tx) => {
      const from = await lockedGroup(tx, market)
      if (from === to) throw new InvalidMove(`Market ${market} is in shard group ${to} already.`)
      onStep(`copying ${market} from ${from} to ${to}`)
      // Rows that an interrupted move left behind. They are not served.
      await deleteRows(tx, to, market, tables)
      let rows = 0
      for (const { name, columns } of tables) {
        const list = sql.join(columns.map((column) => sql.id(column)))
        rows += await execute(tx)`
          insert into ${sql.id(to, name)} (${list}) select ${list} from ${sql.id(from, name)} where market = ${market}`
      }
      await execute(tx)`update public.market set shard_group = ${to} where id = ${market}`
      await writeGroupViews(tx)
      await execute(tx)`select pg_notify(${dataChannel}, ${market})`
      return { from, rows }
    })
    for (const { name } of tables) await execute(connection)`analyze ${sql.id(to, name)}`
    onStep(`deleting the rows of ${market} in ${moved.from}`)
    await wait(graceMs)
    await connection.transaction().execute((tx) => deleteRows(tx, moved.from, market, tables))
    return moved
  })

/** Waits for the load that runs, if any. Nobody else writes rows of the market until the transaction ends. */
const lockedGroup = async (tx: Db, market: string): Promise<string> => {
  await execute(tx)`select pg_advisory_xact_lock(${marketLock(market)})`
  const group = await firstValue<string>(tx)`
    select shard_group as group from public.market where id = ${market} for update`
  if (group === undefined) throw new InvalidMove(`There is no market ${market}. See lotline shards list.`)
  const running = await anyRow(tx)`
    select 1 from ${sql.id(group, 'assess_run')} where market = ${market} and state = 'running'
      and started_at > now() - interval '1 hour' limit 1`
  if (running) throw new InvalidMove(`Market ${market} is being assessed. Move it when the run has finished.`)
  return group
}

interface GroupTable {
  name: string
  columns: string[]
}

/** The tables of a group, referenced tables first. */
const groupTables = async (db: Db, group: string): Promise<GroupTable[]> => {
  const rows = await rowsOf<GroupTable & { needs: string[] }>(db)`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select t.relname::text from pg_constraint f join pg_class t on t.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and t.relnamespace = c.relnamespace) as needs
    from pg_class c where c.relnamespace = ${group}::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
    order by 1`
  return referencedFirst(rows)
}

/** Tables in an order in which each comes after those that it refers to. */
export const referencedFirst = <Table extends { name: string; needs: string[] }>(tables: readonly Table[]): Table[] => {
  const waiting = new Map(tables.map((table) => [table.name, table]))
  const ordered: Table[] = []
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ needs }) => !needs.some((name) => waiting.has(name)))
    if (ready.length === 0) throw new Error(`Tables have circular foreign keys: ${[...waiting.keys()].join(', ')}`)
    ordered.push(...ready)
    for (const { name } of ready) waiting.delete(name)
  }
  return ordered
}

/** Referencing tables first: a cascade would look for them once per deleted row. */
const deleteRows = async (tx: Db, group: string, market: string, tables: readonly GroupTable[]): Promise<void> => {
  for (const { name } of [...tables].reverse())
    await execute(tx)`delete from ${sql.id(group, name)} where market = ${market}`
}
