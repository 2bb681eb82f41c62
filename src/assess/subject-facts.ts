// The facts of a property that the models use: its parcel, its home and its listing.
import { isShown, type ParcelFacts } from '../domain/facts.ts'
import { parcelWithHome } from '../domain/home-facts.ts'
import type { Subject, SubjectListing } from '../store/assessments/subjects.ts'

export interface SubjectFacts extends ParcelFacts {
  /** Same name as in sales, so that a home is never its own comparable. */
  propertyId: string
  citySlug: string
  zip?: string
  remarks?: string
  visionAnalysis?: string
  visionCondition?: SubjectListing['visionCondition']
  /** The current asking price; undefined if the home is not listed. */
  listPriceUsd?: number
}

export const factsOf = (property: Subject): SubjectFacts => {
  const { listing } = property
  return {
    ...parcelWithHome(property, listing),
    propertyId: property.id,
    citySlug: property.citySlug,
    zip: property.zip,
    remarks: listing?.remarks,
    visionAnalysis: listing?.visionAnalysis,
    visionCondition: listing?.visionCondition,
    listPriceUsd: listing && isShown(listing.status) ? listing.priceUsd : undefined,
  }
}
