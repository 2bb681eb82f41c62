// A property's facts as one: what its current listing says first, being newer, then what the parcel roll says.
import type { ParcelFacts } from '../contract/facts.ts'
import { offeredHome } from '../contract/offered-home.ts'
import type { Subject, SubjectListing } from '../store/subjects.ts'

export interface SubjectFacts extends ParcelFacts {
  /** As its own sales name it, so that a home is never its own comparable. */
  propertyId: string
  citySlug: string
  remarks?: string
  visionAnalysis?: string
  visionCondition?: SubjectListing['visionCondition']
  /** What it is, or was last, offered at; absent when it is not on the market. */
  listPriceUsd?: number
}

export const factsOf = ({ listing, knownFrom: _, sourceId: _source, ...property }: Subject): SubjectFacts => ({
  ...property,
  propertyId: property.id,
  ...offeredHome(property, listing),
  lat: property.lat ?? listing?.lat,
  lng: property.lng ?? listing?.lng,
  remarks: listing?.remarks,
  visionAnalysis: listing?.visionAnalysis,
  visionCondition: listing?.visionCondition,
  listPriceUsd: listing && listing.status !== 'withdrawn' ? listing.priceUsd : undefined,
})
