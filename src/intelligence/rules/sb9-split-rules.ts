// SB 9: what a lot split asks beyond the site itself. Gov. Code 66411.7.

import { splitLimits } from '../lot-split.ts'
import { sqft } from '../number-format.ts'
import { overlayRule, type Rule } from './rule.ts'
import type { Sb9Facts } from './sb9-facts.ts'

const split = { appliesTo: 'split', force: 'absolute', confidence: 'medium' } as const

export const sb9SplitRules: readonly Rule<Sb9Facts>[] = [
  {
    ...split,
    code: 'LOT_TOO_SMALL',
    title: 'Each new lot has at least 1,200 sqft',
    citation: 'Gov. Code 66411.7(a)(2)',
    confidence: 'high',
    test: ({ lotSqft, plan }) => {
      if (lotSqft === undefined) return { outcome: 'unknown', value: 'unknown', because: 'The lot size is not known.' }
      const value = sqft(lotSqft)
      if (!plan)
        return {
          outcome: 'fail',
          value,
          because: `Two lots of ${sqft(splitLimits.minLotSqft)} need 2,400 sqft; there are ${value}.`,
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
    title: 'Neither new lot is under 40 % of the old one',
    citation: 'Gov. Code 66411.7(a)(1)',
    confidence: 'high',
    test: ({ lotSqft, plan }) => {
      if (lotSqft === undefined) return { outcome: 'unknown', value: 'unknown', because: 'The lot size is not known.' }
      if (!plan) return { outcome: 'fail', value: sqft(lotSqft), because: 'The lot is too small to cut in two.' }
      const least = Math.min(...plan.lots.map((lot) => lot.sharePct))
      const uneven =
        lotSqft >= splitLimits.unevenLotSqft
          ? 'A 60/40 cut is possible too.'
          : 'Only a nearly even cut leaves 1,200 sqft.'
      return {
        outcome: least >= splitLimits.minSharePct ? 'pass' : 'fail',
        value: `${least} %`,
        because: `Cut in halves. ${uneven}`,
      }
    },
  },
  overlayRule(
    {
      ...split,
      code: 'PRIOR_SB9_SPLIT',
      title: 'Made by an earlier SB 9 split',
      citation: 'Gov. Code 66411.7(a)(3)(F)',
    },
    'priorSb9Split',
    { yes: 'The parcel was itself made by an SB 9 split.', no: 'Not made by an SB 9 split.' },
  ),
  overlayRule(
    {
      ...split,
      code: 'ADJACENT_SPLIT',
      title: 'Same owner split an adjacent parcel',
      citation: 'Gov. Code 66411.7(a)(3)(G)',
    },
    'adjacentSb9Split',
    {
      yes: 'An adjacent parcel was split under SB 9: blocked if by this owner or someone acting in concert.',
      no: 'No adjacent SB 9 split.',
    },
  ),
  {
    ...split,
    force: 'conditional',
    code: 'NO_ACCESS',
    title: 'Both lots reach the street',
    citation: 'Gov. Code 66411.7(e)(2)',
    confidence: 'high',
    test: ({ plan, lotSqft }) => {
      if (!plan)
        return lotSqft === undefined
          ? { outcome: 'unknown', because: 'The lot size is not known.' }
          : { outcome: 'pass', because: 'Nothing to reach: the lot cannot be cut.' }
      if (plan.how === 'by_area_only')
        return {
          outcome: 'unknown',
          value: 'unknown',
          because: 'Width and depth are not known, so access cannot be shown.',
        }
      if (plan.how === 'easement')
        return { outcome: 'warn', value: plan.how, because: 'The rear lot needs an easement over the front lot.' }
      return { outcome: 'pass', value: plan.how, because: plan.lots.map((lot) => lot.note).join(' ') }
    },
  },
  {
    ...split,
    force: 'obligation',
    code: 'OWNER_OCC',
    title: 'Owner will live there for three years',
    citation: 'Gov. Code 66411.7(g)',
    test: () => ({
      outcome: 'warn',
      because:
        'A lot split needs an affidavit that the owner will live in one of the units for three years; a company cannot sign it (land trusts and qualified non-profits are exempt).',
    }),
  },
]
