// `npm run citus`: shard groups on the Citus cluster that LOTLINE_CITUS_URL names (an empty database, two workers). Tables and answers
// must equal those of one server, a group is moved to another node while the API reads it, and a killed worker may affect only the
// groups on it. That last part needs two shell commands, LOTLINE_CITUS_KILL and LOTLINE_CITUS_START, which get WORKER_PORT.
import { exec } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openServer } from '../../bench/sandbox.ts'
import { startService } from '../../bench/service.ts'
import { type Database, type DatabaseOptions, openDatabase, sql } from '../../src/store/engine/database.ts'
import { distributeGroup, rebalance } from '../../src/store/engine/distribute.ts'
import { migrate } from '../../src/store/engine/migrate.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
import { addShard, moveMarket } from '../../src/store/engine/shards.ts'
import { insertKey } from '../../src/store/keys/keys.ts'
import { fill, markets, tableHashes } from './citus-data.ts'
import { type Question, questions } from './citus-questions.ts'

/** The group of each market. Citus places them on different workers. */
const groups = { 'sf-peninsula': 'g01', nantucket: 'g02' } as const

let failed = false
/** `found` must be at most `limit`. */
const check = (what: string, found: number, of: string, limit = 0) => {
  if (found > limit) failed = true
  console.log(`${found > limit ? 'FAILED' : 'ok'}  ${what}: ${found} ${of}`)
}

const main = async (url: string, dir: string): Promise<void> => {
  const server = await openServer()
  const single = openDatabase({ ...server.address, statementTimeoutMs: 0 })
  const cluster = openDatabase({ connectionString: url, statementTimeoutMs: 0 })
  try {
    await migrate(cluster)
    await distribute(cluster)
    const here = await filled(join(dir, 'one-server'), single, server.address)
    const there = await filled(join(dir, 'cluster'), cluster, { connectionString: url })
    try {
      await equality(here, there)
      await movedUnderLoad(cluster, there)
      await rebalanced(cluster)
      await killedWorker(cluster, there)
    } finally {
      await here.stop()
      await there.stop()
    }
  } finally {
    await single.close()
    await cluster.close()
    await server.close()
  }
}

/** As docs/scale.md says it. */
const distribute = async (cluster: Database): Promise<void> => {
  for (const market of markets) {
    await addShard(cluster, groups[market])
    await distributeGroup(cluster, groups[market])
    await moveMarket(cluster, market, groups[market], { graceMs: 0 })
  }
}

interface Filled {
  hashes: Map<string, string>
  ask(question: Question): Promise<{ status: number; body: string }>
  stop(): Promise<void>
}

