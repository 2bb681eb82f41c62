// The tools. Each calls one operation; descriptions differ from the contract only where stated here.
import { dayOf } from '../domain/day.ts'
import type { Dataset } from '../domain/facts.ts'
import type { Operation } from '../wire/operation.ts'
import { type OperationName, operations } from '../wire/operations/list.ts'
import type { PropertyPart } from '../wire/operations/properties.ts'
import { fewestPermits } from '../wire/permit-timelines.ts'
import { column, columns } from './columns.ts'
import type { Column } from './table.ts'

interface ListRow {
  call: OperationName
  /** The noun for its rows. */
  rows: string
  /** Added to the contract's summary. */
  hint?: string
  /** Arguments used by default; else a limit of `defaultRows`. */
  defaults?: Record<string, unknown>
  describe?: Record<string, string>
  /** The arguments in the tool list, by default all. The others are accepted too: find_properties lists the criteria. */
  listed?: readonly string[]
  columns: readonly Column[]
  /** Fields a row omits unless they are named in `fields`: long, or better read at the property. */
  leftOut?: readonly string[]
  /** What a reader of these rows should know. */
  note?: (rows: readonly Record<string, unknown>[]) => string | undefined
  /** The data it uses, to distinguish "nothing matched" from "not covered". */
  dataset?: Dataset
}

/** Few enough rows to leave most of the model's context free. */
const defaultRows = 10

const toolOf = (row: ListRow) => {
  const operation: Operation = operations[row.call]
  return { defaults: { limit: defaultRows }, leftOut: [], ...row, operation }
}
export type ListTool = ReturnType<typeof toolOf>

const limitWords = (rows: number) => `Default ${rows}`
const offsetWords = 'From page.next'

const paging = ['sort', 'fields', 'limit', 'offset']
const leadArguments = ['market', 'city', 'minScore', 'minLotSize', 'exclude', ...paging]

const pageWords = { limit: limitWords(defaultRows), offset: offsetWords }
const leadWords = { minScore: '0-100, default 60', ...pageWords }

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

