import { expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/database.ts'
import { permitRowsByKey } from '../../../src/store/search/search-rows.ts'
import { useDatabase } from '../../setup/database.ts'
import { permit } from '../../setup/rows.ts'

const store = useDatabase()
const market = 'sf-peninsula'

test('the row of a permit has its builder, so that a filter can ask for it, unless the builder is hidden', async () => {
  const { db } = store()
  await permit(db, { permit_id: 'B1', contractor: 'Acme', contractor_key: 'acme' })
  await sql`insert into builder (market, name_key, builder_id, name, licenses, permits, hidden)
    values (${market}, 'acme', 'acme-1', 'Acme', '{}', 1, false)`.execute(db)
  const builder = async () =>
    (await permitRowsByKey(db, market, [{ citySlug: 'palo-alto', permitId: 'B1' }])).get('palo-alto/B1')?.texts
      .builderId
  expect(await builder()).toBe('acme-1')
  await sql`update builder set hidden = true`.execute(db)
  expect(await builder()).toBeUndefined()
})
