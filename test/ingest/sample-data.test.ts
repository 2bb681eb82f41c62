import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { layerResult } from '../../src/domain/layers.ts'
import { boxOfRings, type FlatRing, turned } from '../../src/domain/shapes.ts'
import { readSource } from '../../src/ingest/config.ts'
import {
  type SampleFeed,
  type SampleLayer,
  type SampleShape,
  sampleEnd,
  sampleFeeds,
  sampleHistory,
  sampleLayers,
  sampleMarkets,
  sampleShift,
  sampleStreets,
  writeSampleFeeds,
} from '../../src/ingest/sample-data.ts'

const shapes = {} as Record<SampleLayer, SampleShape[]>

type Rows = Record<SampleFeed, Record<string, string>[]>

const feedsOf = (days: Parameters<typeof writeSampleFeeds>[1]): Rows => {
  const dir = mkdtempSync(join(tmpdir(), 'lotline-sample-'))
  try {
    const { rows } = writeSampleFeeds(dir, days)
    const read = sampleFeeds.map((feed) => [feed, parse(readFileSync(join(dir, `${feed}.csv`)), { columns: true })])
    const feeds = Object.fromEntries(read) as Rows
    for (const feed of sampleFeeds) expect(feeds[feed]).toHaveLength(rows[feed])
    for (const layer of sampleLayers)
      if (days.from === undefined)
        shapes[layer] = JSON.parse(readFileSync(join(dir, `${layer}.geojson`), 'utf8')).features
      else expect(rows[layer]).toBe(0)
    return feeds
  } finally {
    rmSync(dir, { recursive: true })
  }
}

const keys: Record<SampleFeed, readonly string[]> = {
  parcels: ['county', 'apn'],
  sales: ['saleId'],
  listings: ['listingId'],
  permits: ['city', 'permitId'],
  rents: ['rentId'],
}
const keyOf = (feed: SampleFeed, row: Record<string, string>) => keys[feed].map((name) => row[name]).join(' ')
const byKey = (feeds: Rows, feed: SampleFeed) => new Map(feeds[feed].map((row) => [keyOf(feed, row), row]))
const dates = ['listedOn', 'pendingOn', 'soldOn', 'appliedOn', 'issuedOn', 'finaledOn', 'asOf']

const start = '2027-06-10'
const shiftDays = sampleShift(start)
const first = feedsOf({ to: start, shiftDays })

test('a first load has every record once, the last days before it, and nothing later', () => {
  for (const feed of sampleFeeds) expect(byKey(first, feed).size).toBe(first[feed].length)
  expect(first.parcels).toHaveLength(6_000)
  expect(new Set(first.parcels.map(({ market }) => market))).toEqual(new Set(sampleMarkets()))
  expect(first.listings.length).toBeGreaterThanOrEqual(1_000)
  const shown = sampleFeeds.flatMap((feed) => first[feed]).flatMap((row) => dates.map((name) => row[name] || start))
  expect(shown.filter((date) => !/^\d{4}-\d\d-\d\d$/.test(date) || date > start)).toEqual([])
  expect(first.listings.some(({ listedOn }) => listedOn! >= '2027-06-08')).toBe(true)
  expect(sampleStreets().length).toBeGreaterThan(500)
})

test('days are shifted by whole weeks: no permit is issued on a weekend', () => {
  expect(Math.abs(shiftDays % 7)).toBe(0)
  const weekdays = new Set(
    first.permits.flatMap(({ issuedOn }) => (issuedOn ? [new Date(`${issuedOn}T00:00:00Z`).getUTCDay()] : [])),
  )
  expect([...weekdays].sort()).toEqual([1, 2, 3, 4, 5])
})

test('a first load on a later day is the first load of an earlier one with the days between', () => {
  const later = feedsOf({ to: '2027-07-29', shiftDays })
  const steps = [
    feedsOf({ from: start, to: '2027-06-11', shiftDays }),
    feedsOf({ from: '2027-06-11', to: '2027-07-29', shiftDays }),
  ]
  for (const feed of sampleFeeds) {
    const added = new Map([first, ...steps].flatMap((feeds) => [...byKey(feeds, feed)]))
    expect(added.size).toBe(later[feed].length)
    expect(later[feed].filter((row) => JSON.stringify(added.get(keyOf(feed, row))) !== JSON.stringify(row))).toEqual([])
  }
  expect(steps[0]!.permits.length).toBeGreaterThan(5)
})

