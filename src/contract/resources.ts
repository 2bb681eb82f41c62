// The shapes on the wire. The seed's names and types hold as written; a field without "or null" is absent
// when unknown.
import { Type } from 'typebox'
import { errorCodes } from './errors.ts'
import { confidences, listingStatuses, permitClasses, permitStatuses } from './facts.ts'

export const orNull = <T extends Type.TSchema>(schema: T, options: Type.TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options)

const literals = <const T extends readonly string[]>(values: T, options: Type.TSchemaOptions = {}) =>
  Type.Enum([...values] as [...T], options)

const optional = Type.Optional
const text = (description: string) => Type.String({ description })
const number = (description: string) => Type.Number({ description })
const integer = (description: string) => Type.Integer({ description })
const date = (description: string) => Type.String({ format: 'date', description })
const dateTime = (description: string) => Type.String({ format: 'date-time', description })
const score = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description })

export const ErrorEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    error: text('What went wrong, and what to do about it'),
    code: literals(errorCodes),
  },
  { $id: 'Error', description: 'The envelope of every refusal' },
)

const paginationFields = {
  limit: integer('Page size applied, after the plan cap'),
  offset: integer('Results skipped'),
  total: integer('Matching results'),
  returned: integer('Items in this page'),
  nextOffset: orNull(Type.Integer(), { description: 'Offset of the next page; null on the last reachable page' }),
}
export const Pagination = Type.Object(paginationFields)
export const PermitPagination = Type.Object({
  ...paginationFields,
  truncated: Type.Boolean({ description: 'True when counting stopped at 10,000; walk on with cursor' }),
  nextCursor: orNull(Type.String(), { description: 'Pass as cursor for the next page; null on the last' }),
})

export const LeadPagination = Type.Object({
  ...paginationFields,
  totalCapped: Type.Boolean({ description: 'True when more than 10,000 rows match; total is then 10000' }),
})

export const FeedPagination = Type.Object({
  limit: paginationFields.limit,
  offset: integer('Always 0: the feed is walked with nextCursor'),
  total: integer('Events ready after the cursor given, this page among them'),
  returned: paginationFields.returned,
  nextOffset: Type.Null({ description: 'Always null: the feed is walked with nextCursor' }),
})

export const HistoryWindow = orNull(
  Type.Object({
    days: integer('Length of the window'),
    oldestDate: date('Oldest date included'),
  }),
  { description: 'The window of dated records this key may read; null when none applies' },
)

const ConfidenceLevel = literals(confidences, { description: 'As good as the lowestConfidence fact it rests on' })

export const listOf = <T extends Type.TSchema>(item: T, pagination: Type.TSchema = Pagination) =>
  Type.Object({
    success: Type.Literal(true),
    count: integer('Items in this page'),
    data: Type.Array(item),
    pagination,
    historyWindow: HistoryWindow,
    asOf: dateTime('When the data behind this answer was last brought up to date'),
  })

export const one = <T extends Type.TSchema>(data: T) =>
  Type.Object({
    success: Type.Literal(true),
    data,
    asOf: dateTime('When the data behind this answer was last brought up to date'),
  })

export const Provenance = Type.Object({
  source: text('Identifier of the source'),
  title: optional(text('Name of the source')),
  licence: optional(text('Licence of the source')),
  url: optional(text('Where the record can be seen')),
  collectedAt: optional(dateTime('When it was collected')),
  sample: optional(Type.Boolean({ description: 'True for generated sample data' })),
})

const Carry = Type.Object({
  interest: number('Loan interest over the project, dollars'),
  points: number('Loan fees, dollars'),
  tax: number('Property tax, dollars'),
  insurance: number('Builder’s risk insurance, dollars'),
})

