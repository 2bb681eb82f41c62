// A finding is one computed result with its parts and reasons. The assessment stores findings in these shapes and the
// API serves them in the same shapes; `modelVersion` is added when they are served.
import { type Static, Type } from 'typebox'
import { integer, list, literals, number, object, optional, text, texts } from '../../common/shape.ts'
import { confidences } from '../facts.ts'
import { ValueBasis, ValueSupport, ValueUnavailable } from './value.ts'

export const ConfidenceLevel = literals(confidences, { description: 'Confidence of the weakest input' })

export const ScorePart = object('ScorePart', {
  name: text('What was evaluated'),
  points: number('Points added or subtracted'),
  because: text('Why'),
})
export type ScorePart = Static<typeof ScorePart>

const OtherFactors = object('OtherFactors', { points: number('Points of all factors that are not in top') })

/** Added when a finding is served. */
export const topFactorFields = {
  top: optional.list(ScorePart, { description: 'The five factors with the largest effect, largest first' }),
  other: optional(OtherFactors),
}
export type TopFactors = { top: readonly ScorePart[]; other: Static<typeof OtherFactors> }

export const modelVersion = optional.text('Version of the models')

export const defaultNames = (what: string) =>
  texts(`Assumptions of this ${what} that are defaults, because the market pack does not set them`)

const basis = {
  used: texts('Inputs used'),
  missing: texts('Inputs that are not known'),
  confidence: ConfidenceLevel,
  modelVersion,
}

const findingFields = {
  score: optional.number('The score, unrounded; absent when it cannot be computed'),
  parts: list(ScorePart, { description: 'The parts that sum to the score' }),
  ...topFactorFields,
  ...basis,
}

export const Finding = object('Finding', findingFields)
export type Finding = Static<typeof Finding>

export const ValueFinding = object('ValueFinding', {
  ...findingFields,
  basis: optional(ValueBasis),
  support: optional(ValueSupport),
  note: optional.text('Why to rely on it less'),
  unavailable: optional(ValueUnavailable),
})
export type ValueFinding = Static<typeof ValueFinding>

const excluded = optional.text('Why there is no score')
const probability = optional.number('The score as a probability, 0 to 1')

export const TeardownFinding = object('TeardownFinding', 'Why the teardown score is what it is', {
  ...findingFields,
  probability,
  horizonMonths: optional.integer('Months after a sale that the probability covers'),
  learnedFrom: optional.text('What the market’s model was learned from'),
  excluded,
})
export type TeardownFinding = Static<typeof TeardownFinding>

const conditionLevelNames = ['C1', 'C2', 'C3', 'C4', 'C5', 'C6'] as const

export const ConditionFinding = object('ConditionFinding', {
  ...findingFields,
  level: optional.literals(conditionLevelNames, { description: 'Nearest UAD condition rating' }),
  landPhrases: texts('Phrases in the remarks that point to land value'),
  setAside: list(Type.Object({ phrase: text('The phrase'), scope: text('Why it does not count') }), {
    description: 'Phrases found but not counted',
  }),
})
export type ConditionFinding = Static<typeof ConditionFinding>

export const FlipDeal = object('FlipDeal', {
  valueNowUsd: optional.number('Value in its present condition, dollars'),
  conditionNow: number('Condition score today'),
  conditionAfter: number('Condition score the renovation brings it to; the same as today when none is needed'),
  afterRepairValueUsd: number('Value of this house in that condition, dollars'),
  renovationUsd: number('Renovation, dollars'),
  costPerSqftUsd: number('Renovation, dollars per square foot'),
  months: number('Purchase to resale, months'),
  daysToPending: optional.number('Days until homes here get an accepted offer, part of months; 30 where unknown'),
  buyingUsd: number('Cost of buying, dollars'),
  softUsd: optional.number('Design, permits and contingency of the renovation, dollars'),
  carryUsd: number('Financing, tax and insurance from the schedule by months, dollars'),
  sellingUsd: number('Cost of selling, dollars'),
  priceBasis: optional.literals(['expected', 'asking'], {
    description: 'The price of the deal: expectedPrice.p50, or the asking price where that is absent',
  }),
  totalCostUsd: number('Price, renovation, softUsd, buying and carry, dollars'),
  profitUsd: number('After-repair value less selling and total cost, dollars'),
  profitAtAskingUsd: optional.number('profitUsd at the asking price, dollars'),
  returnOnCost: number('Profit over total cost, 0.15 is 15%'),
  maximumOfferUsd: number('Deprecated, use maximumOffer: the highest price under the 70% rule, dollars'),
  maximumOffer: optional.number(
    'The highest price at which the deal returns targetRenovatePct of its cost, dollars; absent if none does',
  ),
  defaults: optional(defaultNames('deal')),
})
export type FlipDeal = Static<typeof FlipDeal>

export const FlipFinding = object('FlipFinding', { ...findingFields, deal: optional(FlipDeal), excluded })
export type FlipFinding = Static<typeof FlipFinding>

export const BiddingFinding = object('BiddingFinding', { ...findingFields, probability })
export type BiddingFinding = Static<typeof BiddingFinding>

export const HeatFinding = object('HeatFinding', {
  ...findingFields,
  sales: integer('Closed sales in the 90 days it covers'),
})
export type HeatFinding = Static<typeof HeatFinding>

export const ProformaFinding = object('ProformaFinding', {
  parts: findingFields.parts,
  ...basis,
  compConfidence: ConfidenceLevel,
  warnings: texts('What to check before relying on it'),
  because: optional.text('Why it cannot be modeled'),
})
export type ProformaFinding = Static<typeof ProformaFinding>