test('a month brings new listings, price cuts, contracts, sales and permits', () => {
  const month = feedsOf({ from: start, to: '2027-07-10', shiftDays })
  const [before, known] = [byKey(first, 'listings'), byKey(first, 'permits')]
  const cuts = month.listings.filter((l) => Number(l.priceUsd) < Number(before.get(l.listingId!)?.priceUsd))
  const became = (word: string): number =>
    month.listings.filter((l) => l.status?.toLowerCase() === word && before.get(l.listingId!)?.status !== l.status)
      .length
  expect(month.listings.filter((l) => !before.has(l.listingId!)).length).toBeGreaterThan(50)
  expect(cuts.length).toBeGreaterThan(3)
  expect(became('pending')).toBeGreaterThan(20)
  expect(became('closed')).toBeGreaterThan(50)
  const newPermits = month.permits.filter((permit) => !known.has(keyOf('permits', permit)))
  expect(newPermits.length).toBeGreaterThan(75)
  expect(month.permits.length - newPermits.length).toBeGreaterThan(50)
  expect(month.sales.length).toBeGreaterThan(40)
  expect(month.parcels.length).toBeGreaterThan(25)
})

test('a day that is loaded already, and a day after the end, bring no rows', () => {
  const end = sampleEnd(shiftDays)!
  expect(end > '2029').toBe(true)
  for (const [from, to] of [
    [start, start],
    [end, '2040-01-01'],
  ] as const)
    expect(Object.values(feedsOf({ from, to, shiftDays })).flat()).toEqual([])
})

test('a sample that was loaded before the first day of the data gets all rows, and keeps its dates', () => {
  const earlier = feedsOf({ from: '2026-11-01', to: '2026-11-18', shiftDays: 0 })
  expect(earlier.parcels).toHaveLength(6_000)
  const [one] = earlier.sales
  const same = first.sales.find(({ saleId }) => saleId === one!.saleId)!
  expect(Date.parse(same.soldOn!) - Date.parse(one!.soldOn!)).toBe(shiftDays * 86_400_000)
})

test('the history ends on the day of the first start, and is of loaded records', () => {
  const { listings, permits, forecasts, levels } = sampleHistory(start, shiftDays)
  for (const days of [
    listings.map(({ on }) => on),
    permits.map(({ on }) => on),
    forecasts.map(({ madeOn }) => madeOn),
  ]) {
    expect(days.every((day) => day <= start)).toBe(true)
    expect(days.some((day) => day > '2027-05-20')).toBe(true)
  }
  const listed = byKey(first, 'listings')
  expect(listings.filter(({ listingId }) => !listed.has(listingId))).toEqual([])
  const price = new Map(listings.map(({ listingId, priceUsd }) => [listingId, priceUsd]))
  expect([...price].filter(([id, usd]) => Number(listed.get(id)!.priceUsd) !== usd)).toEqual([])
  const permitted = byKey(first, 'permits')
  expect(permits.filter(({ city, permitId }) => !permitted.has(`${city} ${permitId}`))).toEqual([])
  expect(levels).toHaveLength(9 * sampleMarkets().length)
})

test('every map layer has a source file that is marked as sample data, and shapes', async () => {
  for (const layer of sampleLayers) {
    const { config } = await readSource(join(import.meta.dirname, '../../sources/sample', `${layer}.json`))
    expect(config).toMatchObject({ holds: 'layer', sample: true, where: { url: `${layer}.geojson` } })
    expect(config.sets!.overlay ?? config.sets!.fact).toBe(layer)
    expect(shapes[layer].length).toBeGreaterThan(0)
  }
})

test('maps agree with the parcel feed where it has a value, and are known for every lot', () => {
  const flat = (shape: SampleShape): FlatRing[] =>
    (shape.geometry.coordinates as number[][][]).map((ring) => turned(ring.slice(1).flat(), false))
  for (const layer of ['floodZone', 'veryHighFire', 'faultZone', 'coastalZone', 'habitat', 'wetland'] as const) {
    const areas = shapes[layer].map(flat).map((rings) => ({ rings, box: boxOfRings(rings) }))
    const counts = { same: 0, other: 0 }
    for (const parcel of first.parcels) {
      const own = parcel[`overlay.${layer}`]
      if ((own !== 'yes' && own !== 'no') || (layer === 'wetland' && parcel.market !== 'nantucket')) continue
      const rings = (JSON.parse(parcel.outline!) as number[][][]).map((ring) => turned(ring.slice(1).flat(), false))
      const near = areas.map((area) => ({ kind: 'area' as const, value: 'yes' as const, ...area }))
      const lot = { rings, box: boxOfRings(rings), point: [Number(parcel.lng), Number(parcel.lat)] as const }
      const result = layerResult({ overlay: layer, extent: 'market' }, lot, near)
      counts[result?.value === own ? 'same' : 'other'] += 1
    }
    // A lot that is covered by exactly 5% can fall on either side.
    expect(counts.other, layer).toBeLessThanOrEqual(2)
    expect(counts.same, layer).toBeGreaterThan(900)
  }
})
