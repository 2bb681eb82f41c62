// The rows of the feed files, in the form a county, an MLS and city permit offices publish them.
// UTF-8, comma-separated, one header row. Columns are named as in domain/facts.ts, so the field mapping of the source is the identity. Empty = unknown.
//
//   parcels.csv   one row per parcel; `overlay.<name>` is yes, no, unknown or empty; `outline` holds the coordinates of a
//                 GeoJSON polygon. Key: apn (with county).
//   listings.csv  `status` as MLS feeds spell it, in mixed case (Active, Coming Soon, Pending, Closed, Withdrawn, Expired, Canceled);
//                 a coming-soon row has no listedOn; some rows have no apn, a few match no parcel. Key: listingId.
//   sales.csv     recorded sales; an off-market sale has empty listing columns. Key: saleId.
//   permits.csv   `valuation` is raw text ("$12,500", "12500.00", "1", ""); `status` as each city spells it
//                 (permit-vocabulary.ts lists them all). Key: city with permitId.
//   rents.csv     one row per home let, by ZIP code and bedrooms. Key: rentId.
// Dates are YYYY-MM-DD, amounts are whole dollars except `valuation`, cornerLot is yes or no.

import { pick, tableOf } from '../../src/common/typed.ts'
import { overlayNames } from '../../src/domain/facts.ts'
import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { type Day, isoDate } from './calendar.ts'
import { licenseOf } from './firms.ts'
import { overlaysOf } from './overlays.ts'
import type { Home, SampleParcel } from './parcel.ts'
import { homeAt } from './parcels.ts'
import { describePermit } from './permit-descriptions.ts'
import { permitKinds } from './permit-kinds.ts'
import { type PermitStage, projectTypeOf, statusNameOf, styleOf } from './permit-vocabulary.ts'
import { randomFor } from './random.ts'
import { remarksOf, visionOf } from './remarks.ts'
import type { NumberedPermit } from './sample-data.ts'
import type { ListingRecord, SaleRecord } from './simulation.ts'

export type Cell = string | number | undefined

/** Parcel feeds have no columns for zones that only maps show. */
const parcelOverlays = overlayNames.filter((name) => !['floodway', 'liquefaction', 'landslide'].includes(name))

/** The columns of a feed in order, with the cell of each. */
export type FeedRow = Readonly<Record<string, Cell>>

export function parcelRow(parcel: SampleParcel, seed: number, today: Day): FeedRow {
  const random = randomFor(seed, 'parcel-row', parcel.index)
  const home = homeAt(parcel, today)
  const land = home.propertyType === 'land'
  const measured = random.chance(0.92)
  const overlays = overlaysOf(parcel, seed)
  return {
    apn: parcel.apn,
    county: parcel.zone.county,
    ...placeCells(parcel, parcel.address),
    ...homeCells(parcel, home, seed),
    lotWidthFt: measured ? parcel.lotWidthFt : undefined,
    lotDepthFt: measured ? parcel.lotDepthFt : undefined,
    cornerLot: random.chance(0.95) ? (parcel.cornerLot ? 'yes' : 'no') : undefined,
    slopePct: random.chance(0.9) ? parcel.slopePct : undefined,
    units: land ? 0 : home.units,
    fireplaces: land || random.chance(0.1) ? undefined : home.fireplaces,
    zoning: random.chance(0.985) ? parcel.zoning : undefined,
    ...pick(home, 'assessedLandUsd', 'assessedImprovementUsd'),
    ...Object.fromEntries(parcelOverlays.map((name) => [`overlay.${name}`, overlays[name]])),
    outline: JSON.stringify([[...parcel.outline, parcel.outline[0]]]),
  }
}

/** The listing as the MLS shows it on `today`; undefined before it is first published. */
export function listingRow(listing: ListingRecord, seed: number, today: Day): FeedRow | undefined {
  if (listing.firstSeenOn > today) return undefined
  const random = randomFor(seed, 'listing-row', listing.listingId)
  const { parcel, home } = listing
  const state = stateOf(listing, today)
  const ask = listing.asks.findLast(({ from }) => from <= today) ?? listing.asks[0]
  const sold = state === 'sold'
  const match = random.unit()
  // 4% of rows match only by address, and 0.5% match no parcel because of an unused house number.
  const unmatchedNumber = firstUnmatchedNumber + (parcel.index % 900)
  const unmatched = match < 0.005
  const byAddress = match < 0.045
  const address = unmatched
    ? `${unmatchedNumber} ${parcel.street}`
    : byAddress
      ? spelledOut(parcel.address)
      : parcel.address
  return {
    listingId: listing.listingId,
    apn: byAddress ? undefined : parcel.apn,
    ...placeCells(parcel, address),
    status: mlsStatus(state, random.unit(), listing),
    priceUsd: ask?.usd,
    originalPriceUsd: listing.asks[0]?.usd,
    listedOn: today >= listing.listedOn ? isoDate(listing.listedOn) : undefined,
    pendingOn: sold || state === 'pending' ? isoDate(lastPending(listing, today)) : undefined,
    soldOn: sold ? isoDate(listing.soldOn as Day) : undefined,
    soldPriceUsd: sold ? listing.soldPriceUsd : undefined,
    ...houseCells(parcel, home, random.chance(0.03)),
    ...noGrades,
    remarks: remarksOf(listing, seed),
    visionAnalysis: visionOf(listing, seed),
  }
}