export const Proforma = Type.Object(
  {
    roiPct: optional(number('100 × (resaleNet − capital) / capital, one decimal')),
    buildSqft: optional(number('Assumed build size')),
    arvPerSqft: optional(number('After-repair value per square foot, dollars')),
    capital: optional(number('price + buildSqft × costPerSqft + softCosts + demoCost, dollars')),
    resaleNet: optional(number('buildSqft × arvPerSqft × (1 − sellingCostPct / 100), dollars')),
    compCount: optional(integer('Comparable sales used')),
    compsCityMatched: optional(Type.Boolean({ description: 'Comparables are of the same city' })),
    compsTypeMatched: optional(Type.Boolean({ description: 'Comparables are of the same property type' })),
    confidence: optional(ConfidenceLevel),
    unmodellableReason: orNull(
      literals(['NO_LOT_SIZE', 'NO_ZONING', 'NOT_SINGLE_FAMILY', 'TOO_FEW_COMPS', 'NO_PRICE', 'HISTORIC_BLOCKED']),
      { description: 'Why the property cannot be modelled; null when it can' },
    ),
    assumptions: optional(
      Type.Object(
        {
          costPerSqft: optional(number('Construction, dollars per square foot')),
          softCosts: optional(number('Design, permits, fees, dollars')),
          demoCost: optional(number('Demolition, dollars')),
          sellingCostPct: optional(number('Selling cost, percent of resale')),
          buildSizeBasis: optional(text('What the build size rests on')),
          contingency: optional(number('Dollars')),
          carry: optional(Carry),
          months: optional(number('Purchase to resale')),
          ratePct: optional(number('Loan interest, percent a year')),
          shrinkWeight: optional(number('Weight of this property’s own return in developerROI, 0 to 1')),
          marketMeanRoiPct: optional(number('The market’s mean return, percent')),
        },
        { additionalProperties: true },
      ),
    ),
  },
  { $id: 'Proforma', description: 'The pro forma with every term it rests on' },
)

export const PropertySignal = Type.Object(
  {
    id: text('Property identifier'),
    address: text('Street address'),
    city: text('City name'),
    price: optional(number('Listing price, dollars')),
    status: literals(listingStatuses, { description: 'Listing status' }),
    soldDate: optional(date('Date of sale, on sold rows')),
    teardownScore: optional(score('Probability the property is a teardown, in percent')),
    flippabilityScore: optional(score('Renovation potential')),
    historicCharm: optional(score('Historic character (Nantucket)')),
    rankScore: optional(number('What the list is ordered by, unrounded')),
    developerROI: optional(
      number('Estimated developer return after carry and contingency, shrunk to the market, percent'),
    ),
    conditionScore: optional(score('Condition: UAD C1..C6 at 95, 85, 70, 55, 35, 15')),
    visionAnalysis: optional(text('Image analysis, where one exists')),
    proformaROI: optional(number('The pro forma’s roiPct, percent')),
    proforma: optional(Proforma),
    metadata: Type.Object({
      sqft: optional(number('Living area, square feet')),
      lotSize: optional(number('Lot, square feet')),
      daysOnMarket: optional(integer('Listing to today, or to pending or sale')),
      listedDate: optional(date('Date listed')),
      yearBuilt: optional(integer('Year built')),
      beds: optional(number('Bedrooms')),
      baths: optional(number('Bathrooms')),
      lat: optional(number('Latitude')),
      lng: optional(number('Longitude')),
    }),
    source: optional(Provenance),
  },
  { $id: 'PropertySignal' },
)

export const ScorePart = Type.Object({
  name: text('What was looked at'),
  points: number('What it added or took'),
  because: text('Why'),
})

export const Explained = Type.Object(
  {
    score: optional(number('The score these parts make')),
    parts: Type.Array(ScorePart),
    used: Type.Array(Type.String(), { description: 'Inputs used' }),
    missing: Type.Array(Type.String(), { description: 'Inputs not known' }),
    confidence: ConfidenceLevel,
  },
  { additionalProperties: true },
)

export const Permit = Type.Object(
  {
    permitId: text('Permit number'),
    city: text('City name'),
    address: optional(text('Street address')),
    projectType: optional(text('As the city gives it; several cities use one generic type, so read description')),
    description: optional(text('Scope of work')),
    valuation: orNull(Type.Number(), { description: 'Dollars; null where filed without one' }),
    sqft: optional(number('Area, square feet')),
    psf: optional(number('Valuation per square foot')),
    contractor: optional(text('Contractor')),
    architect: orNull(Type.String(), { description: 'Architect' }),
    issuedDate: date('Date of issue'),
    status: literals(permitStatuses, { description: 'Normalised status' }),
    permitUrl: Type.String({ format: 'uri', description: 'Page of this permit' }),
    permitClass: optional(literals(permitClasses, { description: 'What kind of work it is, read from the words' })),
    classWords: optional(Type.Array(Type.String(), { description: 'The words that decided the class' })),
    propertyId: optional(text('The property it belongs to, where matched')),
    goneAt: optional(dateTime('When its city’s feed no longer held it; present only then. Probably taken back')),
    source: optional(Provenance),
  },
  { $id: 'Permit' },
)

