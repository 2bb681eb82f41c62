// Written by `npm run schema` from the migrated database. Do not edit; change the migrations and run it again.
import type { ColumnTypes } from './column-types.ts'

/** A browser that is signed in, with a key or by a mailed link. */
export interface AccountSessionTable {
  id: string
  hash: Buffer // SHA-256 of the cookie.
  email: string | null // The address that was proven by a mailed link, in lower case.
  keyId: string | null // The key it was opened with. The session ends with the key.
  chosenKeyId: string | null // The key that downloads from pages use.
  browser: string
  createdAt: Date
  usedAt: Date // Last use, to the hour.
  expiresAt: Date
}

/** A caller's credential. The key itself is not stored. */
export interface ApiKeyTable {
  id: string
  family: string // Id of the first key. Keys that replaced one another share one limit and one set of webhooks.
  hash: Buffer // SHA-256 of the key. A random key needs no slow hash.
  hint: string // The first characters of the key, to tell keys apart in a list.
  plan: 'free' | 'pro'
  email: string
  createdAt: Date // When the first key of the family was issued.
  promotionUntil: Date | null // A free key has Pro access until then.
  expiresAt: Date | null // Set on a rotated key, which works until then.
  replacedBy: string | null // The key that replaced it in a rotation.
  revokedAt: Date | null
  lastFour: string | null // The last characters of the key, as its confirmation mail names them. Null for keys issued before they were kept.
  confirmedAt: Date | null // When the owner of the mailbox confirmed the key. Before, it causes no mail except the one that asks to confirm it.
}

/** Assumptions of one key, used in place of those of the market. */
export interface AssumptionSetTable {
  id: string
  keyId: string
  name: string
  market: ColumnTypes['market'] | null // The only market it is for; null for every market.
  values: ColumnTypes['assumptionSet.values'] // Name to number, as GET /v1/assumptions lists them. Names of an earlier version stay and have no effect.
  createdAt: Date
  updatedAt: Date
  mailbox: string // Hash of the normalized mailbox of the key, which sets are counted by.
  byCity: ColumnTypes['assumptionSet.byCity'] | null // City slug to names and numbers, used in place of "values" in that city; null if the set has none.
  inUse: boolean // True for the set that the pages of its owner are computed with; at most one of a key.
}

/** A home that the owner of a key may buy, with its stage. Its note is that of its saved home. */
export interface DealTable {
  id: string
  keyId: string
  mailbox: string // Hash of the normalized mailbox of the key, which deals are counted by.
  watchId: string // The saved home. The deal is deleted with it.
  propertyId: string
  stage: ColumnTypes['deal.stage']
  scheme: ColumnTypes['deal.scheme'] | null
  priceUsd: number | null // The price that the owner has in mind.
  assumptions: ColumnTypes['deal.assumptions'] | null // Names and numbers in place of those of the market.
  facts: ColumnTypes['deal.facts'] | null // The owner's corrections of facts of the home. Used for this key alone.
  saved: ColumnTypes['deal.saved'] | null // Price, status and decision when it was saved; null until they are first read.
  told: ColumnTypes['deal.told'] | null // The decision that later ones are compared with.
  moved: ColumnTypes['deal.moved'] | null // The last noticeable change of the decision: its time, and the decision before and after.
  createdAt: Date
  updatedAt: Date
}

/** The delivery of one event to one endpoint. */
export interface DeliveryTable {
  id: string
  endpointId: string
  eventId: string // Not a foreign key: events are deleted before deliveries.
  eventType: string
  body: string // The bytes to send, copied from the event.
  state: 'waiting' | 'delivered' | 'failed' | 'discarded'
  attempts: number
  createdAt: Date
  nextAttemptAt: Date | null
  deliveredAt: Date | null
  note: string | null // Why a delivery was discarded.
}

/** The outbox: written in the transaction that changed the data. */
export interface EventTable {
  id: string
  txid: string // Transaction that wrote the event.
  seq: number // Order of the events of one transaction.
  position: number | null // Position in the event feed, assigned after the transaction has committed. Numbers assigned while writing would become visible out of order.
  type: ColumnTypes['event.type']
  market: ColumnTypes['market']
  body: string // The exact bytes that are signed and sent.
  createdAt: Date
  searchRow: ColumnTypes['event.searchRow'] | null // The searchable row as it stood: filters of webhooks and of the feed test it.
  minor: boolean // A change of a score below the threshold.
}