const firstUnmatchedNumber = 19_000

type ListingState = 'coming_soon' | 'active' | 'pending' | 'sold' | 'withdrawn'

export function stateOf(listing: ListingRecord, today: Day): ListingState {
  if (listing.soldOn !== undefined && today >= listing.soldOn) return 'sold'
  if (listing.withdrawnOn !== undefined && today >= listing.withdrawnOn) return 'withdrawn'
  if (listing.pendings.some(({ from, until }) => from <= today && today < until)) return 'pending'
  return today < listing.listedOn ? 'coming_soon' : 'active'
}

/** The day the current state began. */
export function stateSince(listing: ListingRecord, today: Day): Day {
  const marks = [listing.firstSeenOn, listing.listedOn, listing.soldOn, listing.withdrawnOn]
  return Math.max(...marks.filter((day): day is Day => day !== undefined && day <= today))
}

const lastPending = (listing: ListingRecord, today: Day): Day =>
  listing.pendings.findLast(({ from }) => from <= today)?.from as Day

function mlsStatus(state: ListingState, draw: number, listing: ListingRecord): string {
  const upperCase = draw < 0.1
  const word = {
    coming_soon: 'Coming Soon',
    active: 'Active',
    pending: 'Pending',
    sold: 'Closed',
    withdrawn: (['Withdrawn', 'Expired', 'Canceled'] as const)[listing.parcel.index % 3] as string,
  }[state]
  return upperCase ? word.toUpperCase() : word
}

export function saleRow(sale: SaleRecord, seed: number): FeedRow {
  const random = randomFor(seed, 'sale-row', sale.saleId)
  const { parcel, listing, soldOn } = sale
  const byAddress = random.chance(0.02)
  return {
    saleId: sale.saleId,
    apn: byAddress ? undefined : parcel.apn,
    ...placeCells(parcel, parcel.address),
    soldOn: isoDate(soldOn),
    priceUsd: sale.priceUsd,
    listPriceUsd: listing?.asks.at(-1)?.usd,
    listedOn: listing && isoDate(listing.listedOn),
    daysOnMarket: listing && lastPending(listing, soldOn) - listing.listedOn,
    ...homeCells(parcel, sale.home, seed),
    remarks: listing && remarksOf(listing, seed),
  }
}

/** The permit as the city publishes it on `today`; undefined before the application. */
export function permitRow(permit: NumberedPermit, seed: number, today: Day): FeedRow | undefined {
  if (permit.appliedOn > today) return undefined
  const random = randomFor(seed, 'permit-row', permit.sortKey, permit.appliedOn)
  const { parcel, city } = permit
  const issued = permit.issuedOn !== undefined && permit.issuedOn <= today
  const finaled = permit.finaledOn !== undefined && permit.finaledOn <= today
  // A lot of apartments is none of the parcels, which are houses.
  const unmatched = random.chance(0.01) || permit.kind === 'apartments'
  const withApn = !unmatched && random.chance(0.9)
  const address = unmatched ? `${firstUnmatchedNumber + (parcel.index % 900)} ${parcel.street}` : parcel.address
  return {
    permitId: permit.permitId,
    apn: withApn ? parcel.apn : undefined,
    ...placeCells(parcel, styleOf(city) % 3 === 1 ? address.toUpperCase() : address),
    city,
    ...(unmatched && { lat: undefined, lng: undefined }),
    projectType: projectTypeOf(parcel.zone, permit.kind, permitKinds[permit.kind].group),
    description: describePermit(permit.kind, parcel, { sqft: permit.trueSqft, units: permit.units }, random),
    valuation: permit.valuationText,
    ...pick(permit, 'sqft', 'units', 'contractor'),
    contractorLicense: permit.contractor && licenseOf(permit.contractor),
    architect: permit.architect,
    appliedOn: isoDate(permit.appliedOn),
    issuedOn: issued ? isoDate(permit.issuedOn as Day) : undefined,
    finaledOn: finaled ? isoDate(permit.finaledOn as Day) : undefined,
    status: statusNameOf(city, stageOf(permit, today)),
  }
}

