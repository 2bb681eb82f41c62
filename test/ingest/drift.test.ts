import { expect, test } from 'vitest'
import { runIngest } from '../../src/ingest/run.ts'
import { sql } from '../../src/store/engine/database.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import {
  config,
  count,
  csvOf,
  feedFolder,
  highValueUsd,
  ingest,
  listingRow,
  permitRow,
  type Row,
  saleRow,
  today,
} from './feed.ts'

const store = useDatabaseWithQueue()

const listings = (given: (at: number) => Row) =>
  Array.from({ length: 40 }, (_, at) => listingRow({ listingId: `L${at}`, address: `${at + 1} Oak St`, ...given(at) }))
const priced = async () => {
  const { rows } = await sql<{ count: number }>`select count(price_usd) from listing`.execute(store().db)
  return rows[0]!.count
}

test('a field that loses its values fails the run, changes nothing, and is accepted once on request', async () => {
  await ingest(
    store(),
    'listings',
    listings(() => ({})),
  )
  const renamed = listings(() => ({})).map(({ priceUsd, ...row }) => ({ ...row, price_usd: priceUsd }))
  await expect(ingest(store(), 'listings', renamed)).rejects.toThrow(
    /priceUsd from 100% to 0%.*Nothing was changed.*--accept-drift/,
  )
  expect(await priced()).toBe(40)
  const options = { now: today, folder: await feedFolder({ 'feed.csv': csvOf(renamed) }), highValueUsd }
  await runIngest(store(), config('listings'), { ...options, acceptDrift: true })
  expect(await priced()).toBe(0)
  // The accepted run is what the next one is compared with.
  await runIngest(store(), config('listings'), options)
})

test('an emptied column fails the run under an explicit mapping, and a field no longer mapped does not', async () => {
  const fields = { listingId: 'listingId', status: 'status', priceUsd: 'priceUsd', address: 'address' }
  const given = { sameNames: false, city: 'Palo Alto', fields }
  await ingest(
    store(),
    'listings',
    listings(() => ({})),
    { ...given, id: 'explicit' },
  )
  const empty = listings(() => ({ priceUsd: '' }))
  await expect(ingest(store(), 'listings', empty, { ...given, id: 'explicit' })).rejects.toThrow(/priceUsd from 100%/)
  const { priceUsd: _, ...without } = fields
  await ingest(store(), 'listings', empty, { ...given, id: 'explicit', fields: without })
})

test('a few rows and small changes of a share are not drift', async () => {
  await ingest(store(), 'sales', [saleRow({ livingSqft: 2000 })], { id: 'few' })
  await ingest(store(), 'sales', [saleRow()], { id: 'few' })
  const sales = (share: number) =>
    Array.from({ length: 50 }, (_, at) => saleRow({ saleId: `S${at}`, beds: at < 50 * share ? 3 : '' }))
  await ingest(store(), 'sales', sales(0.9), { id: 'many' })
  await ingest(store(), 'sales', sales(0.5), { id: 'many' })
})

test('rows far from their market are rejected; a wrong point of a known city is left out', async () => {
  const result = await ingest(
    store(),
    'sales',
    [
      saleRow({ saleId: 'A', city: 'Seattle', lat: 47.61, lng: -122.33 }),
      saleRow({ saleId: 'B', city: 'Palo Alto', lat: 47.61, lng: -122.33 }),
      saleRow({ saleId: 'C', city: 'Palo Alto', lat: 37.69, lng: -122.48 }),
      saleRow({ saleId: 'D', city: 'Palo Alto', lat: 37.44, lng: -122.15 }),
    ],
    { id: 'geo', market: 'sf-peninsula' },
  )
  expect(result.counts).toMatchObject({ loaded: 3, rejected: 1 })
  expect(result.leftOut).toEqual({
    'lat, lng: outside the market of the city': 1,
    'lat, lng: not in or near Palo Alto': 1,
  })
  const { rows } = await sql<{ reason: string }>`
    select reason from rejected_row where run_id = ${result.runId}`.execute(store().db)
  expect(rows[0]!.reason).toMatch(/47\.6100, -122\.3300 is about 69\d miles from San Francisco Peninsula/)
})

test('a permit with one row per address keeps every address, and a true duplicate is rejected', async () => {
  const rows = [
    permitRow({ permitId: 'M', address: '1 Elm St' }),
    permitRow({ permitId: 'M', address: '3 Elm St' }),
    permitRow({ permitId: 'M', address: '5 Elm Street' }),
    permitRow({ permitId: 'M', address: '5 Elm St', description: 'again' }),
    permitRow({ permitId: 'N' }),
    permitRow({ permitId: 'N', description: 'again' }),
  ]
  const result = await ingest(store(), 'permits', rows, { id: 'addresses' })
  expect(result.counts).toMatchObject({ read: 6, rejected: 1, inserted: 2 })
  const { rows: held } = await sql<{ address: string; otherAddresses: string[] }>`
    select address, other_addresses from permit where permit_id = 'M'`.execute(store().db)
  const all = [held[0]!.address, ...held[0]!.otherAddresses].map((address) => address.slice(0, 1)).sort()
  expect(all).toEqual(['1', '3', '5'])
  expect((await ingest(store(), 'permits', [...rows].reverse(), { id: 'addresses' })).counts.changed).toBe(0)
  expect(await count(store(), 'permit')).toBe(2)
})
