// Comparable sales, checked against a brute-force search over every known sale.
import { expect, test } from 'vitest'
import { comparablesValue } from '../../../src/intelligence/valuation/comparables.ts'
import { fitMarket } from '../../../src/intelligence/valuation/fit-market.ts'
import { dayOf, type LocatedHome, type ValuationSale } from '../../../src/intelligence/valuation/valuation-facts.ts'
import { comparablesOf, valueHome } from '../../../src/intelligence/valuation/value-home.ts'
import { simulatedSales } from './simulated-market.ts'

type Sale = ValuationSale & LocatedHome

const asOf = '2023-10-01'
const sales = simulatedSales({ count: 3000, condoShare: 0.2 }).map((sale) => ({ ...sale, propertyId: sale.saleId }))
const quick = { assumptions: { maxTrees: 25, folds: 3 } }
const model = fitMarket(sales, asOf, quick)!
const known = sales.filter(({ soldOn }) => soldOn < asOf) as Sale[]
const subjects = sales.filter(({ soldOn }) => soldOn >= asOf).slice(0, 150) as Sale[]

const isAlike = (home: Sale, sale: Sale) =>
  Math.hypot((sale.lat - home.lat) * 110.574, (sale.lng - home.lng) * 111.32 * Math.cos((home.lat * Math.PI) / 180)) <=
    1.609344 &&
  dayOf(asOf) - dayOf(sale.soldOn) <= 365 &&
  Math.abs(sale.livingSqft! / home.livingSqft! - 1) <= 0.25 &&
  Math.abs(sale.yearBuilt! - home.yearBuilt!) <= 15

test('where three sales within a mile, a year, 25% of size and 15 years of age exist, three of the first six are such sales', () => {
  const byId = new Map(known.map((sale) => [sale.saleId, sale]))
  let tested = 0
  for (const home of subjects) {
    // Condominiums are a market of their own.
    const isCondo = ({ propertyType }: Sale) => propertyType === 'condo'
    if (known.filter((sale) => isCondo(sale) === isCondo(home) && isAlike(home, sale)).length < 3) continue
    const first = comparablesOf(model, home, asOf).slice(0, 6)
    expect(first.filter(({ saleId }) => isAlike(home, byId.get(saleId)!)).length).toBeGreaterThanOrEqual(3)
    tested++
  }
  expect(tested).toBeGreaterThan(50)
})

test('the rows add up, similarity falls within the first six and after, no sale has over 40% of the weight', () => {
  for (const home of subjects.slice(0, 40)) {
    const rows = comparablesOf(model, home, asOf)
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
    const rows = comparablesOf(model, home, home.soldOn)
    expect(rows.some(({ saleId }) => saleId === home.saleId)).toBe(false)
    const said = comparablesValue(rows)!
    // The value is reconciled with this grid.
    expect(valueHome(model, home, home.soldOn)?.basis.comps ?? said).toBeCloseTo(said, 4)
    return Math.abs(said / home.priceUsd - 1)
  })
  expect(errors.sort((a, b) => a - b)[errors.length >> 1]).toBeLessThan(0.15)
  expect(comparablesValue([{ adjustedUsd: 1, weight: 1 }])).toBeUndefined()
})

test('a sale across the city limit counts for less than the same sale in the city', () => {
  const home = { ...subjects[0]!, city: 'Menlo Park' }
  const sale = { ...home, soldOn: '2023-08-01', propertyId: undefined, lat: home.lat + 0.003 }
  const around = ['Menlo Park', 'East Palo Alto', undefined].map((city, at) => ({ ...sale, saleId: `s${at}`, city }))
  const rows = comparablesOf(fitMarket([...known.slice(-200), ...around], asOf, quick)!, home, asOf)
  const similarity = new Map(rows.map((row) => [row.saleId, row.similarity]))
  expect(similarity.get('s1')).toBeLessThan(similarity.get('s0')! / 2)
  expect(similarity.get('s2')).toBe(similarity.get('s0'))
})
