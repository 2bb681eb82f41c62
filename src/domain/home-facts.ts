// The facts of a home, from its parcel and its current listing. This is the only place that decides which of the
// two takes precedence; `homeColumns` in the store is the same rule in SQL.
import type { HomeFacts, ParcelFacts } from './facts.ts'

/** What a listing says about the home it offers. */
type ListedHome = HomeFacts & { lat?: number; lng?: number }

/**
 * Lot size and position come from the parcel first: the assessor measures land, and agents round or copy it. Everything
 * about the house comes from the listing first, because the roll misses additions and remodels for years.
 */
export const homeFacts = (parcel: ListedHome, listing: ListedHome | undefined): ListedHome => ({
  propertyType: listing?.propertyType ?? parcel.propertyType,
  livingSqft: listing?.livingSqft ?? parcel.livingSqft,
  lotSqft: parcel.lotSqft ?? listing?.lotSqft,
  beds: listing?.beds ?? parcel.beds,
  baths: listing?.baths ?? parcel.baths,
  yearBuilt: listing?.yearBuilt ?? parcel.yearBuilt,
  yearRenovated: listing?.yearRenovated ?? parcel.yearRenovated,
  stories: listing?.stories ?? parcel.stories,
  quality: listing?.quality ?? parcel.quality,
  condition: listing?.condition ?? parcel.condition,
  view: listing?.view ?? parcel.view,
  waterfront: listing?.waterfront ?? parcel.waterfront,
  garageSqft: listing?.garageSqft ?? parcel.garageSqft,
  basementSqft: listing?.basementSqft ?? parcel.basementSqft,
  lat: parcel.lat ?? listing?.lat,
  lng: parcel.lng ?? listing?.lng,
})

/** The parcel with its home. Names every field, so that all facts have one shape and nothing else comes along. */
export const parcelWithHome = (parcel: ParcelFacts, listing: ListedHome | undefined): ParcelFacts => {
  const home = homeFacts(parcel, listing)
  return {
    id: parcel.id,
    market: parcel.market,
    city: parcel.city,
    address: parcel.address,
    county: parcel.county,
    apn: parcel.apn,
    lat: home.lat,
    lng: home.lng,
    propertyType: home.propertyType,
    livingSqft: home.livingSqft,
    lotSqft: home.lotSqft,
    beds: home.beds,
    baths: home.baths,
    yearBuilt: home.yearBuilt,
    yearRenovated: home.yearRenovated,
    stories: home.stories,
    quality: home.quality,
    condition: home.condition,
    view: home.view,
    waterfront: home.waterfront,
    garageSqft: home.garageSqft,
    basementSqft: home.basementSqft,
    lotWidthFt: parcel.lotWidthFt,
    lotDepthFt: parcel.lotDepthFt,
    cornerLot: parcel.cornerLot,
    slopePct: parcel.slopePct,
    units: parcel.units,
    fireplaces: parcel.fireplaces,
    zoning: parcel.zoning,
    assessedLandUsd: parcel.assessedLandUsd,
    assessedImprovementUsd: parcel.assessedImprovementUsd,
    overlays: parcel.overlays,
  } satisfies { [Name in keyof Required<ParcelFacts>]: ParcelFacts[Name] }
}
