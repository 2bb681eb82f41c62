// A primary and a hot standby: reads from the standby are never older than the last change, and when the primary dies, reads and
// writes continue on the promoted standby behind one stable address, without a lost acknowledged write.
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Database, openDatabase, sql } from '../src/store/engine/database.ts'
import { listen } from '../src/store/engine/listen.ts'
import { openReplicas } from '../src/store/engine/replicas.ts'
import { readSetting, writeSetting } from '../src/store/engine/settings.ts'
import { insertKey } from '../src/store/keys/keys.ts'
import { makeMarket } from './assess.ts'
import type { Context } from './context.ts'
import { atMost, type Figure, figureOf } from './figure.ts'
import { startService } from './service.ts'
import { openStandbyPair, type StandbyPair, stableAddress } from './standby.ts'

export const measure = async (context: Context): Promise<Figure[]> => {
  const pair = await openStandbyPair(async (socketDir) => {
    const { db, close } = openDatabase({ socketDir })
    await makeMarket(db, 2_000)
    await close()
  })
  try {
    return [...(await staleReads(context, pair)), ...(await failover(context, pair))]
  } finally {
    await pair.close()
  }
}

const channel = 'lotline_bench'
const changes = 400

/** After each change a reader asks as soon as it is notified: the standby directly, and as the API does. */
const staleReads = async (context: Context, { primary, standby }: StandbyPair): Promise<Figure[]> => {
  const store = openDatabase({ connectionString: primary.url })
  const direct = openDatabase({ connectionString: standby.url })
  const replicas = openReplicas({ urls: [standby.url], primary: store, pools: { keyed: { poolSize: 4 } } })
  let notified = () => {}
  const listener = await listen(
    { connectionString: primary.url },
    {
      channels: {
        [channel]: () => {
          replicas.changed()
          notified()
        },
      },
      onListening: () => {},
    },
  )
  let stale = 0
  let staleDirect = 0
  let fromReplica = 0
  try {
    for (let change = 1; change <= changes; change++) {
      const heard = new Promise<void>((done) => {
        notified = done
      })
      await store.db.transaction().execute(async (tx) => {
        await writeSetting(tx, 'bench', change)
        await sql`select pg_notify(${channel}, '')`.execute(tx)
      })
      await heard
      if ((await readSetting<number>(direct.db, 'bench')) !== change) staleDirect++
      // Every other read comes after the replica had time to catch up.
      if (change % 2 === 0) await wait(60)
      const replica = replicas.within('keyed', AbortSignal.timeout(5_000))
      if (replica) fromReplica++
      if ((await readSetting<number>(replica ?? store.db, 'bench')) !== change) stale++
    }
  } finally {
    await listener.close()
    await replicas.close()
    await direct.close()
    await store.close()
  }
  context.say(`  stale reads: ${staleDirect} of ${changes} directly, ${stale} through the service's rule`)
  return [
    figureOf({
      name: 'replica: stale answers after a change',
      unit: `of ${changes}`,
      ours: [stale],
      target: atMost(0, 'ours'),
      note: `${staleDirect} of ${changes} without comparing positions; the replica answered ${fromReplica}, the primary the rest`,
    }),
  ]
}

