// A property's facts as the intelligence takes them: what the visible listing says first, being newer, then the roll.
import type { ParcelFacts } from '../contract/facts.ts'
import type { ListingRow, PropertyRow } from '../store/properties.ts'

export const factsNow = (
  property: PropertyRow,
  listing: ListingRow | undefined,
): ParcelFacts & { citySlug: string } => {
  const {
    knownFrom: _,
    sourceId: _s,
    sourceTitle: _t,
    sourceUrl: _u,
    licence: _l,
    sample: _m,
    collectedAt: _c,
    ...facts
  } = property
  return {
    ...facts,
    propertyType: listing?.propertyType ?? property.propertyType,
    livingSqft: listing?.livingSqft ?? property.livingSqft,
    lotSqft: property.lotSqft ?? listing?.lotSqft,
    beds: listing?.beds ?? property.beds,
    baths: listing?.baths ?? property.baths,
    yearBuilt: listing?.yearBuilt ?? property.yearBuilt,
    yearRenovated: listing?.yearRenovated ?? property.yearRenovated,
  }
}
