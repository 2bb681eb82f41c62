// SB 9: the additional requirements of a lot split. Gov. Code 66411.7.

import { overlayOf, overlayRule, type Rule } from '../../intelligence/rules/rule.ts'
import { sqft } from '../../intelligence/scores/number-format.ts'
import { lineMissesHouse } from '../split-line.ts'
import type { Sb9Facts } from './facts.ts'
import { splitLimits } from './lot-split.ts'

const split = { appliesTo: 'split', force: 'absolute', confidence: 'medium' } as const

export const sb9SplitRules: readonly Rule<Sb9Facts>[] = [
  {
    ...split,
    code: 'LOT_TOO_SMALL',
    title: 'Each new lot has at least 1,200 sq ft',
    citation: 'Gov. Code 66411.7(a)(2)',
    confidence: 'high',
    test: ({ lotSqft, plan }) => {
      if (lotSqft === undefined) return { outcome: 'unknown', value: 'unknown', because: 'The lot size is unknown.' }
      const value = sqft(lotSqft)
      if (!plan)
        return {
          outcome: 'fail',
          value,
          because: `Two lots of ${sqft(splitLimits.minLotSqft)} need ${sqft(2 * splitLimits.minLotSqft)}; this lot has ${value}.`,
        }
      return {
        outcome: 'pass',
        value,
        because: `The smaller lot would have ${sqft(Math.min(...plan.lots.map((lot) => lot.sqft)))}.`,
      }
    },
  },
  {
    ...split,
    code: 'SPLIT_RATIO',
    title: 'Each new lot has at least 40% of the original lot',
    citation: 'Gov. Code 66411.7(a)(1)',
    confidence: 'high',
    test: ({ lotSqft, plan }) => {
      if (lotSqft === undefined) return { outcome: 'unknown', value: 'unknown', because: 'The lot size is unknown.' }
      if (!plan) return { outcome: 'fail', value: sqft(lotSqft), because: 'The lot is too small to split.' }
      const least = Math.min(...plan.lots.map((lot) => lot.sharePct))
      const uneven =
        lotSqft >= splitLimits.unevenLotSqft
          ? 'A 60/40 split is also possible.'
          : 'Only a nearly even split leaves 1,200 sq ft for each lot.'
      return {
        outcome: least >= splitLimits.minSharePct ? 'pass' : 'fail',
        value: `${least}%`,
        because: `Split in halves. ${uneven}`,
      }
    },
  },
  overlayRule(
    {
      ...split,
      code: 'PRIOR_SB9_SPLIT',
      title: 'Created by an earlier SB 9 split',
      citation: 'Gov. Code 66411.7(a)(3)(F)',
    },
    'priorSb9Split',
    { yes: 'The parcel was created by an SB 9 split.', no: 'Not created by an SB 9 split.' },
  ),
  {
    ...split,
    code: 'ADJACENT_SPLIT',
    title: 'Same owner split an adjacent parcel',
    citation: 'Gov. Code 66411.7(a)(3)(G)',
    // Records say that a neighbor was split, not who owned it, and only a split by the same owner blocks.
    test: ({ overlays }) => {
      const value = overlayOf(overlays, 'adjacentSb9Split')
      if (value === 'no') return { outcome: 'pass', value, because: 'No adjacent SB 9 split.' }
      return {
        outcome: 'unknown',
        value,
        because:
          value === 'yes'
            ? 'An adjacent parcel was split under SB 9. It is unknown whether this owner, or someone acting in concert, did it.'
            : 'Unknown: same owner split an adjacent parcel.',
      }
    },
  },
  {
    ...split,
    force: 'conditional',
    code: 'NO_ACCESS',
    title: 'Both lots have street access',
    citation: 'Gov. Code 66411.7(e)(2)',
    confidence: 'high',
    test: ({ plan, lotSqft }) => {
      if (!plan)
        return lotSqft === undefined
          ? { outcome: 'unknown', because: 'The lot size is unknown.' }
          : { outcome: 'pass', because: 'Not applicable: the lot cannot be split.' }
      if (plan.how === 'by_area_only')
        return {
          outcome: 'unknown',
          value: 'unknown',
          because: 'Lot width and depth are unknown, so street access is unknown.',
        }
      if (plan.how === 'easement')
        return { outcome: 'warn', value: plan.how, because: 'The rear lot needs an easement across the front lot.' }
      return { outcome: 'pass', value: plan.how, because: plan.lots.map((lot) => lot.note).join(' ') }
    },
  },
  {
    ...split,
    force: 'obligation',
    code: 'HOUSE_ON_LINE',
    title: 'The new lot line misses the house',
    citation: 'Gov. Code 66411.7(c)(3)',
    confidence: 'low',
    test: ({ plan, ...facts }) => {
      const misses = plan && lineMissesHouse(facts, splitLimits.minSharePct, 0)
      if (misses === undefined) return { outcome: 'unknown', because: 'Where the house stands on the lot is unknown.' }
      return misses
        ? { outcome: 'pass', value: 'yes', because: 'A straight line that leaves each lot 40% misses the house.' }
        : {
            outcome: 'warn',
            value: 'no',
            because:
              'Every straight line that leaves each lot 40% cuts the house: to split, it is altered or demolished.',
          }
    },
  },
  {
    ...split,
    force: 'obligation',
    code: 'OWNER_OCC',
    title: 'The owner will live there for three years',
    citation: 'Gov. Code 66411.7(g)',
    test: () => ({
      outcome: 'warn',
      because:
        'Only if the owner signs an affidavit to live in one of the units for three years. A company cannot sign it; land trusts and qualified nonprofits are exempt.',
    }),
  },
]
