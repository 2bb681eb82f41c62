import { describe, expect, test } from 'vitest'
import { expectedPrice, fitSaleToList, priceTension } from '../../../src/intelligence/bidding-war/expected-price.ts'
import { contributionsOf, typicalAttributes } from '../../../src/intelligence/valuation/contributions.ts'
import { doubtfulFacts } from '../../../src/intelligence/valuation/doubtful-facts.ts'
import {
  type ComparableEvidence,
  fitCompsWeights,
  reconciled,
  weightOfComps,
} from '../../../src/intelligence/valuation/reconcile.ts'
import { seededRandom } from '../../../src/intelligence/valuation/seeded-random.ts'
import { attributeAt, attributeCount } from '../../../src/intelligence/valuation/valuation-facts.ts'

const evidence = (scatter: number, logValue = 13): ComparableEvidence => ({
  logValue,
  scatter,
  alike: 8,
  km: 0.5,
  timeLog: 0.03,
})
const random = seededRandom(7)
const bell = () => random() + random() + random() + random() - 2

describe('one value from model and comparables', () => {
  // Comparables that scatter little are as near to the price as the model, those that scatter much say nothing.
  const rows = Array.from({ length: 3_000 }, (_, k) => {
    const truth = 13 + 0.4 * bell()
    const scatter = k % 2 === 0 ? 0.05 : 0.3
    const comps = evidence(scatter, truth + (k % 2 === 0 ? 0.1 : 0.5) * bell())
    return { logPrice: truth + 0.02 * bell(), model: truth + 0.1 * bell(), comps }
  })
  const weights = fitCompsWeights(rows)

  test('comparables count by how near they have been to prices in such a situation', () => {
    expect(weightOfComps(weights, evidence(0.05))).toBeGreaterThan(0.35)
    expect(weightOfComps(weights, evidence(0.3))).toBeLessThan(0.1)
    expect(weightOfComps(weights, undefined)).toBe(0)
    expect(weightOfComps(weights, evidence(-9))).toBe(0.5)
  })

  test('the value lies between the two, and is that of the model without comparables or with few past sales', () => {
    const value = reconciled(weights, 12.9, evidence(0.05))
    expect(value).toBeGreaterThan(12.9)
    expect(value).toBeLessThanOrEqual(12.95)
    expect(reconciled(weights, 12.9, undefined)).toBe(12.9)
    expect(reconciled(fitCompsWeights(rows.slice(0, 100)), 12.9, evidence(0.05))).toBe(12.9)
  })
})

const homes = 40
const near = { count: homes, ids: Int32Array.from({ length: homes }, (_, k) => k) }
const homeWith = (facts: Partial<Record<keyof typeof attributeAt, number>>): Float32Array => {
  const attributes = new Float32Array(attributeCount).fill(Number.NaN)
  const all = {
    logLivingSqft: 7.6,
    beds: 3,
    baths: 2,
    quality: 50,
    waterfront: 0,
    yearBuilt: 1960,
    effectiveYear: 1960,
    ...facts,
  }
  for (const [name, value] of Object.entries(all)) attributes[attributeAt[name as keyof typeof attributeAt]] = value
  attributes[attributeAt.logSizePerRoom] = all.logLivingSqft - Math.log(all.beds + all.baths)
  return attributes
}
const sales = new Float32Array(homes * attributeCount)
for (let k = 0; k < homes; k++)
  sales.set(homeWith({ quality: 46 + (k % 9), logLivingSqft: 7.5 + 0.005 * k }), k * attributeCount)

test('contributions lead from a typical home of the location to the home and add up', () => {
  const own = homeWith({ logLivingSqft: 8, quality: 70 })
  const priceOf = (a: Float32Array) => 6 + a[attributeAt.logLivingSqft]! + 0.01 * a[attributeAt.quality]!
  const { typical, groups } = contributionsOf(own, typicalAttributes(own, sales, near), priceOf)
  expect(typical + Object.values(groups).reduce((sum, each) => sum + each, 0)).toBeCloseTo(priceOf(own), 5)
  expect(groups.size).toBeCloseTo(8 - 7.5475, 3)
  expect(groups.quality).toBeCloseTo(0.01 * (70 - 49.65), 3)
  expect(groups.lot).toBe(0)
})

