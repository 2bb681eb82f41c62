import { expect, test } from 'vitest'
import { assessMarket } from '../../src/assess/assess-market.ts'
import { sql } from '../../src/store/engine/database.ts'
import { addShard, moveMarket } from '../../src/store/engine/shards.ts'
import { ask } from '../setup/ask.ts'
import { newDatabase } from '../setup/database.ts'
import { assessment, listing, permit } from '../setup/rows.ts'
import { type Service, startService } from '../setup/service.ts'
import { smallMarket, today } from '../setup/small-market.ts'

const paths = [
  '/v1/market-signals?limit=7',
  '/v1/market-signals?market=nantucket',
  '/v1/market-signals?limit=5&offset=5&city=Palo Alto',
  '/v1/market-signals?market=all&limit=7&offset=3',
  '/v1/market-signals?market=all&sort=-lotSize&limit=500',
  '/v1/market-signals?market=all&sort=lotSize&limit=500',
  '/v1/permits?market=all&limit=9&offset=2',
  '/v1/permits?market=all&q=roof&limit=4',
  '/v1/adu-leads?market=all&minScore=1&limit=5',
  '/v1/permits?limit=3&offset=2',
  '/v1/permits?q=roof&limit=4',
  '/v1/permits?city=nan',
  '/v1/permits?minValuation=400000',
  '/v1/permits/nantucket/N-3',
  '/v1/sb9-inventory?status=any&limit=5',
  '/v1/adu-leads?minScore=1&limit=5',
  '/v1/redevelopment-leads?minScore=1&limit=5',
  '/v1/coverage?limit=100',
  '/v1/accuracy?limit=100',
]

test('every answer is the same with one shard group and with four', async () => {
  const database = await newDatabase()
  const one = await startService({ database })
  const { listed } = await smallMarket(one.db, 40)
  for (let i = 0; i < 6; i++) {
    const id = await listing(one.db, { market: 'nantucket', city: 'Nantucket', address: `${i} Main St` })
    await assessment(one.db, id, { market: 'nantucket', city_slug: 'nantucket', rank_score: 40 + i })
    await permit(one.db, {
      market: 'nantucket',
      city: 'Nantucket',
      permit_id: `N-${i}`,
      description: 'New roof',
      valuation_usd: 100_000 * (1 + i),
      issued_on: `2026-11-0${1 + i}`,
    })
  }
  await permit(one.db, { description: 'Roof and siding', issued_on: '2026-11-04' })
  await assessMarket(one.db, 'sf-peninsula', { now: today })
  const { rows } = await sql<{ address: string; city: string }>`
    select address, city from property where id = ${listed[0]}`.execute(one.db)
  const { address, city } = rows[0]!
  const typed = [`${address}, ${city}`, `${address.slice(0, -4)}${address.slice(-3)}, ${city}`]
  const all = [
    ...paths,
    `/v1/properties/${listed[0]}?include=explanation,comps,history,permits`,
    ...typed.map((text) => `/v1/lookup?address=${encodeURIComponent(text)}`),
  ]
  const before = await answersOf(one, all)
  await one.close()

  const moving = await startService({ database })
  for (const group of ['g21', 'g22', 'g23']) await addShard(moving, group)
  await moveMarket(moving, 'sf-peninsula', 'g21', { graceMs: 0 })
  await moveMarket(moving, 'nantucket', 'g22', { graceMs: 0 })
  await moving.close()

  const four = await startService({ database })
  expect(await answersOf(four, all)).toEqual(before)
  // As if the node of a group were down: what is about another market does not need it.
  await sql`drop schema g22 cascade`.execute(four.db)
  await four.close()
  const without = await startService({ database })
  await answersOf(
    without,
    all.filter((path) => !/nan|=all|coverage|accuracy/.test(path)),
  )
  await without.close()
})

const answersOf = async (service: Service, all: readonly string[]) => {
  service.setNow(today)
  const key = await service.proKey()
  const answers: Record<string, unknown> = {}
  for (const path of all) {
    const { status, body } = await ask(service, path, { key })
    expect(status, path).toBe(200)
    answers[path] = body
  }
  return answers
}
