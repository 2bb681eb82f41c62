// SB 9: the additional requirements of a lot split. Gov. Code 66411.7.

import { fail, overlay, overlayOf, pass, rulesOf, unknownFact, untested, warn } from '../../intelligence/rules/rule.ts'
import { sqft } from '../../intelligence/scores/number-format.ts'
import { lineMissesHouse } from '../split-line.ts'
import { type Sb9Facts, splitLimits } from './lot-split.ts'

const { absolute, conditional, obligation } = rulesOf<Sb9Facts>('split')

export const sb9SplitRules = [
  absolute(
    'LOT_TOO_SMALL: Each new lot has at least 1,200 sq ft',
    'Gov. Code 66411.7(a)(2)',
    { confidence: 'high' },
    ({ lotSqft, plan }) => {
      if (lotSqft === undefined) return unknownFact('The lot size is unknown.')
      const value = sqft(lotSqft)
      if (!plan)
        return fail(
          `Two lots of ${sqft(splitLimits.minLotSqft)} need ${sqft(2 * splitLimits.minLotSqft)}; this lot has ${value}.`,
          value,
        )
      return pass(`The smaller lot would have ${sqft(Math.min(...plan.lots.map((lot) => lot.sqft)))}.`, value)
    },
  ),
  absolute(
    'SPLIT_RATIO: Each new lot has at least 40% of the original lot',
    'Gov. Code 66411.7(a)(1)',
    { confidence: 'high' },
    ({ lotSqft, plan }) => {
      if (lotSqft === undefined) return unknownFact('The lot size is unknown.')
      if (!plan) return fail('The lot is too small to split.', sqft(lotSqft))
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
  ),
  absolute(
    'PRIOR_SB9_SPLIT: Created by an earlier SB 9 split',
    'Gov. Code 66411.7(a)(3)(F)',
    overlay('priorSb9Split', 'The parcel was created by an SB 9 split.', 'Not created by an SB 9 split.'),
  ),
  // Records say that a neighbor was split, not who owned it, and only a split by the same owner blocks.
  absolute('ADJACENT_SPLIT: Same owner split an adjacent parcel', 'Gov. Code 66411.7(a)(3)(G)', ({ overlays }) => {
    const value = overlayOf(overlays, 'adjacentSb9Split')
    if (value === 'no') return pass('No adjacent SB 9 split.', value)
    return unknownFact(
      value === 'yes'
        ? 'An adjacent parcel was split under SB 9. It is unknown whether this owner, or someone acting in concert, did it.'
        : 'Unknown: same owner split an adjacent parcel.',
      value,
    )
  }),
  conditional(
    'NO_ACCESS: Both lots have street access',
    'Gov. Code 66411.7(e)(2)',
    { confidence: 'high' },
    ({ plan, lotSqft }) => {
      if (!plan)
        return lotSqft === undefined
          ? untested('The lot size is unknown.')
          : pass('Not applicable: the lot cannot be split.')
      if (plan.how === 'by_area_only')
        return unknownFact('Lot width and depth are unknown, so street access is unknown.')
      if (plan.how === 'easement') return warn('The rear lot needs an easement across the front lot.', plan.how)
      return pass(plan.lots.map((lot) => lot.note).join(' '), plan.how)
    },
  ),
  obligation(
    'HOUSE_ON_LINE: The new lot line misses the house',
    'Gov. Code 66411.7(c)(3)',
    { confidence: 'low' },
    ({ plan, ...facts }) => {
      const misses = plan && lineMissesHouse(facts, splitLimits.minSharePct, 0)
      if (misses === undefined) return untested('Where the house stands on the lot is unknown.')
      return misses
        ? pass('A straight line that leaves each lot 40% misses the house.', 'yes')
        : warn(
            'Every straight line that leaves each lot 40% cuts the house: to split, it is altered or demolished.',
            'no',
          )
    },
  ),
  obligation(
    'OWNER_OCC: The owner will live there for three years',
    'Gov. Code 66411.7(g)',
    warn(
      'Only if the owner signs an affidavit to live in one of the units for three years. A company cannot sign it; land trusts and qualified nonprofits are exempt.',
    ),
  ),
]
