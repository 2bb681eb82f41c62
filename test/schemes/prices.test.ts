// What a home of a scheme sells for where sales of its product are known, and the search for the size that could bear most.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { productSales } from '../../src/assess/product-sales.ts'
import { assumptionsFor } from '../../src/domain/assumptions/assumptions.ts'
import type { CityLevels } from '../../src/intelligence/bidding-war/city-levels.ts'
import { type Project, roughOffer } from '../../src/intelligence/proforma/project.ts'
import { homePrice, products } from '../../src/schemes/prices.ts'
import { type Build, bestBuild } from '../../src/schemes/scheme.ts'
import type { SchemeSite } from '../../src/schemes/site.ts'

const levels = {
  of: (city: string) => ({
    medianLotSqft: city === 'large' ? 47_000 : 6_000,
    medianPerSqft: city === 'cheap' ? 600 : 1_200,
  }),
} as unknown as CityLevels
const here = { lat: 37.5, lng: -122.2 }
const sale = (more: object): Parameters<typeof productSales>[0][number] => ({
  ...{
    saleId: '1',
    city: 'San Mateo',
    citySlug: 'san-mateo',
    propertyId: 'p_1',
    ...here,
    propertyType: 'townhouse',
    soldOn: '2026-05-01',
  },
  ...{ priceUsd: 1_000_000, livingSqft: 1_000, ...more },
})
const five = (more: object = {}) =>
  [1_400, 800, 1_000, 1_200, 900].map((each) => sale({ priceUsd: 1_000 * each, ...more }))
const nearOf = (sales: ReturnType<typeof sale>[], home: object = { propertyId: 'p_2', ...here }) =>
  productSales(sales, '2024-11-18', levels)({ citySlug: 'san-mateo', ...home })

describe('sales of a product', () => {
  it('are the medians of five within three miles and 24 months', () => {
    const known = { perSqft: 1_000, sqft: 1_000, count: 5 }
    expect(nearOf(five())).toEqual({ attached: known })
    expect(nearOf(five({ propertyType: 'condo' }))?.flats).toEqual(known)
    expect(nearOf(five({ propertyType: 'single_family', lotSqft: 3_500 }))?.smallLots).toEqual({
      ...known,
      lotSqft: 3_500,
    })
    // Homes of a dearer city nearby say what the product is worth beside a house, not what it costs here.
    expect(nearOf(five(), { propertyId: 'p_2', citySlug: 'cheap', ...here })?.attached?.perSqft).toBe(500)
    // A small lot of this city is none in a city of half acres.
    const small = five({ propertyType: 'single_family', lotSqft: 3_500 })
    expect(nearOf(small, { propertyId: 'p_2', citySlug: 'large', ...here })?.smallLots).toBeUndefined()
    // A house on 60% of the usual lot is a house.
    expect(nearOf(five({ propertyType: 'single_family', lotSqft: 3_600 }))?.smallLots).toBeUndefined()
  })

  it('are unknown with four, with older or farther ones, and a home is no sale of its own product', () => {
    expect(nearOf(five().slice(1))?.attached).toBeUndefined()
    expect(nearOf(five({ soldOn: '2024-11-17' }))?.attached).toBeUndefined()
    expect(nearOf(five({ lat: 37.5 + 3.1 / 68.7 }))?.attached).toBeUndefined()
    expect(nearOf(five({ lat: 37.5 + 2.9 / 68.7 }))?.attached?.count).toBe(5)
    expect(nearOf(five({ livingSqft: undefined }))?.attached).toBeUndefined()
    expect(nearOf(five(), { propertyId: 'p_1', ...here })?.attached).toBeUndefined()
    expect(nearOf(five(), {})?.attached).toBeUndefined()
  })
})

