// 27 ways in which the second delivery of a feed differs from the first. Each is read correctly or fails the run and changes
// nothing.
import { expect, test } from 'vitest'
import { sql } from '../../src/store/engine/database.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { csvOf, ingest, type Row, tableRows } from './feed.ts'

const store = useDatabaseWithQueue()

/** More than 200, so that medians count. Dates are month first, and many days are above 12. */
const feed: readonly Row[] = Array.from({ length: 240 }, (_, at) => ({
  ID: `S${at}`,
  TOWN: 'Palo Alto',
  ADDRESS: `${at + 1} Oak St`,
  CLOSED: `${(at % 12) + 1}/${(at % 28) + 1}/2025`,
  PRICE: 2_000_000 + 1000 * at,
  AREA: 1500 + at,
  YEAR: 1940 + (at % 40),
  LAT: 37.44,
  LNG: -122.15,
}))
const given = {
  id: 'variants',
  market: 'sf-peninsula',
  sameNames: false,
  fields: {
    saleId: 'ID',
    city: 'TOWN',
    address: 'ADDRESS',
    soldOn: 'CLOSED',
    priceUsd: 'PRICE',
    livingSqft: 'AREA',
    yearBuilt: 'YEAR',
    lat: 'LAT',
    lng: 'LNG',
  },
}

const each = (change: (row: Row, at: number) => Row): string =>
  csvOf(feed.map((row, at) => ({ ...row, ...change(row, at) })))
const renamed = (from: string, to: string): string => csvOf(feed).replace(from, to)
const reordered = (row: Row): Row => Object.fromEntries(Object.entries(row).reverse())
const date = (row: Row) => String(row.CLOSED).split('/') as [month: string, day: string, year: string]
const unquoted = csvOf(feed).replaceAll('"', '')
const cut = unquoted.slice(0, unquoted.length / 2)

const refused: [name: string, text: string, reason: RegExp][] = [
  ['a column is renamed', renamed('PRICE', 'AMOUNT'), /no column "PRICE"/],
  ['a column is gone', csvOf(feed.map(({ AREA: _, ...row }) => row)), /no column "AREA"/],
  ['a required column is empty', each(() => ({ PRICE: '' })), /All 240 rows were rejected/],
  ['an optional column is empty', each(() => ({ AREA: '' })), /livingSqft fell from 100% to 0%/],
  ['semicolons', csvOf(feed).replaceAll(',', ';'), /set where.delimiter to ";"/],
  ['an HTML page', '<!doctype html><html><body>Sign in</body></html>', /returned HTML/],
  ['an empty file', '', /is empty/],
  ['an open quotation mark', `${csvOf(feed)}\n"S999,Palo Alto`, /breaks off/],
  ['a file of permits', 'PERMIT,ISSUED\nB-1,2025-01-01', /no column "ID"/],
  ['cities elsewhere', each(() => ({ TOWN: 'Seattle', LAT: 47.61, LNG: -122.33 })), /All 240 rows were rejected/],
  ['prices in words', each(() => ({ PRICE: '2.1M' })), /All 240 rows were rejected/],
  ['serial numbers for dates', each(() => ({ CLOSED: 45_000 })), /All 240 rows were rejected/],
  ['no ids', each(() => ({ ID: '' })), /saleId fell from 100% to 0%/],
  ['latitude and longitude exchanged', each(() => ({ LAT: -122.15, LNG: 37.44 })), /lat fell from 100% to 0%/],
  [
    'prices in thousands',
    each(({ PRICE }) => ({ PRICE: Number(PRICE) / 1000 })),
    /priceUsd moved from 2,120,000 to 2,120/,
  ],
  [
    'prices in cents',
    each(({ PRICE }) => ({ PRICE: Number(PRICE) * 100 })),
    /priceUsd moved from 2,120,000 to 212,000,000/,
  ],
  [
    'square meters',
    each(({ AREA }) => ({ AREA: Math.round(Number(AREA) / 10.76) })),
    /livingSqft moved from 1,620 to 151/,
  ],
  ['a header without rows', csvOf(feed).split('\n')[0]!, /0 rows can be loaded, 240 in the last run/],
  ['cut in the middle', cut, /12\d rows can be loaded, 240 in the last run/],
  ['every second row', csvOf(feed.filter((_, at) => at % 2)), /120 rows can be loaded, 240 in the last run/],
]

const readCorrectly: [name: string, text: string | Uint8Array][] = [
  ['UTF-16', Buffer.from(`\ufeff${csvOf(feed)}`, 'utf16le')],
  ['columns in another order', csvOf(feed.map(reordered))],
  ['one more column', each(() => ({ NOTE: 'new' }))],
  ['rows in another order', csvOf([...feed].reverse())],
  ['formatted prices', each(({ PRICE }) => ({ PRICE: `$${Number(PRICE).toLocaleString('en-US')}.00` }))],
  [
    'ISO timestamps',
    each((row) => {
      const [month, day, year] = date(row)
      return { CLOSED: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00.000Z` }
    }),
  ],
  [
    'day and month exchanged',
    each((row) => {
      const [month, day, year] = date(row)
      return { CLOSED: `${day}/${month}/${year}` }
    }),
  ],
]

const facts = async () => (await tableRows(store(), 'sale')).map((row) => ({ ...(row as Row), raw: undefined }))

test('27 variants of a second delivery are read correctly or refused without a change', async () => {
  expect(refused.length + readCorrectly.length).toBe(27)
  await ingest(store(), 'sales', csvOf(feed), given)
  const before = await facts()
  expect(before).toHaveLength(240)
  for (const [name, text, reason] of refused) {
    await expect(ingest(store(), 'sales', text, given), name).rejects.toThrow(reason)
    expect(await facts(), name).toEqual(before)
  }
  for (const [name, text] of readCorrectly) {
    const { counts } = await ingest(store(), 'sales', text, given)
    expect(counts, name).toMatchObject({ loaded: 240, rejected: 0, inserted: 0 })
    expect(await facts(), name).toEqual(before)
  }
})

test('a column that mixes both date orders, or contradicts the mapping, fails the run', async () => {
  const mixed = each((row, at) => {
    const [month, day, year] = date(row)
    return { CLOSED: at % 3 ? row.CLOSED : `${day}/${month}/${year}` }
  })
  await expect(ingest(store(), 'sales', mixed, { ...given, id: 'mixed' })).rejects.toThrow(
    /\d+ dates of "CLOSED" can only have the day first, \d+ only the month: the column mixes both orders/,
  )
  const fields = { ...given.fields, soldOn: { field: 'CLOSED', date: 'dmy' as const } }
  await expect(ingest(store(), 'sales', csvOf(feed), { ...given, id: 'said', fields })).rejects.toThrow(
    /but the mapping says "date": "dmy"/,
  )
})

test('a source whose days come first keeps that order when a delivery does not show it', async () => {
  const dates = (of: readonly string[]) => csvOf(of.map((CLOSED, at) => ({ ...feed[at], ID: `D${at}`, CLOSED })))
  await ingest(store(), 'sales', dates(['25/3/2025', '4/5/2025']), { ...given, id: 'days' })
  await ingest(store(), 'sales', dates(['6/3/2025', '4/5/2025']), { ...given, id: 'days' })
  const { rows } = await sql<{ soldOn: string }>`
    select sold_on from sale where source_id = 'days' order by sale_id`.execute(store().db)
  expect(rows.map(({ soldOn }) => soldOn)).toEqual(['2025-03-06', '2025-05-04'])
})
