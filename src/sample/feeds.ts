// The four feed files, as a county, an MLS and city counters would hand them out. UTF-8, comma-separated, one header
// row; columns are named as in contract/facts.ts, so that a source's field mapping is the identity. Empty = unknown.
//
//   parcels.csv   one row a parcel; `overlay.<name>` is yes, no, unknown or empty. Key: apn (with county).
//   listings.csv  `status` in MLS words of mixed case (Active, Coming Soon, Pending, Closed, Withdrawn, Expired, Canceled);
//                 a coming-soon row has no listedOn yet; some rows have no apn, a few match no parcel. Key: listingId.
//   sales.csv     recorded sales; those without listing columns never were on the open market. Key: saleId.
//   permits.csv   `valuation` is raw text ("$12,500", "12500.00", "1", ""); `status` in each city's own words
//                 (permit-vocabulary.ts lists them all). Key: city with permitId.
// Dates are YYYY-MM-DD, money is plain dollars but for `valuation`, cornerLot is yes or no.

import { overlayNames } from '../contract/facts.ts'
import type { Day } from './calendar.ts'
import { isoDate } from './calendar.ts'
import { overlaysOf } from './overlays.ts'
import type { Home, SampleParcel } from './parcel.ts'
import { homeAt } from './parcels.ts'
import { permitKinds } from './permit-kinds.ts'
import type { PermitStage } from './permit-vocabulary.ts'
import { projectTypeOf, statusWordOf, styleOf } from './permit-vocabulary.ts'
import { describePermit } from './permit-words.ts'
import type { ListingRecord, SaleRecord } from './play.ts'
import { randomFor } from './random.ts'
import { remarksOf, visionOf } from './remarks.ts'
import type { NumberedPermit } from './world.ts'

export type Cell = string | number | undefined

export const feedNames = ['parcels', 'listings', 'sales', 'permits'] as const
export type FeedName = (typeof feedNames)[number]

const place = ['market', 'city', 'address', 'lat', 'lng'] as const
const homeColumns = [
  'propertyType',
  'livingSqft',
  'lotSqft',
  'beds',
  'baths',
  'yearBuilt',
  'yearRenovated',
  'storeys',
] as const

export const feedColumns: Record<FeedName, readonly string[]> = {
  parcels: [
    'apn',
    'county',
    ...place,
    ...homeColumns,
    'lotWidthFt',
    'lotDepthFt',
    'cornerLot',
    'slopePct',
    'garageSqft',
    'units',
    'fireplaces',
    'zoning',
    'assessedLandUsd',
    'assessedImprovementUsd',
    ...overlayNames.map((name) => `overlay.${name}`),
  ],
  listings: [
    'listingId',
    'apn',
    ...place,
    'status',
    'priceUsd',
    'originalPriceUsd',
    'listedOn',
    'pendingOn',
    'soldOn',
    'soldPriceUsd',
    ...homeColumns,
    'remarks',
    'visionAnalysis',
  ],
  sales: [
    'saleId',
    'apn',
    ...place,
    'soldOn',
    'priceUsd',
    'listPriceUsd',
    'listedOn',
    'daysOnMarket',
    ...homeColumns,
    'remarks',
  ],
  permits: [
    'permitId',
    'apn',
    ...place,
    'projectType',
    'description',
    'valuation',
    'sqft',
    'contractor',
    'architect',
    'appliedOn',
    'issuedOn',
    'finaledOn',
    'status',
  ],
}

export function parcelRow(parcel: SampleParcel, seed: number, today: Day): Cell[] {
  const random = randomFor(seed, 'parcel-row', parcel.index)
  const home = homeAt(parcel, today)
  const land = home.propertyType === 'land'
  const measured = random.chance(0.92)
  const overlays = overlaysOf(parcel, seed)
  return [
    parcel.apn,
    parcel.zone.county,
    ...placeCells(parcel, parcel.address),
    ...homeCells(parcel, home),
    measured ? parcel.lotWidthFt : undefined,
    measured ? parcel.lotDepthFt : undefined,
    random.chance(0.95) ? (parcel.cornerLot ? 'yes' : 'no') : undefined,
    random.chance(0.9) ? parcel.slopePct : undefined,
    land || random.chance(0.06) ? undefined : home.garageSqft,
    land ? 0 : home.units,
    land || random.chance(0.1) ? undefined : home.fireplaces,
    random.chance(0.985) ? parcel.zoning : undefined,
    home.assessedLandUsd,
    home.assessedImprovementUsd,
    ...overlayNames.map((name) => overlays[name]),
  ]
}

/** What the MLS showed on that day; undefined before it was first seen. */
export function listingRow(listing: ListingRecord, seed: number, today: Day): Cell[] | undefined {
  if (listing.seenOn > today) return undefined
  const random = randomFor(seed, 'listing-row', listing.listingId)
  const { parcel, home } = listing
  const state = stateOf(listing, today)
  const ask = listing.asks.findLast(({ from }) => from <= today) ?? listing.asks[0]
  const sold = state === 'sold'
  const match = random.unit()
  // By number, by address alone, or — a handful — by nothing: a house number no parcel has.
  const strayNumber = firstStrayNumber + (parcel.index % 900)
  const stray = match < 0.005
  const byAddress = match < 0.045
  const address = stray ? `${strayNumber} ${parcel.street}` : byAddress ? spelledOut(parcel.address) : parcel.address
  return [
    listing.listingId,
    byAddress ? undefined : parcel.apn,
    ...placeCells(parcel, address),
    mlsWord(state, random.unit(), listing),
    ask?.usd,
    listing.asks[0]?.usd,
    today >= listing.listedOn ? isoDate(listing.listedOn) : undefined,
    sold || state === 'pending' ? isoDate(lastPending(listing, today)) : undefined,
    sold ? isoDate(listing.soldOn as Day) : undefined,
    sold ? listing.soldPriceUsd : undefined,
    ...homeCells(parcel, home, random.chance(0.03)),
    remarksOf(listing, seed),
    visionOf(listing, seed),
  ]
}

