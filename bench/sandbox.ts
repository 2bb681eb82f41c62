// A database server of its own, and what its connections cost.
import './packs.ts'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { startEmbedded } from '../src/embedded/server.ts'
import { openDatabase } from '../src/store/engine/database.ts'
import { migrate } from '../src/store/engine/migrate.ts'

/** Under the temporary folder and gone with `close`. */
export const openServer = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lotline-bench-'))
  await chmod(dir, 0o755)
  const server = await startEmbedded(dir)
  const template = openDatabase({ socketDir: server.socketDir })
  await migrate(template)
  await template.close()
  return {
    address: { socketDir: server.socketDir, database: 'lotline' },
    close: async () => {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/**
 * Milliseconds of processor time used so far by the connections of this database, which other programs affect less than elapsed time.
 * Undefined where the system does not tell.
 */
const backendCpu = async (pool: pg.Pool): Promise<number | undefined> => {
  const { rows } = await pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'",
  )
  let sum = 0
  for (const { pid } of rows) {
    const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '')).split(' ')
    if (!nanoseconds) return undefined
    sum += Number(nanoseconds) / 1e6
  }
  return sum
}

/** Elapsed time and processor time of the database connections, in milliseconds. */
export interface Cost {
  elapsed: number
  cpu: number
}

export const costOf = async <T>(pool: pg.Pool, work: () => Promise<T>): Promise<Cost & { result: T }> => {
  const before = await backendCpu(pool)
  const begun = performance.now()
  const result = await work()
  const elapsed = performance.now() - begun
  const after = await backendCpu(pool)
  return { elapsed, cpu: before === undefined || after === undefined ? elapsed : after - before, result }
}
