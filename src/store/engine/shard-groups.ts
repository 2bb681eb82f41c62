// Which schema each market is stored in. A handle is bound to schemas by its search path, so SQL names tables without a schema:
// one group by default; with several, a market's own group, or views over all groups for reads that name no market.

import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type pg from 'pg'
import { tableOf } from '../../common/typed.ts'
import { tableOfRows } from './columns.ts'

type Db = Kysely<unknown>

/** The shard group of a market that was not moved. */
export const defaultGroup = 'g00'

/** The schema with a view of every group's rows for each table. It exists only with more than one group. */
export const allGroups = 'all_groups'

export type ShardMap = ReturnType<typeof shardMap>

/**
 * How long a process may use an outdated map. A moved market stays readable in its old group for twice this time, and writers
 * check the group in their transaction. While the map cannot be read again, the last one stays in use: a market is moved only by
 * an operator's command, and a refresh that fails means that the database is overloaded or away.
 */
export const mapAgeMs = 5_000

export const shardMap = (pool: { connect(): Promise<pg.PoolClient> }) => {
  let known: { groups: ReadonlyMap<string, string>; whole: string; until: number } | undefined
  let reading: Promise<NonNullable<typeof known>> | undefined
  const read = async () => {
    const client = await pool.connect()
    let broken = false
    const { rows } = await client
      .query<{ id: string; shard_group: string; whole: string }>(
        `select id, shard_group, case when to_regnamespace('${allGroups}') is null then '${defaultGroup}' else '${allGroups}' end as whole
         from public.market`,
      )
      // Before the first migration there is one group.
      .catch((error: { code?: string }) => {
        if (error.code === '42P01') return { rows: [] }
        broken = true
        throw error
      })
      .finally(() => client.release(broken))
    known = {
      groups: new Map(rows.map(({ id, shard_group }) => [id, shard_group])),
      whole: rows[0]?.whole ?? defaultGroup,
      until: performance.now() + mapAgeMs,
    }
    return known
  }
  const current = async () => {
    if (known && performance.now() < known.until) return known
    reading ??= read().finally(() => {
      reading = undefined
    })
    const last = known
    return last ? reading.catch(() => last) : reading
  }
  return {
    /** The group of a market, as of a few seconds ago. */
    groupOf: async (market: string) => (await current()).groups.get(market) ?? defaultGroup,
    /** The schema for statements that name no market: the only group, or the views over all. */
    wholeSchema: async () => (await current()).whole,
    /** True if it is known without asking that there is one group. */
    isSingle: () => known !== undefined && performance.now() < known.until && known.whole === defaultGroup,
  }
}

/** Handles by which `groupOf` finds the handle of a group. A transaction is in none: it stays in the group it began in. */
const routed = new WeakMap<Db, { shards: ShardMap; bind(schema: () => Promise<string>): Db; bound: Map<string, Db> }>()

export const routeGroups = (db: Db, shards: ShardMap, bind: (schema: () => Promise<string>) => Db): Db => {
  routed.set(db, { shards, bind, bound: new Map() })
  return db
}

/** The same database bound to the group of a market, for everything that writes its rows and for frequent reads. */
export const groupOf = (db: Db, market: string): Db => {
  const route = routed.get(db)
  if (!route || route.shards.isSingle()) return db
  const known = route.bound.get(market)
  if (known) return known
  const bound = route.bind(() => route.shards.groupOf(market))
  route.bound.set(market, bound)
  return bound
}

/** The group of these markets if they are one market, all groups otherwise: a read must not depend on groups it does not need. */
export const groupOfAll = (db: Db, markets: readonly string[]): Db => {
  const [market, ...others] = new Set(markets)
  return market === undefined || others.length > 0 ? db : groupOf(db, market)
}

/**
 * Reads rows by key, in the order of the keys. Every group is asked for its own keys: on a cluster, a join of keys with the views
 * over all groups would copy whole tables. `ask` gets its keys as the table `k` with the columns `names` and key_order, the position of
 * the key, which each row has too.
 */
export const askGroups = async <Key extends { market: string }, Row>(
  db: Db,
  keys: readonly Key[],
  names: readonly (keyof Key & string)[],
  ask: (group: Db, k: ReturnType<typeof sql>) => Promise<readonly (Row & Positioned)[]>,
): Promise<Row[]> => {
  if (keys.length === 0) return []
  const placed = keys.map((key, keyOrder) => ({ ...key, keyOrder }))
  const route = routed.get(db)
  const parts = route && !route.shards.isSingle() ? [...Map.groupBy(placed, ({ market }) => market).values()] : [placed]
  const types = { ...tableOf(names, () => 'text'), keyOrder: 'int' }
  const rows = await Promise.all(
    parts.map((part) => ask(groupOf(db, part[0]!.market), tableOfRows<object>(part, types, 'k'))),
  )
  return rows
    .flat()
    .sort((a, b) => a.keyOrder - b.keyOrder)
    .map(({ keyOrder: _, ...row }) => row as Row)
}

/** Asks every group for its own markets: on a cluster, views over all groups copy whole tables. `alone`: the group has all of them. */
export const askEachGroup = async <Market extends string, T>(
  db: Db,
  markets: readonly Market[],
  ask: (group: Db, markets: readonly Market[], alone: boolean) => Promise<T>,
): Promise<T[]> => {
  const route = routed.get(db)
  if (!route || route.shards.isSingle()) return [await ask(db, markets, true)]
  const placed = await Promise.all(
    markets.map(async (market) => ({ market, group: await route.shards.groupOf(market) })),
  )
  const parts = [...Map.groupBy(placed, ({ group }) => group).values()].map((part) => part.map(({ market }) => market))
  return Promise.all(parts.map((part) => ask(groupOf(db, part[0]!), part, parts.length === 1)))
}

export interface Positioned {
  keyOrder: number
}

/** The market was moved to another group since the transaction began. The same work succeeds when it is tried again. */
export class MarketMoved extends Error {}

/** Call this first in a transaction that writes these markets: they are not moved until it ends. Throws if one is in another group. */
export const shareLockMarkets = async (tx: Db, markets: readonly string[]): Promise<void> => {
  const { rows } = await sql<{ id: string; moved: boolean }>`
    select id, shard_group <> current_schema() as moved from public.market where id = any(${markets}) for share`.execute(
    tx,
  )
  const moved = rows.find((row) => row.moved)
  if (moved) throw new MarketMoved(`Market ${moved.id} was moved to another shard group. Try again.`)
}