const firstStrayNumber = 19_000

export type ListingState = 'coming_soon' | 'active' | 'pending' | 'sold' | 'withdrawn'

export function stateOf(listing: ListingRecord, today: Day): ListingState {
  if (listing.soldOn !== undefined && today >= listing.soldOn) return 'sold'
  if (listing.withdrawnOn !== undefined && today >= listing.withdrawnOn) return 'withdrawn'
  if (listing.pendings.some(({ from, until }) => from <= today && today < until)) return 'pending'
  return today < listing.listedOn ? 'coming_soon' : 'active'
}

/** The day its present state began. */
export function stateSince(listing: ListingRecord, today: Day): Day {
  const marks = [listing.seenOn, listing.listedOn, listing.soldOn, listing.withdrawnOn]
  return Math.max(...marks.filter((day): day is Day => day !== undefined && day <= today))
}

const lastPending = (listing: ListingRecord, today: Day): Day =>
  listing.pendings.findLast(({ from }) => from <= today)?.from as Day

function mlsWord(state: ListingState, draw: number, listing: ListingRecord): string {
  const loud = draw < 0.1
  const word = {
    coming_soon: 'Coming Soon',
    active: 'Active',
    pending: 'Pending',
    sold: 'Closed',
    withdrawn: (['Withdrawn', 'Expired', 'Canceled'] as const)[listing.parcel.index % 3] as string,
  }[state]
  return loud ? word.toUpperCase() : word
}

export function saleRow(sale: SaleRecord, seed: number): Cell[] {
  const random = randomFor(seed, 'sale-row', sale.saleId)
  const { parcel, listing, soldOn } = sale
  const byAddress = random.chance(0.02)
  return [
    sale.saleId,
    byAddress ? undefined : parcel.apn,
    ...placeCells(parcel, parcel.address),
    isoDate(soldOn),
    sale.priceUsd,
    listing?.asks.at(-1)?.usd,
    listing ? isoDate(listing.listedOn) : undefined,
    listing ? lastPending(listing, soldOn) - listing.listedOn : undefined,
    ...homeCells(parcel, sale.home),
    listing && remarksOf(listing, seed),
  ]
}

/** What the counter's record said on that day; undefined before the application. */
export function permitRow(permit: NumberedPermit, seed: number, today: Day): Cell[] | undefined {
  if (permit.appliedOn > today) return undefined
  const random = randomFor(seed, 'permit-row', permit.tie, permit.appliedOn)
  const { parcel, city } = permit
  const issued = permit.issuedOn !== undefined && permit.issuedOn <= today
  const finaled = permit.finaledOn !== undefined && permit.finaledOn <= today
  const stray = random.chance(0.01)
  const withApn = !stray && random.chance(0.9)
  const address = stray ? `${firstStrayNumber + (parcel.index % 900)} ${parcel.street}` : parcel.address
  return [
    permit.permitId,
    withApn ? parcel.apn : undefined,
    parcel.zone.market,
    city,
    styleOf(city) % 3 === 1 ? address.toUpperCase() : address,
    stray ? undefined : parcel.lat,
    stray ? undefined : parcel.lng,
    projectTypeOf(city, permit.kind, permitKinds[permit.kind].group),
    describePermit(permit.kind, parcel, permit.trueSqft, random),
    permit.valuationText,
    permit.sqft,
    permit.contractor,
    permit.architect,
    isoDate(permit.appliedOn),
    issued ? isoDate(permit.issuedOn as Day) : undefined,
    finaled ? isoDate(permit.finaledOn as Day) : undefined,
    statusWordOf(city, stageOf(permit, today)),
  ]
}

export function stageOf({ appliedOn, issuedOn, finaledOn, closed }: NumberedPermit, today: Day): PermitStage {
  if (closed && closed.on <= today) return closed.as
  if (finaledOn !== undefined && finaledOn <= today) return 'finaled'
  if (issuedOn !== undefined && issuedOn <= today) {
    const halfWay = issuedOn + ((finaledOn ?? issuedOn + 400) - issuedOn) / 3
    return today >= halfWay ? 'inspections' : 'issued'
  }
  if (issuedOn !== undefined && today >= issuedOn - 5 && issuedOn - appliedOn > 20) return 'approved'
  return today >= appliedOn + 4 ? 'in_review' : 'applied'
}

const placeCells = (parcel: SampleParcel, address: string): Cell[] => [
  parcel.zone.market,
  parcel.zone.city,
  address,
  parcel.lat,
  parcel.lng,
]

function homeCells(parcel: SampleParcel, home: Home, vague = false): Cell[] {
  const land = home.propertyType === 'land'
  return [
    home.propertyType,
    land || vague ? undefined : home.livingSqft,
    home.propertyType === 'condo' ? undefined : parcel.lotSqft,
    land ? undefined : home.beds,
    land ? undefined : home.baths,
    land ? undefined : home.yearBuilt,
    land ? undefined : home.yearRenovated,
    land || vague ? undefined : home.storeys,
  ]
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

/** "9123 Waverley St" as an agent types it: "9123 Waverley Street". */
const spelledOut = (address: string): string =>
  address.replace(/\b(Ave|St|Rd|Dr|Ln|Blvd|Ct|Cir)\b(?=$| #)/, (suffix) => suffixes[suffix] ?? suffix)