const failover = async (context: Context, { primary, standby }: StandbyPair): Promise<Figure[]> => {
  const admin = openDatabase({ connectionString: primary.url })
  await admin.pool.query(`alter system set synchronous_standby_names = '*'`)
  await admin.pool.query('select pg_reload_conf()')
  const keys = await Promise.all(
    Array.from(
      { length: 40 },
      async () => (await insertKey(admin.db, { plan: 'pro', email: 'bench@example.com' })).key,
    ),
  )
  await admin.close()
  const address = await stableAddress(primary)
  const service = await startService(
    { DATABASE_URL: address.url, SECRET_KEY: '0'.repeat(64), DATA_DIR: context.dir, SAMPLE_DATA: 'false' },
    'api',
  )
  const writes = openDatabase({ connectionString: address.url, poolSize: 2, connectionTimeoutMs: 1_000 })
  const stop = new AbortController()
  const asked = {
    answers: [] as { at: number; status: number }[],
    acknowledged: [] as number[],
    writeAt: [] as number[],
  }
  const reading = read(service.url, keys, stop.signal, asked.answers)
  const writing = write(writes, stop.signal, asked)
  try {
    await wait(3_000)
    const killed = performance.now()
    await primary.kill()
    const promoting = performance.now()
    await standby.promote()
    address.use(standby)
    const promoted = performance.now()
    await wait(8_000)
    stop.abort()
    await Promise.all([reading, writing])
    const lastFailure = asked.answers.findLast(({ at, status }) => at > killed && status !== 200)?.at ?? killed
    const readAgain = asked.answers.find(({ at, status }) => at > lastFailure && status === 200)!.at
    const writtenAgain = asked.writeAt.find((at) => at > promoting)!
    const ready = await fetch(`${service.url}/readyz`)
    const lost = await lostWrites(standby.url, asked.acknowledged)
    const locks = await apiLocks(standby.url)
    const statuses = [...new Set(asked.answers.filter(({ at }) => at > killed).map(({ status }) => status))].sort()
    const since = (at: number) => `${((at - killed) / 1000).toFixed(2)} s`
    const timeline = `primary killed 0 s, promotion ${since(promoting)} to ${since(promoted)}, first read ${since(readAgain)}, first write ${since(writtenAgain)}; statuses seen: ${statuses.join(', ')}; locks ${locks}, readyz ${ready.status}`
    context.say(`  ${timeline}`)
    return [
      figureOf({
        name: 'failover: seconds until reads are answered',
        unit: 's',
        ours: [(readAgain - killed) / 1000],
        target: atMost(5, 'ours'),
        note: timeline,
      }),
      figureOf({
        name: 'failover: acknowledged writes lost',
        unit: `of ${asked.acknowledged.length}`,
        ours: [lost],
        target: atMost(0, 'ours'),
        note: 'synchronous standby',
      }),
      figureOf({
        name: 'failover: answers other than 200 and 503, lock not retaken, not ready',
        unit: '',
        ours: [
          asked.answers.filter(({ status }) => status !== 200 && status !== 503).length +
            (locks === 1 ? 0 : 1) +
            (ready.status === 200 ? 0 : 1),
        ],
        target: atMost(0, 'ours'),
      }),
    ]
  } finally {
    stop.abort()
    await writes.close()
    await service.stop()
    await address.close()
  }
}

const read = async (url: string, keys: string[], stop: AbortSignal, answers: { at: number; status: number }[]) => {
  for (let n = 0; !stop.aborted; n++) {
    // An unknown parameter is ignored, but makes the URL new, so the response is not cached.
    const status = await fetch(`${url}/api/v1/market-signals?limit=5&n=${n}`, {
      headers: { 'x-api-key': keys[n % keys.length]! },
    }).then(
      async (response) => {
        await response.text()
        return response.status
      },
      () => 0,
    )
    answers.push({ at: performance.now(), status })
    await wait(20)
  }
}

const write = async (
  { db }: Database,
  stop: AbortSignal,
  { acknowledged, writeAt }: { acknowledged: number[]; writeAt: number[] },
) => {
  for (let n = 1; !stop.aborted; n++) {
    const written = await writeSetting(db, `bench-${n}`, n).then(
      () => true,
      () => false,
    )
    if (written) {
      acknowledged.push(n)
      writeAt.push(performance.now())
    }
    await wait(5)
  }
}

const lostWrites = async (url: string, acknowledged: readonly number[]): Promise<number> => {
  const { pool, close } = openDatabase({ connectionString: url })
  const { rows } = await pool.query<{ name: string }>(`select name from setting where name like 'bench-%'`)
  await close()
  const held = new Set(rows.map(({ name }) => name))
  return acknowledged.filter((n) => !held.has(`bench-${n}`)).length
}

const apiLocks = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select count(*)::int as held from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and a.application_name like 'lotline-api-lock%'`,
  )
  await client.end()
  return rows[0].held
}
