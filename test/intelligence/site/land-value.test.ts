import { describe, expect, it } from 'vitest'
import { landSalesNear } from '../../../src/assess/land-sales.ts'
import {
  fitLandValue,
  type LandSale,
  landAssumptions,
  landValueUsd,
} from '../../../src/intelligence/site/land-value.ts'

const around = { medianPriceUsd: 2_000_000, medianLotSqft: 6_000 }

/** Lots that sell for 65% of the median, by an elasticity of 0.4, 3% less per 10 points of slope. */
const lots = (count: number): LandSale[] =>
  Array.from({ length: count }, (_, i) => {
    const lotSqft = 4_000 + ((i * 797) % 9_000)
    const slopePct = (i * 7) % 30
    return {
      around,
      lotSqft,
      slopePct,
      priceUsd: 2_000_000 * 0.65 * (lotSqft / 6_000) ** 0.4 * Math.exp((-0.03 * slopePct) / 10),
    }
  })

describe('land value', () => {
  it('equals the assumptions while there are no sales', () => {
    const model = fitLandValue([], 2_000_000)
    expect(model.shareOfMedian).toBeCloseTo(landAssumptions.shareOfMedian, 10)
    expect(landValueUsd(model, { around, lotSqft: 6_000 })).toBeCloseTo(1_400_000, 0)
  })

  it('is learned from the prices of sold lots', () => {
    const model = fitLandValue(lots(2_000), 2_000_000)
    expect(model.shareOfMedian).toBeCloseTo(0.65, 2)
    expect(model.elasticity).toBeCloseTo(0.4, 1)
    expect(model.slopeEffect).toBeCloseTo(-0.03, 1)
  })

  it('rises with lot size and nearby prices and falls with slope', () => {
    const model = fitLandValue(lots(50), 2_000_000)
    const at = (lotSqft: number, slopePct: number, medianPriceUsd: number) =>
      landValueUsd(model, { lotSqft, slopePct, around: { ...around, medianPriceUsd } })!
    expect(at(8_000, 0, 2e6)).toBeGreaterThan(at(6_000, 0, 2e6))
    expect(at(6_000, 30, 2e6)).toBeLessThan(at(6_000, 0, 2e6))
    expect(at(6_000, 0, 4e6)).toBeGreaterThanOrEqual(2 * at(6_000, 0, 2e6))
  })

  it('is unknown without a lot size or without sales', () => {
    const model = fitLandValue(lots(50), 2_000_000)
    expect(landValueUsd(model, { around })).toBeUndefined()
    expect(landValueUsd(model, { lotSqft: 6_000, around: {} })).toBeUndefined()
  })
})

describe('sales of land', () => {
  const on = '2026-11-17'
  const sale = (i: number, lng: number, level: number, soldOn = '2026-03-01') => ({
    ...{ citySlug: level > 1 ? 'dear' : 'cheap', propertyType: 'land', soldOn, lat: 37.4, lng: lng + i / 1_000 },
    ...{ lotSqft: 5_000 + 10 * i, priceUsd: level * 1_000_000 * (i % 2 === 0 ? 1.1 : 1 / 1.1) },
  })
  /** The model knows that lots of the dear city are three times as expensive. */
  const modeled = ({ citySlug, lotSqft = 0 }: { citySlug: string; lotSqft?: number }) =>
    (citySlug === 'dear' ? 3_000_000 : 1_000_000) * (lotSqft / 5_000) ** 0.5
  const dear = Array.from({ length: 6 }, (_, i) => sale(i, -122.15, 3))

  it('speak for a place at its own price level, never at that of a dearer city nearby', () => {
    const near = landSalesNear(dear, on, modeled).near({ citySlug: 'cheap', lat: 37.4, lng: -122.14 })!
    expect(near).toMatchObject({ count: 6, lotSqft: 5_025 })
    expect(near.usd / 1_000_000).toBeCloseTo(1, 1)
    expect(
      landSalesNear(dear.slice(2), on, modeled).near({ citySlug: 'cheap', lat: 37.4, lng: -122.14 }),
    ).toBeUndefined()
    const old = dear.map((each) => ({ ...each, soldOn: '2024-11-01' }))
    expect(landSalesNear(old, on, modeled).near({ citySlug: 'dear', lat: 37.4, lng: -122.15 })).toBeUndefined()
  })

  it('value a lot from 30 sales on, with a range that eight in ten of them would be in', () => {
    const lot = { citySlug: 'cheap', lat: 37.4, lng: -122.2, lotSqft: 20_000 }
    const cheap = Array.from({ length: 30 }, (_, i) => sale(i, -122.2, 1, '2024-01-01'))
    expect(landSalesNear(cheap.slice(1), on, modeled).value(lot)).toBeUndefined()
    const { valueUsd, lowUsd, highUsd, confidence, note } = landSalesNear(cheap, on, modeled).value(lot)!
    expect(valueUsd / 2_000_000).toBeCloseTo(1, 1)
    expect(Math.log(highUsd / valueUsd)).toBeCloseTo(1.2816 * Math.log(1.1), 2)
    expect(Math.log(valueUsd / lowUsd)).toBeCloseTo(1.2816 * Math.log(1.1), 2)
    expect([confidence, note]).toEqual(['medium', 'From 30 sales of land in this market.'])
    expect(landSalesNear(cheap, on, modeled).value({ citySlug: 'cheap' })).toBeUndefined()
  })
})
