// One property as lists and the detail serve it.
import { type Static, Type } from 'typebox'
import { date, dateTime, integer, list, literals, number, object, optional, text } from '../common/shape.ts'
import { tableOf } from '../common/typed.ts'
import { DefaultAssumption } from '../domain/assumptions/assumption.ts'
import { factShapes } from '../domain/fact-shapes.ts'
import { factNames, factTable } from '../domain/fact-table.ts'
import { confidences, listingStatuses, type OverlayName, overlayNames } from '../domain/facts.ts'
import { BestUse } from '../domain/findings/best-use.ts'
import { ComparableSale, Comparables, ResaleSale } from '../domain/findings/comps.ts'
import { Decision } from '../domain/findings/decision.ts'
import {
  ExpectedPrice,
  PriceTension,
  Proforma,
  returnAtExpectedDescription,
  returnDescription,
} from '../domain/findings/proforma.ts'
import { AduEarnings, EarningsUnavailable, Hold, MonthlyRent } from '../domain/findings/rent.ts'
import { ScoreRanks } from '../domain/findings/score-rank.ts'
import { ValueEstimate, ValueUnavailable } from '../domain/findings/value.ts'
import { type MeasuredFact, measuredFacts } from '../domain/layers.ts'
import { Provenance } from '../domain/provenance.ts'
import { distanceMi, identity, point, unknownOverlays } from '../domain/searched-row.ts'
import { Explanation } from './explanation.ts'
import { TimelinePermit } from './permit.ts'
import { TimelineEntry } from './timeline.ts'

const listingUrl = optional.text('Page of the listing (https), where the source has one and permits it')
const returns = {
  expectedPrice: optional(ExpectedPrice),
  priceTension: optional(PriceTension),
  returnPct: optional.number(returnDescription),
  returnAtExpectedPct: optional.number(returnAtExpectedDescription),
  developerROI: optional.number('Return after contingency and financing, adjusted toward the market average, percent'),
}
const proformaROI = optional.number('The pro forma’s roiPct: return before contingency and financing, percent')
const teardownScore = optional.score('Probability the property is a teardown, percent')
const flippabilityScore = optional.score('Renovation potential')
const verdict = optional.text('decision.text')
const decision = optional(Decision)
const historicCharm = optional.score('Historic character, in markets that score it')
const conditionScore = optional.score('Condition: UAD C1 to C6 at 95, 85, 70, 55, 35, 15')

const SignalMetadata = object('SignalMetadata', {
  sqft: factShapes.livingSqft,
  lotSize: factShapes.lotSqft,
  daysOnMarket: optional.integer('Days from listing to today, or to pending or sale'),
  listedDate: optional.date('Date listed'),
  yearBuilt: factShapes.yearBuilt,
  beds: factShapes.beds,
  baths: factShapes.baths,
  ...point,
})

const RowValue = object('RowValueEstimate', 'Value of the home in its present condition', {
  value: number('Dollars'),
  low: number('Dollars'),
  high: number('Dollars'),
  confidence: optional.literals(confidences, 'From the width of the range and its support'),
  asOf: optional.date('The day that was assessed'),
})
const RowRent = object('RowRent', { amount: number('Dollars a month') })
const RowHold = object('RowHold', 'What it earns when it is bought at the asking price and let', {
  capRatePct: number('Net operating income in percent of the price'),
  grossYieldPct: number('Rent of a year in percent of the price'),
})
const RowFlip = object('RowFlip', 'Absent where there is nothing to renovate', {
  profitUsd: number('Profit of renovating and reselling it at the expected price, else at the asking price, dollars'),
  maximumOffer: number('Price at which that earns targetRenovatePct of its cost, dollars; negative where none does'),
})

export const PropertySignal = object('PropertySignal', {
  ...identity,
  price: optional.number('Listing price, dollars'),
  status: literals(listingStatuses, 'Listing status'),
  soldDate: optional.date('Date of sale, on sold rows'),
  teardownScore,
  flippabilityScore,
  historicCharm,
  ranks: optional(ScoreRanks),
  verdict,
  rankScore: optional.number('What the list is ordered by, unrounded'),
  ...returns,
  conditionScore,
  listingUrl,
  photo: optional.text('First photo of the listing (https), where the source has one and permits it'),
  visionAnalysis: optional.text('Image analysis, where one exists'),
  proformaROI,
  proforma: optional(Proforma),
  metadata: SignalMetadata,
  distanceMi,
  unknown: unknownOverlays,
  source: optional(Provenance),
  notAssessed: optional.text('Set until the listing is assessed: its scores and returns are not computed yet'),
  decision,
  valueEstimate: optional(RowValue),
  priceToValue: optional.number('Price divided by the value estimate'),
  monthlyRent: optional(RowRent),
  hold: optional(RowHold),
  flip: optional(RowFlip),
  bestUse: optional(BestUse),
})
export type PropertySignal = Static<typeof PropertySignal>

const Intelligence = object('Intelligence', {
  teardownScore,
  flippabilityScore,
  marketHeatIndex: optional.score('How hot its city’s market is'),
  biddingWarPredictor: optional.score('Probability of closing at least 1% over list, percent'),
  conditionScore,
  historicCharm,
  ranks: optional(ScoreRanks),
  ...returns,
  proformaROI,
  valueEstimate: optional(ValueEstimate),
  valueUnavailable: optional(ValueUnavailable),
  modelVersion: optional.text('Version of the models'),
})

