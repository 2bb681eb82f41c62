// The facts that the ADU rules test, and the sizes they name.

import type { ParcelFacts } from '../../contract/facts.ts'
import type { City } from '../../contract/markets.ts'

export type AduFacts = Pick<
  ParcelFacts,
  'market' | 'propertyType' | 'lotSqft' | 'livingSqft' | 'units' | 'slopePct' | 'lotWidthFt' | 'cornerLot' | 'overlays'
> & {
  city?: Pick<City, 'name' | 'state' | 'coastal'>
  /** Area of the rear yard where a detached unit may be built; absent when unknown. */
  buildableSqft?: number
}

export const aduLimits = {
  byRightDetachedSqft: 800,
  juniorSqft: 500,
  /** Every city must allow at least these sizes, for two bedrooms and for one. */
  twoBedroomFloorSqft: 1000,
  oneBedroomFloorSqft: 850,
  largestSqft: 1200,
  setbackFt: 4,
  /** The smallest dwelling the building code allows, and the smallest that is built in practice. */
  efficiencySqft: 150,
  realisticSqft: 350,
  /** Detached units on a lot with a multifamily building: two, and since SB 1211 up to eight. */
  multifamilyDetached: [
    { effectiveFrom: '2020-01-01', units: 2 },
    { effectiveFrom: '2025-01-01', units: 8 },
  ],
} as const
