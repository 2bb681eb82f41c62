import type { ParcelFacts } from '../../domain/facts.ts'

export type VacantLotFacts = Pick<
  ParcelFacts,
  'propertyType' | 'livingSqft' | 'yearBuilt' | 'units' | 'assessedImprovementUsd'
>

/** Land by its type, or a parcel that the assessor's roll values at zero improvements and shows no building on. */
export const isVacantLot = (parcel: VacantLotFacts): boolean =>
  parcel.propertyType === 'land' ||
  (parcel.assessedImprovementUsd === 0 && !parcel.livingSqft && parcel.yearBuilt === undefined && !parcel.units)
