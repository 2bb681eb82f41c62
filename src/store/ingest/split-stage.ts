// Staged rows by shard group. A feed of several markets is staged in one group; rows of markets in other groups are copied there
// before they are merged, so that every statement of a merge reads one group.
import { anyRow, type Db, execute, rowsOf, sql } from '../engine/database.ts'
import { stageTables } from './stage.ts'

/** Until the transaction ends, none of the markets is moved to another group. */
export const splitStage = async (tx: Db, { runId, markets }: { runId: number; markets: readonly string[] }) => {
  const rows = await rowsOf<{ id: string; group: string; stagedIn: string }>(tx)`
    select id, shard_group as group, current_schema() as staged_in from public.market where id = any(${markets})
    order by id for share`
  const groups = [...new Set(rows.map(({ group }) => group))].sort()
  const stagedIn = rows[0]!.stagedIn
  if (groups.every((group) => group === stagedIn))
    return [{ group: stagedIn, markets: rows.map(({ id }) => id), staged: true }]
  const from = stageTables(runId, stagedIn).rows
  const parts = groups.map((group) => ({
    group,
    markets: rows.flatMap((row) => (row.group === group ? [row.id] : [])),
  }))
  const split: {
    group: string
    markets: string[]
    /** False if no staged row belongs to the group. */
    staged: boolean
  }[] = []
  for (const { group, markets } of parts) {
    const staged = await anyRow(tx)`select 1 from ${from} where market = any(${markets}) limit 1`
    split.push({ group, markets, staged })
    if (group === stagedIn) continue
    const to = stageTables(runId, group).rows
    await execute(tx)`create unlogged table ${to} (like ${from} including all)`
    await execute(tx)`insert into ${to} select * from ${from} where market = any(${markets})`
    await execute(tx)`delete from ${from} where market = any(${markets})`
    await execute(tx)`analyze ${to}`
  }
  return split
}

/** Statements that follow in this transaction find the tables of the group. */
export const setGroupSearchPath = async (tx: Db, group: string): Promise<void> => {
  await execute(tx)`set local search_path = ${sql.id(group)}, public`
}
