// The value of a home: estimate, range and what they rest on, or why there is none.
import { type Static, Type } from 'typebox'
import { integer, list, literals, number, object, optional, text } from '../../common/shape.ts'
import { confidences } from '../facts.ts'

const DoubtfulFact = Type.Object({
  fact: text('Name of the fact'),
  why: text('Why it is doubted, as a sentence'),
})
export type DoubtfulFact = Static<typeof DoubtfulFact>

export const ValueSupport = object('ValueSupport', 'What the value rests on', {
  nearestSaleMi: number('Miles to the nearest known sale, rounded up to 0.1'),
  salesWithinMile12m: integer('Sales within a mile in the last 12 months; at most 50 are counted'),
  missing: list(Type.String(), { description: 'Unknown facts that would make the value more precise' }),
  doubtful: optional.list(DoubtfulFact, {
    description: 'Facts that do not fit the neighbors, the history of the home or its value; each lowers confidence',
  }),
})
export type ValueSupport = Static<typeof ValueSupport>

export const ValueBasis = object('ValueBasis', 'The two values from which the estimate is reconciled', {
  model: number('Value by the market’s model, dollars'),
  comps: optional.number('Value by the comparable sales, dollars'),
  weightOfComps: number(
    'Share of the comparable sales in the value, 0 to 0.5, by what each has been off in such situations',
  ),
  conditionUsd: optional.number(
    'What the condition that remarks, permits and photos show adds to both, dollars; negative where it takes off. Without it the value is between model and comps',
  ),
})
export type ValueBasis = Static<typeof ValueBasis>

export const ValueEstimate = object(
  'ValueEstimate',
  'Value of the home in its present condition. Four of five sale prices are in the range',
  {
    value: number('Dollars'),
    low: number('Dollars'),
    high: number('Dollars'),
    confidence: optional.literals(confidences, {
      description:
        'From the width of the range, which grows where comparable sales scatter, and its support. A doubtful fact lowers it; so does an expected price outside the range',
    }),
    basis: optional(ValueBasis),
    support: optional(ValueSupport),
    note: optional.text('Why to rely on it less, as a sentence'),
    asOf: optional.date('The day it holds for'),
  },
)
export type ValueEstimate = Static<typeof ValueEstimate>

export const ValueUnavailable = object(
  'ValueUnavailable',
  'Present instead of valueEstimate if the known sales do not support a value',
  {
    reason: literals(['NO_SALES_NEARBY', 'TOO_FEW_SALES', 'TOO_FEW_FACTS', 'UNLIKE_ITS_NEIGHBORS'], {
      description: 'Why there is no value',
    }),
    text: text('The same as a sentence'),
    nearestSaleMi: optional.number('Miles to the nearest known sale, rounded up to 0.1'),
  },
)
export type ValueUnavailable = Static<typeof ValueUnavailable>
