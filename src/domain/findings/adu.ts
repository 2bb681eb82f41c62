import type { Static } from 'typebox'
import { integer, list, literals, number, object, optional, score, texts } from '../../common/shape.ts'
import { assessedOn, identity, listingStatus, searchedRow } from '../searched-row.ts'
import { ConfidenceLevel, modelVersion, ScorePart, topFactorFields } from './findings.ts'
import { LawfulUse, LawReference } from './laws.ts'
import { AduEarnings, type AduEconomics, aduKinds, type MonthlyRent } from './rent.ts'
import { Blocker, TraceRow } from './rules.ts'
import { ScoreRanks } from './score-rank.ts'

export const AduUnit = object('AduUnit', {
  kind: literals(aduKinds, { description: 'Kind of accessory unit' }),
  sqft: number('Square feet'),
})
export type AduUnit = Static<typeof AduUnit>

const AduLot = object('AduLot', {
  sqft: optional.number('Square feet'),
  widthFt: optional.number('Feet'),
  depthFt: optional.number('Feet'),
  rearYardSqft: optional.number('Square feet'),
  coveragePct: optional.number(
    'Percent of the lot covered by buildings; absent when unknown or when the sizes on record cannot be right',
  ),
})

const verdict = {
  buildableSqft: optional.number('Area an accessory unit may cover, square feet'),
  lot: AduLot,
  units: list(AduUnit, { description: 'Units that fit on the lot' }),
  blockers: list(Blocker, {
    description: 'What stops a unit. A lot with a score fits the units listed if these are cleared',
  }),
  warnings: texts('Conditions that apply'),
  confidence: ConfidenceLevel,
}

export const AduFinding = object('AduFinding', {
  aduScore: optional.score(
    'How worthwhile the lot is for an accessory unit; absent when none can be built or the yard is unknown',
  ),
  maxUnits: optional.integer('Accessory units that fit; 0 when none can be built'),
  law: optional(LawReference),
  ...verdict,
  uses: optional.list(LawfulUse, { description: 'The units together, with who decides and on which conditions' }),
  parts: list(ScorePart),
  ...topFactorFields,
  trace: optional.list(TraceRow, { description: 'Every rule tested' }),
  used: texts('Inputs used'),
  missing: texts('Inputs and rules that are not known'),
  modelVersion,
})
export type AduFinding = Static<typeof AduFinding>

/**
 * With the best unit at the market's assumptions, absent if no unit fits or no rents are known, and what its figures and those of the
 * other units follow from: rents by bedrooms and the city's price per square foot.
 */
export type StoredAduFinding = AduFinding & {
  economics?: AduEconomics
  rents?: Readonly<Record<number, MonthlyRent | undefined>>
  cityPerSqft?: number
}

export const AduLead = object('AduLead', {
  ...identity,
  listingStatus,
  aduScore: score('How worthwhile the lot is for an accessory unit'),
  ranks: optional(ScoreRanks),
  maxUnits: integer('Accessory units that fit'),
  law: optional(LawReference),
  ...verdict,
  adu: AduEarnings,
  ...searchedRow,
  price: optional.number('Listing price, dollars'),
  asOf: assessedOn,
})
export type AduLead = Static<typeof AduLead>
