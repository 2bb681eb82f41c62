import { expect, test } from 'vitest'
import { inTransaction, sql } from '../../../src/store/engine/database.ts'
import { changedRows } from '../../../src/store/search/changed-rows.ts'
import { indexPropertiesOf } from '../../../src/store/search/upkeep.ts'
import { useDatabase } from '../../setup/database.ts'
import { listing, property } from '../../setup/rows.ts'

const store = useDatabase()
const market = 'sf-peninsula'

test('the rows that a write changed are returned as they were before and after it; unchanged ones are not', async () => {
  const { db } = store()
  const cut = await listing(db, { price_usd: 2_000_000, listed_on: '2026-11-04' })
  const same = await listing(db, { price_usd: 1_000_000 })
  const added = await property(db)
  const changed = await inTransaction(db, (tx) =>
    changedRows(tx, market, [cut, same, added], '2026-11-14', async () => {
      await sql`update listing set price_usd = 1900000 where property_id = ${cut}`.execute(tx)
      await indexPropertiesOf(tx, market, [cut, same, added])
    }),
  )
  const row = changed.find(({ after }) => after.id === cut)
  expect(row?.before?.numbers.price).toBe(2_000_000)
  expect(row?.after.numbers).toMatchObject({ price: 1_900_000, daysOnMarket: 10 })
  expect(changed.map(({ after }) => after.id)).not.toContain(same)
})