describe('the price of a home', () => {
  const a = assumptionsFor(undefined, 'San Mateo')
  const city = { perSqft: 1_200, sqft: 1_700, lotSqft: 6_000 }
  const sold = { perSqft: 1_000, sqft: 1_400, count: 7 }

  it('of a house on a small lot follows sales on lots of half to twice its size, otherwise the formula', () => {
    const place = { ...city, lotSqft: 47_000, sold: { smallLots: { ...sold, lotSqft: 22_000 } } }
    const at = (lotSqft: number) => homePrice(place, products.house, { sqft: 1_750, lotSqft }, a)
    expect(at(11_000)).toMatchObject({ confidence: 'medium', comparables: 7 })
    expect(at(3_187)).toMatchObject({
      confidence: 'low',
      basis: expect.stringMatching(/^By formula: the city’s median of \$1,\d{3} per sq ft/),
    })
  })

  it('of an attached product follows its sales, with a medium confidence and its spread', () => {
    for (const product of [products.duplexHalf, products.townhouse]) {
      const price = homePrice({ ...city, sold: { attached: sold } }, product, { sqft: 1_400 }, a)!
      expect(price.usd).toBeCloseTo(1_400 * 1_000 * (1 + a.newPremiumPct / 100), 3)
      expect(price).toMatchObject({ confidence: 'medium', comparables: 7 })
      expect(price.low / price.usd).toBeCloseTo(1 - a.resaleSpreadMediumPct / 100, 9)
      expect(price.high / price.usd).toBeCloseTo(1 + a.resaleSpreadMediumPct / 100, 9)
      expect(price.basis).toContain('From 7 sales of townhouses within 3 miles and 24 months')
      // What the product sells for beside a house is measured, not assumed.
      expect(price.names).toEqual(['newPremiumPct', 'attachedSizeExponent'])
    }
    // Flats are not sold as townhouses.
    expect(homePrice({ ...city, sold: { attached: sold } }, products.flat, { sqft: 900 }, a)).toMatchObject({
      confidence: 'low',
    })
    expect(homePrice({ sold: { attached: sold } }, products.townhouse, { sqft: 1_400 }, a)?.confidence).toBe('medium')
  })

  it('on a small lot follows sales of such houses; on another lot, and of a second house, the formula', () => {
    const place = { ...city, sold: { smallLots: { ...sold, lotSqft: 3_000 } } }
    const home = { sqft: 1_400, lotSqft: 3_000 }
    expect(homePrice(place, products.house, home, a)?.usd).toBeCloseTo(1_400_000 * (1 + a.newPremiumPct / 100), 3)
    expect(homePrice(place, products.house, { ...home, isShared: true }, a)?.names).toContain('sharedAccessPct')
    expect(homePrice(place, products.house, { ...home, lotSqft: 3_600 }, a)?.confidence).toBe('low')
    expect(homePrice(place, products.secondHouse, home, a)?.confidence).toBe('low')
  })
})

it('the best of several sizes is the best of all, however many are left out of the search', () => {
  const a = assumptionsFor(undefined, 'San Mateo')
  const usd = (max: number) => fc.integer({ min: 0, max })
  const months = (max: number) => fc.double({ min: 0, max, noNaN: true })
  const anyProject: fc.Arbitrary<Project> = fc.record({
    ...{ hardCost: usd(3_000_000), softCosts: usd(600_000), fixedSoftCosts: fc.constant(0), demoCost: usd(50_000) },
    ...{ contingency: usd(300_000), resaleGross: usd(6_000_000), ratePct: fc.constant(8.5) },
    phases: fc.record({ permit: months(14), build: months(20), sale: months(6) }),
  })
  fc.assert(
    fc.property(fc.array(anyProject, { maxLength: 30 }), fc.constantFrom(0, 15, 20), (projects, targetRoiPct) => {
      const assumptions = { ...a, targetRoiPct }
      const builds = projects.map((project) => ({ project, target: 'targetRoiPct' }) as Build)
      const offers = builds.map(({ project }) => roughOffer(project, assumptions, targetRoiPct))
      const best = bestBuild({ assumptions } as SchemeSite, builds)
      expect(best).toBe(builds[offers.indexOf(Math.max(...offers))])
    }),
  )
})
