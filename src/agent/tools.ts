// The tools. Each calls one operation; descriptions differ from the contract only where stated here.
import { dayOf } from '../domain/day.ts'
import type { Dataset } from '../domain/facts.ts'
import type { Operation } from '../wire/operation.ts'
import { operations } from '../wire/operations/list.ts'
import type { PropertyPart } from '../wire/operations/properties.ts'
import { fewestPermits } from '../wire/permit-timelines.ts'
import type { Column } from './table.ts'

type ListName =
  | 'searchPermits'
  | 'listSb9Inventory'
  | 'listAduLeads'
  | 'listRedevelopmentLeads'
  | 'listMarketSignals'
  | 'listSales'
  | 'getCoverage'
  | 'listEvents'
  | 'getMarketSeries'
  | 'getPermitTimelines'
  | 'listBuilders'

interface ListRow {
  call: ListName
  /** The noun for its rows. */
  rows: string
  /** Added to the contract's summary. */
  hint?: string
  /** Arguments used by default. */
  defaults: Record<string, unknown>
  describe?: Record<string, string>
  /** The arguments in the tool list, by default all. The others are accepted too: find_properties lists the criteria. */
  listed?: readonly string[]
  columns: readonly Column[]
  /** Fields a row omits unless they are named in `fields`: long, or better read at the property. */
  leftOut: readonly string[]
  /** What a reader of these rows should know. */
  note?: (rows: readonly Record<string, unknown>[]) => string | undefined
  /** The data it uses, to distinguish "nothing matched" from "not covered". */
  dataset?: Dataset
}

export interface ListTool extends ListRow {
  operation: Operation
}

const toolOf = (row: ListRow): ListTool => ({ ...row, operation: operations[row.call] })

/** Few enough rows to leave most of the model's context free. */
const defaultRows = 10

const limitWords = (rows: number) => `Default ${rows}`
const offsetWords = 'From page.next'

const paging = ['sort', 'fields', 'limit', 'offset']
const leadArguments = ['market', 'city', 'minScore', 'minLotSize', 'exclude', ...paging]

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

