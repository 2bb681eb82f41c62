import { expect, test } from 'vitest'
import {
  damagedAddresses,
  insertParcels,
  sampleId,
  sampleParcels,
  withNumberTypo,
} from '../../bench/damaged-addresses.ts'
import { countLookups, total } from '../../bench/lookup-report.ts'
import { useDatabase } from '../setup/database.ts'

const database = useDatabase()

// 240 of the 1,000 addresses of `npm run report:lookup`.
test('damaged addresses are found, and none is matched exactly to another property', async () => {
  const parcels = sampleParcels()
  await insertParcels(database().db, parcels)
  const streets = new Map(parcels.map((parcel) => [sampleId(parcel), `${parcel.street}, ${parcel.zone.city}`]))
  const streetOf = (id: string) => streets.get(id)!

  const { counts } = await countLookups(database().db, damagedAddresses(parcels, 240), streetOf)
  const share = (kind: string, of: 'exact' | 'found') => {
    const count = counts.find((each) => each.kind === kind)!
    return count[of] / count.addresses
  }
  expect(total(counts).exactToAnother).toBe(0)
  expect(share('as people type it', 'exact')).toBe(1)
  expect(share('swapped order', 'exact')).toBe(1)
  expect(share('city missing', 'exact')).toBe(1)
  expect(share('typing error in the street', 'found')).toBeGreaterThan(0.95)
  expect(total(counts).found / 240).toBeGreaterThan(0.95)

  const numbers = await countLookups(database().db, withNumberTypo(parcels, 120), streetOf)
  expect(total(numbers.counts).exactElsewhere).toBe(0)
})
