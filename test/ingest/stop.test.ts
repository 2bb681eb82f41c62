// Aborting a run while it reads a hanging feed, waits for another run, or merges.
import { beforeEach, expect, test } from 'vitest'
import { type RunOptions, RunStopped, runIngest } from '../../src/ingest/run.ts'
import { ingestJobs } from '../../src/ingest/schedule.ts'
import { inTransaction, sql } from '../../src/store/engine/database.ts'
import { runReports } from '../../src/store/ingest/run.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { emptyTables } from '../setup/rows.ts'
import { feedServer } from '../sources/server.ts'
import { config, csvOf, feedFolder, highValueUsd, ingest, permitRow, tableRows, today } from './feed.ts'

const store = useDatabaseWithQueue()
beforeEach(async () => {
  await emptyTables(store().db, 'source', 'property', 'event', 'touched_property')
})

const rows = Array.from({ length: 1000 }, (_, at) => permitRow({ permitId: `B-${at}`, status: 'FINALED' }))

/** A feed that sends its rows and then hangs. */
const hangingFeed = async () => {
  let asked = () => {}
  const begun = new Promise<void>((done) => {
    asked = done
  })
  const { url } = await feedServer((_asked, response) => {
    response.write(`${csvOf(rows)}\n`)
    asked()
  })
  return { source: config('permits', { where: { url: `${url}/feed.csv` } }), begun }
}

const stoppedRun = (source: ReturnType<typeof config>, options: Partial<RunOptions>) =>
  expect(runIngest(store(), source, { now: today, folder: '/nowhere', highValueUsd, ...options })).rejects.toThrow(
    RunStopped,
  )

test('a run with a hanging feed stops at once, and the data is unchanged', async () => {
  await ingest(store(), 'permits', [permitRow()])
  const good = await tableRows(store(), 'permit')
  const { source } = await hangingFeed()
  const stopping = new AbortController()
  await stoppedRun(source, { signal: stopping.signal, onProgress: () => stopping.abort() })
  expect(await tableRows(store(), 'permit')).toEqual(good)
  expect((await runReports(store().db))[0]).toMatchObject({ state: 'failed', error: 'stopped' })
  expect((await ingest(store(), 'permits', rows)).counts.loaded).toBe(1000)
})

test('a run aborted during the merge is rolled back and releases its locks', async () => {
  await ingest(store(), 'permits', [permitRow()])
  const good = await tableRows(store(), 'permit')
  const stopping = new AbortController()
  const folder = await feedFolder({ 'feed.csv': csvOf(rows) })
  await inTransaction(store().db, async (tx) => {
    await sql`lock table permit in share mode`.execute(tx)
    const stopped = stoppedRun(config('permits'), { folder, signal: stopping.signal })
    await expect
      .poll(async () => (await sql`select from pg_locks where not granted`.execute(tx)).rows.length)
      .toBeGreaterThan(0)
    stopping.abort()
    await stopped
  })
  expect(await tableRows(store(), 'permit')).toEqual(good)
  expect((await runReports(store().db))[0]).toMatchObject({ state: 'failed', error: 'stopped' })
  expect((await ingest(store(), 'permits', rows)).counts.loaded).toBe(1000)
})

test('a run aborted before it starts is not recorded', async () => {
  await expect(
    runIngest(store(), config('permits'), { now: today, folder: '/', highValueUsd, signal: AbortSignal.abort() }),
  ).rejects.toThrow()
  expect(await runReports(store().db)).toEqual([])
})

test('scheduled runs stop with their process, and the queue retries them', async () => {
  const { boss } = store().queue
  const { source, begun } = await hangingFeed()
  const sourcesDir = await feedFolder({ 'permits.json': JSON.stringify(source) })
  const failed: unknown[] = []
  const jobs = await ingestJobs(boss, {
    sourcesDir,
    store: store(),
    highValueUsd,
    token: () => undefined,
    onFailed: (_id, error) => failed.push(error),
  })
  const id = await boss.send('ingest', { sourceId: source.id })
  await begun
  await jobs.stop()
  expect(failed).toEqual([expect.any(RunStopped)])
  expect((await runReports(store().db))[0]).toMatchObject({ state: 'failed', error: 'stopped' })
  const state = async () =>
    (await sql<{ state: string }>`select state from pgboss.job where id = ${id}`.execute(store().db)).rows[0]?.state
  await expect.poll(state).toBe('retry')
})
