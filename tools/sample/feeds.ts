// The rows of the feed files, in the form a county, an MLS and city permit offices publish them.
// UTF-8, comma-separated, one header row. Columns are named as in domain/facts.ts, so the field mapping of the source is the identity. Empty = unknown.
//
//   parcels.csv   one row per parcel; `overlay.<name>` is yes, no, unknown or empty; `outline` holds the coordinates of a
//                 GeoJSON polygon. Key: apn (with county).
//   listings.csv  `status` as MLS feeds spell it, in mixed case (Active, Coming Soon, Pending, Closed, Withdrawn, Expired, Canceled);
//                 a coming-soon row has no listedOn; some rows have no apn, a few match no parcel. Key: listingId.
//   sales.csv     recorded sales; an off-market sale has empty listing columns. Key: saleId.
//   permits.csv   `valuation` is raw text ("$12,500", "12500.00", "1", ""); `status` as each city spells it
//                 (permit-kinds.ts lists them all). Key: city with permitId.
//   rents.csv     one row per home let, by ZIP code and bedrooms. Key: rentId.
// Dates are YYYY-MM-DD, amounts are whole dollars except `valuation`, cornerLot is yes or no.

import { keysOf, tableOf } from '../../src/common/typed.ts'
import { overlayNames } from '../../src/domain/facts.ts'
import { clamp } from '../../src/intelligence/statistics/clamp.ts'
import { type Day, isoDate } from './calendar.ts'
import type { NumberedPermit } from './generate.ts'
import { type Home, homeAt, type SampleParcel } from './parcels.ts'
import { type PermitStage, statusNameOf } from './permit-kinds.ts'
import { randomFor } from './random.ts'
import { remarksOf, visionOf } from './remarks.ts'
import type { ListingRecord, SaleRecord } from './simulation.ts'
import texts from './texts.json' with { type: 'json' }

export type Cell = string | number | undefined

/** Parcel feeds have no columns for zones that only maps show. */
const parcelOverlays = overlayNames.filter((name) => !['floodway', 'liquefaction', 'landslide'].includes(name))

/** The columns of a feed in order, with the cell of each. */
export type FeedRow = Readonly<Record<string, Cell>>

export function parcelRow(parcel: SampleParcel, seed: number, today: Day): FeedRow {
  const random = randomFor(seed, 'parcel-row', parcel.index)
  const home = homeAt(parcel, today)
  const isLand = home.propertyType === 'land'
  const isMeasured = random.chance(0.92)
  return {
    apn: parcel.apn,
    county: parcel.zone.county,
    ...placeCells(parcel),
    ...homeCells(parcel, home, seed),
    lotWidthFt: isMeasured ? parcel.lotWidthFt : undefined,
    lotDepthFt: isMeasured ? parcel.lotDepthFt : undefined,
    cornerLot: random.chance(0.95) ? (parcel.cornerLot ? 'yes' : 'no') : undefined,
    slopePct: random.chance(0.9) ? parcel.slopePct : undefined,
    units: isLand ? 0 : home.units,
    fireplaces: isLand || random.chance(0.1) ? undefined : home.fireplaces,
    zoning: random.chance(0.985) ? parcel.zoning : undefined,
    assessedLandUsd: home.assessedLandUsd,
    assessedImprovementUsd: home.assessedImprovementUsd,
    ...Object.fromEntries(parcelOverlays.map((name) => [`overlay.${name}`, parcel.overlays[name]])),
    outline: JSON.stringify([[...parcel.outline, parcel.outline[0]]]),
  }
}

