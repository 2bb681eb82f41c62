import type { Static } from 'typebox'
import { flag, integer, list, literals, number, object, optional, text, texts } from '../../common/shape.ts'
import { factShapes } from '../fact-shapes.ts'
import { assessedOn, identity, listingStatus, searchedRow } from '../searched-row.ts'
import { ConfidenceLevel } from './findings.ts'
import { LawfulUse, LawReference, testedRules } from './laws.ts'
import { BlockReason, UntestedRule } from './rules.ts'

/** Best first. `unknown_zone`: the zoning district is missing, or no rules are known for it. */
export const lotSplitStatuses = ['eligible', 'likely', 'unknown_zone', 'blocked'] as const
export type LotSplitStatus = (typeof lotSplitStatuses)[number]

const splitStatuses = ['eligible', 'likely', 'unknown', 'blocked'] as const
export type SplitStatus = (typeof splitStatuses)[number]

const lotAccesses = ['street', 'flag_strip', 'easement', 'unknown'] as const

export const SplitLot = object('SplitLot', {
  sqft: number('Square feet'),
  sharePct: number('Percent of the original lot'),
  frontageFt: optional.number('Feet on the street'),
  access: literals(lotAccesses, { description: 'How the lot is reached from the street' }),
  note: text('Where the lot lies and how it is reached'),
})
export type SplitLot = Static<typeof SplitLot>

const LotSplit = object('LotSplit', {
  eligible: flag('True when no rule blocks the split; status says whether every rule could be tested'),
  status: literals(splitStatuses, {
    description: 'likely: nothing blocks it, but a rule could not be tested. unknown: lot size or zone is not known',
  }),
  lots: list(SplitLot, { description: 'The two lots; empty unless the split is eligible or likely' }),
})

const verdict = {
  sb9Status: literals(lotSplitStatuses, {
    description:
      'Status of the units in maxUnits. likely: nothing blocks them, but the rules in untestedRules could not be tested. unknown_zone: no rules are known for the zoning district',
  }),
  maxUnits: integer(
    '4 with a split, 2 without one or where two units on one lot are barred, 0 when blocked or when the zoning district is not known',
  ),
  lotSplit: LotSplit,
  blockReasons: list(BlockReason),
  untestedRules: list(UntestedRule, {
    description: 'Rules that could not be tested and affect the status; empty when blocked',
  }),
  warnings: texts('Conditions that apply'),
}

export const LotSplitFinding = object('Sb9Finding', {
  law: optional(LawReference),
  ...verdict,
  uses: optional.list(LawfulUse, { description: 'Two units and a split, where the house stays and where it goes' }),
  ...testedRules,
})
export type LotSplitFinding = Static<typeof LotSplitFinding>

export const LotSplitItem = object('Sb9Item', {
  ...identity,
  listingStatus,
  price: optional.number('Listing price, dollars'),
  lotSize: factShapes.lotSqft,
  zoning: optional.text('Zoning district'),
  law: optional(LawReference),
  ...verdict,
  confidence: ConfidenceLevel,
  ...searchedRow,
  asOf: assessedOn,
})
export type LotSplitItem = Static<typeof LotSplitItem>
