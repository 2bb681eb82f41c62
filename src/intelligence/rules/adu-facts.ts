// What the accessory-dwelling rules look at, and the sizes they name.

import type { ParcelFacts } from '../../contract/facts.ts'
import type { City } from '../../contract/markets.ts'

export type AduFacts = Pick<
  ParcelFacts,
  'market' | 'propertyType' | 'lotSqft' | 'livingSqft' | 'units' | 'slopePct' | 'lotWidthFt' | 'cornerLot' | 'overlays'
> & {
  city?: Pick<City, 'name' | 'state' | 'coastal'>
  /** Ground in the rear yard where a detached unit may stand; absent when it cannot be worked out. */
  buildableSqft?: number
}

export const aduLimits = {
  byRightDetachedSqft: 800,
  juniorSqft: 500,
  /** What no city's size cap may go under: two bedrooms, and one. */
  twoBedroomFloorSqft: 1000,
  oneBedroomFloorSqft: 850,
  largestSqft: 1200,
  setbackFt: 4,
  /** Smallest dwelling the building code knows, and the smallest people build. */
  efficiencySqft: 150,
  realisticSqft: 350,
  /** Detached units beside flats: two, and since SB 1211 up to eight. */
  besideFlats: [
    { effectiveFrom: '2020-01-01', units: 2 },
    { effectiveFrom: '2025-01-01', units: 8 },
  ],
} as const
