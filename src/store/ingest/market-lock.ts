// The lock that a load holds on its markets until its transaction ends.
import { advisoryLocks } from '../engine/advisory-locks.ts'
import { anyRow, type Db, execute, sql } from '../engine/database.ts'

/**
 * Loads of one market run one after another: two that create the same property would conflict. Loads of different markets run at
 * the same time, except while there is sample data, which the first real load of a market removes.
 */
export const lockMarkets = async (tx: Db, { sample, markets }: { sample: boolean; markets: readonly string[] }) => {
  if (sample || (await anyRow(tx)`select 1 from source where sample limit 1`))
    await execute(tx)`select pg_advisory_xact_lock(${advisoryLocks.sampleData})`
  else await execute(tx)`select pg_advisory_xact_lock_shared(${advisoryLocks.sampleData})`
  // In a fixed order, so that two loads of several markets cannot deadlock.
  for (const market of [...markets].sort()) await execute(tx)`select pg_advisory_xact_lock(${marketLock(market)})`
}

export const marketLock = (market: string) => sql`hashtextextended(${`lotline:ingest:${market}`}, 0)`