describe('facts that are probably wrong', () => {
  const asked = { sales, near, year: 2026, half: 0.17 }
  const doubts = (own: Float32Array, effects = { quality: 0, condition: 0, view: 0 }, before?: Float32Array) =>
    doubtfulFacts({ ...asked, attributes: own, effects: () => effects, before }).map(({ fact }) => fact)

  test.each([
    ['a usual home', homeWith({}), undefined, undefined, []],
    [
      'waterfront where no sale nearby is',
      homeWith({ waterfront: 1 }),
      { quality: 0, condition: 0, view: 0.4 },
      undefined,
      ['waterfront'],
    ],
    [
      'waterfront that hardly moves the value',
      homeWith({ waterfront: 1 }),
      { quality: 0, condition: 0, view: 0.05 },
      undefined,
      [],
    ],
    ['quality of another scale', homeWith({ quality: 7 }), undefined, undefined, ['quality']],
    ['quality 100', homeWith({ quality: 100 }), { quality: 0.2, condition: 0, view: 0 }, undefined, ['quality']],
    [
      'twice the area with the same rooms',
      homeWith({ logLivingSqft: 7.6 + Math.log(2) }),
      undefined,
      undefined,
      ['livingSqft'],
    ],
    ['half of the area', homeWith({ logLivingSqft: 7.6 - Math.log(2) }), undefined, undefined, ['livingSqft']],
    [
      'another area than at its last sale',
      homeWith({ logLivingSqft: 8, beds: 4, baths: 3 }),
      undefined,
      homeWith({}),
      ['livingSqft'],
    ],
    [
      'a larger house that was renovated since',
      homeWith({ logLivingSqft: 8, beds: 4, baths: 3, effectiveYear: 2020 }),
      undefined,
      homeWith({}),
      [],
    ],
    ['a year in the future', homeWith({ yearBuilt: 2030 }), undefined, undefined, ['yearBuilt']],
  ] as const)('%s', (_, own, effects, before, expected) => {
    expect(doubts(own, effects, before)).toEqual(expected)
  })
})

describe('the expected price', () => {
  const closings = Array.from({ length: 2_000 }, () => {
    const overList = 0.3 * bell()
    const facts = { listPriceUsd: 1_000_000, valueUsd: 1_000_000 * Math.exp(overList) }
    return { saleToList: Math.exp(0.4 * Math.max(-0.25, Math.min(0.25, overList)) + 0.05 * bell()), facts }
  })
  const model = fitSaleToList(new Float64Array(2_000).fill(0.5), closings)!

  test('follows the value as closings did', () => {
    const at = (value?: number) => expectedPrice(model, 1_000_000, 0.5, value).p50
    expect(at(1_100_000) / at(900_000)).toBeCloseTo(Math.exp(0.4 * Math.log(11 / 9)), 1)
    expect(at()).toBeGreaterThan(at(900_000))
    expect(
      fitSaleToList(
        new Float64Array(2_000).fill(0.5),
        closings.map(({ saleToList }) => ({ saleToList })),
      )!.byValue,
    ).toBeUndefined()
  })

  test('says what the asking price claims where it leaves the range of the value', () => {
    const expected = expectedPrice(model, 1_000_000, 0.5, 700_000)
    const value = { valueUsd: 700_000, lowUsd: 600_000, highUsd: 800_000 }
    expect(priceTension(expected, value, 1_000_000)?.text).toMatch(
      /^The asking price of \$1,000,000 is 43% above the estimated value/,
    )
    expect(priceTension(expected, { ...value, highUsd: 1_100_000 }, 1_000_000)).toBeUndefined()
    expect(priceTension(undefined, value, 1_000_000)).toBeUndefined()
  })
})