/** A bulk export of a key. Its file is in export_piece. */
export interface ExportTable {
  id: string
  keyId: string
  state: ColumnTypes['export.state']
  request: ColumnTypes['export.request'] // Kind, criteria, sort, fields and format.
  list: string | null // The CSV to look up, for an export of POST /v1/lookup/batch.
  idempotencyKey: string | null
  createdAt: Date
  attempt: number // How often the job was started. A job that was interrupted starts again with new pieces.
  claimedRows: number // Rows counted when it was requested, taken from the daily allowance of the mailbox.
  rows: number
  withheld: number // Rows left out because their source does not permit exports.
  bytes: number | null
  sha256: string | null
  since: string | null // Start of the history window of the rows. Null if they have the full history.
  snapshotAt: Date | null
  expiresAt: Date | null // The file can be read until then.
  error: string | null
}

/** One execution of an ingest: a source read, checked and loaded. */
export interface IngestRunTable {
  id: number
  sourceId: string
  state: 'running' | 'completed' | 'failed'
  firstLoad: boolean // The first load of a source is a backfill and emits no event.
  startedAt: Date
  finishedAt: Date | null
  rowsRead: number
  rowsLoaded: number // Rows accepted, changed or not.
  rowsInserted: number
  rowsChanged: number // Rows inserted or updated.
  rowsRejected: number // Rows not loaded, each kept in rejected_row with its reason.
  rowsRemoved: number // Rows that the complete feed no longer contains.
  rowsReturned: number // Rows marked as removed earlier that the feed contains again.
  leftOut: ColumnTypes['ingestRun.leftOut'] // Values left out of rows that were loaded: reason to count.
  notModified: boolean // The source answered that nothing changed since the previous run.
  etag: string | null // HTTP ETag of the feed, sent by the next run.
  lastModified: string | null // HTTP Last-Modified of the feed, sent by the next run.
  highWater: string | null // Position at which an incremental read continues.
  filled: ColumnTypes['ingestRun.filled'] | null // Rows accepted, and how many of them have a value in each field. The next run is compared with it.
  error: string | null
  accepted: ColumnTypes['ingestRun.accepted'] | null // Why the operator loaded a feed that differs from the last run (reason), and the differences (problems).
}

/** Requests of a key and the keys it replaced, by UTC day. */
export interface KeyUsageTable {
  family: string
  day: string
  requests: number
  refused: number // Requests over the limit per minute, which are also in requests.
}

/** A configured data feed. */
export interface SourceTable {
  id: string
  kind: string // Reader of the feed: csv, socrata, arcgis, and so on.
  holds: 'parcels' | 'listings' | 'sales' | 'permits' | 'rents' | 'layer'
  market: ColumnTypes['market'] | null // Null if the rows of the feed belong to several markets.
  title: string
  url: string | null // Public address of the feed, without credentials. Null for a local file.
  license: string | null
  schedule: string | null // Cron expression.
  sample: boolean // Generated sample data. Removed when the first real source is loaded.
  config: ColumnTypes['source.config'] // The configuration the last run used.
  createdAt: Date
}

/** Source files that cannot be used, with the reason. The service runs without them. */
export interface SourceFileTable {
  file: string // File name within the folder of sources.
  problem: string
  foundAt: Date // When the problem was first found.
}

/** A change that met watches and waits to be announced to them. Changes before the announcement are one. */
export interface WaitingMatchTable {
  id: number
  market: ColumnTypes['market']
  record: string // The property id, or city and number of the permit.
  propertyId: string | null
  permitId: string | null
  address: string | null
  watches: ColumnTypes['waitingMatch.watches'] // The triggers by watch id. A watch is removed when the match is announced to it.
  before: ColumnTypes['before'] | null // The searchable row before the first change, with returns at the assumptions of its watches; null for a new record.
  after: ColumnTypes['after'] // The searchable row after the last change.
  changedAt: Date
}

