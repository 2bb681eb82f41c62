// The tools. Each calls one operation; descriptions differ from the contract only where stated here.
import type { Dataset } from '../contract/facts.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations/list.ts'
import type { PropertyPart } from '../contract/operations/properties.ts'
import type { Column } from './table.ts'

type ListName =
  | 'searchPermits'
  | 'listSb9Inventory'
  | 'listAduLeads'
  | 'listRedevelopmentLeads'
  | 'listMarketSignals'
  | 'listSales'
  | 'getCoverage'

export interface ListTool {
  call: ListName
  operation: Operation
  /** The noun for its rows. */
  rows: string
  /** Added to the contract's summary. */
  hint?: string
  /** Arguments used by default. */
  defaults: Record<string, unknown>
  describe?: Record<string, string>
  columns: readonly Column[]
  /** Fields a row omits unless they are named in `fields`: long, or better read at the property. */
  leftOut: readonly string[]
  /** The data it uses, to distinguish "nothing matched" from "not covered". */
  dataset?: Dataset
}

/** Few enough rows to leave most of the model's context free. */
const defaultRows = 10

const limitWords = (rows: number) => `Default ${rows}`
const offsetWords = 'From page.next'

const leadWords = {
  minScore: '0-100, default 60',
  limit: limitWords(defaultRows),
  offset: offsetWords,
}

export const findInputNotes = { status: 'Default for_sale', limit: 'Homes, default 3, at most 20' }

export const lookupInputNotes = {
  address: 'As typed; a city or ZIP helps',
  apn: 'Parcel number',
  county: 'With apn',
  lat: 'With lng',
  lng: 'With lat',
  id: 'Property id',
}

/** Where a row is and where it comes from: for maps, and on request. */
const searched = ['lat', 'lng', 'distanceMi', 'unknown', 'source']

const place: Column[] = [{ path: 'id' }, { path: 'address' }, { path: 'city' }]

