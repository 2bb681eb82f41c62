import { expect, onTestFinished, test } from 'vitest'
import { RunStopped, runIngest } from '../../src/ingest/run.ts'
import { createHttp } from '../../src/sources/http.ts'
import { sql } from '../../src/store/engine/database.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { feedServer } from '../sources/server.ts'
import { config, csvOf, highValueUsd, permitRow, today } from './feed.ts'

const store = useDatabaseWithQueue()

test('an interrupted download whose file changed is read from the beginning in a new run', async () => {
  const cut = csvOf(
    Array.from({ length: 3000 }, (_, at) => permitRow({ permitId: `OLD-${at}`, address: `${at} Oak St` })),
  )
  const whole = csvOf([permitRow(), permitRow({ permitId: undefined })])
  const { url } = await feedServer((_, response, nth) => {
    response.setHeader('etag', `"v${nth > 1 ? 2 : 1}"`)
    if (nth > 1) return response.end(whole)
    response.writeHead(200, { 'content-length': String(cut.length), 'accept-ranges': 'bytes' })
    response.write(cut.slice(0, cut.length / 2), () => response.destroy())
  })
  const http = createHttp({ sleep: async () => {} })
  onTestFinished(() => http.close())
  const options = { now: today, folder: '/nowhere', highValueUsd, http, restartMs: 0 }
  const result = await runIngest(store(), config('permits', { where: { url: `${url}/feed.csv` } }), options)
  expect(result.counts).toEqual({ read: 2, loaded: 1, inserted: 1, changed: 1, rejected: 1 })
  const { rows } = await sql`select state, error from ingest_run order by id`.execute(store().db)
  expect(rows).toEqual([
    { state: 'failed', error: expect.stringMatching(/stopped after \d+ bytes, and the file changed/) },
    { state: 'completed', error: null },
  ])
})

test('a feed that is always interrupted fails after three runs and stores nothing', async () => {
  const { url, asked } = await feedServer((_, response) => {
    response.writeHead(200, { 'content-length': '100000' })
    response.write('permitId,city\nCUT-1,Palo Alto\n', () => response.destroy())
  })
  const options = { now: today, folder: '/nowhere', highValueUsd, restartMs: 0 }
  const source = config('permits', { id: 'breaks', where: { url: `${url}/feed.csv` } })
  await expect(runIngest(store(), source, options)).rejects.toMatchObject({ code: 'download_interrupted' })
  expect(asked.length).toBe(3)
  const { rows } = await sql`select permit_id from permit where permit_id = 'CUT-1'`.execute(store().db)
  expect(rows).toEqual([])
})

test('a run aborted while it waits to restart is recorded as stopped', async () => {
  const { url, asked } = await feedServer((_, response) => {
    response.writeHead(200, { 'content-length': '100000' })
    response.write('permitId,city\nCUT-1,Palo Alto\n', () => response.destroy())
  })
  const stopping = new AbortController()
  const options = { now: today, folder: '/nowhere', highValueUsd, restartMs: 600_000, signal: stopping.signal }
  const source = config('permits', { id: 'stopped', where: { url: `${url}/feed.csv` } })
  const run = expect(runIngest(store(), source, options)).rejects.toThrow(RunStopped)
  const failed = () => sql`select from ingest_run where source_id = 'stopped' and state = 'failed'`.execute(store().db)
  await expect.poll(async () => (await failed()).rows.length).toBe(1)
  stopping.abort()
  await run
  expect(asked.length).toBe(1)
})
