import { expect, test } from 'vitest'
import { homeFacts } from '../../src/domain/home-facts.ts'

test('land comes from the assessor first, the house from the listing first', () => {
  const parcel = { lotSqft: 7_020, livingSqft: 890, yearBuilt: 1963, lat: 37.48, lng: -122.15 }
  const listing = { lotSqft: 7_700, livingSqft: 1_150, yearBuilt: 1970, lat: 37.5, lng: -122.2 }
  expect(homeFacts(parcel, listing)).toMatchObject({
    lotSqft: 7_020,
    lat: 37.48,
    lng: -122.15,
    livingSqft: 1_150,
    yearBuilt: 1970,
  })
  expect(homeFacts({ ...parcel, lotSqft: undefined }, listing).lotSqft).toBe(7_700)
})