/** Criteria of a key; changes that meet them are announced. */
export interface WatchTable {
  id: string
  keyId: string
  mailbox: string // Hash of the normalized mailbox of the key, which watches are counted by.
  name: string
  kind: ColumnTypes['watch.kind']
  criteria: ColumnTypes['watch.criteria']
  markets: string[] | null // The markets of the criteria; null for all.
  cities: string[] | null // The cities of the criteria, which a run selects watches by; null for any.
  triggers: ColumnTypes['triggers'] // The changes that are announced: entered, left, price, status, score, permit.
  cadence: ColumnTypes['watch.cadence']
  endpoints: string[] // Webhook endpoints of the key that receive watch.matched.
  note: string | null
  savedHome: boolean // One home without a channel, which is counted apart.
  pausedAt: Date | null
  createdAt: Date
  updatedAt: Date
  email: boolean // Whether matches are mailed to the address of the key.
  feedHash: Buffer | null // SHA-256 of the token in the URL of its Atom feed; null without a feed.
  assumptionSetId: string | null // The assumptions that returns in its criteria are computed with; null for those of the market.
}

/** A match that was announced, with what its watch tests and shows of the record. */
export interface WatchMatchTable {
  id: string
  watchId: string
  market: ColumnTypes['market']
  record: string // The property id, or city and number of the permit.
  propertyId: string | null
  permitId: string | null
  address: string | null
  triggers: ColumnTypes['triggers']
  before: ColumnTypes['before'] | null // The searchable row before the first change; null for a new record.
  after: ColumnTypes['after'] // The searchable row after the last change.
  changedAt: Date
  announcedAt: Date | null
  mailDue: boolean // Announced, and waits for the next mail of its mailbox.
  mailId: string | null // The mail that names it.
}

/** A changed record that watches are still to be matched with, written in the transaction of the run that changed it and deleted by the match. */
export interface WatchedChangeTable {
  id: number
  market: ColumnTypes['market']
  record: string // The property id, or city and number of the permit.
  propertyId: string | null
  permitId: string | null
  address: string | null
  before: ColumnTypes['before'] | null // The searchable row before the change; null for a new record.
  after: ColumnTypes['after'] // The searchable row after the change.
  scored: boolean // A score changed by the threshold of property.score_updated or more.
  permit: boolean // A permit of the home was recorded or changed its status.
  changedAt: Date
}

/** An address that receives events. */
export interface WebhookEndpointTable {
  id: string
  keyId: string
  url: string
  events: string[] // The event types it receives.
  secret: Buffer // Signing secret, encrypted with SECRET_KEY.
  previousSecret: Buffer | null // The secret before the last rotation, encrypted. Also used for signing until previous_until.
  previousUntil: Date | null
  createdAt: Date
  failingSince: Date | null // Time of the first failed attempt since the last success.
  disabledAt: Date | null
  disabledReason: string | null
  filter: ColumnTypes['webhookEndpoint.filter'] | null // Criteria that the searchable row of an event must meet.
  everyChange: boolean // Also receives changes of a score below the threshold. True for endpoints of earlier versions.
  onMarketOnly: boolean // Receives property.score_updated for homes on the market only. False for endpoints of earlier versions.
}

/** Measured accuracy of the models, as served by GET /v1/accuracy. */
export interface AccuracyTable {
  market: ColumnTypes['market']
  name: string
  measuredAt: Date
  data: string // The data it was measured on: sample or real.
  modelVersion: string
  measures: ColumnTypes['accuracy.measures'] // Measure name to value.
}

/** What the next score of a property is compared with. Without a row, its stored scores and leads. */
export interface AnnouncedScoreTable {
  market: ColumnTypes['market']
  propertyId: string
  teardownScore: number | null // The score last announced, not rounded. A silent change moves it.
  flippabilityScore: number | null
  leads: string[] // The kinds of leads that the property has reached at some time.
}

/** One execution of an assessment, of a whole market or of the properties that changed. */
export interface AssessRunTable {
  market: ColumnTypes['market']
  id: string
  scope: 'market' | 'properties'
  state: 'running' | 'completed' | 'failed'
  startedAt: Date
  finishedAt: Date | null
  batches: number | null // Number of batches of the run.
  considered: number // Properties assessed.
  changed: number // Properties whose assessment changed.
  error: string | null
  modelVersion: string | null // The models the run used. After a completed run of a market, every assessment in it is one of these models.
  assessedOn: string | null // The day that the run is for.
  basis: string | null // A hash of what all properties are assessed with: valuation, models, rules and rents. Null if it is not known to be the same for all.
}

