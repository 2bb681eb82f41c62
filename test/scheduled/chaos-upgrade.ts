// The database of an earlier release, upgraded by a service that is killed between two migrations and started again.
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbedded } from '../../src/embedded/server.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { releaseSecretKey, restoreRelease, versionTwoTables } from '../setup/release-database.ts'
import { postmasterOf, trySignal } from './chaos-faults.ts'
import { ask } from './chaos-load.ts'
import { freePort, superviseProcess } from './chaos-processes.ts'

const root = join(import.meta.dirname, '../..')

const tables = ['api_key', 'property', 'listing', 'sale', 'permit', 'webhook_endpoint', 'event'] as const

const rowsOf = async ({ pool }: Database): Promise<Record<string, number>> => {
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  return (await pool.query(`select ${counts.join(', ')}`)).rows[0]
}

export interface Upgrade {
  /** Applied migrations when the service was killed. */
  killedAfter: number
  seconds: number
  rows: number
  lost: number
}

export interface UpgradeTrial {
  run(random: () => number): Promise<Upgrade>
  close(): Promise<void>
}

export const openUpgradeTrial = async (logDir: string): Promise<UpgradeTrial> => {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-upgrade-'))
  await chmod(dir, 0o755)
  const template = join(dir, '2.0.0')
  const server = await startEmbedded(template)
  const address = { socketDir: server.socketDir }
  const database = openDatabase(address)
  await versionTwoTables(database)
  await restoreRelease(database, address, '2.0.0')
  const before = await rowsOf(database)
  const from = await appliedIn(database)
  await database.close()
  await server.stop()
  const work = join(dir, 'work')

  const run = async (random: () => number): Promise<Upgrade> => {
    await rm(work, { recursive: true, force: true })
    // Unlike fs.cp, it keeps the owner: under root the database runs as another user.
    spawnSync('cp', ['-a', template, work])
    const started = await startEmbedded(work)
    const open = () => openDatabase({ socketDir: started.socketDir, poolSize: 1 })
    const port = await freePort()
    const service = superviseProcess(
      'upgrade',
      [process.execPath, join(root, 'bin/lotline.mjs'), 'serve'],
      {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR: work,
        PORT: `${port}`,
        SAMPLE_DATA: 'false',
        SECRET_KEY: releaseSecretKey.toString('hex'),
      },
      logDir,
    )
    try {
      const watching = open()
      const killAfter = from + Math.floor(random() * 20)
      let killedAfter = from
      for (const until = performance.now() + 60_000; performance.now() < until && killedAfter < killAfter; )
        killedAfter = await appliedIn(watching)
      service.child()?.kill('SIGKILL')
      if (random() < 0.5) trySignal(postmasterOf(work), 'SIGKILL')
      await watching.close().catch(() => {})
      const since = performance.now()
      while ((await ask(`http://127.0.0.1:${port}/readyz`)).status !== 200 && performance.now() - since < 60_000)
        await wait(100)
      const seconds = (performance.now() - since) / 1000
      const after = open()
      const found = await rowsOf(after)
      await after.close()
      const lost = tables.reduce((sum, table) => sum + Math.max(0, before[table]! - found[table]!), 0)
      return { killedAfter, seconds, lost, rows: tables.reduce((sum, table) => sum + before[table]!, 0) }
    } finally {
      await service.stop()
      await started.stop()
    }
  }
  return { run, close: () => rm(dir, { recursive: true, force: true }) }
}

const appliedIn = async ({ pool }: Database): Promise<number> =>
  (await pool.query('select count(*)::int as n from public.migration')).rows[0].n