const listRows: readonly ListRow[] = [
  {
    call: 'searchPermits',
    rows: 'permits',
    hint: 'q searches address, type, description, firms and number.',
    defaults: { limit: defaultRows },
    describe: {
      city: 'Name or part of it',
      cursor: offsetWords,
      limit: limitWords(defaultRows),
      permitClass: 'new_house, adu, whole_house_demolition, addition, …',
      minUnitsAdded: 'Dwelling units, 5 for 5 or more',
    },
    listed: [
      ...['market', 'city', 'address', 'q', 'permitClass', 'status', 'issued', 'minValuation', 'minUnitsAdded'],
      ...['issuedFrom', 'issuedTo', 'appliedFrom', 'builderId', 'sort', 'fields', 'limit', 'cursor'],
    ],
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
    rows: 'homes for sale',
    defaults: { status: ['any'], limit: defaultRows },
    describe: { ...leadWords, status: 'Default any' },
    listed: ['market', 'city', 'status', 'maxPrice', 'minLotSize', 'minUnits', 'exclude', ...paging],
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
    rows: 'parcels',
    defaults: { limit: defaultRows },
    describe: { ...leadWords, sort: 'As -adu.economics.returnPct' },
    listed: leadArguments,
    columns: [
      ...place,
      { path: 'aduScore', head: 'score' },
      { path: 'maxUnits', head: 'units' },
      { path: 'lot.sqft', as: 'sqft', head: 'lot' },
      { path: 'units', head: 'kinds' },
      { path: 'adu.economics.unit.kind', head: 'best unit' },
      { path: 'adu.economics.unit.sqft', as: 'sqft', head: 'its size' },
      { path: 'adu.economics.costUsd', as: 'usd', head: 'its cost' },
      { path: 'adu.economics.monthlyRent.amount', as: 'usd', head: 'rent' },
      { path: 'adu.economics.valueAdded', as: 'usd', head: 'adds' },
      { path: 'adu.economics.returnPct', as: 'pct', head: 'return' },
      { path: 'adu.economics.paybackYears', head: 'payback years' },
      { path: 'blockers' },
      { path: 'confidence' },
    ],
    leftOut: ['ranks', 'buildableSqft', ...searched],
    dataset: 'parcels',
  },
  {
    call: 'listRedevelopmentLeads',
    rows: 'parcels',
    defaults: { limit: defaultRows },
    describe: leadWords,
    listed: ['class', ...leadArguments],
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
    rows: 'listings',
    hint: 'Homes for sale by default; set status or address for others.',
    defaults: { status: ['for_sale'], limit: defaultRows },
    describe: {
      limit: limitWords(defaultRows),
      offset: offsetWords,
      status: 'Default for_sale: active, coming_soon',
    },
    listed: ['market', 'city', 'address', 'status', 'minPrice', 'maxPrice', 'minReturnPct', ...paging],
    columns: [
      ...place,
      { path: 'price', as: 'usd', head: 'asking price' },
      { path: 'status' },
      { path: 'soldDate', head: 'sold' },
      { path: 'teardownScore', head: 'teardown' },
      { path: 'flippabilityScore', head: 'flip' },
      { path: 'historicCharm', head: 'charm' },
      { path: 'returnPct', as: 'pct', head: 'return' },
      { path: 'returnAtExpectedPct', as: 'pct', head: 'return at expected price' },
      { path: 'metadata.sqft', as: 'sqft', head: 'house' },
      { path: 'metadata.lotSize', as: 'sqft', head: 'lot' },
      { path: 'metadata.daysOnMarket', head: 'days' },
      { path: 'verdict' },
    ],
    leftOut: [
      'proforma',
      'expectedPrice',
      'developerROI',
      'proformaROI',
      'visionAnalysis',
      'listingUrl',
      'photo',
      'ranks',
      ...searched,
    ],
    dataset: 'listings',
  },
  {
    call: 'listSales',
    rows: 'sales',
    defaults: { limit: defaultRows },
    describe: { limit: limitWords(defaultRows), offset: offsetWords },
    listed: ['market', 'city', 'zip', 'address', 'soldFrom', 'soldTo', 'minPrice', 'maxPrice', ...paging, 'cursor'],
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
    rows: 'data sets',
    defaults: { limit: 50 },
    describe: { limit: limitWords(50), offset: offsetWords, cursor: offsetWords },
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

export const listTools: readonly ListTool[] = listRows.map(toolOf)

const week = 7 * 86_400_000

/** The events of the last seven days by default; `after` continues from a page. */
export const changesTool = (now: Date, after?: unknown): ListTool => ({
  call: 'listEvents',
  operation: { ...operations.listEvents, name: 'what_changed', title: 'What changed' },
  rows: 'changes',
  defaults: {
    types: ['listing.created', 'listing.price_changed', 'listing.status_changed', 'permit.created'],
    ...(after === undefined ? { since: dayOf(new Date(now.getTime() - week)) } : {}),
    limit: 25,
  },
  describe: {
    types:
      'Default listing.created, .price_changed, .status_changed, permit.created. Also permit.status_changed, property.score_updated, lead.created',
    since: 'YYYY-MM-DD, default 7 days ago, at most 90',
    after: offsetWords,
    limit: limitWords(25),
  },
  listed: ['types', 'since', 'market', 'city', 'id', 'maxPrice', 'limit', 'after'],
  columns: [
    { path: 'timestamp', head: 'at' },
    { path: 'event' },
    { path: 'data.propertyId', head: 'id' },
    { path: 'data.permitId', head: 'permit' },
    { path: 'data.address', head: 'address' },
    { path: 'data.city', head: 'city' },
    { path: 'data.previous.price', as: 'usd', head: 'price before' },
    { path: 'data.price', as: 'usd', head: 'price' },
    { path: 'data.changePct', as: 'pct', head: 'change' },
    { path: 'data.previous.status', head: 'status before' },
    { path: 'data.status', head: 'status' },
    { path: 'data.teardownScore', head: 'teardown' },
    { path: 'data.returnPct', as: 'pct', head: 'return' },
    { path: 'data.type', head: 'type' },
    { path: 'data.description', head: 'description' },
    { path: 'data.estimatedValue', as: 'usd', head: 'valuation' },
    { path: 'data.units', head: 'units' },
    { path: 'data.kind', head: 'lead' },
    { path: 'data.score', head: 'score' },
    { path: 'data.reason', head: 'reason' },
  ],
  leftOut: [],
  dataset: 'listings',
})

/** What `about` of `get_market_statistics` chooses; the first by default. */
export const statisticsTools = {
  series: toolOf({
    call: 'getMarketSeries',
    rows: 'periods',
    defaults: { limit: 12 },
    columns: [
      { path: 'period' },
      { path: 'medianSalePrice', as: 'usd', head: 'median price' },
      { path: 'medianPricePerSqft', as: 'usd', head: 'per sq ft' },
      { path: 'priceIndex', head: 'price index' },
      { path: 'homesSold', head: 'sold' },
      { path: 'newListings', head: 'new listings' },
      { path: 'inventory' },
      { path: 'medianDaysOnMarket', head: 'days' },
      { path: 'saleToList', head: 'sale/list' },
      { path: 'soldAboveListPct', as: 'pct', head: 'above list' },
      { path: 'priceDropsPct', as: 'pct', head: 'price drops' },
      { path: 'monthsOfSupply', head: 'months of supply' },
      { path: 'heatIndex', head: 'heat' },
      { path: 'newHousePermits', head: 'new houses' },
      { path: 'demolitions' },
      { path: 'aduPermits', head: 'ADUs' },
      { path: 'partial' },
      { path: 'suppressed' },
    ],
    leftOut: [],
    dataset: 'sales',
  }),
  timelines: toolOf({
    call: 'getPermitTimelines',
    rows: 'groups of permits',
    defaults: { groupBy: ['permitClass'], limit: 25 },
    columns: [
      { path: 'city' },
      { path: 'permitClass', head: 'class' },
      { path: 'year' },
      { path: 'n', head: 'permits' },
      { path: 'open' },
      { path: 'toIssue.p50', head: 'days to issue, median' },
      { path: 'toIssue.p90', head: '90% within' },
      { path: 'toFinal.p50', head: 'issue to final, median' },
      { path: 'toFinal.p90', head: '90% within' },
      { path: 'stalledPct', as: 'pct', head: 'stalled' },
      { path: 'neverIssuedPct', as: 'pct', head: 'never issued' },
    ],
    note: (rows) =>
      rows.some((row) => row.toIssue === undefined)
        ? `Groups of fewer than ${fewestPermits} permits have no times; run_proforma says which months it uses instead`
        : undefined,
    leftOut: [],
    dataset: 'permits',
  }),
  builders: toolOf({
    call: 'listBuilders',
    rows: 'builders',
    defaults: { limit: defaultRows },
    columns: [
      { path: 'id' },
      { path: 'name' },
      { path: 'permits12m', head: 'permits, 12 months' },
      { path: 'units12m', head: 'units, 12 months' },
      { path: 'permits' },
      { path: 'valuation', as: 'usd' },
      { path: 'toFinal.p50', head: 'days to final' },
      { path: 'finaledPct', as: 'pct', head: 'finaled' },
      { path: 'cities' },
      { path: 'classes' },
      { path: 'lastIssued', head: 'last' },
    ],
    leftOut: ['aliases', 'role', 'url'],
    dataset: 'permits',
  }),
}

export const statisticsNotes = {
  city: 'Name or slug',
  zip: 'For series',
  metric: 'For series; default all',
  interval: 'For series; default month',
  permitClass: 'For timelines and builders, as in search_permits',
  groupBy: 'For timelines; default permitClass',
  sort: 'For builders: permits12m, units12m, valuation, …',
  q: 'Name or license of a builder',
  limit: 'Rows, newest period first',
  offset: offsetWords,
}

/** The arguments of `run_proforma` in the tool list; the market's other assumptions are accepted too. */
export const proformaNotes = {
  price: 'Purchase, dollars',
  costPerSqft: 'Construction',
  buildSqft: 'New house',
  arvPerSqft: 'Resale',
  months: 'Purchase to resale',
  ratePct: 'Loan interest',
  targetRoiPct: 'Of the maximum offer, default 15',
  assumptions: 'Others: {"softCosts": 90000, "demoCost": 40000, "sellingCostPct": 5}',
  assumptionSet: 'Id of your set',
}

/** The parts `get_property_intelligence` includes by default. */
export const defaultParts: readonly PropertyPart[] = ['explanation', 'proforma', 'comps']

// A tool that only reads is neither destructive nor anything but idempotent, and open-world is the default: its rows contain text that
// anyone may have written in public feeds.
export const readOnlyHints = { readOnlyHint: true } as const
