import { expect, test } from 'vitest'
import { assessMarket } from '../../../src/assess/assess-market.ts'
import { sql } from '../../../src/store/engine/database.ts'
import { indexMarket } from '../../../src/store/search/upkeep.ts'
import { useService } from '../../setup/service.ts'
import { smallMarket, today } from '../../setup/small-market.ts'

const service = useService()

/** Rows that are in the table or in the view, but not in both. */
const drift = async () => {
  const rows = (from: string) => sql`select to_jsonb(r) - 'location' || jsonb_build_object('location', r.location::text)
    from ${sql.table(from)} r`
  const { rows: found } = await sql`
    ((${rows('property_search')}) except (${rows('property_search_source')}))
    union all ((${rows('property_search_source')}) except (${rows('property_search')}))`.execute(service().db)
  return found
}

test('property_search has the rows of its view after an assessment and after its upkeep, and a drift is found', async () => {
  const { db } = service()
  await smallMarket(db, 40)
  await assessMarket(db, 'sf-peninsula', { now: today })
  const { rows } = await sql<{ total: number; scored: number }>`
    select count(*) as total, count(redevelopment_score) as scored from property_search`.execute(db)
  expect(rows[0]!.total).toBe(40)
  expect(rows[0]!.scored).toBeGreaterThan(0)
  expect(await drift()).toEqual([])

  const { rows: columns } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'g00' and table_name = 'property_search'
      and column_name not in ('market', 'property_id')`.execute(db)
  // Each column in turn: the upkeep repairs a value that differs from the view.
  for (const { name } of columns) {
    const changed = await changeColumn(name)
    if (!changed) continue
    expect([name, (await drift()).length > 0]).toEqual([name, true])
    await indexMarket(db, 'sf-peninsula')
    expect([name, await drift()]).toEqual([name, []])
  }
})

const changeColumn = async (name: string): Promise<boolean> => {
  const { db } = service()
  const { rows } = await sql<{ type: string }>`
    select data_type as type from information_schema.columns
    where table_schema = 'g00' and table_name = 'property_search' and column_name = ${name}`.execute(db)
  const { type } = rows[0]!
  const column = sql.ref(name)
  const other =
    type === 'ARRAY'
      ? sql`'{1}'`
      : type === 'point'
        ? sql`point(1, 1)`
        : type === 'boolean'
          ? sql`not ${column}`
          : type === 'date'
            ? sql`date '2001-01-01'`
            : type === 'text'
              ? sql`'other'`
              : sql`-77`
  const { numAffectedRows } = await sql`update property_search set ${column} = ${other}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}
