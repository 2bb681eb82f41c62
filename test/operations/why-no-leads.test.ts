// An empty list of redevelopment leads says what is missing and what an operator adds.
import { afterEach, beforeAll, expect, test } from 'vitest'
import { assessMarket } from '../../src/assess/assess-market.ts'
import { packs, usePacks } from '../../src/domain/packs/use-packs.ts'
import { sql } from '../../src/store/engine/database.ts'
import { ask } from '../setup/ask.ts'
import { property } from '../setup/rows.ts'
import { startSite, type TestSite } from '../web/site.ts'

const market = 'nantucket'
const given = packs()
let site: TestSite
let key: string

beforeAll(async () => {
  site = await startSite()
  key = await site.proKey()
  await assessMarket(site.db, market, { now: new Date('2026-11-15T12:00:00Z') })
  return () => site.close()
})
afterEach(() => usePacks(given))

/** A new limit each time, because answers are cached. */
let limit = 0
const leads = async (more = `market=${market}`) => {
  limit += 1
  const { status, body } = await ask(site, `/v1/redevelopment-leads?${more}&limit=${limit}`, { key })
  expect(status).toBe(200)
  expect(body.data).toEqual([])
  return body.notApplicable as string | undefined
}
const withoutZoning = () =>
  usePacks(given.map((pack) => (pack.market.id === market ? { ...pack, districts: [] } : pack)))
const set = (column: 'zoning' | 'lot_sqft' | 'living_sqft', value: string | number) =>
  sql`update property set ${sql.ref(column)} = ${value} where market = ${market}`.execute(site.db)

test('each missing input is named in turn, and nothing once leads are possible', async () => {
  expect(await leads()).toMatch(/^No leads: no parcels are loaded for Nantucket\. Operators: /)
  expect(await leads('city=Nantucket')).toMatch(/^No leads: no parcels are loaded for Nantucket\. Operators: /)
  await property(site.db, { market, city: 'Nantucket', address: '9 Main St', known_from: 'listing' })
  expect(await leads()).toMatch(/no parcels are loaded/)
  await property(site.db, { market, city: 'Nantucket', address: '1 Main St' })
  withoutZoning()
  expect(await leads()).toMatch(/no zoning rules are known for Nantucket.* add zoning\/<city>\.json to the market pack/)
  const page = await site.app.inject({ url: `/leads/redevelopment?market=${market}`, headers: { accept: 'text/html' } })
  expect(page.body).toContain('no zoning rules are known for Nantucket')
  usePacks(given)
  expect(await leads()).toMatch(/have no zoning district\. Operators: map zoning/)
  await set('zoning', 'XX-9')
  expect(await leads()).toMatch(/have no lot sizes\. Operators: map lotSqft/)
  await set('lot_sqft', 20_000)
  expect(await leads()).toMatch(/no rules for the zoning districts .*\(XX-9\)/)
  await set('zoning', 'R-20')
  expect(await leads()).toMatch(/have no house sizes.* map livingSqft/)
  expect(await leads('city=Nantucket, MA')).toMatch(/have no house sizes/)
  expect(await leads(`market=${market}&class=vacant_lot`)).toBeUndefined()
  await set('living_sqft', 1_500)
  expect(await leads()).toBeUndefined()
})