/** Everything computed about one property at one time. A row changes only when its content does. */
export interface AssessmentTable {
  market: ColumnTypes['market']
  propertyId: string
  citySlug: string
  modelVersion: string
  contentHash: string // Hash of everything served. A row with the same hash is not written again.
  assessedAt: Date
  teardownScore: number | null
  flippabilityScore: number | null
  conditionScore: number | null
  historicCharm: number | null
  rankScore: number | null // Lists are sorted by it.
  marketHeatIndex: number | null // No longer written: the index is read from market_heat.
  biddingWar: number | null // The bidding war predictor, as served.
  developerRoi: number | null // Return in percent, adjusted toward the market average.
  proforma: ColumnTypes['assessment.proforma'] | null // The pro forma of building a new house.
  valueUsd: number | null
  valueLowUsd: number | null // Low end of the value range.
  valueHighUsd: number | null // High end of the value range.
  recentSalesCount: number | null
  avgPricePerSqft: number | null
  comps: ColumnTypes['assessment.comps'] | null // The comparable sales behind the value.
  explanation: ColumnTypes['assessment.explanation'] | null // Each score with its parts and reasons.
  redevelopmentScore: number | null
  redevelopmentClass: 'teardown_candidate' | 'expansion' | 'vacant_lot' | null
  redevelopmentBlocked: boolean | null
  redevelopment: ColumnTypes['assessment.redevelopment'] | null // The redevelopment finding.
  flipProfitUsd: number | null // Not used since version 4: see offers.
  homes: number | null // Most homes of any use that a law allows or likely allows.
  allows: string[] | null // Uses that a law allows, likely allows or allows on a condition: add_unit, split, …
  offers: ColumnTypes['assessment.offers'] | null // Of a listed home, at the market's assumptions: what each use could bear, and what it follows from.
  uses: ColumnTypes['assessment.uses'] | null // At the market's assumptions: what each scheme could bear, the best one, and the prices that they follow from.
  assessedOn: string | null // The day that was assessed: nothing later was used. Null in rows of earlier versions, which are those of the day of assessed_at.
  allowedUses: string | null // Uses that a law allows, likely allows or allows on a condition, separated by spaces: add_unit split …
}

/** Changes of the served scores. */
export interface AssessmentHistoryTable {
  market: ColumnTypes['market']
  propertyId: string
  changedAt: Date
  teardownScore: number | null
  flippabilityScore: number | null
  previous: ColumnTypes['assessmentHistory.previous'] | null // The scores before the change.
  reason: string
  modelVersion: string
}

/** Rows by data set, city and source, kept by the load that changes them, so that coverage reads no records. */
export interface DatasetCountTable {
  market: ColumnTypes['market']
  dataset: ColumnTypes['datasetCount.dataset']
  citySlug: string
  sourceId: string
  city: string
  rows: number
  removed: number // Rows that their complete feed no longer contains.
  newestOn: string | null // Date of the newest record; of parcels, the latest change that the feed states, and null where it states none. A correction to an earlier date is counted by the daily recount.
}

/** What the models said about a home before its sale. Scored against the first sale after it. */
export interface ForecastTable {
  market: ColumnTypes['market']
  propertyId: string
  model: ColumnTypes['forecast.model']
  madeOn: string // The day the home was assessed for.
  listingId: string | null // The listing that was on the market. Null for a home that was not listed.
  valueUsd: number | null
  lowUsd: number | null
  highUsd: number | null
  probability: number | null // Of a bidding war, or of a teardown. Null for a value.
  modelVersion: string
}

/** Shapes of map layers in each market that they touch, cut into parts of at most 128 positions. */
export interface LayerShapeTable {
  market: ColumnTypes['market']
  sourceId: string
  hash: string // Hash of the shape as the feed gives it, with its value: an unchanged shape is not written again.
  part: number
  kind: ColumnTypes['layerShape.kind']
  value: ColumnTypes['layerShape.value'] // What the shape says of a lot that it covers.
  about: ColumnTypes['layerShape.about'] | null // Name and tier of a station.
  rings: ColumnTypes['layerShape.rings'] // Flat lists of longitude and latitude: outer rings run counterclockwise, holes clockwise. Of a grid: columns, rows and slopes in percent.
  bounds: ColumnTypes['bounds'] // The box around the part, longitude first.
}

/** What one law allows on one property, as of its assessment. */
export interface LeadTable {
  market: ColumnTypes['market']
  propertyId: string
  law: string // Id of the law in src/laws.
  kind: ColumnTypes['lead.kind']
  best: boolean // The lead that lists and searches show, of those of its kind.
  status: ColumnTypes['lead.status'] | null // Status of a lot split.
  maxUnits: number | null // Units of a lot split or accessory units; homes of another use.
  score: number | null // Score of an accessory unit.
  blocked: boolean
  finding: ColumnTypes['lead.finding'] // The finding as served, without its rules.
}

