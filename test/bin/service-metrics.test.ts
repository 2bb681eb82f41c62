import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { answerCache } from '../../src/api/answer-cache.ts'
import { buildApp } from '../../src/api/app.ts'
import { databaseChecks, feedsFinding, operatorPage } from '../../src/bin/operator-report.ts'
import { operatorChecks, serveMetrics } from '../../src/bin/serve.ts'
import { measureService, workCounters } from '../../src/bin/service-metrics.ts'
import { sql } from '../../src/store/engine/database.ts'
import {
  backupDue,
  countStatements,
  type DatabaseStatus,
  databaseStatus,
  recordBackup,
  recordTableSizes,
  runningStatements,
  slowStatements,
} from '../../src/store/engine/database-status.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
import { sourceStates } from '../../src/store/ingest/source-states.ts'
import { ask } from '../setup/ask.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { useService } from '../setup/service.ts'

const database = useDatabaseWithQueue()
const service = useService()
const now = new Date('2026-11-15T12:00:00Z')

const measured = (given: Partial<Parameters<typeof measureService>[1]> = {}) => {
  const registry = new Registry()
  measureService(registry, {
    database: database(),
    pools: { keyed: database().pool },
    freeBytes: async () => 123_456_789,
    now: () => now,
    ...given,
  })
  return registry
}

test('queues, sources, pools, database and disk are measured', async () => {
  const { db, queue } = database()
  await sql`insert into source (id, kind, holds, title, sample, schedule, config) values
    ('fresh', 'csv', 'sales', 'S', false, '0 4 * * *', '{}'), ('late', 'csv', 'sales', 'S', false, '0 4 * * *', '{}'),
    ('manual', 'csv', 'sales', 'S', false, null, '{}')`.execute(db)
  await sql`insert into ingest_run (source_id, state, first_load, started_at, finished_at) values
    ('fresh', 'completed', false, '2026-11-15T04:00Z', '2026-11-15T06:00Z'),
    ('late', 'completed', false, '2026-11-01T04:00Z', '2026-11-01T06:00Z'),
    ('late', 'failed', false, '2026-11-14T04:00Z', '2026-11-14T06:00Z')`.execute(db)
  await sql`update ingest_run set rows_removed = 12, error = 'returned 403.' where source_id = 'late'`.execute(db)
  // A loss is named after the next run too.
  for (const beds of [90, 60, 60])
    await sql`insert into ingest_run (source_id, state, first_load, started_at, finished_at, filled) values
      ('manual', 'completed', false, '2026-11-11', '2026-11-11',
        ${JSON.stringify({ rows: 100, changesOnly: false, fields: { beds, baths: 100 } })}::jsonb)`.execute(db)
  await sql`insert into source_file (file, problem) values ('bad.json', 'not JSON')`.execute(db)
  await queue.send(db, 'mail', { id: 'mail_1' })
  await sql`update pgboss.job set start_after = now() - interval '90 seconds'`.execute(db)
  const text = await measured().metrics()
  expect(text).toMatch(/^lotline_database_up 1$/m)
  expect(text).toMatch(/^lotline_database_bytes \d{6,}$/m)
  expect(text).toMatch(/^lotline_disk_free_bytes 123456789$/m)
  expect(text).toMatch(/^lotline_queue_jobs\{queue="mail",state="waiting"\} 1$/m)
  expect(Number(/^lotline_queue_oldest_seconds\{queue="mail"\} (\S+)$/m.exec(text)![1])).toBeGreaterThanOrEqual(90)
  expect(text).toMatch(/^lotline_source_age_seconds\{source="fresh"\} 21600$/m)
  for (const [source, stale, failing] of [
    ['fresh', 0, 0],
    ['late', 1, 1],
    ['manual', 0, 0],
  ]) {
    expect(text).toContain(`lotline_source_stale{source="${source}"} ${stale}\n`)
    expect(text).toContain(`lotline_source_failing{source="${source}"} ${failing}\n`)
  }
  expect(text).toContain('lotline_source_removed_rows{source="late"} 12\n')
  expect(text).toContain('lotline_source_lost_fields{source="manual"} 1\n')
  // Doctor says the same, with the last good day.
  const feeds = feedsFinding(await sourceStates(db, now))
  expect(feeds).toMatchObject({
    state: 'fail',
    detail:
      'late fails since 2026-11-14 (last good run 2026-11-01): returned 403; manual has fewer values: beds 90% → 60%; late removed 12 rows within 30 days. See lotline sources list',
  })
  // The operator's page has the figures of each source.
  const page = operatorPage([{ name: 'feeds', ...feeds }], now)
  expect(page).toMatch(
    /<td>late<\/td><td>2026-11-01T\S+<\/td><td>2026-11-14T\S+<\/td><td>returned 403\.?<\/td>.*<td>12<\/td>/,
  )
  expect(page).toContain('<td>beds 90% → 60%</td>')
  expect(text).toMatch(/^lotline_source_files_broken 1$/m)
  expect(text).toMatch(/^lotline_market_packs_broken 0$/m)
  expect(text).toMatch(/^lotline_pool_connections\{pool="keyed",state="waiting"\} 0$/m)
})

