import { type Static, Type } from 'typebox'
import { ConfidenceLevel, modelVersion } from './findings.ts'
import { BlockReason, ruleStatuses, TraceRow } from './rules.ts'
import { flag, integer, list, literals, number, optional, text, texts } from './shape.ts'

export const lotAccesses = ['street', 'flag_strip', 'easement', 'unknown'] as const

export const SplitLot = Type.Object(
  {
    sqft: number('Square feet'),
    sharePct: number('Percent of the original lot'),
    frontageFt: optional(number('Feet on the street')),
    access: literals(lotAccesses, { description: 'How the lot is reached from the street' }),
    note: text('Where the lot lies and how it is reached'),
  },
  { $id: 'SplitLot' },
)
export type SplitLot = Static<typeof SplitLot>

export const LotSplit = Type.Object(
  {
    eligible: flag('True only when every rule of the split passes'),
    status: literals(ruleStatuses, { description: 'likely: nothing blocks it, but a rule could not be tested' }),
    lots: list(SplitLot, { description: 'The two lots; empty when the split is blocked or the lot size is not known' }),
  },
  { $id: 'LotSplit' },
)

const verdict = {
  sb9Status: literals(ruleStatuses, {
    description: 'likely: nothing blocks it, but a rule could not be tested because data is missing',
  }),
  maxUnits: integer('Units the law allows on the whole lot; 0 when blocked'),
  lotSplit: LotSplit,
  blockReasons: list(BlockReason),
  warnings: texts('Conditions that apply'),
}

export const Sb9Finding = Type.Object(
  {
    ...verdict,
    trace: optional(list(TraceRow, { description: 'Every rule tested' })),
    used: texts('Rules that were tested'),
    missing: texts('Rules that could not be tested because data is missing'),
    confidence: ConfidenceLevel,
    modelVersion,
  },
  { $id: 'Sb9Finding' },
)
export type Sb9Finding = Static<typeof Sb9Finding>

export const Sb9Item = Type.Object(
  {
    id: text('Property identifier'),
    address: text('Street address'),
    city: text('City name'),
    price: optional(number('Listing price, dollars')),
    lotSize: optional(number('Lot size, square feet')),
    zoning: optional(text('Zoning district')),
    ...verdict,
    confidence: ConfidenceLevel,
  },
  { $id: 'Sb9Item' },
)
export type Sb9Item = Static<typeof Sb9Item>