const tristate = optional.literals(['yes', 'no', 'unknown'])

export const Overlays = object(
  'Overlays',
  'Overlays of the parcel; an absent one is unknown',
  tableOf(overlayNames, () => tristate),
)

const OverlaySource = object('OverlaySource', {
  source: text('Identifier of the source'),
  title: text('Name of the map layer or parcel feed'),
  asOf: date('Day of its last run'),
})

/** With the older names of facts. */
const factFields = Object.fromEntries(
  factNames.flatMap((name) => {
    const { alias } = factTable[name]
    const older = optional(Type.Number({ description: `Same as ${name}`, deprecated: true }))
    return [[name, factShapes[name]], ...(alias ? [[alias, older]] : [])]
  }),
) as typeof factShapes & { storeys: Type.TOptional<Type.TNumber> }

export const PropertyFacts = object('PropertyFacts', 'What is known of the parcel and the home on it', {
  ...identity,
  market: text('Market identifier'),
  citySlug: text('City slug'),
  county: optional.text('County'),
  apn: optional.text('Assessor’s parcel number'),
  ...point,
  ...factFields,
  overlays: Overlays,
  overlaySources: optional(
    Type.Object(
      Object.fromEntries(
        [...overlayNames, ...measuredFacts].map((name) => [name, Type.Optional(OverlaySource)] as const),
      ) as Record<OverlayName | MeasuredFact, Type.TOptional<typeof OverlaySource>>,
      { $id: 'OverlaySources', description: 'Where each known overlay, and what was measured on a map, is from' },
    ),
  ),
  buildings: optional.list(
    object('Building', {
      sqft: integer('Footprint on the lot, square feet'),
      toLinesFt: number('Distance to the nearest lot line, feet'),
    }),
    'Buildings on the lot from footprints, the largest first; empty where the map shows none',
  ),
  listedOn: optional.date('Date listed'),
  originalPrice: optional.number('First list price, dollars'),
  remarks: optional.text('Remarks of the listing'),
  visionAnalysis: optional.text('Image analysis, where one exists'),
})
export type PropertyFacts = Static<typeof PropertyFacts>

const Scores = object('PreviousScores', {
  teardownScore: optional.number('Teardown score'),
  flippabilityScore: optional.number('Flip score'),
})

export const ScoreChange = object('ScoreChange', {
  changedAt: dateTime('When it changed'),
  teardownScore: optional.number('Teardown score since then'),
  flippabilityScore: optional.number('Flip score since then'),
  previous: optional(Scores),
  reason: text('Why it changed'),
  modelVersion: text('Version of the models'),
})
export type ScoreChange = Static<typeof ScoreChange>

export const ParcelShape = object(
  'ParcelShape',
  'Outline of the parcel as GeoJSON, simplified to about a foot. Not a survey',
  {
    type: literals(['MultiPolygon'], 'GeoJSON geometry type'),
    coordinates: list(
      list(list(list(Type.Number(), 'Longitude, latitude (WGS 84)'))),
      'Polygons; each is an outer ring, then its holes',
    ),
  },
)
export type ParcelShape = Static<typeof ParcelShape>

export const PropertyDetail = object('PropertyDetail', {
  ...identity,
  market: optional.text('Market identifier'),
  price: optional.number('Listing price, dollars; absent when not listed'),
  status: optional.literals(listingStatuses, 'Listing status'),
  soldDate: optional.date('Date of sale'),
  soldPrice: optional.number('Sale price, dollars'),
  listingUrl,
  photos: optional.texts('Photos of the listing (https), where the source has them and permits it'),
  verdict,
  decision,
  bestUse: optional(BestUse),
  intelligence: Intelligence,
  monthlyRent: optional(MonthlyRent),
  rentUnavailable: optional(EarningsUnavailable),
  hold: optional(Hold),
  holdUnavailable: optional(EarningsUnavailable),
  adu: optional(AduEarnings),
  comparables: Comparables,
  facts: optional(PropertyFacts),
  notAssessed: optional.text('Set until the property is assessed for the first time'),
  goneAt: optional.dateTime(
    'When its parcel feed no longer contained it; present only then. Probably merged, split or renumbered',
  ),
  source: optional(Provenance),
  explanation: optional(Explanation),
  proforma: optional(Proforma),
  defaultAssumptions: optional.list(
    DefaultAssumption,
    'The default assumptions behind the pro forma, the flip and the build size of this answer, with their values',
  ),
  comps: optional.list(ComparableSale, 'The comparable-sales grid, the most similar first'),
  compsValue: optional.number(
    'Weighted median of the adjusted prices of all comparable sales, beside the value estimate; dollars',
  ),
  resaleComps: optional.list(ResaleSale, 'The sales behind the resale value per square foot of the pro forma'),
  compsWithheld: optional.integer(
    'Comparable sales before the history window of the key, which comps leaves out; the value uses them',
  ),
  history: optional.list(ScoreChange, 'Score changes, newest first'),
  timeline: optional.list(TimelineEntry, 'What happened to the home, newest first'),
  last30Days: optional(TimelineEntry),
  permits: optional.list(TimelinePermit, 'Permits, newest first'),
  shape: optional(ParcelShape),
})
export type PropertyDetail = Static<typeof PropertyDetail>
