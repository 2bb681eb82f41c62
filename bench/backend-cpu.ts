// Processor time of the database connections of a pool, which other programs on the machine affect less than elapsed time.
import { readFile } from 'node:fs/promises'
import type pg from 'pg'

/** Milliseconds used so far by the connections that are open now; undefined where the system does not tell. */
export const backendCpu = async (pool: pg.Pool): Promise<() => Promise<number | undefined>> => {
  const { rows } = await pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'",
  )
  const used = async ({ pid }: { pid: number }): Promise<number> => {
    const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '')).split(' ')
    return nanoseconds ? Number(nanoseconds) / 1e6 : Number.NaN
  }
  return async () => {
    const sum = (await Promise.all(rows.map(used))).reduce((a, b) => a + b, 0)
    return Number.isNaN(sum) ? undefined : sum
  }
}
