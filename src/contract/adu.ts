import { type Static, Type } from 'typebox'
import { ConfidenceLevel, modelVersion, ScorePart, topFactorFields } from './findings.ts'
import { Blocker, TraceRow } from './rules.ts'
import { integer, list, literals, number, optional, score, text, texts } from './shape.ts'

export const aduKinds = ['detached', 'conversion', 'junior'] as const

export const AduUnit = Type.Object(
  { kind: literals(aduKinds, { description: 'Kind of accessory unit' }), sqft: number('Square feet') },
  { $id: 'AduUnit' },
)
export type AduUnit = Static<typeof AduUnit>

export const AduLot = Type.Object(
  {
    sqft: optional(number('Square feet')),
    widthFt: optional(number('Feet')),
    depthFt: optional(number('Feet')),
    rearYardSqft: optional(number('Square feet')),
    coveragePct: optional(number('Percent of the lot covered by buildings now')),
  },
  { $id: 'AduLot' },
)

const verdict = {
  buildableSqft: optional(number('Area an accessory unit may cover, square feet')),
  lot: AduLot,
  units: list(AduUnit),
  blockers: list(Blocker),
  warnings: texts('Conditions that apply'),
  confidence: ConfidenceLevel,
}

export const AduFinding = Type.Object(
  {
    aduScore: optional(score('Accessory-unit feasibility; absent when blocked or when the yard is not known')),
    maxUnits: optional(integer('Accessory units possible')),
    ...verdict,
    parts: list(ScorePart),
    ...topFactorFields,
    trace: optional(list(TraceRow, { description: 'Every rule tested' })),
    used: texts('Inputs used'),
    missing: texts('Inputs and rules that are not known'),
    modelVersion,
  },
  { $id: 'AduFinding' },
)
export type AduFinding = Static<typeof AduFinding>

export const AduLead = Type.Object(
  {
    id: text('Property identifier'),
    address: text('Street address'),
    city: text('City name'),
    aduScore: score('Accessory-unit feasibility'),
    maxUnits: integer('Accessory units possible'),
    ...verdict,
  },
  { $id: 'AduLead' },
)
export type AduLead = Static<typeof AduLead>
