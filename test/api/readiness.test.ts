// /readyz and /healthz with a private database server that the tests suspend, make read-only and kill.
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '../../src/embedded/server.ts'
import { sql } from '../../src/store/engine/database.ts'
import { ask } from '../setup/ask.ts'
import { migratedDataFolder } from '../setup/server.ts'
import { type Service, startService } from '../setup/service.ts'

let dir: string
let service: Service
let stop: () => Promise<unknown>
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lotline-ready-'))
  await chmod(dir, 0o755)
  await migratedDataFolder(dir)
  const { socketDir, stop: stopServer } = await startEmbedded(dir)
  stop = stopServer
  service = await startService({ database: { socketDir } })
}, 60_000)
afterAll(async () => {
  // The service can only close its connections cleanly when the database server responds.
  stop = (await startEmbedded(dir)).stop
  await service?.close()
  await stop()
  await rm(dir, { recursive: true, force: true })
}, 60_000)

const postmaster = async () => Number((await readFile(join(dir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

const serverProcesses = async (): Promise<number[]> => {
  const parent = await postmaster()
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  const parents = stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  return [parent, ...pids.filter((_, at) => parents[at] === parent)]
}

const ready = async () => {
  const begun = performance.now()
  const { status, body, headers } = await ask(service, '/readyz')
  return {
    status,
    why: body.why as string | undefined,
    retryAfter: headers['retry-after'],
    ms: performance.now() - begun,
  }
}
const expectNotReady = async (why: string) => {
  const answer = await ready()
  expect(answer).toMatchObject({ status: 503, why, retryAfter: '2' })
  expect(answer.ms).toBeLessThan(8_000)
  expect(await ask(service, '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
}

test('not ready while the database does not respond, ready when it responds again', async () => {
  expect((await ready()).status).toBe(200)
  const stopped = await serverProcesses()
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  try {
    await expectNotReady('the database does not answer')
    // The second check opens a new connection, because the one that did not respond was closed.
    await expectNotReady('the database does not answer')
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
  }
  await expect.poll(async () => (await ready()).status, { timeout: 30_000 }).toBe(200)
})

test('not ready while the database is read-only', async () => {
  const setReadOnly = async (value: 'on' | 'off') => {
    await sql.raw(`alter system set default_transaction_read_only = ${value}`).execute(service.db)
    await sql`select pg_reload_conf()`.execute(service.db)
  }
  await setReadOnly('on')
  await expect.poll(async () => (await ready()).why).toBe('the database is read-only')
  await expectNotReady('the database is read-only')
  await setReadOnly('off')
  await expect.poll(async () => (await ready()).status).toBe(200)
})

test('not ready when the database was killed', async () => {
  process.kill(await postmaster(), 'SIGKILL')
  await expect.poll(async () => (await ready()).status).toBe(503)
  await expectNotReady('the database does not answer')
})
