// The facts of a property that the models use: its parcel, its home and its listing.
import { pick } from '../common/typed.ts'
import { isShown } from '../domain/facts.ts'
import { parcelWithHome } from '../domain/home-facts.ts'
import type { ListedParcel } from '../intelligence/proforma/proforma-input.ts'
import type { Subject, SubjectListing } from '../store/assessments/subjects.ts'

export interface SubjectFacts extends ListedParcel {
  zip?: string
  remarks?: string
  visionAnalysis?: string
  visionCondition?: SubjectListing['visionCondition']
}

export const factsOf = (property: Subject): SubjectFacts => {
  const { listing } = property
  return {
    ...parcelWithHome(property, listing),
    propertyId: property.id,
    ...pick(property, 'citySlug', 'zip'),
    ...pick(listing, 'remarks', 'visionAnalysis', 'visionCondition'),
    listPriceUsd: listing && isShown(listing.status) ? listing.priceUsd : undefined,
  }
}
