// A permit with several addresses is one record and shows on the pages of all its properties.
import { beforeAll, expect, test } from 'vitest'
import { addressPatterns } from '../../src/criteria/address-condition.ts'
import { meets } from '../../src/criteria/conditions.ts'
import { openDatabase, sql } from '../../src/store/engine/database.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
import { permitColumns } from '../../src/store/permit-search/columns.ts'
import { compileOne } from '../../src/store/search/compile.ts'
import { ask } from '../setup/ask.ts'
import { newDatabase } from '../setup/database.ts'
import { startSite, type TestSite } from '../web/site.ts'
import { count, ingest, parcelRow, permitRow, today } from './feed.ts'

let site: TestSite
let key: string
let store: ReturnType<typeof openDatabase> & { queue: Awaited<ReturnType<typeof openQueue>> }

const addressed = (address: string, apn: string) => parcelRow({ address, apn })
const shared = (address: string) => permitRow({ permitId: 'M', address, apn: '' })

beforeAll(async () => {
  const address = await newDatabase()
  store = { ...openDatabase(address), queue: await openQueue(address) }
  site = await startSite({ service: { database: address } })
  site.setNow(today)
  key = await site.proKey()
  // The permit is loaded before one of its parcels, and 5 Elm St is the address of two parcels.
  await ingest(store, 'parcels', [addressed('1 Elm St', '100-00-001')], { id: 'first' })
  await ingest(store, 'permits', [shared('1 Elm St'), shared('3 Elm Street'), shared('5 Elm St')], { id: 'permits' })
  await ingest(
    store,
    'parcels',
    [
      addressed('3 Elm St', '100-00-003'),
      addressed('5 Elm St', '100-00-005'),
      addressed('5 Elm St', '100-00-006'),
      addressed('7 Elm St', '100-00-007'),
    ],
    { id: 'second' },
  )
  return async () => {
    await site.close()
    await store.queue.close()
    await store.close()
  }
})

const idOf = async (address: string) => {
  const { body } = await ask(site, `/v1/lookup?address=${encodeURIComponent(`${address}, Palo Alto`)}`, { key })
  return body.data.candidates[0].id as string
}
const permitsAt = async (address: string) => {
  const { body } = await ask(site, `/v1/properties/${await idOf(address)}?include=permits`, { key })
  return body.data.permits.map(({ permitId }: { permitId: string }) => permitId)
}

test('every property with one of the addresses shows it, and one with an ambiguous or another address does not', async () => {
  expect(await permitsAt('1 Elm St')).toEqual(['M'])
  expect(await permitsAt('3 Elm St')).toEqual(['M'])
  expect(await permitsAt('5 Elm St')).toEqual([])
  expect(await permitsAt('7 Elm St')).toEqual([])
  const page = await site.app.inject({ url: `/properties/${await idOf('3 Elm St')}`, headers: { accept: 'text/html' } })
  // Which of the rows is the first address depends on their content.
  const [, addresses] = /One permit for ([^<]+)</.exec(page.body)!
  expect(addresses!.split(', ').sort()).toEqual(['1 Elm St', '3 Elm Street', '5 Elm St'])
})

test('it is found by each address and counted once', async () => {
  for (const address of ['1 elm', '3 elm', '5 elm']) {
    const { body } = await ask(site, `/v1/permits?q=${encodeURIComponent(address)}`, { key })
    expect(body.pagination.total, address).toBe(1)
    expect([body.data[0].address, ...body.data[0].otherAddresses]).toHaveLength(3)
  }
  const { body } = await ask(site, '/v1/permits', { key })
  expect(body.pagination.total).toBe(1)
  expect(await count(store, 'permit')).toBe(1)
})

test('address= finds it by each address, counts it once and agrees with the check in memory', async () => {
  const { rows } = await sql<{ addressKey: string; otherAddressKeys: string[] }>`
    select address_key, other_address_keys from permit`.execute(store.db)
  const row = { ...rows[0]!, market: 'sf-peninsula', citySlug: 'palo-alto', numbers: {}, texts: {} }
  const inList = {
    '1 Elm St': 1,
    '3 elm': 1,
    '3 Elm Street, Palo Alto, CA': 1,
    '5 Elm St, Palo Alto': 1,
    'elm st': 1,
    '7 Elm St': 0,
    '5 Elm St, Menlo Park': 0,
    '5 Elm St #2, Palo Alto': 1,
    '13 Elm St, Palo Alto': 0,
  }
  for (const [text, total] of Object.entries(inList)) {
    const { body } = await ask(site, `/v1/permits?address=${encodeURIComponent(text)}`, { key })
    expect(body.pagination.total, text).toBe(total)
    const condition = { name: 'address', type: 'address' as const, text, patterns: addressPatterns(text) }
    expect(meets([condition], row), text).toBe(total === 1)
  }
})

test('the other addresses are found by their trigram index', async () => {
  const patterns = addressPatterns('5 Elm St, Palo Alto')
  const condition = compileOne({ name: 'address', type: 'address', text: '', patterns }, permitColumns)
  const plan = await store.db.transaction().execute(async (tx) => {
    // A table of one row is otherwise read as a whole.
    await sql`set local enable_seqscan = off`.execute(tx)
    const { rows } = await sql`explain select from permit_search where ${condition}`.execute(tx)
    return JSON.stringify(rows)
  })
  expect(plan).toContain('permit_address_search')
  expect(plan).toContain('permit_other_address_search')
  expect(plan).not.toContain('Seq Scan on permit ')
})

test('address= of a further address respects the history window', async () => {
  const old = (address: string) => permitRow({ permitId: 'OLD', address, apn: '', issuedOn: '2026-02-01' })
  await ingest(store, 'permits', [old('21 Oak Ave'), old('23 Oak Ave')], { id: 'old' })
  const free = await site.freeKey()
  for (const address of ['21 oak ave', '23 oak ave']) {
    const url = `/v1/permits?address=${encodeURIComponent(address)}`
    expect((await ask(site, url, { key })).body.pagination.total, address).toBe(1)
    expect((await ask(site, url, { key: free })).body.pagination.total, address).toBe(0)
  }
})
