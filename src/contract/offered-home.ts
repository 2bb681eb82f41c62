import type { HomeFacts } from './facts.ts'

/** A home as one: what its listing says first, being newer, then the parcel roll; of the lot the roll knows better. */
export const offeredHome = (parcel: HomeFacts, listing: HomeFacts | undefined): HomeFacts => ({
  propertyType: listing?.propertyType ?? parcel.propertyType,
  livingSqft: listing?.livingSqft ?? parcel.livingSqft,
  lotSqft: parcel.lotSqft ?? listing?.lotSqft,
  beds: listing?.beds ?? parcel.beds,
  baths: listing?.baths ?? parcel.baths,
  yearBuilt: listing?.yearBuilt ?? parcel.yearBuilt,
  yearRenovated: listing?.yearRenovated ?? parcel.yearRenovated,
  // With the living area they make the footprint, so both come from the same side where it has both.
  storeys: listing?.storeys ?? parcel.storeys,
})