/** The days on which a permit may change. */
export const permitDays = (permit: NumberedPermit): (Day | undefined)[] => {
  const { appliedOn, issuedOn, finaledOn, closed } = permit
  const approvedOn = issuedOn && issuedOn - 5
  return [appliedOn, appliedOn + 4, approvedOn, issuedOn, inspectionsOn(permit), finaledOn, closed?.on]
}

const inspectionsOn = ({ issuedOn, finaledOn }: NumberedPermit): Day | undefined =>
  issuedOn && Math.ceil(issuedOn + ((finaledOn ?? issuedOn + 400) - issuedOn) / 3)

export function stageOf(permit: NumberedPermit, today: Day): PermitStage {
  const { appliedOn, issuedOn, finaledOn, closed } = permit
  if (closed && closed.on <= today) return closed.as
  if (finaledOn !== undefined && finaledOn <= today) return 'finaled'
  if (issuedOn !== undefined && issuedOn <= today) return today >= inspectionsOn(permit)! ? 'inspections' : 'issued'
  if (issuedOn !== undefined && today >= issuedOn - 5 && issuedOn - appliedOn > 20) return 'approved'
  return today >= appliedOn + 4 ? 'in_review' : 'applied'
}

const placeCells = ({ zone, zip, lat, lng }: SampleParcel, address: string): FeedRow => ({
  market: zone.market,
  city: zone.city,
  ...{ zip, address, lat, lng },
})

/** The home as the assessor records it. An assessor grades most houses, in steps and not exactly. */
function homeCells(parcel: SampleParcel, home: Home, seed: number): FeedRow {
  const random = randomFor(seed, 'assessor', parcel.index, home.from)
  const size = Math.log2(home.livingSqft / parcel.zone.livingSqft)
  const quality = 50 + 12 * size + (home.yearBuilt >= 2008 ? 15 : 0) + 6 * random.normal()
  const land = home.propertyType === 'land'
  const graded = !land && random.chance(0.85)
  return {
    ...houseCells(parcel, home, false),
    quality: graded ? clamp(5 * Math.round(quality / 5), 5, 100) : undefined,
    condition: graded && random.chance(0.7) ? assessedCondition(home.condition + 0.06 * random.normal()) : undefined,
    view: random.chance(0.8) ? parcel.view : undefined,
    waterfront: random.chance(0.97) ? (parcel.waterfront ? 'yes' : 'no') : undefined,
    garageSqft: land || random.chance(0.06) ? undefined : home.garageSqft,
    basementSqft: land || random.chance(0.1) ? undefined : home.basementSqft,
  }
}

/** From 0 to 1 to the scale of the condition score. */
const assessedCondition = (condition: number): number =>
  [15, 35, 55, 70, 85, 95][[0.12, 0.3, 0.5, 0.7, 0.9].filter((limit) => condition >= limit).length]!

/** Agents state no grades. */
const noGrades = tableOf(['quality', 'condition', 'view', 'waterfront', 'garageSqft', 'basementSqft'], () => undefined)

function houseCells(parcel: SampleParcel, home: Home, sizeMissing: boolean): FeedRow {
  const ofHouse = (cell: Cell, isMissing = false): Cell =>
    home.propertyType === 'land' || isMissing ? undefined : cell
  return {
    propertyType: home.propertyType,
    livingSqft: ofHouse(home.livingSqft, sizeMissing),
    lotSqft: home.propertyType === 'condo' ? undefined : parcel.lotSqft,
    beds: ofHouse(home.beds),
    baths: ofHouse(home.baths),
    yearBuilt: ofHouse(home.yearBuilt),
    yearRenovated: ofHouse(home.yearRenovated),
    stories: ofHouse(home.stories, sizeMissing),
  }
}

const suffixes: Record<string, string> = {
  Ave: 'Avenue',
  St: 'Street',
  Rd: 'Road',
  Dr: 'Drive',
  Ln: 'Lane',
  Blvd: 'Boulevard',
  Ct: 'Court',
  Cir: 'Circle',
}

/** Listing agents often write the street suffix in full: "9123 Waverley Street" for "9123 Waverley St". */
const spelledOut = (address: string): string =>
  address.replace(/\b(Ave|St|Rd|Dr|Ln|Blvd|Ct|Cir)\b(?=$| #)/, (suffix) => suffixes[suffix] ?? suffix)
