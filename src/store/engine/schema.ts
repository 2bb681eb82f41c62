// Written by `npm run schema` from the migrated database. Do not edit; change the migrations and run it again.
import type { ColumnTypes } from './column-types.ts'

/** A browser that is signed in, with a key or by a mailed link. */
export interface AccountSessionTable {
  id: string
  hash: Buffer
  email: string | null
  keyId: string | null
  chosenKeyId: string | null
  browser: string
  createdAt: Date
  usedAt: Date
  expiresAt: Date
}

/** A link in a mail that signs in or confirms a key. It works once. */
export interface AccountTokenTable {
  hash: Buffer
  purpose: 'sign-in' | 'confirm'
  email: string
  keyId: string | null
  mailbox: string
  client: string | null
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
}

/** A caller's credential. The key itself is not stored. */
export interface ApiKeyTable {
  id: string
  family: string
  hash: Buffer
  hint: string
  plan: 'free' | 'pro'
  email: string
  createdAt: Date
  promotionUntil: Date | null
  expiresAt: Date | null
  replacedBy: string | null
  revokedAt: Date | null
  lastFour: string | null
  confirmedAt: Date | null
}

/** Assumptions of one key, used in place of those of the market. */
export interface AssumptionSetTable {
  id: string
  keyId: string
  name: string
  market: ColumnTypes['assumptionSet.market'] | null
  values: ColumnTypes['assumptionSet.values']
  createdAt: Date
  updatedAt: Date
}

/** Use of a daily allowance by a client address or a mailbox. */
export interface DailyCountTable {
  day: string
  purpose: string
  subject: string
  used: number
}

/** The delivery of one event to one endpoint. */
export interface DeliveryTable {
  id: string
  endpointId: string
  eventId: string
  eventType: string
  body: string
  state: 'waiting' | 'delivered' | 'failed' | 'discarded'
  attempts: number
  createdAt: Date
  nextAttemptAt: Date | null
  deliveredAt: Date | null
  note: string | null
}

/** One HTTP request of a delivery. */
export interface DeliveryAttemptTable {
  deliveryId: string
  attempt: number
  startedAt: Date
  durationMs: number
  status: number | null
  error: string | null
  response: string | null
}

/** The outbox: written in the transaction that changed the data. */
export interface EventTable {
  id: string
  txid: string
  seq: number
  position: number | null
  type: ColumnTypes['event.type']
  market: string
  body: string
  createdAt: Date
  searchRow: ColumnTypes['event.searchRow'] | null
  minor: boolean
}

/** A bulk export of a key. Its file is in export_piece. */
export interface ExportTable {
  id: string
  keyId: string
  state: ColumnTypes['export.state']
  request: ColumnTypes['export.request']
  list: string | null
  idempotencyKey: string | null
  createdAt: Date
  attempt: number
  claimedRows: number
  rows: number
  withheld: number
  bytes: number | null
  sha256: string | null
  since: string | null
  snapshotAt: Date | null
  expiresAt: Date | null
  error: string | null
}

/** The file of an export in pieces of 1 MiB, compressed with zstd. */
export interface ExportPieceTable {
  exportId: string
  attempt: number
  piece: number
  content: Buffer
}

/** One execution of an ingest: a source read, checked and loaded. */
export interface IngestRunTable {
  id: number
  sourceId: string
  state: 'running' | 'completed' | 'failed'
  firstLoad: boolean
  startedAt: Date
  finishedAt: Date | null
  rowsRead: number
  rowsLoaded: number
  rowsInserted: number
  rowsChanged: number
  rowsRejected: number
  rowsRemoved: number
  rowsReturned: number
  leftOut: ColumnTypes['ingestRun.leftOut']
  notModified: boolean
  etag: string | null
  lastModified: string | null
  highWater: string | null
  filled: ColumnTypes['ingestRun.filled'] | null
  error: string | null
  accepted: ColumnTypes['ingestRun.accepted'] | null
}

/** Requests of a key and the keys it replaced, by UTC day. */
export interface KeyUsageTable {
  family: string
  day: string
  requests: number
  refused: number
}

/** The outcome of each mail. Its content is in the queue only, encrypted. */
export interface MailTable {
  id: string
  kind: string
  recipient: string
  queuedAt: Date
  sentAt: Date | null
  attempts: number
  lastError: string | null
}