/** The listing as the MLS shows it on `today`. */
export function listingRow(listing: ListingRecord, seed: number, today: Day): FeedRow {
  const random = randomFor(seed, 'listing-row', listing.listingId)
  const { parcel, home } = listing
  const state = stateOf(listing, today)
  const isSold = state === 'sold'
  // 4% of rows match only by address, and 0.5% match no parcel because of an unused house number.
  const match = random.unit()
  const byAddress = match < 0.045
  const address = match < 0.005 ? unusedAddress(parcel) : byAddress ? spelledOut(parcel.address) : parcel.address
  const word = statusWords[state][parcel.index % statusWords[state].length]!
  return {
    listingId: listing.listingId,
    apn: byAddress ? undefined : parcel.apn,
    ...placeCells(parcel, address),
    status: random.chance(0.1) ? word.toUpperCase() : word,
    priceUsd: askOn(listing, today),
    originalPriceUsd: listing.asks[0]!.usd,
    listedOn: today >= listing.listedOn ? isoDate(listing.listedOn) : undefined,
    pendingOn: isSold || state === 'pending' ? isoDate(lastPending(listing, today)) : undefined,
    soldOn: isSold ? isoDate(listing.soldOn!) : undefined,
    soldPriceUsd: isSold ? listing.soldPriceUsd : undefined,
    ...houseCells(parcel, home, random.chance(0.03)),
    ...noGrades,
    remarks: remarksOf(listing, seed),
    visionAnalysis: visionOf(listing, seed),
  }
}

const statusWords = {
  coming_soon: ['Coming Soon'],
  active: ['Active'],
  pending: ['Pending'],
  sold: ['Closed'],
  withdrawn: ['Withdrawn', 'Expired', 'Canceled'],
}

export function stateOf(listing: ListingRecord, today: Day): keyof typeof statusWords {
  const { soldOn = Infinity, withdrawnOn = Infinity, pendings } = listing
  if (today >= soldOn) return 'sold'
  if (today >= withdrawnOn) return 'withdrawn'
  if (pendings.some(({ from, until }) => from <= today && today < until)) return 'pending'
  return today < listing.listedOn ? 'coming_soon' : 'active'
}

export const askOn = ({ asks }: ListingRecord, today: Day): number =>
  (asks.findLast(({ from }) => from <= today) ?? asks[0]!).usd

const lastPending = ({ pendings }: ListingRecord, today: Day): Day =>
  pendings.findLast(({ from }) => from <= today)!.from

/** The days on which a listing may change. */
export const listingDays = ({ firstSeenOn, listedOn, asks, pendings, soldOn, withdrawnOn }: ListingRecord) => [
  ...[firstSeenOn, listedOn, soldOn, withdrawnOn],
  ...asks.map(({ from }) => from),
  ...pendings.flatMap(({ from, until }) => [from, until]),
]

export function saleRow(sale: SaleRecord, seed: number): FeedRow {
  const random = randomFor(seed, 'sale-row', sale.saleId)
  const { parcel, listing, soldOn } = sale
  return {
    saleId: sale.saleId,
    apn: random.chance(0.02) ? undefined : parcel.apn,
    ...placeCells(parcel),
    soldOn: isoDate(soldOn),
    priceUsd: sale.priceUsd,
    listPriceUsd: listing?.asks.at(-1)!.usd,
    listedOn: listing && isoDate(listing.listedOn),
    daysOnMarket: listing && lastPending(listing, soldOn) - listing.listedOn,
    ...homeCells(parcel, sale.home, seed),
    remarks: listing && remarksOf(listing, seed),
  }
}

/** The permit as the city publishes it on `today`. */
export const permitRow = (permit: NumberedPermit, today: Day): FeedRow => {
  const { permitId, city, cells, appliedOn, issuedOn, finaledOn } = permit
  const shown = (day: Day | undefined): Cell => (day !== undefined && day <= today ? isoDate(day) : undefined)
  return {
    permitId,
    ...cells,
    appliedOn: isoDate(appliedOn),
    issuedOn: shown(issuedOn),
    finaledOn: shown(finaledOn),
    status: statusNameOf(city, stageOf(permit, today)),
  }
}

const inspectionsOn = ({ issuedOn, finaledOn }: NumberedPermit): Day | undefined =>
  issuedOn && Math.ceil(issuedOn + ((finaledOn ?? issuedOn + 400) - issuedOn) / 3)

