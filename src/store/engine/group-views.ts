// Views over the tables of all shard groups, for reads that name no market. Each branch is limited to the markets of its group, so
// the planner leaves out the groups that a condition on the market excludes, and a market that is being moved is read once.
import { type Db, execute, rowsOf, sql } from './database.ts'
import { allGroups, defaultGroup } from './shard-groups.ts'

/** Writes the views again after groups, markets or tables changed. With one group there are none. */
export const writeGroupViews = async (connection: Db): Promise<void> => {
  const groups = await rowsOf<{ name: string; markets: string[] }>(connection)`
    select m.scope as name, array(select id from public.market where shard_group = m.scope order by id) as markets
    from (select distinct scope from public.migration where scope <> 'shared') m order by 1`
  if (groups.length < 2) {
    await execute(connection)`drop schema if exists ${sql.id(allGroups)} cascade`
    return
  }
  const tables = await rowsOf<{ name: string; columns: string[] }>(connection)`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = ${defaultGroup}::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
    group by c.relname order by c.relname`
  await execute(connection)`create schema if not exists ${sql.id(allGroups)}`
  for (const { name, columns } of tables) {
    const branches = groups
      .filter(({ markets }) => markets.length > 0)
      .map(
        (group) => sql`
          select ${sql.join(columns.map((column) => sql.id(column)))} from ${sql.id(group.name, name)}
          where market in (${sql.join(group.markets.map((market) => sql.lit(market)))})`,
      )
    const view = sql.id(allGroups, name)
    const body = sql.join(branches, sql` union all `)
    // `create or replace` would fail where a column was removed or changed.
    await execute(connection)`drop view if exists ${view}`
    await execute(connection)`create view ${view} as ${body}`
  }
}