export const PropertyDetail = Type.Object(
  {
    id: text('Property identifier'),
    address: text('Street address'),
    city: text('City name'),
    market: optional(text('Market identifier')),
    price: optional(number('Listing price, dollars; absent when not for sale')),
    status: optional(literals(listingStatuses, { description: 'Listing status' })),
    soldDate: optional(date('Date of sale')),
    soldPrice: optional(number('Sale price, dollars')),
    intelligence: Type.Object({
      teardownScore: optional(score('Probability the property is a teardown, in percent')),
      flippabilityScore: optional(score('Renovation potential')),
      marketHeatIndex: optional(score('How hot its city’s market is')),
      biddingWarPredictor: optional(score('Probability of closing at least 1 % over list, in percent')),
      conditionScore: optional(score('Condition')),
      historicCharm: optional(score('Historic character (Nantucket)')),
      developerROI: optional(number('Percent')),
      proformaROI: optional(number('Percent')),
      valueEstimate: optional(
        Type.Object({
          value: number('Dollars'),
          low: number('Dollars'),
          high: number('Dollars'),
        }),
      ),
      modelVersion: optional(text('Version of the models')),
    }),
    comparables: Type.Object({
      recentSalesCount: optional(
        integer('Sales of its type within a mile in the last half year; no more than 50 are counted'),
      ),
      avgPricePerSqft: optional(number('Their mean price per square foot, dollars')),
    }),
    facts: optional(Type.Record(Type.String(), Type.Unknown(), { description: 'What is known of the parcel' })),
    goneAt: optional(
      dateTime('When its parcel feed no longer held it; present only then. Probably merged, split or renumbered'),
    ),
    source: optional(Provenance),
    explanation: optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Parts, points and reasons of each score' }),
    ),
    proforma: optional(Proforma),
    comps: optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'The comparable-sales grid' }),
    ),
    history: optional(Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'Score changes, dated' })),
    permits: optional(Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'Permit timeline' })),
  },
  { $id: 'PropertyDetail' },
)

const BlockReason = Type.Object({
  code: text('Stable code'),
  reason: text('Plain words'),
  citation: text('The rule'),
  appliesTo: optional(text('both, two_unit or split; one of the split alone leaves two units open')),
})

export const Sb9Item = Type.Object(
  {
    id: text('Property identifier'),
    address: text('Street address'),
    city: text('City name'),
    price: optional(number('Listing price, dollars')),
    lotSize: optional(number('Square feet')),
    zoning: optional(text('District')),
    sb9Status: literals(['eligible', 'likely', 'blocked'], {
      description: 'likely: nothing blocks, but a rule could not be tested for want of data',
    }),
    maxUnits: optional(integer('Units the law allows on the whole')),
    lotSplit: Type.Object(
      { eligible: Type.Boolean(), lots: Type.Array(Type.Record(Type.String(), Type.Unknown())) },
      { additionalProperties: true },
    ),
    blockReasons: Type.Array(BlockReason),
    warnings: Type.Array(Type.String()),
    confidence: optional(ConfidenceLevel),
  },
  { $id: 'Sb9Item' },
)

const Blocker = Type.Object({
  code: text('Stable code'),
  reason: text('Plain words'),
  citation: optional(text('The rule')),
})

export const AduLead = Type.Object(
  {
    id: text('Property identifier'),
    address: text('Street address'),
    city: text('City name'),
    aduScore: score('Accessory-unit feasibility'),
    maxUnits: integer('Accessory units possible'),
    buildableSqft: optional(number('Area an accessory unit may cover')),
    lot: Type.Object({
      sqft: optional(number('Square feet')),
      widthFt: optional(number('Feet')),
      depthFt: optional(number('Feet')),
      rearYardSqft: optional(number('Square feet')),
      coveragePct: optional(number('Percent of the lot covered now')),
    }),
    units: Type.Array(
      Type.Object(
        { kind: text('detached, attached, conversion or junior'), sqft: number('Square feet') },
        { additionalProperties: true },
      ),
    ),
    blockers: Type.Array(Blocker),
    warnings: optional(Type.Array(Type.String())),
    confidence: optional(ConfidenceLevel),
  },
  { $id: 'AduLead' },
)

export const RedevelopmentLead = Type.Object(
  {
    id: text('Property identifier'),
    address: text('Street address'),
    city: text('City name'),
    redevelopmentScore: score('How underbuilt the parcel is'),
    class: optional(literals(['teardown_candidate', 'expansion'])),
    yearBuilt: optional(integer('Year built')),
    lotSize: optional(number('Square feet')),
    existingSqft: optional(number('Square feet')),
    allowableSqft: optional(number('Square feet')),
    far: Type.Object({
      existing: optional(number('Existing floor-area ratio')),
      allowed: optional(number('Allowed floor-area ratio')),
      headroomSqft: optional(number('Square feet still allowed')),
      utilisationPct: optional(number('Percent of the envelope used')),
    }),
    blockers: Type.Array(Blocker),
    warnings: optional(Type.Array(Type.String())),
    confidence: optional(ConfidenceLevel),
  },
  { $id: 'RedevelopmentLead' },
)
