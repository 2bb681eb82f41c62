import type { Static } from 'typebox'
import { integer, list, literals, object, optional, score, texts } from '../../common/shape.ts'
import { factShapes } from '../fact-shapes.ts'
import { assessedOn, identity, listingStatus, searchedRow } from '../searched-row.ts'
import { ConfidenceLevel, defaultNames, modelVersion, ScorePart, topFactorFields } from './findings.ts'
import { LandCheck } from './land-checklist.ts'
import { Blocker } from './rules.ts'
import { ScoreRanks } from './score-rank.ts'

export const redevelopmentClasses = ['teardown_candidate', 'expansion', 'vacant_lot'] as const
export type RedevelopmentClass = (typeof redevelopmentClasses)[number]

const FloorAreaUse = object('FloorAreaUse', {
  existing: optional.number('Existing floor-area ratio'),
  allowed: optional.number('Floor-area ratio of allowableSqft'),
  countedSqft: optional.number(
    'Floor area as the district counts it: the living area, and the garage where it counts; 0 on a vacant lot',
  ),
  headroomSqft: optional.number('allowableSqft less countedSqft'),
  utilisationPct: optional.number('countedSqft in percent of allowableSqft'),
})

export const NewHouseLimit = object('NewHouseLimit', {
  sqft: integer('90th percentile of the living area of new houses sold there, square feet'),
  count: integer('How many were sold'),
  area: literals(['nearby', 'city', 'similarCities'], {
    description:
      'Within three miles; where fewer than 8 were sold, in the city, else in cities whose median price per square foot is within 15%',
  }),
  largestCompSqft: optional.number(
    'Largest comparable of a house as large as zoning allows, square feet: a new house has at most the larger of sqft and 1.1 times this',
  ),
})
export type NewHouseLimit = Static<typeof NewHouseLimit>

const verdict = {
  class: optional.literals(redevelopmentClasses, {
    description: 'Absent when the house or its age is not known. vacant_lot: there is no building on it',
  }),
  yearBuilt: factShapes.yearBuilt,
  lotSize: factShapes.lotSqft,
  existingSqft: factShapes.livingSqft,
  allowableSqft: optional.number('Largest floor area zoning allows, square feet, including a garage that counts'),
  buildableSqft: optional.number(
    'Living area that can realistically be built: allowableSqft, or the size that needs no hearing, less a garage that counts',
  ),
  buildSqft: optional.number(
    'Size of the new house in the pro forma: the smallest of buildableSqft, what newHouses allows and a multiple of the existing house',
  ),
  newHouses: optional(NewHouseLimit),
  defaults: optional(defaultNames('build size')),
  allowableBasis: optional.text('How allowableSqft, buildableSqft and buildSqft follow from each other'),
  allowableConfidence: optional(ConfidenceLevel),
  recentWork: optional.text('A remodel or addition of the last years, which a new house would waste; also in warnings'),
  blockers: list(Blocker),
  warnings: texts('What to check before relying on it'),
  confidence: ConfidenceLevel,
}

export const RedevelopmentFinding = object('RedevelopmentFinding', {
  redevelopmentScore: optional.score(
    'How underbuilt the parcel is; absent when the zoning limit or the size of the house is not known',
  ),
  ...verdict,
  far: optional(FloorAreaUse),
  parts: list(ScorePart),
  ...topFactorFields,
  used: texts('Inputs used'),
  missing: texts('Inputs that are not known'),
  modelVersion,
})
export type RedevelopmentFinding = Static<typeof RedevelopmentFinding>

export const RedevelopmentLead = object('RedevelopmentLead', {
  ...identity,
  listingStatus,
  redevelopmentScore: score('How underbuilt the parcel is'),
  ranks: optional(ScoreRanks),
  ...verdict,
  far: FloorAreaUse,
  ...searchedRow,
  price: optional.number('Listing price, dollars'),
  landValue: optional.number(
    'Of a vacant lot: the median of the land sales within three miles and two years, at its size, dollars',
  ),
  landSales: optional.integer('Land sales behind landValue; absent with fewer than five'),
  checklist: optional.list(LandCheck, { description: 'Of a vacant lot: what is known before buying it' }),
  asOf: assessedOn,
})
export type RedevelopmentLead = Static<typeof RedevelopmentLead>
