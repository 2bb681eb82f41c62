import { expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { ask } from '../setup/ask.ts'
import { assessment, listing, proforma } from '../setup/rows.ts'
import { useService } from '../setup/service.ts'

const service = useService()

test('a listing that was loaded after the last assessment says so, in the list and in a search', async () => {
  const { db } = service()
  const assessed = await listing(db, { status: 'active' })
  await assessment(db, assessed, { rank_score: 5, proforma: proforma({ roiPct: 1.5 }) })
  const waiting = await listing(db, { status: 'active' })
  await sql`delete from touched_property where property_id = ${assessed}`.execute(db)
  await sql`insert into touched_property (market, property_id, touched_at)
    values ('sf-peninsula', ${waiting}, now()) on conflict do nothing`.execute(db)
  const key = await service().proKey()
  for (const { body } of [
    await ask(service(), '/v1/market-signals', { key }),
    await ask(service(), '/v1/search', { key, body: { kind: 'listings' } }),
  ]) {
    const marks = Object.fromEntries(
      body.data.map(({ id, notAssessed }: { id: string; notAssessed?: string }) => [id, notAssessed]),
    )
    expect(marks).toEqual({ [assessed]: undefined, [waiting]: expect.stringContaining('not yet assessed') })
  }
})
