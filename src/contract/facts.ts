// The facts Lotline holds, as every part of it names them. A field that may be unknown is optional: missing
// is never zero, false or an empty string. Units are in the names; `…On` is a date (YYYY-MM-DD), `…At` an instant.

/** The id of a market pack: see `marketIds` in markets.ts for the loaded ones. */
export type MarketId = string

export const confidences = ['high', 'medium', 'low'] as const
export type Confidence = (typeof confidences)[number]

export const datasets = ['parcels', 'listings', 'sales', 'permits'] as const
export type Dataset = (typeof datasets)[number]

/** A yes-or-no fact that may simply not be known. */
export type Tristate = 'yes' | 'no' | 'unknown'

export const propertyTypes = ['single_family', 'condo', 'townhouse', 'multi_family', 'land', 'other'] as const
export type PropertyType = (typeof propertyTypes)[number]

/** What may lie over a parcel and change what can be built there. Absent counts as unknown. */
export const overlayNames = [
  'historicListed',
  'historicDistrict',
  'historicContributing',
  'veryHighFire',
  'floodZone',
  'faultZone',
  'coastalZone',
  'hazardousWaste',
  'wetland',
  'farmland',
  'conservationEasement',
  'habitat',
  'rentControlled',
  'affordableDeed',
  'tenantLast3y',
  'ellisLast15y',
  'priorSb9Split',
  'adjacentSb9Split',
  'transitHalfMile',
  'septic',
  'urbanized',
] as const
export type OverlayName = (typeof overlayNames)[number]
export type Overlays = Partial<Record<OverlayName, Tristate>>

/** Where a record came from, and when. */
export interface Provenance {
  source: string
  sourceId: string
  sourceUrl?: string
  licence?: string
  collectedAt: string
}

export interface Place {
  market: MarketId
  /** Display name: "Palo Alto". */
  city: string
  address: string
  lat?: number
  lng?: number
}

/** What a home is made of. Shared by parcels, listings and sales. */
export interface HomeFacts {
  propertyType?: PropertyType
  livingSqft?: number
  lotSqft?: number
  beds?: number
  baths?: number
  yearBuilt?: number
  yearRenovated?: number
  storeys?: number
}

/** A property: a parcel, or a home known only through a listing. */
export interface ParcelFacts extends Place, HomeFacts {
  id: string
  apn?: string
  county?: string
  lotWidthFt?: number
  lotDepthFt?: number
  cornerLot?: boolean
  slopePct?: number
  garageSqft?: number
  units?: number
  fireplaces?: number
  /** Zoning district as the city names it: "R-1", "R1-10". */
  zoning?: string
  assessedLandUsd?: number
  assessedImprovementUsd?: number
  overlays: Overlays
}

export const listingStatuses = ['active', 'coming_soon', 'pending', 'sold', 'withdrawn'] as const
export type ListingStatus = (typeof listingStatuses)[number]
/** Can be bought: pages and mail list these first. */
export const forSaleStatuses = ['active', 'coming_soon'] as const satisfies readonly ListingStatus[]
/** Listed and not closed. A pending home is on the market, but its sale is agreed. */
export const onMarketStatuses = [...forSaleStatuses, 'pending'] as const satisfies readonly ListingStatus[]
/** Served as the current listing. */
export const shownStatuses = [...onMarketStatuses, 'sold'] as const satisfies readonly ListingStatus[]

export const isShown = (status: ListingStatus): boolean => (shownStatuses as readonly ListingStatus[]).includes(status)

export const isOnMarket = (status: ListingStatus): boolean =>
  (onMarketStatuses as readonly ListingStatus[]).includes(status)

export interface ListingFacts extends Place, HomeFacts {
  listingId: string
  apn?: string
  status: ListingStatus
  rawStatus?: string
  priceUsd?: number
  originalPriceUsd?: number
  listedOn?: string
  pendingOn?: string
  soldOn?: string
  soldPriceUsd?: number
  remarks?: string
  photoUrls?: readonly string[]
  visionAnalysis?: string
}

export interface SaleFacts extends Place, HomeFacts {
  saleId: string
  apn?: string
  soldOn: string
  priceUsd: number
  listPriceUsd?: number
  listedOn?: string
  /** List to accepted offer. */
  daysOnMarket?: number
  /** What the listing that led to it said, where the record keeps it, as an MLS does. */
  remarks?: string
}

export const permitStatuses = [
  'applied',
  'in_review',
  'approved',
  'issued',
  'inspections',
  'finaled',
  'expired',
  'cancelled',
  'unknown',
] as const
export type PermitStatus = (typeof permitStatuses)[number]

export const permitClasses = [
  'new_house',
  'adu',
  'whole_house_demolition',
  'partial_demolition',
  'addition',
  'remodel',
  'solar',
  'pool',
  'roof',
  'other',
] as const
export type PermitClass = (typeof permitClasses)[number]

export interface PermitFacts extends Omit<Place, 'address'> {
  permitId: string
  apn?: string
  address?: string
  /** As the city gives it. */
  projectType?: string
  description?: string
  /** Cleaned: a $1 placeholder on a tower is not a valuation. */
  valuationUsd?: number
  /** As the city gave it. */
  rawValuation?: string
  sqft?: number
  contractor?: string
  architect?: string
  appliedOn?: string
  issuedOn?: string
  finaledOn?: string
  status: PermitStatus
  rawStatus?: string
  permitClass: PermitClass
  /** The words that decided the class. */
  classWords: readonly string[]
}

/** Deeds between relatives and into trusts name $1 or $10: a transfer below this says nothing about value. */
export const leastMarketPriceUsd = 1_000
