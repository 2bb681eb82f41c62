// Kills a run with SIGKILL at random moments: readers always see a complete state, old or new.
// Defaults to 3 kills; LOTLINE_KILLS=50 sets the number and uses thirty times the rows.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { type Database, openDatabase, sql } from '../../src/store/engine/database.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
import { newDatabase } from '../setup/database.ts'
import { count, csvOf, feedFolder, ingest, permitRow, type Row, tableRows } from './feed.ts'

const kills = Number(process.env.LOTLINE_KILLS ?? 3)
const size = process.env.LOTLINE_KILLS ? 20_000 : 600

const before = Array.from({ length: size }, (_, at) => permit(at))
/** Every permit changed, and 100 new ones, three of which create an event. */
const after = [
  ...before.map((row) => ({ ...row, status: 'FINALED' })),
  ...Array.from({ length: 100 }, (_, at) => ({ ...permit(size + at), valuation: at < 3 ? 900_000 : 50_000 })),
]

function permit(at: number): Row {
  return permitRow({
    permitId: `B-${at}`,
    apn: `123-${10 + (at % 90)}-${100 + (at % 900)}`,
    address: `${at + 1} Oak St`,
  })
}

const openStore = async () => {
  const address = await newDatabase()
  const store = { ...openDatabase(address), queue: await openQueue(address) }
  await ingest(store, 'permits', before)
  return { address, store }
}

/** Runs the feed in a child process and kills it after `killAfterMs`. `tookMs` is undefined if the run did not finish. */
const runInProcess = async (address: { socketDir: string; database: string }, folder: string, killAfterMs?: number) => {
  const script = join(import.meta.dirname, 'run-to-be-killed.ts')
  const child = spawn(process.execPath, [script, address.socketDir, address.database, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((done) => child.on('close', done))
  let timer: NodeJS.Timeout | undefined
  const times: Record<string, number> = {}
  createInterface(child.stdout).on('line', (line) => {
    times[line] = performance.now()
    if (line === 'begins' && killAfterMs !== undefined) timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  })
  const code = await ended
  clearTimeout(timer)
  return { code, tookMs: times.completed === undefined ? undefined : times.completed - times.begins! }
}

const seen = async (store: Database) =>
  (
    await sql<{ all: number; changed: number }>`
      select count(*) as all, count(*) filter (where status = 'finaled') as changed from permit`.execute(store.db)
  ).rows[0]!

const states = async (store: Database) =>
  (
    await sql<{ state: string; error: string | null }>`select state, error from ingest_run order by id`.execute(
      store.db,
    )
  ).rows

test(
  `after ${kills} kills at random moments the data is intact, and the next run loads every row exactly once`,
  {
    timeout: 60_000 + kills * 10_000,
  },
  async () => {
    const folder = await feedFolder({ 'feed.csv': csvOf(after) })
    const clean = await openStore()
    const { code, tookMs } = await runInProcess(clean.address, folder)
    expect({ code, ...(await seen(clean.store)) }).toEqual({ code: 0, all: size + 100, changed: size })
    const killed = await openStore()
    const old = await tableRows(killed.store, 'permit')
    let died = 0
    for (let turn = 0; turn < kills; turn++) {
      // Spread over 95% of the duration, so that every stage is hit and most runs are killed before they finish.
      const moment = ((turn + Math.random()) / kills) * tookMs! * 0.95
      const run = await runInProcess(killed.address, folder, moment)
      if (run.tookMs === undefined) died++
      // One query for both counts, because a commit sent before the kill may take effect between two queries.
      const { all, changed } = await seen(killed.store)
      expect(
        [`${size} of which 0`, `${size + 100} of which ${size}`],
        `killed after ${Math.round(moment)} ms`,
      ).toContain(`${all} of which ${changed}`)
      if (turn === 0 && changed === 0) expect(await tableRows(killed.store, 'permit')).toEqual(old)
    }
    expect(died).toBeGreaterThan(0)
    // The second run finds nothing to change, as after a kill behind the commit.
    for (const _ of [1, 2]) expect((await runInProcess(killed.address, folder)).code).toBe(0)
    for (const table of ['permit', 'property', 'touched_property'])
      expect(await tableRows(killed.store, table), table).toEqual(await tableRows(clean.store, table))
    // Three permits with a high valuation, and every status that changed.
    expect(await count(killed.store, 'event')).toBe(3 + size)
    const runs = await states(killed.store)
    expect(runs.filter(({ state }) => state === 'running')).toEqual([])
    expect(runs.at(-1)?.state).toBe('completed')
    expect(runs.filter(({ state }) => state === 'failed').map(({ error }) => error)).toEqual(
      runs.filter(({ state }) => state === 'failed').map(() => 'the process ended before the run did'),
    )
    for (const { store } of [clean, killed]) {
      await store.queue.close()
      await store.close()
    }
  },
)