/** An offer to sell a property. */
export interface ListingTable {
  market: ColumnTypes['market']
  sourceId: string
  listingId: string
  propertyId: string
  matchMethod: 'apn' | 'address' | 'none' // How the property was found. None: the property was created from this listing.
  matchConfidence: 'high' | 'medium' | 'low'
  state: string // Two letters, upper case.
  city: string | null
  citySlug: string
  address: string | null
  addressKey: string | null // The normalized address it is matched by.
  apn: string | null
  apnKey: string | null // The parcel number it is matched by, with state and county.
  status: 'active' | 'coming_soon' | 'pending' | 'sold' | 'withdrawn'
  rawStatus: string | null // The status as the source writes it.
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
  listingUrl: string | null // The page of the listing: https, without credentials.
  visionAnalysis: string | null // The description of the photos in the feed.
  current: boolean // The property's most recent listing, which a signal shows. Exactly one per property.
  sourceUrl: string | null
  collectedAt: Date
  raw: ColumnTypes['raw'] | null // The feed row as it was read.
  removedAt: Date | null // When a complete feed first no longer contained it.
  updatedAt: Date
  quality: number | null // As in property.
  condition: number | null // As in property.
  view: number | null // As in property.
  waterfront: boolean | null
  garageSqft: number | null
  basementSqft: number | null
}

/** New listings and changes of price and status, written by the run that loads them. A first load writes none. */
export interface ListingChangeTable {
  market: ColumnTypes['market']
  sourceId: string
  listingId: string
  changedAt: Date
  changedOn: string // The day the feed gives for the new status, otherwise the day of the run.
  propertyId: string
  priceUsd: number | null
  status: ColumnTypes['listingChange.status']
  previousPriceUsd: number | null
  previousStatus: ColumnTypes['listingChange.previousStatus'] | null // Null for a new listing.
  announcedAt: Date | null // When its event was written, after the home was assessed. Null until then.
  rowBefore: ColumnTypes['listingChange.rowBefore'] | null // The searchable row before the change, if the market has watches, until the change is announced. Only the first of the changes that wait has it.
}

/** The vision model's grade of a listing. A separate table, so that the next run of the feed does not overwrite it. */
export interface ListingPhotoGradeTable {
  market: ColumnTypes['market']
  sourceId: string
  listingId: string
  photoUrls: string[] // The photos that were graded. If the listing has other photos, it is graded again.
  condition: 'C1' | 'C2' | 'C3' | 'C4' | 'C5' | 'C6' // Fannie Mae condition rating, C1 (new) to C6.
  analysis: string // The description of the photos by the model.
  model: string // Name of the vision model.
  gradedAt: Date
}

/** The heat index of a city by month. */
export interface MarketHeatTable {
  market: ColumnTypes['market']
  citySlug: string // Empty for the whole market.
  propertyType: string
  asOf: string
  heatIndex: number | null
  parts: ColumnTypes['marketHeat.parts'] // The measures that make up the index.
  sales: number
}

/** Figures of a market, a city or a ZIP code by month, quarter and year, as served. */
export interface MarketSeriesTable {
  market: ColumnTypes['market']
  citySlug: string // Empty for the whole market and for a ZIP code.
  zip: string // Empty for the whole market and for a city.
  length: ColumnTypes['marketSeries.length']
  period: string // Its first day.
  n: number // Sales in the period.
  partial: boolean
  suppressed: boolean // Figures of a small group are left out.
  figures: ColumnTypes['marketSeries.figures'] // Metric to value. A metric that is not known or withheld is missing.
  updatedAt: Date
}

/** Outlines of parcels, for maps and include=shape. Apart from property, because few queries need them. */
export interface ParcelOutlineTable {
  market: ColumnTypes['market']
  propertyId: string
  sourceId: string
  polygons: ColumnTypes['parcelOutline.polygons'] // Coordinates of a GeoJSON MultiPolygon in WGS 84, simplified to about a foot.
  bounds: ColumnTypes['bounds'] // The box around the outline, longitude first.
}

