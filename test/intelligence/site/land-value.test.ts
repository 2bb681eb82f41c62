import { describe, expect, it } from 'vitest'
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
    expect(model.shareOfMedian).toBeCloseTo(landAssumptions.shareOfMedian.value, 10)
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
