// Comparable sales, checked against a brute-force search over every known sale.
import { expect, test } from 'vitest'
import {
  type ComparableCandidate,
  comparablesOf,
  comparablesValue,
} from '../../../src/intelligence/valuation/comparables.ts'
import { fitMarket } from '../../../src/intelligence/valuation/fit-market.ts'
import { dayOf } from '../../../src/intelligence/valuation/valuation-facts.ts'
import { simulatedSales } from './simulated-market.ts'

const asOf = '2023-10-01'
const sales = simulatedSales({ count: 3000, condoShare: 0.2 }).map((sale) => ({ ...sale, propertyId: sale.saleId }))
const model = fitMarket(sales, asOf, { assumptions: { maxTrees: 25, folds: 3 } })!
const known = sales.filter(({ soldOn }) => soldOn < asOf) as ComparableCandidate[]
const subjects = sales.filter(({ soldOn }) => soldOn >= asOf).slice(0, 150) as ComparableCandidate[]

const isAlike = (home: ComparableCandidate, sale: ComparableCandidate) =>
  Math.hypot((sale.lat - home.lat) * 110.574, (sale.lng - home.lng) * 111.32 * Math.cos((home.lat * Math.PI) / 180)) <=
    1.609344 &&
  dayOf(asOf) - dayOf(sale.soldOn) <= 365 &&
  Math.abs(sale.livingSqft! / home.livingSqft! - 1) <= 0.25 &&
  Math.abs(sale.yearBuilt! - home.yearBuilt!) <= 15

test('where three sales within a mile, a year, 25% of size and 15 years of age exist, three of the first six are such sales', () => {
  const byId = new Map(known.map((sale) => [sale.saleId, sale]))
  let tested = 0
  for (const home of subjects) {
    if (known.filter((sale) => isAlike(home, sale)).length < 3) continue
    const first = comparablesOf(model, home, known, asOf).slice(0, 6)
    expect(first.filter(({ saleId }) => isAlike(home, byId.get(saleId)!)).length).toBeGreaterThanOrEqual(3)
    tested++
  }
  expect(tested).toBeGreaterThan(50)
})

test('the rows add up, similarity falls within the first six and after, no sale has over 40% of the weight', () => {
  for (const home of subjects.slice(0, 40)) {
    const rows = comparablesOf(model, home, known, asOf)
    for (const row of rows) {
      const sum = Object.values(row.adjustments).reduce((total, usd) => total + usd, row.priceUsd)
      expect(row.adjustedUsd).toBeCloseTo(sum, 4)
      expect(row.soldOn < asOf && row.saleId !== home.saleId).toBe(true)
      expect(row.weight).toBeLessThanOrEqual(0.4 + 1e-9)
    }
    expect(rows.reduce((total, { weight }) => total + weight, 0)).toBeCloseTo(1, 9)
    const similar = rows.map(({ similarity }) => similarity)
    expect(similar.slice(0, 6)).toEqual([...similar.slice(0, 6)].sort((a, b) => b - a))
  }
})

test('their weighted median is near the price, a home’s own sale is never among them, and two sales give no median', () => {
  const errors = subjects.flatMap((home) => {
    const rows = comparablesOf(model, home, sales as ComparableCandidate[], home.soldOn)
    expect(rows.some(({ saleId }) => saleId === home.saleId)).toBe(false)
    return Math.abs(comparablesValue(rows)! / home.priceUsd - 1)
  })
  expect(errors.sort((a, b) => a - b)[errors.length >> 1]).toBeLessThan(0.15)
  expect(comparablesValue([{ adjustedUsd: 1, weight: 1 }])).toBeUndefined()
})

test('a sale across the city limit counts for less than the same sale in the city', () => {
  const home = { ...subjects[0]!, city: 'Menlo Park' }
  const sale = { ...home, soldOn: '2023-08-01', propertyId: undefined, lat: home.lat + 0.003 }
  const rows = comparablesOf(
    model,
    home,
    ['Menlo Park', 'East Palo Alto', undefined].map((city, at) => ({ ...sale, saleId: `s${at}`, city })),
    asOf,
  )
  const similarity = new Map(rows.map((row) => [row.saleId, row.similarity]))
  expect(similarity.get('s1')).toBeLessThan(similarity.get('s0')! / 2)
  expect(similarity.get('s2')).toBe(similarity.get('s0'))
})