/** A building permit. */
export interface PermitTable {
  market: ColumnTypes['market']
  citySlug: string
  permitId: string // The city's number. Numbers repeat between cities, never within one.
  sourceId: string // The source that recorded the permit first. Another source takes the permit over only when the first no longer contains it.
  propertyId: string | null // Null until a property matches.
  matchMethod: 'apn' | 'address' | 'none' // How the property was found.
  matchConfidence: 'high' | 'medium' | 'low'
  state: string // Two letters, upper case.
  city: string
  address: string | null
  addressKey: string | null // The normalized address it is matched by.
  otherAddresses: string[] | null // Further addresses of the permit, for feeds with one row per address.
  otherAddressKeys: string[] | null // The same addresses, normalized; properties with one of them show the permit too.
  apn: string | null
  apnKey: string | null // The parcel number it is matched by, with state and county.
  projectType: string | null
  description: string | null
  valuationUsd: number | null // Null where the city's figure is a placeholder.
  rawValuation: string | null // The valuation as the source writes it.
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
  rawStatus: string | null // The status as the source writes it.
  permitClass: ColumnTypes['permit.permitClass'] // Kind of work, determined from project type and description.
  classWords: string[] // The words that decided the class.
  lat: number | null
  lng: number | null
  sourceUrl: string | null
  collectedAt: Date
  announcedAt: Date | null // When permit.created was emitted for it, once.
  raw: ColumnTypes['raw'] | null // The feed row as it was read.
  removedAt: Date | null // When a complete feed first no longer contained it.
  updatedAt: Date
  units: number | null // Dwelling units added, from the feed or stated in the description.
  contractorKey: string | null // The normalized name of the contractor; null where the row names an owner or nobody.
  contractorLicense: string | null
}

/** New permits and changes of the normalized status, written by the run that loads them. A first load writes none. */
export interface PermitChangeTable {
  market: ColumnTypes['market']
  citySlug: string
  permitId: string
  changedAt: Date
  changedOn: string // The day the feed gives for the new status, otherwise the day of the run.
  propertyId: string | null
  status: ColumnTypes['permitChange.status']
  previousStatus: ColumnTypes['permitChange.previousStatus'] | null // Null for a new permit.
}

/** A parcel with its buildings, or a home known only through a listing. */
export interface PropertyTable {
  market: ColumnTypes['market']
  id: string // Never changes. Begins with the number of the market.
  state: string // Two letters, upper case.
  city: string
  citySlug: string // Unique across all markets.
  address: string
  addressKey: string // The address normalized for matching: upper case, USPS abbreviations, the unit last.
  county: string | null
  apn: string | null // Assessor's parcel number as the source writes it.
  apnKey: string | null // State, county and number: ca:san-mateo:012345678.
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
  overlays: ColumnTypes['property.overlays'] // Overlay name to yes, no or unknown. A missing name is unknown.
  knownFrom: 'parcel' | 'listing' // A home known only through a listing becomes a parcel, with the same id, when its parcel is loaded.
  sourceId: string | null
  sourceRecordId: string | null // The record's id in its source.
  sourceUrl: string | null
  collectedAt: Date | null
  raw: ColumnTypes['raw'] | null // The feed row as it was read.
  removedAt: Date | null // When a complete feed first no longer contained it.
  updatedAt: Date
  zip: string | null // Five digits, where the source has them.
  quality: number | null // Construction quality: the assessor's grade, 0 to 100.
  condition: number | null // As the source rates it, on the scale of the condition score: UAD C1 to C6 at 95, 85, 70, 55, 35, 15.
  view: number | null // As the source rates it: 0 none, 100 the best.
  waterfront: boolean | null
  basementSqft: number | null
  feedOverlays: ColumnTypes['property.feedOverlays'] | null // Overlays of the parcel feed, where layers also say something. Otherwise they are in overlays.
  overlaySources: ColumnTypes['property.overlaySources'] | null // The layer that an overlay, slopePct or buildings is from. Other overlays are from the parcel feed.
  buildings: ColumnTypes['property.buildings'] | null // Buildings on the lot from footprints, the largest first. Null where no map shows them.
  stations: ColumnTypes['property.stations'] | null // Stations of map layers within half a mile of the lot, the nearest first. Null where no map shows them.
}