/** The markets this database serves and the schema that holds the data of each. */
export interface MarketTable {
  id: ColumnTypes['market.id']
  number: number
  shardGroup: string
}

/** The migrations that were applied, to public and to each shard group. */
export interface MigrationTable {
  scope: string
  name: string
  appliedAt: Date
  hash: string | null
}

/** One newsletter per subscriber and week, even if sending runs twice. */
export interface NewsletterIssueTable {
  subscriberId: string
  week: string
  queuedAt: Date
}

/** Answers of the vision model, by the hash of the photos. */
export interface PhotoAnalysisTable {
  hash: string
  condition: 'C1' | 'C2' | 'C3' | 'C4' | 'C5' | 'C6'
  analysis: string
  model: string
  createdAt: Date
}

/** A feed row that was not loaded, with its reason. */
export interface RejectedRowTable {
  runId: number
  rowNumber: number
  code: string
  reason: string
  recordId: string | null
  raw: ColumnTypes['rejectedRow.raw']
}

/** Values that the service stores about itself. */
export interface SettingTable {
  name: string
  value: ColumnTypes['setting.value']
}

/** A configured data feed. */
export interface SourceTable {
  id: string
  kind: string
  holds: 'parcels' | 'listings' | 'sales' | 'permits'
  market: ColumnTypes['source.market'] | null
  title: string
  url: string | null
  license: string | null
  schedule: string | null
  sample: boolean
  config: ColumnTypes['source.config']
  createdAt: Date
}

/** Source files that cannot be used, with the reason. The service runs without them. */
export interface SourceFileTable {
  file: string
  problem: string
  foundAt: Date
}

/** Sources that are not loaded on their schedule until they are resumed. */
export interface SourcePauseTable {
  sourceId: string
  pausedAt: Date
}

/** A mailbox that receives the newsletter of one market. */
export interface SubscriberTable {
  id: string
  email: string
  market: ColumnTypes['subscriber.market']
  origin: string | null
  createdAt: Date
  confirmedAt: Date | null
  unsubscribedAt: Date | null
}

