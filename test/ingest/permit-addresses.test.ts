// A permit with several addresses is one record and shows on the pages of all its properties.
import { beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/engine/database.ts'
import { openQueue } from '../../src/store/engine/queue.ts'
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
