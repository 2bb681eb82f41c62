import { expect, test } from 'vitest'
import { figuresOf, ratioGroups, type StudiedSale } from '../../src/assess/ratio-groups.ts'
import { seededRandom } from '../../src/intelligence/valuation/seeded-random.ts'

/** Sales whose values are right in the middle, with errors of about 15%. */
const study = (seed: number, count = 400): StudiedSale[] => {
  const random = seededRandom(seed)
  const normal = () => Array.from({ length: 12 }, random).reduce((sum, each) => sum + each, -6)
  return Array.from({ length: count }, (_, at) => {
    const priceUsd = 500_000 * Math.exp(0.5 * normal())
    const city = at % 2 ? 'Menlo Park' : 'Palo Alto'
    const sale = { saleId: `s${at}`, soldOn: '2026-05-01', priceUsd, city, yearBuilt: at % 4 ? 1950 : undefined }
    return { valueUsd: priceUsd * Math.exp(0.15 * normal()), priceUsd, sale }
  })
}

test('nine of ten limits hold what many other samples show', () => {
  const many = figuresOf(study(999, 20_000))!
  for (const name of ['medianRatio', 'cod', 'prd', 'prb'] as const) {
    const held = Array.from({ length: 150 }, (_, seed) => figuresOf(study(seed + 1))!.limits[name]).filter(
      ({ low, high }) => low <= many[name] && many[name] <= high,
    )
    expect(held.length / 150, name).toBeGreaterThan(0.83)
    expect(held.length / 150, name).toBeLessThan(0.97)
  }
})

test('groups of 30 or more sales by area, age, type and tenth of the value; a deed at a tenth of the price is trimmed', () => {
  const sales = study(1)
  sales[0] = { ...sales[0]!, valueUsd: 10 * sales[0]!.priceUsd }
  const groups = ratioGroups(sales)
  const named = (by: string) => groups.filter((group) => group.by === by).map(({ group }) => group)
  expect(named('area')).toEqual(['Menlo Park', 'Palo Alto'])
  expect(named('age')).toEqual(['60 to 80 years'])
  // No type is known.
  expect(named('type')).toEqual([])
  expect(named('value')).toEqual(Array.from({ length: 10 }, (_, k) => `tenth ${k + 1}`))
  const [, paloAlto] = groups
  expect([paloAlto!.n, paloAlto!.trimmed.n]).toEqual([200, 199])
  expect(paloAlto!.trimmed.cod).toBeLessThan(paloAlto!.cod)
  expect(ratioGroups(sales.slice(0, 29))).toEqual([])
})
