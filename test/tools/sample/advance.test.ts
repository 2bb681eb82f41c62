import { expect, test } from 'vitest'
import { sampleFeeds } from '../../../src/ingest/sample-data.ts'
import { advanced, generated, keyOf, loadedOver, merged } from './feeds.ts'

const seed = 7
const at = generated(seed, '2026-11-15')
const threeDays = advanced(seed, '2026-11-15', '2026-11-18')

test('three steps of one day give the same data as one step of three days', () => {
  const one = advanced(seed, '2026-11-15', '2026-11-16')
  const two = advanced(seed, '2026-11-16', '2026-11-17')
  const three = advanced(seed, '2026-11-17', '2026-11-18')
  expect(loadedOver(merged(merged(at, one), two), three)).toEqual(loadedOver(at, threeDays))
}, 60_000)

test('advancing produces every row that generating on the later day produces', () => {
  const loaded = loadedOver(at, threeDays)
  const straight = generated(seed, '2026-11-18')
  for (const name of sampleFeeds) {
    expect(straight[name].map((row) => loaded[name].get(keyOf(name, row)))).toEqual(straight[name])
  }
}, 60_000)

test('a month brings new listings, price cuts, contracts, sales and permits', () => {
  const month = advanced(seed, '2026-11-15', '2026-12-15')
  const before = new Map(at.listings.map((l) => [l.listingId, l]))
  const fresh = month.listings.filter((l) => !before.has(l.listingId as string))
  const cuts = month.listings.filter((l) => Number(l.priceUsd) < Number(before.get(l.listingId as string)?.priceUsd))
  const became = (word: string): number =>
    month.listings.filter(
      (l) => l.status?.toLowerCase() === word && before.get(l.listingId as string)?.status !== l.status,
    ).length
  expect(fresh.length).toBeGreaterThan(50)
  expect(cuts.length).toBeGreaterThan(3)
  expect(became('pending')).toBeGreaterThan(20)
  expect(became('closed')).toBeGreaterThan(50)
  const knownPermits = new Set(at.permits.map((p) => keyOf('permits', p)))
  const newPermits = month.permits.filter((p) => !knownPermits.has(keyOf('permits', p)))
  expect(newPermits.length).toBeGreaterThan(150)
  expect(month.permits.length - newPermits.length).toBeGreaterThan(100)
  expect(month.sales.length).toBeGreaterThan(80)
  expect(month.parcels.length).toBeGreaterThan(50)
}, 60_000)

test('advancing by zero days changes nothing, and advancing backward fails', () => {
  const none = advanced(seed, '2026-11-15', '2026-11-15')
  for (const name of sampleFeeds) expect(none[name]).toEqual([])
  expect(() => advanced(seed, '2026-11-15', '2026-11-01')).toThrow(/cannot advance/)
}, 60_000)
