// A property's facts as the models take them: the parcel, its home, and what its listing says.
import { isShown, type ParcelFacts } from '../contract/facts.ts'
import { parcelWithHome } from '../contract/home-facts.ts'
import type { Subject, SubjectListing } from '../store/assessments/subjects.ts'

export interface SubjectFacts extends ParcelFacts {
  /** Under the name that sales use, so that a home is never its own comparable. */
  propertyId: string
  citySlug: string
  remarks?: string
  visionAnalysis?: string
  visionCondition?: SubjectListing['visionCondition']
  /** The price it is, or was last, offered at; absent when it is not listed. */
  listPriceUsd?: number
}

export const factsOf = (property: Subject): SubjectFacts => {
  const { listing } = property
  return {
    ...parcelWithHome(property, listing),
    propertyId: property.id,
    citySlug: property.citySlug,
    remarks: listing?.remarks,
    visionAnalysis: listing?.visionAnalysis,
    visionCondition: listing?.visionCondition,
    listPriceUsd: listing && isShown(listing.status) ? listing.priceUsd : undefined,
  }
}
