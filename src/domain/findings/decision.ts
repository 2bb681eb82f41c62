// What to do with a home, in one sentence, and the figures behind it.
import type { Static } from 'typebox'
import { list, object, optional, text } from '../../common/shape.ts'
import { type Confidence, confidences, type PropertyType } from '../facts.ts'
import { Room } from './best-use.ts'
import type { FlipDeal } from './findings.ts'
import { type allowances, approvals } from './laws.ts'
import type { Proforma } from './proforma.ts'
import { type SchemeKind, type SchemeVariantName, schemeKinds } from './scheme-kinds.ts'

export type Approval = (typeof approvals)[number]

export const DecisionCondition = object('DecisionCondition', {
  text: text('What must be granted: “Only if the Historic District Commission allows demolition.”'),
  citation: optional.text('Where the rule is written'),
})
export type DecisionCondition = Static<typeof DecisionCondition>

export const Decision = object('Decision', 'The answer to “should I buy it, and for how much”', {
  scheme: optional.literals(schemeKinds, { description: 'The use that the sentence is about' }),
  text: text('What to do with it, in one sentence; never a price above the asking price'),
  worthUpTo: optional.number(
    'The price at which that use earns its target, dollars; absent where it needs an approval that may be refused',
  ),
  worthUpToLow: optional.number('The same in the low case, dollars'),
  room: optional(Room),
  approval: optional.literals(approvals, {
    description: 'What the use needs: design_review is of the look, discretionary may be refused',
  }),
  conditions: list(DecisionCondition, { description: 'What must be granted for the use; empty if nothing' }),
  confidence: optional.literals(confidences, { description: 'Confidence of the weakest input of the use' }),
  asOf: optional.date('The day that was assessed'),
})
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
  /** The house stays, and what is done to it costs more than it adds: any profit comes from the price of the purchase. */
  readonly workLoses?: true | undefined
}

/** Medians of sales of one product, at today's price level. */
export interface ProductMedians {
  readonly perSqft: number
  readonly sqft: number
  readonly lotSqft?: number
  readonly count: number
}

/** Prices of a place that schemes use. */
export interface SchemePlace {
  /** Medians of the city's houses. */
  readonly perSqft?: number | undefined
  readonly sqft?: number | undefined
  readonly lotSqft?: number | undefined
  /** Five sales of land or more within three miles and 24 months: medians. */
  readonly land?: { readonly usd: number; readonly lotSqft: number; readonly count: number } | undefined
  /** Five sales or more of townhouses, of flats and of houses on small lots within three miles and 24 months. */
  readonly sold?: Partial<Record<'attached' | 'flats' | 'smallLots', ProductMedians>> | undefined
  /** What new houses on half of the lot would sell for per square foot, at two sizes, where the value model knows such lots. */
  readonly halfLot?:
    | {
        readonly at: readonly (readonly [sqft: number, perSqft: number])[]
        readonly count: number
        readonly confidence: Confidence
      }
    | undefined
}

/** The house renovated: what it would sell for. */
export interface SchemeRenovation {
  readonly afterRepairValueUsd: number
  readonly conditionNow: number
  readonly daysToPending?: number | undefined
  readonly confidence: Confidence
}

/** Resale of a new house as large as the pro forma builds. */
export type ResaleComps = Pick<
  Proforma,
  'arvPerSqft' | 'compCount' | 'compsCityMatched' | 'compsTypeMatched' | 'largestCompSqft' | 'confidence'
>

/** Stored with every assessment: what each scheme could bear, and the prices behind it, so that reading needs no model. */
export interface StoredUses {
  readonly offers: readonly SchemeOffer[]
  readonly best?: SchemeOffer | undefined
  readonly ifApproved?: SchemeOffer | undefined
  /** The price to beat of a home that is not for sale, and its upper end: the value and what an owner wants above it. */
  readonly beat?: { readonly usd: number; readonly high: number } | undefined
  /** No zoning rules are known. */
  readonly isUnzoned?: true | undefined
  readonly place: SchemePlace
  readonly comps?: ResaleComps | undefined
  readonly renovation?: SchemeRenovation | undefined
}

/** What a renovation follows from besides prices and assumptions. */
export type FlipTerms = Pick<FlipDeal, 'valueNowUsd' | 'afterRepairValueUsd' | 'conditionNow' | 'daysToPending'>

/** A renovation at some assumptions. */
export interface FlipOffer extends Pick<SchemeOffer, 'maximumOffer' | 'maximumOfferLow' | 'workLoses'> {
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
}
