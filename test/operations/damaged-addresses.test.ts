import { expect, test } from 'vitest'
import { lookUpItems } from '../../src/operations/lookup.ts'
import { plans } from '../../src/wire/plans.ts'
import { useDatabase } from '../setup/database.ts'
import {
  type DamagedAddress,
  damagedAddresses,
  insertParcels,
  sampleId,
  sampleParcels,
  withNumberTypo,
} from './damaged-addresses.ts'

const database = useDatabase()

test('damaged addresses are found, and none is matched exactly to another property', async () => {
  const parcels = sampleParcels()
  await insertParcels(database().db, parcels)
  const streets = new Map(parcels.map((parcel) => [sampleId(parcel), `${parcel.street}, ${parcel.zone.city}`]))

  const damaged = await lookedUp(damagedAddresses(parcels, 240))
  const share = (kind: string, of: 'exact' | 'found') => {
    const own = damaged.filter((each) => each.kind === kind)
    return own.filter((each) => each.found && (of === 'found' || each.exact)).length / own.length
  }
  expect(damaged.filter(({ exact, found }) => exact && !found)).toEqual([])
  expect(share('as people type it', 'exact')).toBe(1)
  expect(share('swapped order', 'exact')).toBe(1)
  expect(share('city missing', 'exact')).toBe(1)
  expect(share('typing error in the street', 'found')).toBeGreaterThan(0.95)
  expect(damaged.filter(({ found }) => found).length / 240).toBeGreaterThan(0.95)

  const numbers = await lookedUp(withNumberTypo(parcels, 120))
  expect(
    numbers.filter(({ exact, found, id, first }) => exact && !found && streets.get(first!) !== streets.get(id)),
  ).toEqual([])
})

const caller = { plan: 'pro', limits: plans.pro, client: 'test', remaining: 0, windowResetsInSeconds: 0 } as const

const lookedUp = async (addresses: readonly DamagedAddress[]) => {
  const results = await lookUpItems(
    { db: database().db, caller, now: new Date(), surface: 'api' },
    addresses.map(({ text }) => ({ address: text })),
    [],
  )
  return results.map(({ match, candidates }, at) => ({
    ...addresses[at]!,
    exact: match === 'exact',
    /** Graded exact, or listed among the candidates. */
    found: candidates.some(({ id }) => id === addresses[at]!.id),
    first: candidates[0]?.id,
  }))
}
