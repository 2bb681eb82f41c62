// The facts that Lotline stores, with the names used everywhere in the code. A field that may be unknown is optional: missing
// is never zero, false or an empty string. Units are in the names; `…On` is a date (YYYY-MM-DD), `…At` an instant.
import { type FactName, type FactType, factTable, type HomeFact, type LotFact } from './fact-table.ts'
import type { Building, Station } from './layers.ts'

/** The id of a market pack: see `marketIds` in markets.ts for the loaded ones. */
export type MarketId = string

export const confidences = ['high', 'medium', 'low'] as const
export type Confidence = (typeof confidences)[number]

export const datasets = ['parcels', 'listings', 'sales', 'permits', 'rents'] as const
export type Dataset = (typeof datasets)[number]
/** What a source may hold: records of a data set, or a map layer that sets facts of the parcels it touches. */
export const holdings = [...datasets, 'layer'] as const
export type Holding = (typeof holdings)[number]

export type Tristate = 'yes' | 'no' | 'unknown'

export const propertyTypes = ['single_family', 'condo', 'townhouse', 'multi_family', 'land', 'other'] as const
export type PropertyType = (typeof propertyTypes)[number]

/** Zones and restrictions that apply to a parcel and affect what can be built there. Absent counts as unknown. */
export const overlayNames = [
  'historicListed',
  'historicDistrict',
  'historicContributing',
  'veryHighFire',
  'highFire',
  'floodZone',
  'floodway',
  'erosion',
  'faultZone',
  'liquefaction',
  'landslide',
  'coastalZone',
  'hazardousWaste',
  'wetland',
  'farmland',
  'conservationEasement',
  'habitat',
  'rentControlled',
  'affordableDeed',
  'tenantLast3y',
  'tenantLast5y',
  'ellisLast15y',
  'priorSb9Split',
  'adjacentSb9Split',
  'transitHalfMile',
  'septic',
  'urbanized',
] as const
export type OverlayName = (typeof overlayNames)[number]
export type Overlays = Partial<Record<OverlayName, Tristate>>
/** Overlays for which one source that says yes outweighs all others. */
export const hazards: readonly OverlayName[] = [
  'floodZone',
  'floodway',
  'veryHighFire',
  'highFire',
  'faultZone',
  'liquefaction',
  'landslide',
  'erosion',
  'hazardousWaste',
  'wetland',
]

export interface Place {
  market: MarketId
  /** Display name: "Palo Alto". */
  city: string
  address: string
  lat?: number
  lng?: number
}

export type FactValue<Name extends FactName> = {
  number: number
  integer: number
  year: number
  boolean: boolean
  text: string
  propertyType: PropertyType
}[FactType<Name>]

/** What is known of a house. Shared by parcels, listings and sales. */
export type HomeFacts = { [Name in HomeFact]?: FactValue<Name> }
type LotFacts = { [Name in LotFact]?: FactValue<Name> }

/** How answers name an input of a score. */
export const inputName = (fact: string): string => (fact in factTable && factTable[fact as FactName].alias) || fact

/** A property: a parcel, or a home known only through a listing. */
export interface ParcelFacts extends Place, HomeFacts, LotFacts {
  id: string
  apn?: string
  county?: string
  overlays: Overlays
  /** From footprints on a map, the largest first; empty where the map shows none, absent where there is no map. */
  buildings?: readonly Building[]
  /** Within half a mile, from station maps; absent where there is no map. */
  stations?: readonly Station[]
}

export const listingStatuses = ['active', 'coming_soon', 'pending', 'sold', 'withdrawn'] as const
export type ListingStatus = (typeof listingStatuses)[number]
/** Statuses of homes that can be bought. Pages and mails list these first. */
export const forSaleStatuses = ['active', 'coming_soon'] as const satisfies readonly ListingStatus[]
/** Statuses of homes that are listed and not sold. A pending home has an accepted offer. */
export const onMarketStatuses = [...forSaleStatuses, 'pending'] as const satisfies readonly ListingStatus[]
/** Statuses with which a listing is served as the current one. */
export const shownStatuses = [...onMarketStatuses, 'sold'] as const satisfies readonly ListingStatus[]

export const isShown = (status: string): boolean => shownStatuses.some((each) => each === status)

export const isOnMarket = (status: string | undefined): boolean => onMarketStatuses.some((each) => each === status)

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
  /** Days from listing to accepted offer. */
  daysOnMarket?: number
  /** The remarks of the listing, if the sale record includes them, as MLS records do. */
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
  'multifamily',
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
  /** Undefined for placeholders such as $1. */
  valuationUsd?: number
  /** As the city gave it. */
  rawValuation?: string
  sqft?: number
  /** Dwelling units added. */
  units?: number
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

/** Deeds between relatives and into trusts name $1 or $10: a transfer below this amount is not a market price. */
export const minMarketPriceUsd = 1_000
