import { expect, test } from 'vitest'
import { dayOf } from '../../src/sample/calendar.ts'
import { overlaysOf } from '../../src/sample/overlays.ts'
import { homeAt } from '../../src/sample/parcels.ts'
import { buildSampleData, trueTeardownProbability } from '../../src/sample/sample-data.ts'

const data = buildSampleData(3, dayOf('2026-11-15'))
const demolitions = data.permits.filter((permit) => permit.kind === 'demolition')

const salesByParcel = Map.groupBy(data.sales, (sale) => sale.parcel)
const housesByParcel = Map.groupBy(
  data.permits.filter((permit) => permit.kind === 'newHouse'),
  (permit) => permit.parcel,
)

test('a demolition follows a sale by three months to two years, and a new house follows it', () => {
  expect(demolitions.length).toBeGreaterThan(150)
  for (const demolition of demolitions) {
    const { parcel, appliedOn } = demolition
    const gaps = (salesByParcel.get(parcel) ?? []).map((sale) => appliedOn - sale.soldOn)
    expect(gaps.some((days) => days >= 80 && days <= 730)).toBe(true)
    const house = housesByParcel.get(parcel)?.find((permit) => Math.abs(permit.appliedOn - appliedOn) < 200)
    expect(house).toBeDefined()
    expect(house?.issuedOn).toBeGreaterThanOrEqual(demolition.issuedOn as number)
  }
})

test('demolished homes had a higher teardown probability than other homes sold', () => {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
  const demolished = demolitions.map((permit) => data.teardown.probability(permit.parcel, permit.appliedOn))
  const sold = data.sales.map((sale) => data.teardown.probability(sale.parcel, sale.soldOn))
  expect(mean(demolished)).toBeGreaterThan(3 * mean(sold))
})

test('a historic house is never torn down, and a recent one is unlikely to be', () => {
  const protectedOnes = data.parcels.filter((parcel) => {
    const { historicListed, historicContributing } = overlaysOf(parcel, data.seed)
    return historicListed === 'yes' || historicContributing === 'yes'
  })
  expect(protectedOnes.length).toBeGreaterThan(200)
  expect(Math.max(...protectedOnes.map((parcel) => trueTeardownProbability(data, parcel)))).toBe(0)
  const recent = data.parcels.filter((parcel) => homeAt(parcel, data.today).yearBuilt > 2005)
  expect(Math.max(...recent.map((parcel) => trueTeardownProbability(data, parcel)))).toBeLessThan(0.2)
})

test('an older and smaller home on the same lot is more likely to be torn down', () => {
  const parcel = data.parcels.find((p) => trueTeardownProbability(data, p) > 0.05)
  expect(parcel).toBeDefined()
  if (!parcel) return
  const home = homeAt(parcel, data.today)
  const better = { ...parcel, homes: [{ ...home, yearBuilt: 1999, condition: 0.95, livingSqft: parcel.envelopeSqft }] }
  expect(trueTeardownProbability(data, better)).toBeLessThan(trueTeardownProbability(data, parcel) / 5)
})