test('a database that does not answer is reported, and the other metrics are still served', async () => {
  const within = () => {
    throw new Error('away')
  }
  const text = await measured({ database: { within } }).metrics()
  expect(text).toMatch(/^lotline_database_up 0$/m)
  expect(text).toMatch(/^lotline_disk_free_bytes 123456789$/m)
  expect(text).not.toMatch(/^lotline_database_bytes \d/m)
})

test('background work is counted by outcome, from zero', async () => {
  const registry = new Registry()
  const counters = workCounters(registry)
  expect(await registry.metrics()).toMatch(/^lotline_deliveries_total\{outcome="failed"\} 0$/m)
  counters.ingested({ loaded: 7, rejected: 2 })
  counters.ingestFailed()
  counters.assessed(5)
  counters.assessmentFailed()
  counters.delivered('retried')
  counters.mailed('sent')
  const text = await registry.metrics()
  for (const line of [
    'lotline_ingest_runs_total{outcome="completed"} 1',
    'lotline_ingest_runs_total{outcome="failed"} 1',
    'lotline_ingest_rows_total{outcome="loaded"} 7',
    'lotline_ingest_rows_total{outcome="rejected"} 2',
    'lotline_assess_runs_total{outcome="failed"} 1',
    'lotline_assessed_properties_total{kind="all"} 5',
    'lotline_deliveries_total{outcome="retried"} 1',
    'lotline_mails_total{outcome="sent"} 1',
  ])
    expect(text).toContain(`${line}\n`)
})

test('metrics on the port of the service need their token, and are not there without one', async () => {
  for (const authorization of [undefined, 'Bearer wrong', 'scraper'])
    expect((await ask(service(), '/metrics', { headers: authorization ? { authorization } : {} })).status).toBe(401)
  const { status, text } = await ask(service(), '/metrics', { headers: { authorization: 'Bearer scraper' } })
  expect([status, text.includes('lotline_requests_total')]).toEqual([200, true])
  const { services } = service()
  const closed = buildApp({
    services,
    keys: { find: () => undefined, findCached: () => undefined, evict: () => {}, setListening: () => {} },
    limits: {
      hit: () => ({ allowed: true, remaining: 1, resetMs: 1 }),
      peek: () => ({ allowed: true, remaining: 1, resetMs: 1 }),
      close: async () => {},
    },
    answers: answerCache(),
    logger: service().app.log,
    trustedProxies: [],
    notReady: async () => undefined,
    databases: { keyed: service(), public: service() },
    databaseAnswers: () => true,
  })
  expect((await closed.inject('/metrics')).statusCode).toBe(404)
  await closed.close()
})

