// Everything behind a property's numbers. The assessment stores the findings named in StoredExplanation; the rest is
// added when the property is served.
import { type Static, Type } from 'typebox'
import { dateTime, integer, object, optional, text } from '../common/shape.ts'
import { AduFinding } from '../domain/findings/adu.ts'
import { Envelope } from '../domain/findings/building-envelope.ts'
import { StoredResaleSale } from '../domain/findings/comps.ts'
import {
  BiddingFinding,
  ConditionFinding,
  Finding,
  FlipFinding,
  HeatFinding,
  ProformaFinding,
  TeardownFinding,
  ValueFinding,
} from '../domain/findings/findings.ts'
import { UseFinding } from '../domain/findings/laws.ts'
import { LotSplitFinding } from '../domain/findings/lot-split.ts'
import { RedevelopmentFinding } from '../domain/findings/redevelopment.ts'

const stored = {
  teardown: optional(TeardownFinding),
  condition: optional(ConditionFinding),
  flippability: optional(FlipFinding),
  historicCharm: optional(Finding),
  biddingWar: optional(BiddingFinding),
  proforma: optional(ProformaFinding),
  value: optional(ValueFinding),
}

/** The sales behind the resale value are stored with the pro forma and served as `resaleComps` of the property. */
const StoredProforma = Type.Object({
  ...ProformaFinding.properties,
  resaleComps: optional.list(StoredResaleSale),
})

export const StoredExplanation = Type.Object({ ...stored, proforma: optional(StoredProforma) })
export type StoredExplanation = Static<typeof StoredExplanation>

export const MarketHeat = object('MarketHeat', 'Why the market heat index is what it is', {
  ...HeatFinding.properties,
  used: optional(HeatFinding.properties.used),
  missing: optional(HeatFinding.properties.missing),
  confidence: optional(HeatFinding.properties.confidence),
  heatIndex: optional.number('The market heat index, unrounded'),
  citySlug: optional.text('City slug; empty for the whole market'),
  propertyType: optional.text('Property type it covers, or all'),
  asOf: optional.date('Day it was computed for'),
  sales: integer('Closed sales in the 90 days it covers'),
})
export type MarketHeat = Static<typeof MarketHeat>

export const Explanation = object('Explanation', 'Parts, points and reasons behind each number', {
  ...stored,
  heat: optional(HeatFinding),
  marketHeat: optional(MarketHeat),
  envelope: optional(Envelope),
  sb9: optional(LotSplitFinding),
  adu: optional(AduFinding),
  laws: optional.list(UseFinding, 'Uses under the other laws of the market, with every rule tested'),
  redevelopment: optional(RedevelopmentFinding),
  modelVersion: text('Version of the models'),
  assessedAt: dateTime('When the property was assessed'),
})
export type Explanation = Static<typeof Explanation>