/** The days on which a permit may change, but for the first inspection. */
export const permitDays = (permit: NumberedPermit): (Day | undefined)[] => {
  const { appliedOn, issuedOn, finaledOn, closed } = permit
  const approvedOn = issuedOn && Math.max(appliedOn, issuedOn - 5)
  return [appliedOn, appliedOn + 4, approvedOn, issuedOn, finaledOn, closed?.on]
}
export const allPermitDays = (permit: NumberedPermit) => [...permitDays(permit), inspectionsOn(permit)]

export function stageOf(permit: NumberedPermit, today: Day): PermitStage {
  const { appliedOn, issuedOn = Infinity, finaledOn = Infinity, closed } = permit
  if (closed && closed.on <= today) return closed.as
  if (finaledOn <= today) return 'finaled'
  if (issuedOn <= today) return today >= inspectionsOn(permit)! ? 'inspections' : 'issued'
  if (today >= issuedOn - 5 && issuedOn - appliedOn > 20) return 'approved'
  return today >= appliedOn + 4 ? 'in_review' : 'applied'
}

export const placeCells = ({ zone, zip, lat, lng, address }: SampleParcel, shown = address): FeedRow => ({
  market: zone.market,
  city: zone.city,
  zip,
  address: shown,
  lat,
  lng,
})

/** Above all house numbers of the sample. */
export const unusedAddress = ({ index, street }: SampleParcel): string => `${19_000 + (index % 900)} ${street}`

/** The home as the assessor records it. An assessor grades most houses, in steps and not exactly. */
function homeCells(parcel: SampleParcel, home: Home, seed: number): FeedRow {
  const random = randomFor(seed, 'assessor', parcel.index, home.from)
  const size = Math.log2(home.livingSqft / parcel.zone.livingSqft)
  const quality = 50 + 12 * size + (home.yearBuilt >= 2008 ? 15 : 0) + 6 * random.normal()
  const isLand = home.propertyType === 'land'
  const isGraded = !isLand && random.chance(0.85)
  return {
    ...houseCells(parcel, home, false),
    quality: isGraded ? clamp(5 * Math.round(quality / 5), 5, 100) : undefined,
    condition: isGraded && random.chance(0.7) ? assessedCondition(home.condition + 0.06 * random.normal()) : undefined,
    view: random.chance(0.8) ? parcel.view : undefined,
    waterfront: random.chance(0.97) ? (parcel.waterfront ? 'yes' : 'no') : undefined,
    garageSqft: isLand || random.chance(0.06) ? undefined : home.garageSqft,
    basementSqft: isLand || random.chance(0.1) ? undefined : home.basementSqft,
  }
}

/** From 0 to 1 to the scale of the condition score. */
const assessedCondition = (condition: number): number =>
  [15, 35, 55, 70, 85, 95][[0.12, 0.3, 0.5, 0.7, 0.9].filter((limit) => condition >= limit).length]!

/** Agents state no grades. */
const noGrades = tableOf(['quality', 'condition', 'view', 'waterfront', 'garageSqft', 'basementSqft'], () => undefined)

const houseCells = ({ lotSqft }: SampleParcel, home: Home, sizeMissing: boolean): FeedRow => {
  const { propertyType, livingSqft, stories, beds, baths, yearBuilt, yearRenovated } = home
  const facts = {
    propertyType,
    livingSqft: sizeMissing ? undefined : livingSqft,
    lotSqft: propertyType === 'condo' ? undefined : lotSqft,
    ...{ beds, baths, yearBuilt, yearRenovated },
    stories: sizeMissing ? undefined : stories,
  }
  return propertyType === 'land' ? { ...tableOf(keysOf(facts), () => undefined), propertyType, lotSqft } : facts
}

const inFull: Readonly<Record<string, string>> = texts.streets.inFull

/** Listing agents often write the street suffix in full: "9123 Waverley Street" for "9123 Waverley St". */
const spelledOut = (address: string): string =>
  address.replace(/\b(Ave|St|Rd|Dr|Ln|Blvd|Ct|Cir)\b(?=$| #)/, (suffix) => inFull[suffix]!)
