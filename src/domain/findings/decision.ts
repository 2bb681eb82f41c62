// What to do with a home, in one sentence, and the figures behind it.
import { type Static, Type } from 'typebox'
import { date, list, literals, number, optional, text } from '../../common/shape.ts'
import { type Confidence, confidences, type PropertyType } from '../facts.ts'
import { type allowances, approvals } from './laws.ts'
import { type SchemeKind, type SchemeVariantName, schemeKinds } from './scheme-kinds.ts'

export type Approval = (typeof approvals)[number]

export const roomBases = ['expected', 'asking', 'value'] as const

export const Room = Type.Object(
  {
    usd: number('worthUpTo less the price to beat, dollars; negative where the price is too high'),
    low: optional(number('The same in the low case: worthUpToLow less the upper end of that price, dollars')),
    against: literals(roomBases, {
      description:
        'The price to beat: expectedPrice.p50, else the asking price, else for a home that is not for sale its value plus offMarketPremiumPct',
    }),
  },
  { $id: 'DecisionRoom', description: 'What is left between the price to beat and what the home could bear' },
)

export type Room = Static<typeof Room>

export const DecisionCondition = Type.Object(
  {
    text: text('What must be granted: “Only if the Historic District Commission allows demolition.”'),
    citation: optional(text('Where the rule is written')),
  },
  { $id: 'DecisionCondition' },
)
export type DecisionCondition = Static<typeof DecisionCondition>

export const Decision = Type.Object(
  {
    scheme: optional(literals(schemeKinds, { description: 'The use that the sentence is about' })),
    text: text('What to do with it, in one sentence; never a price above the asking price'),
    worthUpTo: optional(
      number(
        'The price at which that use earns its target, dollars; absent where it needs an approval that may be refused',
      ),
    ),
    worthUpToLow: optional(number('The same in the low case, dollars')),
    room: optional(Room),
    approval: optional(
      literals(approvals, {
        description: 'What the use needs: design_review is of the look, discretionary may be refused',
      }),
    ),
    conditions: list(DecisionCondition, { description: 'What must be granted for the use; empty if nothing' }),
    confidence: optional(literals(confidences, { description: 'Confidence of the weakest input of the use' })),
    asOf: optional(date('The day that was assessed')),
  },
  { $id: 'Decision', description: 'The answer to “should I buy it, and for how much”' },
)
export type Decision = Static<typeof Decision>

/** What one use could bear, at some assumptions. */
export interface SchemeOffer {
  readonly kind: SchemeKind
  readonly variant?: SchemeVariantName | undefined
  /** What the law says; yes by default. */
  readonly allowed?: (typeof allowances)[number] | undefined
  readonly homes?: number | undefined
  /** The price at which it earns its target; at most 0 where no price does. */
  readonly maximumOffer: number
  readonly maximumOfferLow?: number | undefined
  /** Percent at the asking price and at the expected price. */
  readonly returnPct?: number | undefined
  readonly returnAtExpectedPct?: number | undefined
  readonly approval: Approval
  readonly condition?: DecisionCondition | undefined
  readonly confidence: Confidence
}

/** What a renovation follows from besides prices and assumptions. */
export interface FlipTerms {
  readonly valueNowUsd?: number
  readonly afterRepairValueUsd: number
  readonly conditionNow: number
  readonly daysToPending?: number
}

/** A renovation at some assumptions. */
export interface FlipOffer extends Pick<SchemeOffer, 'maximumOffer' | 'maximumOfferLow'> {
  readonly profitUsd: number
  readonly returnPct: number
  readonly returnAtAskingPct: number
}

/** Letting the home at some assumptions. */
export interface RentOffer extends Pick<SchemeOffer, 'maximumOffer' | 'maximumOfferLow'> {
  readonly capRatePct: number
  readonly grossYieldPct: number
  readonly yieldPct: number
}

/** Stored with the assessment of a listed home: what lists serve and decisions are made from, at the market's assumptions. */
export interface StoredOffers {
  readonly propertyType?: PropertyType
  readonly livingSqft?: number
  readonly valueConfidence?: Confidence
  /** Why there is no value. */
  readonly noValue?: string
  readonly priceToValue?: number
  readonly newHouse: { readonly approval: Approval; readonly condition?: DecisionCondition }
  readonly flip?: FlipTerms & FlipOffer & { readonly confidence: Confidence }
  readonly monthlyRent?: number
  readonly rent?: RentOffer
  /** Of the use that the decision is about, for searches. */
  readonly approval?: Approval
}
