// A property's facts as one: what its current listing says first, being newer, then what the parcel roll says.
import type { ParcelFacts } from '../contract/facts.ts'
import { offeredHome } from '../contract/offered-home.ts'
import type { Subject, SubjectListing } from '../store/assessments/subjects.ts'

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

/** Every field is written out, so that all facts have one shape: a market reads them a thousand times each. */
export const factsOf = (property: Subject): SubjectFacts => {
  const { listing } = property
  const home = offeredHome(property, listing)
  return {
    id: property.id,
    propertyId: property.id,
    market: property.market,
    city: property.city,
    citySlug: property.citySlug,
    address: property.address,
    county: property.county,
    apn: property.apn,
    lat: property.lat ?? listing?.lat,
    lng: property.lng ?? listing?.lng,
    propertyType: home.propertyType,
    livingSqft: home.livingSqft,
    lotSqft: home.lotSqft,
    beds: home.beds,
    baths: home.baths,
    yearBuilt: home.yearBuilt,
    yearRenovated: home.yearRenovated,
    storeys: home.storeys,
    lotWidthFt: property.lotWidthFt,
    lotDepthFt: property.lotDepthFt,
    cornerLot: property.cornerLot,
    slopePct: property.slopePct,
    garageSqft: property.garageSqft,
    units: property.units,
    fireplaces: property.fireplaces,
    zoning: property.zoning,
    assessedLandUsd: property.assessedLandUsd,
    assessedImprovementUsd: property.assessedImprovementUsd,
    overlays: property.overlays,
    remarks: listing?.remarks,
    visionAnalysis: listing?.visionAnalysis,
    visionCondition: listing?.visionCondition,
    listPriceUsd: listing && listing.status !== 'withdrawn' ? listing.priceUsd : undefined,
  } satisfies { [Name in keyof Required<SubjectFacts>]: SubjectFacts[Name] }
}
