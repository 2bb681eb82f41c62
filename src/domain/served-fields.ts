// The fields that answers serve, one row each: type, unit and short heading. The field catalog, the tables of agent tools and the
// comparison pick their fields by name. A name covers every path that ends in it, as `sqft` covers `metadata.sqft`. A longer path with
// another meaning has its own row.

export interface ServedField {
  type: 'number' | 'integer' | 'text' | 'date' | 'boolean' | 'object' | 'list'
  unit?: string
  /** The heading of its column. Without one, the path is the heading. */
  head?: string
}

const field =
  (type: ServedField['type'], unit?: string) =>
  (head?: string): ServedField => ({ type, ...(unit && { unit }), ...(head && { head }) })
const text = field('text')
const date = field('date')
const list = field('list')
const object = field('object')
const flag = field('boolean')
const number = field('number')
const integer = field('integer')
const usd = field('number', 'dollars')
const usdPerSqft = field('number', 'dollars per square foot')
const pct = field('number', 'percent')
const sqft = field('number', 'square feet')
const score = field('integer', 'points')
const days = field('integer', 'days')
const degrees = field('number', 'degrees')

const table = {
  // What it is and where
  id: text(),
  permitId: text('permit'),
  saleId: text(),
  propertyId: text('id'),
  builderId: text(),
  name: text(),
  address: text(),
  city: text(),
  citySlug: text(),
  zip: text(),
  apn: text(),
  lat: degrees(),
  lng: degrees(),
  distanceMi: field('number', 'miles')(),
  distanceKm: field('number', 'kilometers')('miles away'),
  source: object(),
  // The listing and its price
  price: usd(),
  priceUsd: usd('price'),
  listPrice: usd('list price'),
  status: text(),
  listingStatus: text('listed'),
  listingUrl: text('listing page'),
  photo: text(),
  visionAnalysis: text(),
  listedDate: date(),
  soldDate: date('sold'),
  soldOn: date('sold'),
  soldPrice: usd('sold for'),
  pricePerSqft: usdPerSqft('per sq ft'),
  daysOnMarket: days('days'),
  onMarket: flag(),
  'previous.price': usd('price before'),
  'previous.status': text('status before'),
  changePct: pct('change'),
  // The house and its lot
  propertyType: text(),
  sqft: sqft('house'),
  livingSqft: sqft('living area'),
  existingSqft: sqft('existing'),
  lotSize: sqft('lot'),
  lotSqft: sqft('lot'),
  'lot.sqft': sqft('lot'),
  beds: number(),
  baths: number(),
  yearBuilt: integer('built'),
  'facts.yearBuilt': integer('year built'),
  zoning: text(),
  // Scores and values
  verdict: text(),
  ranks: object(),
  rankScore: field('number', 'points')(),
  teardownScore: score('teardown'),
  flippabilityScore: score('flip'),
  historicCharm: score('charm'),
  conditionScore: score('condition'),
  aduScore: score('score'),
  redevelopmentScore: score('score'),
  homes: integer('homes by law'),
  allows: list(),
  score: score('score'),
  'intelligence.teardownScore': score('teardown score'),
  'intelligence.flippabilityScore': score('flip score'),
  'intelligence.historicCharm': score('historic charm'),
  'ranks.teardownScore.percentile': pct('homes here with a lower teardown score'),
  'ranks.flippabilityScore.percentile': pct('homes here with a lower flip score'),
  marketHeatIndex: score('market heat'),
  biddingWarPredictor: pct('bidding-war odds'),
  expectedPrice: object(),
  'expectedPrice.p50': usd('expected sale price'),
  priceTension: object(),
  'best.kind': text('best use'),
  'bestIfApproved.kind': text('best use if approved'),
  'priceTension.text': text('asking price against value'),
  'valueEstimate.value': usd('value estimate'),
  'valueEstimate.low': usd('estimate low'),
  'valueEstimate.high': usd('estimate high'),
  'valueEstimate.confidence': text('estimate confidence'),
  'valueEstimate.note': text('about the estimate'),
  'valueEstimate.asOf': date('estimate of'),
  'decision.text': text('decision'),
  'decision.conditions': list('conditions'),
  scheme: text('use'),
  worthUpTo: usd('worth up to'),
  worthUpToLow: usd('worth up to, low case'),
  'room.usd': usd('room'),
  'room.low': usd('room, low case'),
  'room.against': text('price to beat'),
  approval: text(),
  'bestUse.scheme': text('best use'),
  'bestUse.homes': integer('homes of the best use'),
  'bestUse.maximumOffer': usd('best use bears'),
  'bestUse.ifApproved.scheme': text('if approved'),
  'bestUse.ifApproved.maximumOffer': usd('bears if approved'),
  asOf: date('as of'),
  // Schemes
  title: text('use'),
  allowed: text(),
  against: text('which price'),
  variant: text(),
  irrPct: pct('yearly rate on equity'),
  peakEquity: usd('most equity'),
  proceedsNet: usd('net proceeds'),
  maximumOffer: usd('bears at its target'),
  maximumOfferLow: usd('bears in the low case'),
  priceToValue: number('price/value'),
  'flip.profitUsd': usd('flip profit'),
  'flip.maximumOffer': usd('flip offer'),
  notAssessed: text('state'),
  confidence: text(),
  reason: text(),
  changedAt: date('changed'),
  // Comparable sales
  timeAdjustedUsd: usd('time-adjusted'),
  adjustedUsd: usd('adjusted'),
  weight: number(),
  // The pro forma
  returnPct: pct('return'),
  'intelligence.returnPct': pct('return after contingency and financing'),
  returnAtExpectedPct: pct('return at the expected price'),
  developerROI: pct('return, adjusted toward the market average'),
  proformaROI: pct('return before contingency and financing'),
  roiPct: pct('return before contingency and financing'),
  returnOnEquityPct: pct('return on equity'),
  proforma: object(),
  unmodellableReason: text('cannot be modeled'),
  because: text('why it cannot be modeled'),
  warnings: list(),
  capital: usd(),
  resaleNet: usd('net resale'),
  totalCost: usd('total cost'),
  profit: usd(),
  usd: usd(),
  residualLandValue: usd('residual land value'),
  'maximumOffer.price': usd('maximum offer for the target return'),
  targetRoiPct: pct('target return'),
  arvPerSqft: usdPerSqft('resale per sq ft'),
  costPerSqft: usdPerSqft('cost per sq ft'),
  months: number(),
  buildSqft: sqft('build size'),
  buildSizeBasis: text('build size from'),
  monthsBasis: text('months from'),
  compCount: integer('comparable sales used'),
  resalePct: pct('resale change'),
  costPct: pct('cost change'),
  extraMonths: integer('months late'),
  // Rent
  'monthlyRent.amount': usd('monthly rent'),
  'monthlyRent.basis': text('rent from'),
  'rentUnavailable.text': text('no rent'),
  noi: usd('net operating income a year'),
  capRatePct: pct('cap rate'),
  grossYieldPct: pct('gross yield'),
  dscr: number('debt service coverage'),
  cashOnCashPct: pct('cash on cash'),
  // What the law allows
  class: text(),
  allowableSqft: sqft('allowed'),
  sb9Status: text('SB 9'),
  maxUnits: integer('units'),
  'lotSplit.status': text('split'),
  blockReasons: list('blocked by'),
  blockers: list(),
  untestedRules: list('not tested'),
  'unit.kind': text('best unit'),
  'unit.sqft': sqft('its size'),
  costUsd: usd('cost'),
  valueAdded: usd('value added'),
  gainUsd: usd('gain'),
  paybackYears: number('payback years'),
  // Permits and builders
  projectType: text('type'),
  description: text(),
  valuation: usd(),
  units: field('integer', 'dwelling units')(),
  psf: usdPerSqft(),
  contractor: text(),
  architect: text(),
  issuedDate: date('issued'),
  appliedDate: date('applied'),
  finaledDate: date('finaled'),
  permitUrl: text(),
  permitClass: text('class'),
  classWords: list(),
  goneAt: date('removed from the feed'),
  year: integer(),
  n: integer('permits'),
  open: integer(),
  'toIssue.p50': days('days to issue, median'),
  'toIssue.p90': days('90% within'),
  'toFinal.p50': days('issue to final, median'),
  'toFinal.p90': days('90% within'),
  stalledPct: pct('stalled'),
  neverIssuedPct: pct('never issued'),
  permits12m: integer('permits, 12 months'),
  units12m: integer('units, 12 months'),
  permits: integer(),
  finaledPct: pct('finaled'),
  cities: list(),
  classes: list(),
  lastIssued: date('last'),
  // Events and coverage
  timestamp: date('at'),
  event: text(),
  type: text('type'),
  estimatedValue: usd('valuation'),
  kind: text('lead'),
  dataset: text(),
  rows: integer(),
  newestRecord: date('newest'),
  lastRunAt: date('last run'),
  stale: flag(),
  refused: integer('rejected'),
  // Market statistics
  period: text(),
  medianSalePrice: usd('median price'),
  medianPricePerSqft: usdPerSqft('per sq ft'),
  priceIndex: number('price index of the market'),
  homesSold: integer('sold'),
  newListings: integer('new listings'),
  inventory: integer(),
  medianDaysOnMarket: days('days'),
  saleToList: number('sale/list'),
  soldAboveListPct: pct('above list'),
  priceDropsPct: pct('price drops'),
  monthsOfSupply: number('months of supply'),
  heatIndex: score('heat'),
  newHousePermits: integer('new houses'),
  demolitions: integer(),
  aduPermits: integer('ADUs'),
  partial: flag(),
  suppressed: list(),
} as const satisfies Readonly<Record<string, ServedField>>

type FieldName = keyof typeof table
/** A field of the table, by its name or a path that ends in it. */
export type FieldPath = FieldName | `${string}.${FieldName}`

/** The row of the longest ending of the path. */
export const servedField = (path: FieldPath): ServedField => {
  const rows: Readonly<Record<string, ServedField>> = table
  for (let rest: string = path; ; rest = rest.slice(rest.indexOf('.') + 1)) {
    const row = rows[rest]
    if (row) return row
    if (!rest.includes('.')) throw new Error(`No served field is named "${path}".`)
  }
}
