import { describe, expect, it } from 'vitest'
import type { CityLevels } from '../../../src/intelligence/bidding-war/city-levels.ts'
import { type LocalSale, localLevels } from '../../../src/intelligence/bidding-war/local-levels.ts'

const level = { sales: 400, medianPriceUsd: 2_000_000, medianLotSqft: 8_000 }
const levels: CityLevels = { market: level, of: () => level }

/** Two ends of one town, with a spread of homes in each; the east is `times` as dear. */
const town = (times: number): LocalSale[] =>
  Array.from({ length: 400 }, (_, i) => {
    const east = i % 2 === 1
    const wobble = Math.exp(0.3 * Math.sin(i * 12.9898) * Math.sqrt(2))
    return {
      citySlug: 'town',
      propertyId: `home-${i}`,
      priceUsd: 2_000_000 * wobble * (east ? times : 1),
      livingSqft: 1_800,
      lotSqft: 8_000,
      lat: 37.4 + ((i * 7) % 40) * 0.0003,
      lng: -122.1 + (east ? 0.05 : 0) + ((i * 11) % 40) * 0.0003,
    }
  })

const west = { citySlug: 'town', lat: 37.406, lng: -122.094 }
const east = { citySlug: 'town', lat: 37.406, lng: -122.044 }

describe('local levels', () => {
  it('a town with similar streets has one price level', () => {
    const local = localLevels(town(1), levels)
    expect(local.near(west).locality).toBeLessThan(0.5)
    expect(local.near(west).medianPriceUsd! / local.near(east).medianPriceUsd!).toBeGreaterThan(0.93)
    expect(local.near(west).medianPriceUsd! / local.near(east).medianPriceUsd!).toBeLessThan(1.07)
  })

  it('two neighborhoods of one city have their own price levels', () => {
    const local = localLevels(town(3), levels)
    expect(local.near(west).locality).toBeGreaterThan(0.9)
    expect(local.near(east).medianPriceUsd! / local.near(west).medianPriceUsd!).toBeGreaterThan(2.5)
  })

  it('without coordinates, or in a city without sales, the price level of the city is used', () => {
    const local = localLevels(town(3), levels)
    expect(local.near({ citySlug: 'town' })).toMatchObject({ ...level, locality: 0 })
    expect(local.near({ citySlug: 'elsewhere', lat: 37.4, lng: -122.1 })).toMatchObject({ ...level, locality: 0 })
    expect(localLevels([], levels).near(west)).toMatchObject({ ...level, locality: 0 })
  })

  it('the sale of a home does not count toward its own neighborhood level', () => {
    const sales = town(3)
    const odd = { ...sales[0]!, priceUsd: 900_000_000 }
    const local = localLevels([odd, ...sales.slice(1)], levels)
    const plain = localLevels(sales.slice(1), levels)
    const place = { citySlug: 'town', lat: odd.lat, lng: odd.lng }
    const seen = local.near(place, odd.propertyId)
    expect(seen.medianPriceUsd! / local.near(place).medianPriceUsd!).toBeLessThan(0.9)
    expect(seen.medianLotSqft).toBeCloseTo(plain.near(place).medianLotSqft!, 6)
  })
})
