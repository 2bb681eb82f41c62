// A simulated parcel and the homes on it. Fields marked "not in the feeds" are known to the simulation only.

import type { OverlayName, PropertyType } from '../../src/domain/facts.ts'
import type { Day } from './calendar.ts'
import type { Position } from './streets.ts'
import type { Zone } from './zones.ts'

/** The state of the building from a day on. Each rebuild, renovation or reassessment adds one, oldest first. */
export interface Home {
  from: Day
  propertyType: PropertyType
  livingSqft: number
  beds: number
  baths: number
  yearBuilt: number
  yearRenovated?: number
  stories: number
  garageSqft: number
  basementSqft: number
  fireplaces: number
  units: number
  /** Not in the feeds: 0 uninhabitable .. 1 new. */
  condition: number
  assessedLandUsd: number
  assessedImprovementUsd: number
}

export interface SampleParcel {
  index: number
  zone: Zone
  apn: string
  address: string
  /** Of the neighborhood; undefined if the pack lists no ZIP code for the city. */
  zip: string | undefined
  street: string
  houseNumber: number
  lat: number
  lng: number
  /** The corners of the lot; the first is not repeated at the end. */
  outline: readonly Position[]
  lotSqft: number
  lotWidthFt: number
  lotDepthFt: number
  cornerLot: boolean
  slopePct: number
  /** 0 none, 25, 50, 75, 100. */
  view: number
  waterfront: boolean
  hill: number
  bay: number
  /** The zones of the map layers that the lot is in. */
  zones: ReadonlySet<OverlayName>
  zoning: string
  /** Not in the feeds: price factor of the exact location, about 1. */
  locationFactor: number
  /** Not in the feeds: size of a full-size new house on this lot. */
  envelopeSqft: number
  /** Not in the feeds: value of a median home of the zone at the base of the price trend. */
  levelUsd: number
  homes: Home[]
}