/** What lists filter and sort properties by, one row per property, written by the runs that change it. */
export interface PropertySearchTable {
  market: ColumnTypes['market']
  propertyId: string
  citySlug: string
  zip: string | null
  removed: boolean // Its parcel feed no longer contains it.
  knownFromListing: boolean // Known only through a listing: hidden together with it.
  status: string | null // Of the current listing, if it is served.
  price: number | null
  priceCutPct: number | null // Percent below the first price; 0 without a cut.
  listedOn: string | null
  pendingOn: string | null
  soldOn: string | null
  propertyType: string | null
  sqft: number | null // Living area. Facts of the house come from the listing first, lot size and location from the parcel first.
  lotSize: number | null
  beds: number | null
  baths: number | null
  yearBuilt: number | null
  zoning: string | null
  overlaysYes: string[] // The overlays that lie over the parcel.
  location: ColumnTypes['location'] | null // Longitude, latitude.
  rankScore: number | null
  teardownRaw: number | null // Unrounded, for ranks. teardown_score is the score as it is served.
  teardownScore: number | null
  flippabilityRaw: number | null // Unrounded, for ranks. flippability_score is the score as it is served.
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
  aduMaxUnits: number | null // As in the ADU leads.
  garageSqft: number | null
  returnAtExpectedPct: number | null
  deal: (number | null)[] | null // Existing sq ft, 1 if the lot is vacant, built sq ft, resale per sq ft, weight of its own return, mean return of the market, expected price, stories of the new house, slope in percent.
  aduReturnPct: number | null
  aduPaybackYears: number | null
  aduGainUsd: number | null
  homes: number | null
  allows: string | null // The uses that a law allows, separated by spaces.
  valueUsd: number | null
  priceToValue: number | null
  monthlyRentUsd: number | null
  capRatePct: number | null
  grossYieldPct: number | null
  flipProfitUsd: number | null
  flipMaximumOffer: number | null
  approval: string | null // What the use needs that the decision about the home is about: none, ministerial, design_review, discretionary, unknown.
  bestScheme: string | null // The scheme that could bear most for the lot, among those that nobody may refuse.
  bestHomes: number | null
  bestOffer: number | null
  roomUsd: number | null // best_offer less the price to beat: the expected price, else the asking price, else the value and what an owner wants above it.
  roomLow: number | null // The same in the low case: less the upper end of that price.
  newHouseApproval: string | null // What a new house needs; discretionary may be refused.
}

/** A recorded transfer with a price. */
export interface SaleTable {
  market: ColumnTypes['market']
  sourceId: string
  saleId: string
  propertyId: string | null // Null until a property matches.
  matchMethod: 'apn' | 'address' | 'none' // How the property was found.
  matchConfidence: 'high' | 'medium' | 'low'
  state: string // Two letters, upper case.
  city: string
  citySlug: string
  address: string | null
  addressKey: string | null // The normalized address it is matched by.
  apn: string | null
  apnKey: string | null // The parcel number it is matched by, with state and county.
  soldOn: string
  priceUsd: number
  listPriceUsd: number | null
  listedOn: string | null
  daysOnMarket: number | null // From listing to accepted offer.
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
  remarks: string | null // The text of the listing that led to the sale, where the source has it.
  sourceUrl: string | null
  collectedAt: Date
  raw: ColumnTypes['raw'] | null // The feed row as it was read.
  removedAt: Date | null // When a complete feed first no longer contained it.
  updatedAt: Date
  quality: number | null // As in property. On the day of the sale.
  condition: number | null // As in property. On the day of the sale.
  view: number | null // As in property.
  waterfront: boolean | null
  garageSqft: number | null
  basementSqft: number | null
}

/** What a market is assessed with until its next valuation, once a month: the facts of its models and the value model. */
export interface ValuationTable {
  market: ColumnTypes['market']
  valuedOn: string
  version: string // Version of the code that wrote it. Another version values the market again.
  counts: ColumnTypes['valuation.counts'] // Records by data set. When they have changed much, the market is valued again.
  facts: Buffer // Serialized by V8 and compressed.
  model: Buffer | null // The value model, serialized by V8 and compressed. Null where the market has too few sales.
}

/** Value and return of a property, one row when either has changed noticeably since the row before. */
export interface ValueChangeTable {
  market: ColumnTypes['market']
  propertyId: string
  changedAt: Date
  changedOn: string
  valueUsd: number | null
  valueLowUsd: number | null
  valueHighUsd: number | null
  returnPct: number | null
  previousValueUsd: number | null // Of the row before, or of the assessment before if there was none.
  previousReturnPct: number | null
  moved: ColumnTypes['valueChange.moved'] // The inputs that changed, with their old and new values.
}