/** Criteria of a key; changes that meet them are announced. */
export interface WatchTable {
  id: string
  keyId: string
  mailbox: string
  name: string
  kind: ColumnTypes['watch.kind']
  criteria: ColumnTypes['watch.criteria']
  markets: string[] | null
  cities: string[] | null
  triggers: ColumnTypes['watch.triggers']
  cadence: ColumnTypes['watch.cadence']
  endpoints: string[]
  note: string | null
  savedHome: boolean
  pausedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** A change that met a watch, written by the run that made it. Changes before the announcement are one. */
export interface WatchMatchTable {
  id: string
  watchId: string
  market: ColumnTypes['watchMatch.market']
  record: string
  propertyId: string | null
  permitId: string | null
  address: string | null
  triggers: ColumnTypes['watchMatch.triggers']
  before: ColumnTypes['watchMatch.before'] | null
  after: ColumnTypes['watchMatch.after']
  changedAt: Date
  announcedAt: Date | null
}

/** An address that receives events. */
export interface WebhookEndpointTable {
  id: string
  keyId: string
  url: string
  events: string[]
  secret: Buffer
  previousSecret: Buffer | null
  previousUntil: Date | null
  createdAt: Date
  failingSince: Date | null
  disabledAt: Date | null
  disabledReason: string | null
  filter: ColumnTypes['webhookEndpoint.filter'] | null
  everyChange: boolean
  onMarketOnly: boolean
}

/** Measured accuracy of the models, as served by GET /v1/accuracy. */
export interface AccuracyTable {
  market: ColumnTypes['accuracy.market']
  name: string
  measuredAt: Date
  data: string
  modelVersion: string
  measures: ColumnTypes['accuracy.measures']
}

/** What the next score of a property is compared with. Without a row, its stored scores and leads. */
export interface AnnouncedScoreTable {
  market: ColumnTypes['announcedScore.market']
  propertyId: string
  teardownScore: number | null
  flippabilityScore: number | null
  leads: string[]
}

/** A finished batch of a run. A batch that two workers finish counts once. */
export interface AssessBatchTable {
  market: ColumnTypes['assessBatch.market']
  runId: string
  afterId: string
  considered: number
  changed: number
  doneAt: Date
}

/** One execution of an assessment, of a whole market or of the properties that changed. */
export interface AssessRunTable {
  market: ColumnTypes['assessRun.market']
  id: string
  scope: 'market' | 'properties'
  state: 'running' | 'completed' | 'failed'
  startedAt: Date
  finishedAt: Date | null
  batches: number | null
  considered: number
  changed: number
  error: string | null
  modelVersion: string | null
}

/** Everything computed about one property at one time. A row changes only when its content does. */
export interface AssessmentTable {
  market: ColumnTypes['assessment.market']
  propertyId: string
  citySlug: string
  modelVersion: string
  contentHash: string
  assessedAt: Date
  teardownScore: number | null
  flippabilityScore: number | null
  conditionScore: number | null
  historicCharm: number | null
  rankScore: number | null
  marketHeatIndex: number | null
  biddingWar: number | null
  developerRoi: number | null
  proforma: ColumnTypes['assessment.proforma'] | null
  valueUsd: number | null
  valueLowUsd: number | null
  valueHighUsd: number | null
  recentSalesCount: number | null
  avgPricePerSqft: number | null
  comps: ColumnTypes['assessment.comps'] | null
  explanation: ColumnTypes['assessment.explanation'] | null
  redevelopmentScore: number | null
  redevelopmentClass: 'teardown_candidate' | 'expansion' | 'vacant_lot' | null
  redevelopmentBlocked: boolean | null
  redevelopment: ColumnTypes['assessment.redevelopment'] | null
}

/** Changes of the served scores. */
export interface AssessmentHistoryTable {
  market: ColumnTypes['assessmentHistory.market']
  propertyId: string
  changedAt: Date
  teardownScore: number | null
  flippabilityScore: number | null
  previous: ColumnTypes['assessmentHistory.previous'] | null
  reason: string
  modelVersion: string
}

/** The names of builders. Names with a license in common have the same builder. */
export interface BuilderTable {
  market: string
  nameKey: string
  builderId: string
  name: string
  licenses: string[]
  permits: number
  hidden: boolean
}

/** Rows by data set, city and source, kept by the load that changes them, so that coverage reads no records. */
export interface DatasetCountTable {
  market: ColumnTypes['datasetCount.market']
  dataset: ColumnTypes['datasetCount.dataset']
  citySlug: string
  sourceId: string
  city: string
  rows: number
  removed: number
  newestOn: string | null
}

/** What the models said about a home before its sale. Scored against the first sale after it. */
export interface ForecastTable {
  market: ColumnTypes['forecast.market']
  propertyId: string
  model: ColumnTypes['forecast.model']
  madeOn: string
  listingId: string | null
  valueUsd: number | null
  lowUsd: number | null
  highUsd: number | null
  probability: number | null
  modelVersion: string
}

/** What one law allows on one property, as of its assessment. */
export interface LeadTable {
  market: ColumnTypes['lead.market']
  propertyId: string
  law: string
  kind: ColumnTypes['lead.kind']
  best: boolean
  status: ColumnTypes['lead.status'] | null
  maxUnits: number | null
  score: number | null
  blocked: boolean
  finding: ColumnTypes['lead.finding']
}

/** An offer to sell a property. */
export interface ListingTable {
  market: ColumnTypes['listing.market']
  sourceId: string
  listingId: string
  propertyId: string
  matchMethod: 'apn' | 'address' | 'none'
  matchConfidence: 'high' | 'medium' | 'low'
  state: string
  city: string | null
  citySlug: string
  address: string | null
  addressKey: string | null
  apn: string | null
  apnKey: string | null
  status: 'active' | 'coming_soon' | 'pending' | 'sold' | 'withdrawn'
  rawStatus: string | null
  priceUsd: number | null
  originalPriceUsd: number | null
  listedOn: string | null
  pendingOn: string | null
  soldOn: string | null
  soldPriceUsd: number | null
  propertyType: ColumnTypes['listing.propertyType'] | null
  livingSqft: number | null
  lotSqft: number | null
  beds: number | null
  baths: number | null
  yearBuilt: number | null
  yearRenovated: number | null
  stories: number | null
  lat: number | null
  lng: number | null
  remarks: string | null
  photoUrls: string[] | null
  listingUrl: string | null
  visionAnalysis: string | null
  current: boolean
  sourceUrl: string | null
  collectedAt: Date
  raw: ColumnTypes['listing.raw'] | null
  removedAt: Date | null
  updatedAt: Date
  quality: number | null
  condition: number | null
  view: number | null
  waterfront: boolean | null
  garageSqft: number | null
  basementSqft: number | null
}

/** New listings and changes of price and status, written by the run that loads them. A first load writes none. */
export interface ListingChangeTable {
  market: ColumnTypes['listingChange.market']
  sourceId: string
  listingId: string
  changedAt: Date
  changedOn: string
  propertyId: string
  priceUsd: number | null
  status: ColumnTypes['listingChange.status']
  previousPriceUsd: number | null
  previousStatus: ColumnTypes['listingChange.previousStatus'] | null
  announcedAt: Date | null
}

/** The vision model's grade of a listing. A separate table, so that the next run of the feed does not overwrite it. */
export interface ListingPhotoGradeTable {
  market: ColumnTypes['listingPhotoGrade.market']
  sourceId: string
  listingId: string
  photoUrls: string[]
  condition: 'C1' | 'C2' | 'C3' | 'C4' | 'C5' | 'C6'
  analysis: string
  model: string
  gradedAt: Date
}

/** The heat index of a city by month. */
export interface MarketHeatTable {
  market: ColumnTypes['marketHeat.market']
  citySlug: string
  propertyType: string
  asOf: string
  heatIndex: number | null
  parts: ColumnTypes['marketHeat.parts']
  sales: number
}

/** Figures of a market, a city or a ZIP code by month, quarter and year, as served. */
export interface MarketSeriesTable {
  market: ColumnTypes['marketSeries.market']
  citySlug: string
  zip: string
  length: ColumnTypes['marketSeries.length']
  period: string
  n: number
  partial: boolean
  suppressed: boolean
  figures: ColumnTypes['marketSeries.figures']
  updatedAt: Date
}

/** Fitted models. The newest of a name and market is used. */
export interface ModelTable {
  market: ColumnTypes['model.market']
  name: string
  version: string
  fittedAt: Date
  body: ColumnTypes['model.body']
}

/** Outlines of parcels, for maps and include=shape. Apart from property, because few queries need them. */
export interface ParcelOutlineTable {
  market: ColumnTypes['parcelOutline.market']
  propertyId: string
  sourceId: string
  polygons: ColumnTypes['parcelOutline.polygons']
  bounds: ColumnTypes['parcelOutline.bounds']
}

/** A building permit. */
export interface PermitTable {
  market: ColumnTypes['permit.market']
  citySlug: string
  permitId: string
  sourceId: string
  propertyId: string | null
  matchMethod: 'apn' | 'address' | 'none'
  matchConfidence: 'high' | 'medium' | 'low'
  state: string
  city: string
  address: string | null
  addressKey: string | null
  otherAddresses: string[] | null
  otherAddressKeys: string[] | null
  apn: string | null
  apnKey: string | null
  projectType: string | null
  description: string | null
  valuationUsd: number | null
  rawValuation: string | null
  sqft: number | null
  contractor: string | null
  architect: string | null
  appliedOn: string | null
  issuedOn: string | null
  finaledOn: string | null
  status:
    | 'applied'
    | 'in_review'
    | 'approved'
    | 'issued'
    | 'inspections'
    | 'finaled'
    | 'expired'
    | 'cancelled'
    | 'unknown'
  rawStatus: string | null
  permitClass: ColumnTypes['permit.permitClass']
  classWords: string[]
  lat: number | null
  lng: number | null
  sourceUrl: string | null
  collectedAt: Date
  announcedAt: Date | null
  raw: ColumnTypes['permit.raw'] | null
  removedAt: Date | null
  updatedAt: Date
  units: number | null
  contractorKey: string | null
  contractorLicense: string | null
}

/** Changes of the normalized status of permits, written by the run that loads them. */
export interface PermitChangeTable {
  market: ColumnTypes['permitChange.market']
  citySlug: string
  permitId: string
  changedAt: Date
  changedOn: string
  propertyId: string | null
  status: ColumnTypes['permitChange.status']
  previousStatus: ColumnTypes['permitChange.previousStatus']
}

/** The cities with permits, so that a part of a name is looked up without reading permits. */
export interface PermitCityTable {
  market: ColumnTypes['permitCity.market']
  citySlug: string
  city: string
}

/** The permits as search reads them, written by the run that loads them. */
export interface PermitSearchTable {
  issuedOn: string | null
  search: string
  valuationUsd: number | null
  appliedOn: string | null
  finaledOn: string | null
  market: ColumnTypes['permitSearch.market']
  citySlug: string
  permitId: string
  status: string
  permitClass: string
  contractor: string | null
  propertyId: string | null
  location: ColumnTypes['permitSearch.location'] | null
  units: number | null
  builderKey: string | null
}

/** A parcel with its buildings, or a home known only through a listing. */
export interface PropertyTable {
  market: ColumnTypes['property.market']
  id: string
  state: string
  city: string
  citySlug: string
  address: string
  addressKey: string
  county: string | null
  apn: string | null
  apnKey: string | null
  lat: number | null
  lng: number | null
  propertyType: ColumnTypes['property.propertyType'] | null
  livingSqft: number | null
  lotSqft: number | null
  beds: number | null
  baths: number | null
  yearBuilt: number | null
  yearRenovated: number | null
  stories: number | null
  lotWidthFt: number | null
  lotDepthFt: number | null
  cornerLot: boolean | null
  slopePct: number | null
  garageSqft: number | null
  units: number | null
  fireplaces: number | null
  zoning: string | null
  assessedLandUsd: number | null
  assessedImprovementUsd: number | null
  overlays: ColumnTypes['property.overlays']
  knownFrom: 'parcel' | 'listing'
  sourceId: string | null
  sourceRecordId: string | null
  sourceUrl: string | null
  collectedAt: Date | null
  raw: ColumnTypes['property.raw'] | null
  removedAt: Date | null
  updatedAt: Date
  zip: string | null
  quality: number | null
  condition: number | null
  view: number | null
  waterfront: boolean | null
  basementSqft: number | null
}

/** What lists filter and sort properties by, one row per property, written by the runs that change it. */
export interface PropertySearchTable {
  market: ColumnTypes['propertySearch.market']
  propertyId: string
  citySlug: string
  zip: string | null
  removed: boolean
  knownFromListing: boolean
  status: string | null
  price: number | null
  priceCutPct: number | null
  listedOn: string | null
  pendingOn: string | null
  soldOn: string | null
  propertyType: string | null
  sqft: number | null
  lotSize: number | null
  beds: number | null
  baths: number | null
  yearBuilt: number | null
  zoning: string | null
  overlaysYes: string[]
  location: ColumnTypes['propertySearch.location'] | null
  rankScore: number | null
  teardownRaw: number | null
  teardownScore: number | null
  flippabilityRaw: number | null
  flippabilityScore: number | null
  conditionScore: number | null
  historicCharm: number | null
  developerRoi: number | null
  returnPct: number | null
  proformaRoi: number | null
  sb9Status: ColumnTypes['propertySearch.sb9Status'] | null
  sb9MaxUnits: number | null
  sb9Blocked: boolean
  aduScore: number | null
  aduBlocked: boolean
  redevelopmentScore: number | null
  redevelopmentClass: string | null
  redevelopmentBlocked: boolean
  aduMaxUnits: number | null
  garageSqft: number | null
  returnAtExpectedPct: number | null
  deal: (number | null)[] | null
}

/** A recorded transfer with a price. */
export interface SaleTable {
  market: ColumnTypes['sale.market']
  sourceId: string
  saleId: string
  propertyId: string | null
  matchMethod: 'apn' | 'address' | 'none'
  matchConfidence: 'high' | 'medium' | 'low'
  state: string
  city: string
  citySlug: string
  address: string | null
  addressKey: string | null
  apn: string | null
  apnKey: string | null
  soldOn: string
  priceUsd: number
  listPriceUsd: number | null
  listedOn: string | null
  daysOnMarket: number | null
  propertyType: ColumnTypes['sale.propertyType'] | null
  livingSqft: number | null
  lotSqft: number | null
  beds: number | null
  baths: number | null
  yearBuilt: number | null
  yearRenovated: number | null
  stories: number | null
  lat: number | null
  lng: number | null
  remarks: string | null
  sourceUrl: string | null
  collectedAt: Date
  raw: ColumnTypes['sale.raw'] | null
  removedAt: Date | null
  updatedAt: Date
  quality: number | null
  condition: number | null
  view: number | null
  waterfront: boolean | null
  garageSqft: number | null
  basementSqft: number | null
}

/** What the list of sales filters and sorts by, one row per sale that its feed contains, written by the runs that change the sale or its property. */
export interface SaleSearchTable {
  market: ColumnTypes['saleSearch.market']
  sourceId: string
  saleId: string
  propertyId: string | null
  knownFromListing: boolean
  citySlug: string
  zip: string | null
  soldOn: string
  price: number
  pricePerSqft: number | null
  daysOnMarket: number | null
  propertyType: ColumnTypes['saleSearch.propertyType'] | null
  sqft: number | null
  lotSize: number | null
  beds: number | null
  baths: number | null
  yearBuilt: number | null
  overlaysYes: string[]
  location: ColumnTypes['saleSearch.location'] | null
}

/** Street centerlines of the sample markets, for the built-in base map. Empty with real data. */
export interface StreetTable {
  market: ColumnTypes['street.market']
  id: number
  kind: 'street' | 'road'
  name: string | null
  path: ColumnTypes['street.path']
  bounds: ColumnTypes['street.bounds']
}

/** Properties whose facts or records changed since they were assessed. The assessor deletes them. */
export interface TouchedPropertyTable {
  market: ColumnTypes['touchedProperty.market']
  propertyId: string
  touchedAt: Date
}

/** What a market is assessed with until its next valuation, once a month: the facts of its models and the value model. */
export interface ValuationTable {
  market: ColumnTypes['valuation.market']
  valuedOn: string
  version: string
  counts: ColumnTypes['valuation.counts']
  facts: Buffer
}

/** Value and return of a property, one row when either has changed noticeably since the row before. */
export interface ValueChangeTable {
  market: ColumnTypes['valueChange.market']
  propertyId: string
  changedAt: Date
  changedOn: string
  valueUsd: number | null
  valueLowUsd: number | null
  valueHighUsd: number | null
  returnPct: number | null
  previousValueUsd: number | null
  previousReturnPct: number | null
  moved: ColumnTypes['valueChange.moved']
}

/** Every table by its name. */
export interface Schema {
  accountSession: AccountSessionTable
  accountToken: AccountTokenTable
  apiKey: ApiKeyTable
  assumptionSet: AssumptionSetTable
  dailyCount: DailyCountTable
  delivery: DeliveryTable
  deliveryAttempt: DeliveryAttemptTable
  event: EventTable
  export: ExportTable
  exportPiece: ExportPieceTable
  ingestRun: IngestRunTable
  keyUsage: KeyUsageTable
  mail: MailTable
  market: MarketTable
  migration: MigrationTable
  newsletterIssue: NewsletterIssueTable
  photoAnalysis: PhotoAnalysisTable
  rejectedRow: RejectedRowTable
  setting: SettingTable
  source: SourceTable
  sourceFile: SourceFileTable
  sourcePause: SourcePauseTable
  subscriber: SubscriberTable
  watch: WatchTable
  watchMatch: WatchMatchTable
  webhookEndpoint: WebhookEndpointTable
  accuracy: AccuracyTable
  announcedScore: AnnouncedScoreTable
  assessBatch: AssessBatchTable
  assessRun: AssessRunTable
  assessment: AssessmentTable
  assessmentHistory: AssessmentHistoryTable
  builder: BuilderTable
  datasetCount: DatasetCountTable
  forecast: ForecastTable
  lead: LeadTable
  listing: ListingTable
  listingChange: ListingChangeTable
  listingPhotoGrade: ListingPhotoGradeTable
  marketHeat: MarketHeatTable
  marketSeries: MarketSeriesTable
  model: ModelTable
  parcelOutline: ParcelOutlineTable
  permit: PermitTable
  permitChange: PermitChangeTable
  permitCity: PermitCityTable
  permitSearch: PermitSearchTable
  property: PropertyTable
  propertySearch: PropertySearchTable
  sale: SaleTable
  saleSearch: SaleSearchTable
  street: StreetTable
  touchedProperty: TouchedPropertyTable
  valuation: ValuationTable
  valueChange: ValueChangeTable
}
