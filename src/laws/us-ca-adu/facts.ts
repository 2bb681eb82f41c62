// The facts that the ADU rules test, and the sizes they name.

import type { RuleFacts } from '../law.ts'

/** With the area of the rear yard where a detached unit may be built; absent when unknown. */
export type AduFacts = RuleFacts & { buildableSqft?: number }

export const aduLimits = {
  byRightDetachedSqft: 800,
  juniorSqft: 500,
  /** Every city must allow at least this size for two bedrooms. */
  twoBedroomFloorSqft: 1000,
  largestSqft: 1200,
  /** The smallest dwelling the building code allows, and the smallest that is built in practice. */
  efficiencySqft: 150,
  realisticSqft: 350,
  /** A one-car garage: the smallest that is converted in practice. */
  conversionSqft: 220,
  /** The smallest junior unit worth building, and the house that should remain: three bedrooms. */
  juniorLeastSqft: 220,
  houseKeepsSqft: 1200,
  /** Accessory units that Gov. Code 66323 allows on a lot with one house. */
  singleFamilyUnits: 3,
  /** Above this slope no detached unit is built in practice. */
  steepestPct: 40,
  /** Detached units on a lot with a multifamily building: two, and since SB 1211 up to eight. */
  multifamilyDetached: [
    { effectiveFrom: '2020-01-01', units: 2 },
    { effectiveFrom: '2025-01-01', units: 8 },
  ],
} as const

/** Accessory units that a lot with one house already has, by the number of dwellings on the roll. */
export const existingUnits = ({ propertyType, units = 1 }: Pick<AduFacts, 'propertyType' | 'units'>): number =>
  propertyType === 'single_family' ? Math.max(0, units - 1) : 0
