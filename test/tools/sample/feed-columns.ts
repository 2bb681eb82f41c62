// The columns of the sample's feeds, as tools/sample/feeds.ts documents them.
import { overlayNames } from '../../../src/domain/facts.ts'
import type { SampleFeed } from '../../../src/ingest/sample-data.ts'

/** Parcel feeds have no columns for zones that only maps show. */
const parcelOverlays = overlayNames.filter((name) => !['floodway', 'liquefaction', 'landslide'].includes(name))

const placeColumns = ['market', 'city', 'zip', 'address', 'lat', 'lng'] as const
const homeColumns = [
  'propertyType',
  'livingSqft',
  'lotSqft',
  'beds',
  'baths',
  'yearBuilt',
  'yearRenovated',
  'stories',
  'quality',
  'condition',
  'view',
  'waterfront',
  'garageSqft',
  'basementSqft',
] as const

export const feedColumns: Record<SampleFeed, readonly string[]> = {
  parcels: [
    'apn',
    'county',
    ...placeColumns,
    ...homeColumns,
    'lotWidthFt',
    'lotDepthFt',
    'cornerLot',
    'slopePct',
    'units',
    'fireplaces',
    'zoning',
    'assessedLandUsd',
    'assessedImprovementUsd',
    ...parcelOverlays.map((name) => `overlay.${name}`),
    'outline',
  ],
  listings: [
    'listingId',
    'apn',
    ...placeColumns,
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
    ...placeColumns,
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
    ...placeColumns,
    'projectType',
    'description',
    'valuation',
    'sqft',
    'units',
    'contractor',
    'contractorLicense',
    'architect',
    'appliedOn',
    'issuedOn',
    'finaledOn',
    'status',
  ],
  rents: ['rentId', 'market', 'zip', 'bedrooms', 'amountUsd', 'asOf'],
}