/** Loads and assesses the markets, then starts an API process on them. */
const filled = async (dir: string, store: Database, address: DatabaseOptions): Promise<Filled> => {
  const queue = await openQueue(address)
  await fill({ ...store, queue }, dir).finally(queue.close)
  const keys = await Promise.all(
    Array.from({ length: 20 }, () => insertKey(store.db, { plan: 'pro', email: 'bench@example.com' })),
  )
  const service = await startService(
    {
      DATABASE_URL:
        address.connectionString ?? `postgres://lotline@/lotline?host=${encodeURIComponent(address.socketDir!)}`,
      SECRET_KEY: '0'.repeat(64),
      DATA_DIR: `${dir}-data`,
      SAMPLE_DATA: 'false',
      // The same for both, since answers contain it.
      PUBLIC_URL: 'http://localhost:8080',
    },
    'api',
  )
  let asked = 0
  return {
    hashes: await tableHashes(store.db),
    ask: async ({ path, body }) => {
      const type = typeof body === 'string' ? 'text/csv' : 'application/json'
      const response = await fetch(`${service.url}/api/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'x-api-key': keys[asked++ % keys.length]!.key,
          ...(body === undefined ? {} : { 'content-type': type }),
        },
        body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
      })
      return { status: response.status, body: await response.text() }
    },
    stop: service.stop,
  }
}

const equality = async (here: Filled, there: Filled): Promise<void> => {
  const tables = [...here.hashes].filter(([table, hash]) => there.hashes.get(table) !== hash).map(([table]) => table)
  const answers: string[] = []
  const first = async (path: string) => JSON.parse((await here.ask({ path })).body).data[0]
  const homes = await Promise.all(markets.map((market) => first(`/market-signals?limit=1&market=${market}`)))
  const permit = await first('/permits?limit=1')
  const all = questions({ homes, permit: new URL(permit.permitUrl).pathname.replace('/permits/', '') })
  for (const question of all) {
    const [one, other] = [await here.ask(question), await there.ask(question)]
    const difference =
      one.status === 200 && other.status === 200
        ? firstDifference(comparable(one.body), comparable(other.body))
        : `status ${one.status} and ${other.status}`
    if (difference !== undefined) answers.push(`${question.path}: ${difference}`)
  }
  for (const name of [...tables, ...answers]) console.log(`differs: ${name}`)
  check('tables that differ from one server', tables.length, `of ${here.hashes.size}`)
  check('API answers that differ from one server', answers.length, `of ${all.length}`)
}

/** Without the times at which rows were written. A list of addresses is answered as CSV. */
const comparable = (body: string): unknown =>
  !body.startsWith('{')
    ? body
    : JSON.parse(body, (name, value) => (/At$|^asOf$|^requestId$/.test(name) ? undefined : value))

/** The first place where two JSON values differ, with both values. */
const firstDifference = (one: unknown, other: unknown, path = ''): string | undefined => {
  const bothObjects = typeof one === 'object' && typeof other === 'object' && one !== null && other !== null
  if (!bothObjects) return one === other ? undefined : `${path} is ${JSON.stringify(one)} and ${JSON.stringify(other)}`
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  for (const name of names) {
    const [a, b] = [(one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]]
    const found = firstDifference(a, b, `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

interface Node {
  host: string
  port: number
  hasGroup: boolean
}

const workers = async ({ db }: Database, group: string): Promise<Node[]> => {
  const { rows } = await sql<Node>`
    select nodename as host, nodeport as port,
      (nodename, nodeport) in (
        select s.nodename, s.nodeport from citus_shards s join pg_class c on c.oid = s.table_name
        where c.relnamespace = ${group}::regnamespace) as has_group
    from pg_dist_node where isactive and noderole = 'primary' and shouldhaveshards`.execute(db)
  return rows
}

/** Reads through the API without a pause while the group moves to the other worker. */
const movedUnderLoad = async (cluster: Database, { ask }: Filled): Promise<void> => {
  const group = groups['sf-peninsula']
  const target = (await workers(cluster, group)).find(({ hasGroup }) => !hasGroup)
  if (!target) throw new Error('The cluster has no second worker to move the group to.')
  const statuses: number[] = []
  let moving = true
  const reading = (async () => {
    // An unknown parameter is ignored, but makes the URL new, so the response is not cached.
    for (let n = 0; moving; n++)
      statuses.push((await ask({ path: `/market-signals?market=sf-peninsula&limit=5&n=${n}` })).status)
  })()
  const begun = performance.now()
  await sql`select citus_schema_move(${group}::regnamespace, ${target.host}, ${target.port}, 'block_writes')`
    .execute(cluster.db)
    .finally(() => {
      moving = false
    })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  await reading
  const lost = statuses.filter((status) => status !== 200).length
  check('failed reads while a group moves', lost, `of ${statuses.length} in ${seconds} s`)
}

/** Sizes, nodes and moves are read and made on a real cluster. */
const rebalanced = async (cluster: Database): Promise<void> => {
  const moves = await rebalance(cluster)
  check('moves left after rebalancing', (await rebalance(cluster, true)).length, `${moves.length} made`)
}

/** The worker of one market is killed and started again while both markets are read. */
const killedWorker = async (cluster: Database, { ask }: Filled): Promise<void> => {
  const { LOTLINE_CITUS_KILL: kill, LOTLINE_CITUS_START: start } = process.env
  if (!kill || !start) return console.log('killed worker skipped: set LOTLINE_CITUS_KILL and LOTLINE_CITUS_START')
  const [affected, other] = await separated(cluster)
  const port = (await workers(cluster, groups[affected])).find(({ hasGroup }) => hasGroup)!.port
  const run = (command: string) => promisify(exec)(command, { env: { ...process.env, WORKER_PORT: `${port}` } })
  const answers: { market: string; at: number; status: number }[] = []
  let reading = true
  const readers = [affected, other].map(async (market) => {
    for (let n = 0; reading; n++) {
      const { status } = await ask({ path: `/market-signals?market=${market}&limit=5&n=k${n}` })
      answers.push({ market, at: performance.now(), status })
      await wait(20)
    }
  })
  const of = (market: string, from: number, to = Infinity) =>
    answers.filter((answer) => answer.market === market && answer.at > from && answer.at <= to)
  try {
    await wait(1_000)
    const begun = performance.now()
    await run(kill)
    const killed = performance.now()
    await wait(5_000)
    const down = of(affected, killed).map(({ status }) => status)
    await run(start)
    const started = performance.now()
    while (performance.now() - started < 30_000 && of(affected, started).at(-1)?.status !== 200) await wait(20)
    const back = of(affected, started).find(({ status }) => status === 200)?.at ?? Infinity
    await wait(2_000)
    const others = of(other, begun)
    const wrong = [
      ...down.filter((status) => status !== 503),
      ...of(affected, begun).filter(({ at, status }) => status !== 503 && status !== 200 && at <= back),
      ...of(affected, back).filter(({ status }) => status !== 200),
      ...others.filter(({ status }) => status !== 200),
    ].length
    const seconds = (back - started) / 1000
    const note = `${down.filter((status) => status === 503).length} of ${down.length} reads of its market got 503, ${others.filter(({ status }) => status === 200).length} of ${others.length} of the other 200`
    check('wrong answers while a worker is down', wrong, `of ${of(affected, begun).length + others.length} (${note})`)
    check('seconds until a restarted worker serves again', seconds, 's', 5)
  } finally {
    reading = false
    await Promise.all(readers)
  }
}

/** The markets with their groups on different workers. */
const separated = async (cluster: Database): Promise<[affected: keyof typeof groups, other: keyof typeof groups]> => {
  const at = async (group: string) => (await workers(cluster, group)).find(({ hasGroup }) => hasGroup)!
  const [first, second] = [await at(groups['sf-peninsula']), await at(groups.nantucket)]
  if (first.port === second.port) {
    const free = (await workers(cluster, groups.nantucket)).find(({ hasGroup }) => !hasGroup)!
    await sql`select citus_schema_move(${groups.nantucket}::regnamespace, ${free.host}, ${free.port}, 'block_writes')`.execute(
      cluster.db,
    )
  }
  return ['nantucket', 'sf-peninsula']
}

const { LOTLINE_CITUS_URL: clusterUrl } = process.env
if (!clusterUrl)
  throw new Error('Set LOTLINE_CITUS_URL to the coordinator, for example postgres://lotline@host:5432/lotline')
const folder = await mkdtemp(join(tmpdir(), 'lotline-citus-'))
await main(clusterUrl, folder).finally(() => rm(folder, { recursive: true, force: true }))
process.exit(failed ? 1 : 0)
