import type { Static } from 'typebox'
import { list, literals, number, object, optional, text, texts } from '../../common/shape.ts'
import { ConfidenceLevel, modelVersion } from './findings.ts'

const envelopeLimits = ['floor_area', 'coverage', 'setbacks', 'ground_cover'] as const

export const EnvelopeCandidate = object('EnvelopeCandidate', {
  limit: literals(envelopeLimits, { description: 'Which rule' }),
  sqft: number('What it allows, square feet'),
  formula: text('How it was computed'),
  confidence: ConfidenceLevel,
})
export type EnvelopeCandidate = Static<typeof EnvelopeCandidate>

const SizeReviewed = object('SizeReviewed', 'A size above which a board decides. Not a limit', {
  sqft: number('Largest living area without the review: less a garage that the rule counts'),
  body: text('Who decides on a larger house'),
  approval: literals(['discretionary', 'design_review'], {
    description: 'discretionary: it may be refused. design_review: of the look, not of the size',
  }),
  months: number('What the review adds to the time to the permit'),
})

export const Envelope = object('BuildingEnvelope', {
  maxSqft: optional.number('Largest floor area allowed; absent when the district or the lot cannot be modeled'),
  livableSqft: optional.number('maxSqft less a garage that counts as floor area'),
  limitedBy: optional.literals(envelopeLimits, { description: 'The rule that sets the limit' }),
  stories: optional.number('Stories that the district allows'),
  groundCoverSqft: optional.number('Footprint allowed, where the district limits it'),
  developmentAreaSqft: optional.number('Buildings and hardscape together, where the district limits them'),
  likelyApprovableSqft: optional.number(
    'Where a review body decides above some size: the size likely to be approved. Not a limit.',
  ),
  review: optional(SizeReviewed),
  candidates: list(EnvelopeCandidate, { description: 'What each rule allows' }),
  confidence: ConfidenceLevel,
  missing: texts('Inputs that are not known'),
  notes: texts('What the rules leave open'),
  unmodelledReason: optional.text('Why there is no envelope'),
  modelVersion,
})
export type Envelope = Static<typeof Envelope>