const listRows: readonly ListRow[] = [
  {
    call: 'searchPermits',
    rows: 'permits',
    hint: 'q searches address, type, description, firms and number.',
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
      ...columns('permitId', 'issuedDate', 'appliedDate', 'finaledDate', 'address', 'city', 'projectType'),
      ...columns('description', 'valuation', 'units', 'status', 'goneAt', 'contractor'),
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
      ...columns('id', 'address', 'city', 'price', 'listingStatus', 'lotSize', 'zoning', 'sb9Status', 'maxUnits'),
      ...columns('lotSplit.status', 'bestUse.scheme', 'bestUse.maximumOffer', 'blockReasons', 'warnings'),
    ],
    leftOut: ['untestedRules', ...searched],
    dataset: 'listings',
  },
  {
    call: 'listAduLeads',
    rows: 'parcels',
    describe: { ...leadWords, sort: 'As -adu.economics.gainUsd' },
    listed: leadArguments,
    columns: [
      ...columns('id', 'address', 'city', 'aduScore', 'maxUnits', 'lot.sqft'),
      column('units', 'kinds'),
      ...columns('adu.economics.unit.kind', 'adu.economics.unit.sqft'),
      column('adu.economics.costUsd', 'its cost'),
      column('adu.economics.monthlyRent.amount', 'rent'),
      column('adu.economics.valueAdded', 'adds'),
      ...columns('adu.economics.gainUsd', 'adu.economics.paybackYears', 'blockers', 'confidence'),
    ],
    leftOut: ['ranks', 'buildableSqft', ...searched],
    dataset: 'parcels',
  },
  {
    call: 'listRedevelopmentLeads',
    rows: 'parcels',
    describe: leadWords,
    listed: ['class', ...leadArguments],
    columns: [
      ...columns('id', 'address', 'city', 'redevelopmentScore', 'class', 'yearBuilt', 'lotSize', 'existingSqft'),
      column('allowableSqft'),
      column('buildSqft', 'new house'),
      ...columns('bestUse.scheme', 'bestUse.maximumOffer', 'blockers'),
    ],
    leftOut: ['buildableSqft', 'allowableBasis', 'allowableConfidence', 'ranks', ...searched],
    dataset: 'parcels',
  },
  {
    call: 'listMarketSignals',
    rows: 'listings',
    hint: 'Homes for sale by default; set status or address for others.',
    defaults: { status: ['for_sale'], limit: defaultRows },
    describe: { ...pageWords, status: 'Default for_sale: active, coming_soon' },
    listed: ['market', 'city', 'address', 'status', 'minPrice', 'maxPrice', 'minReturnPct', ...paging],
    columns: [
      ...columns('id', 'address', 'city'),
      // Not cut short: the sentence ends with the price.
      { ...column('decision.text'), max: 400 },
      column('price', 'asking price'),
      ...columns('status', 'soldDate', 'teardownScore', 'flippabilityScore', 'historicCharm', 'returnPct'),
      column('returnAtExpectedPct', 'return at expected price'),
      ...columns('metadata.sqft', 'metadata.lotSize', 'metadata.daysOnMarket'),
      { ...column('priceTension.text'), max: 400 },
      ...columns('valueEstimate.value', 'valueEstimate.confidence', 'flip.profitUsd', 'hold.capRatePct'),
    ],
    leftOut: [
      'verdict',
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
    describe: pageWords,
    listed: ['market', 'city', 'zip', 'address', 'soldFrom', 'soldTo', 'minPrice', 'maxPrice', ...paging, 'cursor'],
    columns: [
      ...columns('propertyId', 'address', 'city', 'soldDate', 'price', 'listPrice', 'pricePerSqft', 'sqft'),
      ...columns('lotSize', 'beds', 'baths', 'yearBuilt'),
    ],
    leftOut: ['saleId', 'propertyType', 'daysOnMarket', ...searched],
    dataset: 'sales',
  },
  {
    call: 'getCoverage',
    rows: 'data sets',
    defaults: { limit: 50 },
    describe: { limit: limitWords(50), offset: offsetWords, cursor: offsetWords },
    columns: [...columns('city', 'dataset', 'rows', 'newestRecord', 'lastRunAt', 'stale', 'refused')],
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
    ...columns('timestamp', 'event', 'data.propertyId', 'data.permitId', 'data.address', 'data.city'),
    ...columns('data.previous.price', 'data.price', 'data.changePct', 'data.previous.status', 'data.status'),
    ...columns('data.teardownScore', 'data.returnPct', 'data.type', 'data.description', 'data.estimatedValue'),
    ...columns('data.units', 'data.kind', 'data.score', 'data.reason'),
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
      ...columns('period', 'medianSalePrice', 'medianPricePerSqft', 'priceIndex', 'homesSold', 'newListings'),
      ...columns('inventory', 'medianDaysOnMarket', 'saleToList', 'soldAboveListPct', 'priceDropsPct'),
      ...columns('monthsOfSupply', 'heatIndex', 'newHousePermits', 'demolitions', 'aduPermits', 'partial'),
      column('suppressed'),
    ],
    dataset: 'sales',
  }),
  timelines: toolOf({
    call: 'getPermitTimelines',
    rows: 'groups of permits',
    defaults: { groupBy: ['permitClass'], limit: 25 },
    columns: [
      ...columns('city', 'permitClass', 'year', 'n', 'open', 'toIssue.p50', 'toIssue.p90', 'toFinal.p50'),
      ...columns('toFinal.p90', 'stalledPct', 'neverIssuedPct'),
    ],
    note: (rows) =>
      rows.some((row) => row.toIssue === undefined)
        ? `Groups of fewer than ${fewestPermits} permits have no times; run_proforma says which months it uses instead`
        : undefined,
    dataset: 'permits',
  }),
  builders: toolOf({
    call: 'listBuilders',
    rows: 'builders',
    columns: [
      ...columns('id', 'name', 'permits12m', 'units12m', 'permits', 'valuation'),
      column('toFinal.p50', 'days to final'),
      ...columns('finaledPct', 'cities', 'classes', 'lastIssued'),
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