export const listTools: readonly ListTool[] = [
  {
    call: 'searchPermits',
    operation: operations.searchPermits,
    rows: 'permits',
    hint: 'q searches address, type, description, firms and number.',
    defaults: { limit: defaultRows },
    describe: {
      city: 'Name or part of it',
      cursor: 'From page.next; replaces offset',
      limit: limitWords(defaultRows),
      offset: offsetWords,
    },
    columns: [
      { path: 'permitId', head: 'permit' },
      { path: 'issuedDate', head: 'issued' },
      { path: 'appliedDate', head: 'applied' },
      { path: 'finaledDate', head: 'finaled' },
      { path: 'address' },
      { path: 'city' },
      { path: 'projectType', head: 'type' },
      { path: 'description' },
      { path: 'valuation', as: 'usd' },
      { path: 'units' },
      { path: 'status' },
      { path: 'goneAt', head: 'removed from the feed' },
      { path: 'contractor' },
    ],
    leftOut: ['classWords', 'otherAddresses', ...searched],
    dataset: 'permits',
  },
  {
    call: 'listSb9Inventory',
    operation: operations.listSb9Inventory,
    rows: 'homes for sale',
    defaults: { status: 'any', limit: defaultRows },
    describe: { ...leadWords, status: 'Default any' },
    columns: [
      ...place,
      { path: 'price', as: 'usd' },
      { path: 'listingStatus', head: 'listed' },
      { path: 'lotSize', as: 'sqft', head: 'lot' },
      { path: 'zoning' },
      { path: 'sb9Status', head: 'SB 9' },
      { path: 'maxUnits', head: 'units' },
      { path: 'lotSplit.status', head: 'split' },
      { path: 'blockReasons', head: 'blocked by' },
      { path: 'warnings' },
    ],
    leftOut: ['untestedRules', ...searched],
    dataset: 'listings',
  },
  {
    call: 'listAduLeads',
    operation: operations.listAduLeads,
    rows: 'parcels',
    defaults: { limit: defaultRows },
    describe: leadWords,
    columns: [
      ...place,
      { path: 'aduScore', head: 'score' },
      { path: 'maxUnits', head: 'units' },
      { path: 'buildableSqft', as: 'sqft', head: 'buildable' },
      { path: 'lot.sqft', as: 'sqft', head: 'lot' },
      { path: 'units', head: 'kinds' },
      { path: 'blockers' },
      { path: 'confidence' },
    ],
    leftOut: ['ranks', ...searched],
    dataset: 'parcels',
  },
  {
    call: 'listRedevelopmentLeads',
    operation: operations.listRedevelopmentLeads,
    rows: 'parcels',
    defaults: { limit: defaultRows },
    describe: leadWords,
    columns: [
      ...place,
      { path: 'redevelopmentScore', head: 'score' },
      { path: 'class' },
      { path: 'yearBuilt', head: 'built' },
      { path: 'lotSize', as: 'sqft', head: 'lot' },
      { path: 'existingSqft', as: 'sqft', head: 'existing' },
      { path: 'allowableSqft', as: 'sqft', head: 'allowed' },
      { path: 'buildSqft', as: 'sqft', head: 'new house' },
      { path: 'blockers' },
    ],
    leftOut: ['buildableSqft', 'allowableBasis', 'allowableConfidence', 'ranks', ...searched],
    dataset: 'parcels',
  },
  {
    call: 'listMarketSignals',
    operation: operations.listMarketSignals,
    rows: 'listings',
    hint: 'Homes for sale by default; set status or address for others.',
    defaults: { status: ['for_sale'], limit: defaultRows },
    describe: {
      limit: limitWords(defaultRows),
      offset: offsetWords,
      status: 'Default for_sale: active, coming_soon',
    },
    columns: [
      ...place,
      { path: 'price', as: 'usd' },
      { path: 'status' },
      { path: 'soldDate', head: 'sold' },
      { path: 'teardownScore', head: 'teardown' },
      { path: 'flippabilityScore', head: 'flip' },
      { path: 'historicCharm', head: 'charm' },
      { path: 'returnPct', as: 'pct', head: 'return' },
      { path: 'metadata.sqft', as: 'sqft', head: 'house' },
      { path: 'metadata.lotSize', as: 'sqft', head: 'lot' },
      { path: 'metadata.daysOnMarket', head: 'days' },
      { path: 'verdict' },
    ],
    leftOut: ['proforma', 'developerROI', 'proformaROI', 'visionAnalysis', 'listingUrl', 'photo', 'ranks', ...searched],
    dataset: 'listings',
  },
  {
    call: 'listSales',
    operation: operations.listSales,
    rows: 'sales',
    defaults: { limit: defaultRows },
    describe: { limit: limitWords(defaultRows), offset: offsetWords },
    columns: [
      { path: 'propertyId', head: 'id' },
      { path: 'address' },
      { path: 'city' },
      { path: 'soldDate', head: 'sold' },
      { path: 'price', as: 'usd' },
      { path: 'listPrice', as: 'usd', head: 'list price' },
      { path: 'pricePerSqft', as: 'usd', head: 'per sq ft' },
      { path: 'sqft', as: 'sqft', head: 'house' },
      { path: 'lotSize', as: 'sqft', head: 'lot' },
      { path: 'beds' },
      { path: 'baths' },
      { path: 'yearBuilt', head: 'built' },
    ],
    leftOut: ['saleId', 'propertyType', 'daysOnMarket', ...searched],
    dataset: 'sales',
  },
  {
    call: 'getCoverage',
    operation: operations.getCoverage,
    rows: 'data sets',
    defaults: { limit: 50 },
    describe: { limit: limitWords(50), offset: offsetWords, cursor: offsetWords, city: 'Name or slug' },
    columns: [
      { path: 'city' },
      { path: 'dataset' },
      { path: 'rows' },
      { path: 'newestRecord', head: 'newest' },
      { path: 'lastRunAt', head: 'last run' },
      { path: 'stale' },
      { path: 'refused', head: 'rejected' },
    ],
    leftOut: ['sources', 'citySlug'],
  },
]

/** The parts `get_property_intelligence` includes by default. */
export const defaultParts: readonly PropertyPart[] = ['explanation', 'proforma', 'comps']

export const readOnlyHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  // The tool calls one fixed service, but its rows contain text that anyone may have written in public feeds.
  openWorldHint: true,
} as const
