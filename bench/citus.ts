// Shard groups on the Citus cluster that LOTLINE_CITUS_URL names: the same answers as on one server, a group moved to another node
// while it is read, and a killed worker that affects only the groups on it. Skipped without a cluster.
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { assessMarket } from '../src/assess/assess-market.ts'
import { type Database, openDatabase, sql } from '../src/store/engine/database.ts'
import { migrate } from '../src/store/engine/migrate.ts'
import { addShard, moveMarket } from '../src/store/engine/shards.ts'
import { makeMarket } from './assess.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf } from './figure.ts'
import { openServer } from './sandbox.ts'

const now = new Date('2026-11-14T12:00:00Z')
const market = 'sf-peninsula'
const group = 'g01'
const parcels = 2_000

export const measure = async (context: Context): Promise<Figure[]> => {
  const url = process.env.LOTLINE_CITUS_URL
  if (!url) {
    context.say(
      '  skipped: set LOTLINE_CITUS_URL to the coordinator of a Citus cluster with an empty database and two workers',
    )
    return []
  }
  const server = await openServer()
  const single = openDatabase({ ...server.address, statementTimeoutMs: 0 })
  const cluster = openDatabase({ connectionString: url, statementTimeoutMs: 0 })
  try {
    await migrate(cluster)
    await addShard(cluster, group)
    await moveMarket(cluster, market, group, { graceMs: 0 })
    await sql`select citus_schema_distribute(${group}::regnamespace)`.execute(cluster.db)
    const [here, there] = [await assessed(single), await assessed(openDatabase({ connectionString: url, group }))]
    return [
      figureOf({
        name: 'citus: tables that differ from one server',
        unit: '',
        ours: [differing(here, there)],
        target: atMost(0, 'ours'),
      }),
      ...(await movedUnderLoad(context, cluster)),
    ]
  } finally {
    await single.close()
    await cluster.close()
    await server.close()
  }
}

/** Loads and assesses the same market and returns a hash of every table. */
const assessed = async (database: Database): Promise<Map<string, string>> => {
  await makeMarket(database.db, parcels)
  await assessMarket(database.db, market, { now })
  const hashes = new Map<string, string>()
  for (const [table, key] of [
    ['property', 'id'],
    ['listing', 'listing_id'],
    ['sale', 'sale_id'],
    ['assessment', 'property_id'],
  ] as const) {
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(t) - 'updated_at' - 'collected_at' - 'assessed_at')::text as row from ${sql.table(table)} t
      order by ${sql.ref(`t.${key}`)}`.execute(database.db)
    const hash = createHash('sha256')
    for (const { row } of rows) hash.update(row)
    hashes.set(table, hash.digest('hex'))
  }
  return hashes
}

const differing = (here: Map<string, string>, there: Map<string, string>): number =>
  [...here].filter(([table, hash]) => there.get(table) !== hash).length

/** Reads without a pause while the group moves to the other worker. */
const movedUnderLoad = async (context: Context, { db }: Database): Promise<Figure[]> => {
  const { rows: nodes } = await sql<{ nodename: string; nodeport: number }>`
    select nodename, nodeport from pg_dist_node where isactive and noderole = 'primary' and shouldhaveshards
      and (nodename, nodeport) not in (select nodename, nodeport from citus_shards where schema_name = ${group})`.execute(
    db,
  )
  const target = nodes[0]
  if (!target) throw new Error('The cluster has no second worker to move the group to.')
  let failed = 0
  let reads = 0
  let moving = true
  const reading = (async () => {
    while (moving) {
      reads++
      await sql`select count(*) from ${sql.id(group, 'listing')} where market = ${market}`
        .execute(db)
        .catch(() => failed++)
      await wait(5)
    }
  })()
  const begun = performance.now()
  await sql`select citus_schema_move(${group}::regnamespace, ${target.nodename}, ${target.nodeport}, 'block_writes')`.execute(
    db,
  )
  moving = false
  await reading
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  context.say(`  moved in ${seconds} s with ${reads} reads`)
  return [
    figureOf({
      name: 'citus: failed reads while a group moves',
      unit: `of ${reads}`,
      ours: [failed],
      target: atMost(0, 'ours'),
      note: `moved in ${seconds} s`,
    }),
  ]
}
