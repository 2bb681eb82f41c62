import { expect, test } from 'vitest'
import { dayOf } from '../../src/sample/calendar.ts'
import { overlaysOf } from '../../src/sample/overlays.ts'
import { homeAt } from '../../src/sample/parcels.ts'
import { makeWorld, trueTeardownProbability } from '../../src/sample/world.ts'

const world = makeWorld(3, dayOf('2026-11-15'))
const demolitions = world.permits.filter((permit) => permit.kind === 'demolition')

const salesByParcel = Map.groupBy(world.sales, (sale) => sale.parcel)
const housesByParcel = Map.groupBy(
  world.permits.filter((permit) => permit.kind === 'newHouse'),
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

test('what is pulled down was likelier to be than what was sold and stands', () => {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
  const doomed = demolitions.map((permit) => world.odds.at(permit.parcel, permit.appliedOn))
  const sold = world.sales.map((sale) => world.odds.at(sale.parcel, sale.soldOn))
  expect(mean(doomed)).toBeGreaterThan(3 * mean(sold))
})

test('a listed or contributing house is never pulled down, nor is a recent one likely to be', () => {
  const protectedOnes = world.parcels.filter((parcel) => {
    const { historicListed, historicContributing } = overlaysOf(parcel, world.seed)
    return historicListed === 'yes' || historicContributing === 'yes'
  })
  expect(protectedOnes.length).toBeGreaterThan(200)
  expect(Math.max(...protectedOnes.map((parcel) => trueTeardownProbability(world, parcel)))).toBe(0)
  const recent = world.parcels.filter((parcel) => homeAt(parcel, world.today).yearBuilt > 2005)
  expect(Math.max(...recent.map((parcel) => trueTeardownProbability(world, parcel)))).toBeLessThan(0.2)
})

test('the older and smaller of two homes on one lot is the likelier teardown', () => {
  const parcel = world.parcels.find((p) => trueTeardownProbability(world, p) > 0.05)
  expect(parcel).toBeDefined()
  if (!parcel) return
  const home = homeAt(parcel, world.today)
  const better = { ...parcel, homes: [{ ...home, yearBuilt: 1999, condition: 0.95, livingSqft: parcel.envelopeSqft }] }
  expect(trueTeardownProbability(world, better)).toBeLessThan(trueTeardownProbability(world, parcel) / 5)
})