test('metrics have a port of their own when asked for', async () => {
  const pages = {
    '/': { type: 'text/html', text: () => 'page' },
    '/operation.json': { type: 'application/json', text: () => Promise.reject(new Error('away')) },
  }
  const server = await serveMetrics(measured(), pages, 0, '127.0.0.1')
  const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
  const found = await get('/metrics')
  expect([found.status, found.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')])
  expect(await found.text()).toContain('lotline_database_up 1')
  expect(await (await get('/')).text()).toBe('page')
  expect((await get('/operation.json')).status).toBe(503)
  for (const unknown of ['/nothing', '/constructor']) expect((await get(unknown)).status).toBe(404)
  expect(await (await get('/nothing')).text()).toBe(
    'There is no such page here. The pages are /, /operation.json, /metrics.\n',
  )
  await server.close()
})

test('the state of the database is shown while the sources cannot be read', async () => {
  const { db } = database()
  const rename = (from: string, to: string) => sql.raw(`alter table ${from} rename to ${to}`).execute(db)
  await rename('ingest_run', 'away')
  try {
    const [feeds, ...others] = await operatorChecks(db, {}, now)
    expect(feeds).toMatchObject({ name: 'feeds', state: 'fail', detail: expect.stringMatching(/^cannot be read: .+/) })
    expect(others.map(({ name }) => name)).toEqual(['statements', 'locks', 'tables', 'replicas', 'backup'])
  } finally {
    await rename('away', 'ingest_run')
  }
})

test.each([
  ['backup', '20 seconds', '40 seconds'],
  ['ingest', '50 seconds', '70 seconds'],
] as const)('the %s job of a killed process starts again when its heartbeat is missed', async (name, kept, missed) => {
  const { db, queue } = database()
  await queue.send(db, name, {})
  const [job] = await queue.fetch(name, 1)
  const beat = (age: string) =>
    sql`update pgboss.job set heartbeat_on = now() - ${age}::interval where name = ${name}`.execute(db)
  const again = async () => {
    await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null`.execute(db)
    await queue.boss.supervise(name)
    await sql`update pgboss.job set start_after = now() where name = ${name} and state = 'retry'`.execute(db)
    return (await queue.fetch(name, 1)).map(({ id }) => id)
  }
  await beat(kept)
  expect(await again()).toEqual([])
  await beat(missed)
  expect(await again()).toEqual([job!.id])
})

test('a queue that an earlier version made gets the options of this one', async () => {
  const { queue, address } = database()
  const written = async () => (await queue.boss.getQueues()).map(({ name, updatedOn }) => [name, +updatedOn])
  const before = await written()
  await (await openQueue(address)).close()
  expect(await written()).toEqual(before)
  await queue.boss.updateQueue('backup', { retryLimit: 0, heartbeatSeconds: null })
  const next = await openQueue(address)
  expect(await next.boss.getQueue('backup')).toMatchObject({ retryLimit: 3, heartbeatSeconds: 30, policy: 'singleton' })
  await next.close()
})

test('the operator sees slow statements, lock waits, growth and the last backup', async () => {
  const { db, pool } = database()
  await countStatements({ db })
  await sql`analyze market`.execute(db)
  const [holder, waiter] = [await pool.connect(), await pool.connect()]
  let running: DatabaseStatus['running'] = []
  try {
    await holder.query('begin; lock table backup_made')
    waiter.query('select from backup_made').catch(() => {})
    await sql`insert into table_size (day, name, bytes)
      values (current_date - 2, 'public.market', 1), (current_date - 40, 'public.market', 0)
      on conflict do nothing`.execute(db)
    await recordTableSizes(db, new Date())
    const stuck = async () => {
      running = (await runningStatements(db)).filter(({ blockedBy }) => blockedBy.length > 0)
      return running
    }
    await expect
      .poll(stuck, { timeout: 10_000 })
      .toMatchObject([{ state: 'active', statement: 'select from backup_made', blockedBy: [expect.any(Number)] }])
  } finally {
    for (const each of [holder, waiter]) each.release(true)
  }
  const madeAt = new Date('2026-11-14T03:00Z')
  await recordBackup(db, { madeAt, file: '/b/x.backup', bytes: 5e6, rows: 12 })
  const status = { ...(await databaseStatus(db)), running: running.map((each) => ({ ...each, seconds: 25 })) }
  expect(status.statements!.length).toBeGreaterThan(0)
  expect(status.statements!.filter(({ statement }) => /^(copy|create|analyze)/.test(statement))).toEqual([])
  const { rows: sizes } =
    await sql`select day::text from table_size where name in ('public.market', 'public.backup_made')
    order by 1`.execute(db)
  // Not the locked one, whose size would have been waited for.
  expect(sizes).toHaveLength(3)
  expect(status.backup).toEqual({ madeAt, file: '/b/x.backup', bytes: 5e6, rows: 12 })
  const [soon, folder] = [new Date('2026-11-15T02:00Z'), '/b']
  expect(await backupDue(db, folder, soon)).toBe(false)
  expect(await backupDue(db, folder, now)).toBe(true)
  // One elsewhere is not the daily one.
  expect(await backupDue(db, '/backups', soon)).toBe(true)
  expect((await databaseStatus(db, '/backups')).backup).toBeUndefined()
  const table = { name: 'g00.sale', bytes: 2e9, rows: 10, deadRows: 1, grown: 3e8, since: '2026-10-20' }
  const found = (given: Partial<DatabaseStatus>, settings = {}) =>
    Object.fromEntries(
      databaseChecks({ ...status, ownData: false, tables: [table], ...given }, settings, now).map((each) => [
        each.name,
        each,
      ]),
    )
  expect(found({}).locks).toMatchObject({
    state: 'warn',
    detail: expect.stringMatching(
      /^1 waiting for locks; the oldest statement began 25 s ago: process \d+ waits for process (\d+)\. To end the blocking process: select pg_terminate_backend\(\1\)$/,
    ),
  })
  expect(found({}).tables!.detail).toBe(
    'largest g00.sale with 2,000 MB, most growth g00.sale with 300 MB since 2026-10-20',
  )
  expect(found({ tables: [{ ...table, deadRows: 6 }] }).tables!.state).toBe('warn')
  const replica = { name: 'b', state: 'streaming', bytesBehind: 2e6, secondsBehind: 61 }
  expect(found({ replicas: [replica] }).replicas).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('b streaming, 2 MB behind'),
  })
  expect(found({ replicas: [{ ...replica, secondsBehind: null }] }).replicas!.state).toBe('ok')
  // Made 33 hours ago.
  expect(found({}).backup!.state).toBe('ok')
  expect(found({}, { BACKUP_DIR: '/b' }).backup).toMatchObject({
    state: 'warn',
    detail:
      'the last one is 2026-11-14, 5 MB, /b/x.backup. A worker makes one every day in /b: check that it is running and read its log',
  })
  expect(found({ backup: undefined }).backup!.detail).toBe('none made by Lotline')
  expect(found({ backup: undefined, ownData: true }).backup!.state).toBe('warn')
  expect(found({ statements: undefined }).statements!.detail).toContain('create extension pg_stat_statements')
  // Counted, but this role may not read them.
  const refused = await db.connection().execute(async (session) => {
    await sql`set role pg_monitor`.execute(session)
    return slowStatements(session).finally(() => sql`reset role`.execute(session))
  })
  expect(found({ statements: undefined, ...refused }).statements).toMatchObject({
    state: 'warn',
    detail: expect.stringContaining('counted, but cannot be read: permission denied'),
  })
  const page = operatorPage([{ ...found({}).locks!, rows: [{ ...running[0]!, statement: '<b>' }] }], now)
  expect(page).toContain('<td>&lt;b&gt;</td>')
})
