import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { marketIds } from '../../../src/domain/packs/markets.ts'
import { isOnLand } from '../../../tools/sample/zones.ts'

const fileOf = (market: string): URL => new URL(`../../../packs/${market}/land.geojson`, import.meta.url)

test('known places are on land and known bodies of water are not', () => {
  const peninsula = (lat: number, lng: number) => isOnLand('sf-peninsula', [lng, lat])
  expect(peninsula(37.442, -122.143)).toBe(true) // Palo Alto
  expect(peninsula(37.52, -122.36)).toBe(true) // Crystal Springs: coastlines do not include lakes
  expect(peninsula(37.62, -122.28)).toBe(false) // the bay
  expect(peninsula(37.5, -122.6)).toBe(false) // the ocean
  const island = (lat: number, lng: number) => isOnLand('nantucket', [lng, lat])
  expect(island(41.283, -70.1)).toBe(true)
  expect(island(41.3, -70.06)).toBe(false) // the harbor
  expect(island(0, 0)).toBe(false)
})

test('the coastline files name their source and are small', () => {
  for (const market of marketIds()) {
    const { properties } = JSON.parse(readFileSync(fileOf(market), 'utf8')) as { properties: Record<string, string> }
    expect(properties.attribution).toContain('OpenStreetMap contributors')
    expect(properties.licence).toBe('ODbL-1.0')
  }
  expect(marketIds().reduce((sum, market) => sum + statSync(fileOf(market)).size, 0)).toBeLessThan(200_000)
})
