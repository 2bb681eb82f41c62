// Legal rules as an answer shows them: each rule tested, its outcome and its citation.
import type { Static } from 'typebox'
import { literals, object, optional, text } from '../../common/shape.ts'
import { confidences } from '../facts.ts'

const ruleStatuses = ['eligible', 'likely', 'blocked'] as const
export type RuleStatus = (typeof ruleStatuses)[number]
const ruleOutcomes = ['pass', 'fail', 'unknown', 'warn'] as const
const ruleForces = ['absolute', 'conditional', 'obligation'] as const
const ruleScopes = ['both', 'two_unit', 'split', 'adu', 'use'] as const

export const TraceRow = object('RuleResult', 'One rule, tested', {
  code: text('Stable code of the rule'),
  title: text('Name of the rule'),
  appliesTo: literals(ruleScopes, { description: 'What the rule decides' }),
  force: literals(ruleForces, {
    description:
      'absolute: failing it blocks. conditional: it warns instead. obligation: it does not affect the status.',
  }),
  citation: text('Where the rule is written'),
  confidence: literals(confidences, { description: 'How well the text of the rule is known' }),
  effectiveFrom: optional.date('First day it applies'),
  effectiveUntil: optional.date('First day it no longer applies'),
  outcome: literals(ruleOutcomes, { description: 'unknown: the data needed to test it is missing' }),
  value: optional.text('What was tested'),
  because: text('Why it has this outcome'),
})
export type TraceRow = Static<typeof TraceRow>

/** A rule that affects the status and could not be tested, or whose condition is not shown to be met. */
export const UntestedRule = object('UntestedRule', {
  code: text('Stable code of the rule'),
  rule: text('What the law asks'),
  reason: text('What is not known'),
  citation: text('Where the rule is written'),
  appliesTo: literals(ruleScopes, {
    description: 'split: the rule concerns only the split; two units remain possible',
  }),
})
export type UntestedRule = Static<typeof UntestedRule>

const blockerFields = {
  code: text('Stable code'),
  reason: text('Why it blocks'),
  citation: text('The rule'),
}

export const Blocker = object('Blocker', blockerFields)
export type Blocker = Static<typeof Blocker>

export const BlockReason = object('BlockReason', {
  ...blockerFields,
  appliesTo: literals(ruleScopes, {
    description: 'split: the reason blocks only the split; two units remain possible',
  }),
})
