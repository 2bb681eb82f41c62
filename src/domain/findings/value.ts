// The value of a home: estimate, range and what they rest on, or why there is none.
import { type Static, Type } from 'typebox'
import { date, integer, list, literals, number, optional, text } from '../../common/shape.ts'
import { confidences } from '../facts.ts'

const DoubtfulFact = Type.Object({
  fact: text('Name of the fact'),
  why: text('Why it is doubted, as a sentence'),
})
export type DoubtfulFact = Static<typeof DoubtfulFact>

export const ValueSupport = Type.Object(
  {
    nearestSaleMi: number('Miles to the nearest known sale, rounded up to 0.1'),
    salesWithinMile12m: integer('Sales within a mile in the last 12 months; at most 50 are counted'),
    missing: list(Type.String(), { description: 'Unknown facts that would make the value more precise' }),
    doubtful: optional(
      list(DoubtfulFact, {
        description:
          'Facts that do not fit the neighbors, the history of the home or its value; each lowers confidence',
      }),
    ),
  },
  { $id: 'ValueSupport', description: 'What the value rests on' },
)
export type ValueSupport = Static<typeof ValueSupport>

export const ValueBasis = Type.Object(
  {
    model: number('Value by the market’s model, dollars'),
    comps: optional(number('Value by the comparable sales, dollars')),
    weightOfComps: number(
      'Share of the comparable sales in the value, 0 to 0.5, by what each has been off in such situations',
    ),
  },
  { $id: 'ValueBasis', description: 'The two values from which the estimate is reconciled' },
)
export type ValueBasis = Static<typeof ValueBasis>

export const ValueEstimate = Type.Object(
  {
    value: number('Dollars'),
    low: number('Dollars'),
    high: number('Dollars'),
    confidence: optional(
      literals(confidences, {
        description:
          'From the width of the range, which grows where comparable sales scatter, and its support. A doubtful fact lowers it; so does an expected price outside the range',
      }),
    ),
    basis: optional(ValueBasis),
    support: optional(ValueSupport),
    note: optional(text('Why to rely on it less, as a sentence')),
    asOf: optional(date('The day it holds for')),
  },
  {
    $id: 'ValueEstimate',
    description: 'Value of the home in its present condition. Four of five sale prices are in the range',
  },
)
export type ValueEstimate = Static<typeof ValueEstimate>

export const ValueUnavailable = Type.Object(
  {
    reason: literals(['NO_SALES_NEARBY', 'TOO_FEW_SALES', 'TOO_FEW_FACTS', 'UNLIKE_ITS_NEIGHBORS'], {
      description: 'Why there is no value',
    }),
    text: text('The same as a sentence'),
    nearestSaleMi: optional(number('Miles to the nearest known sale, rounded up to 0.1')),
  },
  {
    $id: 'ValueUnavailable',
    description: 'Present instead of valueEstimate if the known sales do not support a value',
  },
)
export type ValueUnavailable = Static<typeof ValueUnavailable>
