import { expect, test } from 'vitest'
import { previewLines } from '../../src/bin/commands/preview-lines.ts'
import { checkFeed } from '../../src/ingest/check-feed.ts'
import { previewSource } from '../../src/ingest/preview.ts'
import { runIngest } from '../../src/ingest/run.ts'
import { useDatabaseWithQueue } from '../setup/database.ts'
import { config, csvOf, feedFolder, highValueUsd, parcelRow, permitRow, today } from './feed.ts'

const store = useDatabaseWithQueue()

const rows = [
  permitRow({ permitId: 'A', description: 'Demolish house', architect: '' }),
  permitRow({ permitId: 'A', description: 'Demolish house', architect: '', address: '12 Oak St' }),
  permitRow({ permitId: 'B', description: 'New single family residence' }),
  permitRow({ permitId: 'B', description: 'New single family residence' }),
  permitRow({ permitId: '', city: 'Menlo Park' }),
  permitRow({ permitId: '', city: 'Menlo Park' }),
  permitRow({ permitId: '', city: 'Atherton' }),
  permitRow({ permitId: 'C', city: 'Nowhere', zip: '94301' }),
]
const mapped = {
  sameNames: false,
  fields: {
    permitId: 'permitId',
    city: 'city',
    address: 'address',
    description: 'description',
    status: 'status',
    architect: 'architect',
    // Gives the city of a permit without one and is not kept, so it is no field that is never filled.
    zip: 'zip',
  },
}

test('--check reports duplicates, addresses, rejections by city, empty fields and classes, and a load agrees', async () => {
  const folder = await feedFolder({ 'feed.csv': csvOf(rows) })
  const preview = await previewSource(config('permits', mapped), { folder, now: today })
  expect(preview).toMatchObject({
    read: 8,
    readAll: true,
    wouldLoad: 2,
    duplicates: 1,
    addresses: 1,
    neverFilled: ['architect'],
    notIssued: 2,
    cities: { 'Palo Alto': 2 },
    classes: { whole_house_demolition: 1, new_house: 1 },
    rejected: [
      // One example of each city, as far as there are several.
      { code: 'no_permit_id', rows: 3, examples: [{ row: 5 }, { row: 7 }], cities: { 'Menlo Park': 2, Atherton: 1 } },
      { code: 'unknown_market', rows: 1, cities: { Nowhere: 1 } },
    ],
  })
  const loaded = await runIngest(store(), config('permits', mapped), { now: today, folder, highValueUsd })
  expect(loaded.counts).toMatchObject({ read: 8, inserted: 2, rejected: 5 })
  expect(loaded.notIssued).toBe(4)
  const lines = previewLines(preview).join('\n')
  expect(lines).toContain('of 8 rows read, 2 permits would be loaded, 5 rejected')
  expect(lines).toContain('rejected 3 (no_permit_id): Menlo Park 2, Atherton 1')
  expect(lines).toContain('never filled, although mapped: architect')
  expect(lines).toContain('2 without an issue date')
  expect(lines).toMatch(/^Field +Filled +Example\n/m)
  expect(lines).toMatch(/^permitId +100% +\S+$/m)
  expect(lines).toContain('classes: whole_house_demolition 1, new_house 1')
})

test('--check of rows that are all rejected does not blame the names of the fields', async () => {
  const folder = await feedFolder({ 'feed.csv': csvOf([permitRow({ city: 'Nantucket', architect: '', zip: '' })]) })
  const preview = await previewSource(config('permits', { ...mapped, market: 'sf-peninsula' }), { folder, now: today })
  expect(preview).toMatchObject({ wouldLoad: 0, rejected: [{ code: 'other_market' }], neverFilled: [] })
})

test("--check counts the rows that each rule of the city's table decides", async () => {
  const folder = await feedFolder({ 'feed.csv': csvOf(rows) })
  const permitClasses = {
    rules: [{ class: 'other' as const, description: '^demolish' }],
    words: { adu: ['casita nueva'] },
  }
  const source = config('permits', { ...mapped, permitClasses })
  for (const _ of [1, 2]) {
    const preview = await previewSource(source, { folder, now: today })
    expect(preview.classRules).toEqual({ 'other: ^demolish': 2, 'adu: casita nueva': 0 })
    expect(previewLines(preview)).toContain('  rule adu: casita nueva: 0 rows')
  }
})

test('--check of the first rows says that the feed has more', async () => {
  const folder = await feedFolder({ 'feed.csv': csvOf(rows) })
  const preview = await previewSource(config('permits', mapped), { folder, now: today }, 2)
  expect(preview).toMatchObject({ read: 2, readAll: false })
  expect(previewLines(preview)[0]).toContain('of 2 rows read (the feed has more)')
})

test('a parcel that is named by its number does not count as one with an address', async () => {
  const parcels = [parcelRow(), parcelRow({ apn: '123-45-679', address: '' })]
  const folder = await feedFolder({ 'feed.csv': csvOf(parcels) })
  const preview = await previewSource(config('parcels'), { folder, now: today })
  expect(preview).toMatchObject({ wouldLoad: 2, filled: { apn: 2, address: 1 } })
})

test('a feed is unlike its file if it is empty, more than 30% of its rows are rejected, or a field is filled too rarely', async () => {
  const check = async (good: number, none: number, nowhere: number, expected?: Record<string, number>) => {
    const feed = [
      ...Array.from({ length: good }, (_, at) =>
        permitRow({ permitId: `G-${at}`, description: at < 2 ? 'Reroof' : '' }),
      ),
      ...Array.from({ length: none }, () => permitRow({ permitId: '' })),
      ...Array.from({ length: nowhere }, (_, at) => permitRow({ permitId: `N-${at}`, city: 'Nowhere' })),
    ]
    const folder = await feedFolder({
      'feed.csv': `${csvOf([permitRow(), ...feed]).split('\n')[0]}\n${csvOf(feed).split('\n').slice(1).join('\n')}`,
    })
    const source = config('permits', expected ? { feed: { expect: expected } as never } : {})
    return (await checkFeed(source, { folder, now: today })).problems
  }
  expect(await check(0, 0, 0)).toEqual(['The feed returned no rows for the query.'])
  expect(await check(7, 2, 1)).toEqual([])
  expect(await check(6, 3, 1)).toEqual(['40% of the rows would be rejected, most of them because permitId is missing.'])
  expect((await check(0, 1, 2))[0]).toMatch(/^100% of the rows would be rejected, most of them because Nowhere/)
  expect(await check(4, 0, 0, { description: 0.5, permitId: 1 })).toEqual([])
  expect(await check(4, 0, 0, { description: 0.51 })).toEqual([
    'description has a value in 50% of the rows; at least 51% are expected.',
  ])
})

test('of a city with many rejected rows, later rows are examples too', async () => {
  const folder = await feedFolder({ 'feed.csv': csvOf(Array.from({ length: 60 }, () => permitRow({ permitId: '' }))) })
  const { rejected } = await previewSource(config('permits'), { folder, now: today })
  expect(rejected[0]!.examples.map(({ row }) => row)).toEqual([1, 51, 52])
})
