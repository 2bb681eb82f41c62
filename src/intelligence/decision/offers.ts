// What each use of a home could bear: the price at which it earns its target, and the same in the low case.
import { pick } from '../../common/typed.ts'
import type { Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { Confidence } from '../../domain/facts.ts'
import type { FlipOffer, RentOffer, SchemeOffer, StoredOffers } from '../../domain/findings/decision.ts'
import type { FlipDeal } from '../../domain/findings/findings.ts'
import type { Proforma } from '../../domain/findings/proforma.ts'
import type { Hold } from '../../domain/findings/rent.ts'
import type { Market } from '../../domain/packs/markets.ts'
import { holdOf } from '../proforma/hold.ts'
import { resaleSpread, type Spreads } from '../proforma/proforma-cases.ts'
import { oneDecimal } from '../proforma/project.ts'
import { renovationApproval } from '../site/demolition-approval.ts'
import { clamp } from '../statistics/clamp.ts'

/** In the low case costs of buying and carrying are taken as shares of the price. */
export const flipOffer = (
  deal: FlipDeal,
  assumptions: Spreads & Pick<Assumptions, 'targetRenovatePct'>,
  confidence: Confidence,
): FlipOffer => {
  const { valueNowUsd, afterRepairValueUsd, buyingUsd, carryUsd, totalCostUsd, profitUsd } = deal
  const workUsd = deal.renovationUsd + (deal.softUsd ?? 0)
  const price = totalCostUsd - workUsd - buyingUsd - carryUsd
  const net = afterRepairValueUsd - deal.sellingUsd
  const { costSpreadPct, monthsSpreadPct, targetRenovatePct: targetPct } = assumptions
  const priceAt = (resale: number, cost: number, months: number) =>
    Math.floor(
      ((net * resale) / (1 + targetPct / 100) - workUsd * cost) / (1 + (buyingUsd + carryUsd * months) / price),
    )
  const { profitAtAskingUsd = profitUsd, maximumOffer = 0 } = deal
  const costAtAsking = net - profitAtAskingUsd
  const workLoses = valueNowUsd !== undefined && afterRepairValueUsd - valueNowUsd < workUsd
  return {
    profitUsd: Math.round(profitUsd),
    returnPct: oneDecimal((100 * profitUsd) / totalCostUsd),
    returnAtAskingPct: oneDecimal((100 * profitAtAskingUsd) / costAtAsking),
    maximumOffer,
    maximumOfferLow: clamp(
      priceAt(1 - resaleSpread(assumptions, confidence) / 100, 1 + costSpreadPct / 100, 1 + monthsSpreadPct / 100),
      0,
      maximumOffer,
    ),
    ...(workLoses ? { workLoses } : {}),
  }
}

/** Rents may be lower by this share in the low case. */
const lowRent = 0.92

/** The price at which noi / (price + acquisition) is the target; 0 where no price is, as for every use. */
export const rentOffer = ({ noi, capRatePct, grossYieldPct, terms }: Hold, targetPct: number): RentOffer => {
  const { price = 0, rent = 0, acquisition = 0, acquisitionPct = 0, propertyTaxPct = 0 } = terms
  const { vacancyPct = 0, operatingCostPct = 0 } = terms
  const beforeTax = noi + (propertyTaxPct / 100) * price
  const collected = 12 * rent * (1 - vacancyPct / 100) * (1 - operatingCostPct / 100)
  const perDollar = propertyTaxPct / 100 + (targetPct / 100) * (1 + acquisitionPct / 100)
  return {
    capRatePct,
    grossYieldPct,
    yieldPct: oneDecimal((100 * noi) / (price + acquisition)),
    maximumOffer: Math.max(0, Math.floor(beforeTax / perDollar)),
    maximumOfferLow: Math.max(0, Math.floor((beforeTax - (1 - lowRent) * collected) / perDollar)),
  }
}

/** At the asking price. Undefined without a price, a rent or a living area. */
export const rentOfferAt = (
  priceUsd: number | undefined,
  { monthlyRent: rentUsd, livingSqft }: Pick<StoredOffers, 'monthlyRent' | 'livingSqft'>,
  assumptions: Assumptions,
): RentOffer | undefined =>
  rentUsd === undefined || livingSqft === undefined || priceUsd === undefined
    ? undefined
    : rentOffer(
        holdOf({ priceUsd, rentUsd, livingSqft }, assumptions, () => false),
        assumptions.targetHoldYieldPct,
      )

/** The uses of a home, at the assumptions of its pro forma and offers. */
export const schemeOffers = (
  proforma: Proforma | undefined,
  { newHouse, flip, rent }: Pick<StoredOffers, 'newHouse' | 'flip' | 'rent'>,
  review: Market['demolitionReview'],
): SchemeOffer[] => [
  ...(proforma?.maximumOffer === undefined
    ? []
    : [
        {
          kind: 'new_house' as const,
          maximumOffer: proforma.maximumOffer,
          ...pick(proforma, 'maximumOfferLow', 'returnPct', 'returnAtExpectedPct', 'confidence'),
          ...newHouse,
        },
      ]),
  ...(flip
    ? [
        {
          kind: 'renovate' as const,
          ...pick(flip, 'maximumOffer', 'maximumOfferLow', 'workLoses'),
          returnPct: flip.returnAtAskingPct,
          returnAtExpectedPct: flip.returnPct,
          confidence: flip.confidence,
          approval: renovationApproval(review),
        },
      ]
    : []),
  ...(rent
    ? [
        {
          kind: 'rent' as const,
          ...pick(rent, 'maximumOffer', 'maximumOfferLow'),
          returnPct: rent.yieldPct,
          approval: 'none' as const,
          confidence: 'medium' as const,
        },
      ]
    : []),
]
