// A parcel of the sample world, and what stands on it.

import type { PropertyType } from '../contract/facts.ts'
import type { Day } from './calendar.ts'
import type { Zone } from './zones.ts'

/** What stands on a parcel from a day on. A rebuilt or renovated parcel has several, oldest first. */
export interface Home {
  from: Day
  propertyType: PropertyType
  livingSqft: number
  beds: number
  baths: number
  yearBuilt: number
  yearRenovated?: number
  storeys: number
  garageSqft: number
  fireplaces: number
  units: number
  /** Hidden: 0 ruin .. 1 as new. */
  condition: number
  assessedLandUsd: number
  assessedImprovementUsd: number
}

export interface SampleParcel {
  index: number
  zone: Zone
  apn: string
  address: string
  street: string
  houseNumber: number
  lat: number
  lng: number
  lotSqft: number
  lotWidthFt: number
  lotDepthFt: number
  cornerLot: boolean
  slopePct: number
  hill: number
  bay: number
  zoning: string
  /** Hidden: how dear this very spot is. */
  micro: number
  /** Hidden: what a full-size new house here would measure. */
  envelopeSqft: number
  /** Hidden: dollars for a median home of the zone, at the trend's base. */
  levelUsd: number
  homes: Home[]
}
