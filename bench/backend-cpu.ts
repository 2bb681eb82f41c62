// Processor time of the database connections of a pool, which other programs on the machine affect less than elapsed time.
import { readFile } from 'node:fs/promises'
import type pg from 'pg'

/** Milliseconds used so far by the connections of this database; undefined where the system does not tell. */
export const backendCpu = async (pool: pg.Pool): Promise<number | undefined> => {
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
