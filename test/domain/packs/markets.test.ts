import { describe, expect, it } from 'vitest'
import {
  cities,
  cityBySlug,
  citySlug,
  findCity,
  jurisdictions,
  marketOf,
  markets,
} from '../../../src/domain/packs/markets.ts'

describe('markets and cities', () => {
  it('every slug is the kebab case of its name and belongs to one city only', () => {
    for (const city of jurisdictions()) expect(city.slug).toBe(citySlug(city.name))
    expect(new Set(jurisdictions().map((city) => city.slug)).size).toBe(jurisdictions().length)
  })

  it('every center is inside its bounding box and every city inside its market', () => {
    for (const { center, box } of [...jurisdictions(), ...markets()]) {
      expect(center.lat).toBeGreaterThan(box.south)
      expect(center.lat).toBeLessThan(box.north)
      expect(center.lng).toBeGreaterThan(box.west)
      expect(center.lng).toBeLessThan(box.east)
    }
    for (const city of cities()) {
      const market = markets().find((one) => one.id === city.market)!
      expect(city.box.south).toBeGreaterThanOrEqual(market.box.south)
      expect(city.box.east).toBeLessThanOrEqual(market.box.east)
      expect(city.state).toBe(market.state)
      expect(city.zipCodes.length).toBeGreaterThan(0)
    }
  })

  it('the markets contain the 24 cities of the Peninsula and the town of Nantucket', () => {
    expect(cities().filter((city) => city.market === 'sf-peninsula')).toHaveLength(24)
    expect(cities().filter((city) => city.market === 'nantucket')).toHaveLength(1)
  })

  it('a city is found by name, slug or short form, but not by part of its name', () => {
    for (const name of ['Palo Alto', 'palo-alto', 'PALO  ALTO']) expect(findCity(name)?.slug).toBe('palo-alto')
    expect(findCity('Mtn. View')?.slug).toBe('mountain-view')
    expect(findCity('Siasconset')?.slug).toBe('nantucket')
    expect(findCity('Alto')).toBeUndefined()
    expect(cityBySlug('los-altos-hills')?.county).toBe('Santa Clara')
  })

  it('a market is found by id and alias, and an unknown one is undefined', () => {
    expect(marketOf('peninsula')).toBe('sf-peninsula')
    expect(marketOf('SF-Peninsula')).toBe('sf-peninsula')
    expect(marketOf('nantucket')).toBe('nantucket')
    expect(marketOf('manhattan')).toBeUndefined()
  })
})
