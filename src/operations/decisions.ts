// The decision about a home, made when it is read: from what is stored, at the market's assumptions or the caller's own, and only from
// what the caller may see.
import { assumptionsWith, type OwnNumbers, ownIn } from '../criteria/own-assumptions.ts'
import type { MarketId } from '../domain/facts.ts'
import type { Decision, StoredOffers } from '../domain/findings/decision.ts'
import type { Proforma } from '../domain/findings/proforma.ts'
import type { RankedScore } from '../domain/findings/score-rank.ts'
import { cityIn } from '../domain/packs/pack.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { decisionOf } from '../intelligence/decision/decision.ts'
import { flipOffer, rentOffer, schemeOffers } from '../intelligence/decision/offers.ts'
import { holdOf } from '../intelligence/proforma/hold.ts'
import { flipDeal } from '../intelligence/scores/flippability.ts'
import { valueConfidence } from './served-values.ts'

interface DecidedHome {
  market: MarketId
  city: string
  /** Of the listing that the caller may see. */
  status?: string | undefined
  soldOn?: string | undefined
  price?: number | undefined
  assessedOn?: string | undefined
  proforma?: Proforma | undefined
  offers?: StoredOffers | undefined
  valueUsd?: number | undefined
  valueHighUsd?: number | undefined
}

/** `own`: the caller's own assumptions, at which the pro forma and the offers of the home are. */
export const decisionAbout = (home: DecidedHome, own: OwnNumbers | undefined): Decision => {
  const { market, city, offers, proforma, valueUsd } = home
  const pack = packOf(market)
  return decisionOf({
    assessedOn: home.assessedOn,
    status: home.status,
    soldOn: home.soldOn,
    propertyType: offers?.propertyType,
    askingUsd: home.price,
    expected: proforma?.expectedPrice,
    value: valueUsd === undefined ? undefined : { value: valueUsd, high: home.valueHighUsd ?? valueUsd },
    noValue: offers?.noValue,
    unmodellableReason: proforma?.unmodellableReason,
    offers: offers ? schemeOffers(proforma, offers, pack?.market.demolitionReview) : [],
    premiumPct: assumptionsWith(own ?? {}, pack, city).offMarketPremiumPct,
    isOwn: own !== undefined,
  })
}

/** Renovation and rent at the caller's own assumptions. The condition it reaches and the rent stay. */
export const ownOffers = (
  stored: StoredOffers,
  { market, city, price, proforma }: DecidedHome,
  own: OwnNumbers,
): StoredOffers => {
  if (price === undefined) return stored
  const pack = packOf(market)
  const assumptions = assumptionsWith(own, pack, city)
  const { flip, monthlyRent: rentUsd, livingSqft } = stored
  const deal =
    flip &&
    flipDeal(
      {
        ...flip,
        pack,
        priceUsd: price,
        expectedPriceUsd: proforma?.expectedPrice?.p50,
        livingSqft,
        conditionScore: flip.conditionNow,
        costs: assumptions,
      },
      ownIn(own, cityIn(pack, city)?.slug ?? ''),
    )
  return {
    ...stored,
    flip: flip &&
      deal && {
        ...flip,
        ...flipOffer(deal, { assumptions, targetPct: assumptions.targetRenovatePct, confidence: flip.confidence }),
      },
    rent:
      rentUsd === undefined || livingSqft === undefined
        ? undefined
        : rentOffer(
            holdOf({ priceUsd: price, rentUsd, livingSqft }, assumptions, () => false),
            assumptions.targetHoldYieldPct,
          ),
  }
}

/** A renovation that loses has no rank, however many lose more. */
export const rankedFlip = (
  score: number | undefined,
  offers: StoredOffers | undefined,
): Partial<Record<RankedScore, number | undefined>> => ({
  flippabilityScore: offers?.flip && offers.flip.profitUsd >= 0 ? score : undefined,
})

/** The values of a listing row besides its pro forma. */
export const offerFields = ({
  offers,
  proforma,
  valueUsd: value,
  valueLowUsd: low,
  valueHighUsd: high,
  assessedOn,
}: Pick<DecidedHome, 'offers' | 'proforma' | 'valueUsd' | 'valueHighUsd' | 'assessedOn'> & {
  valueLowUsd?: number | undefined
}) => ({
  valueEstimate:
    value === undefined
      ? undefined
      : {
          value,
          low: low ?? value,
          high: high ?? value,
          confidence: valueConfidence(offers?.valueConfidence, proforma),
          asOf: assessedOn,
        },
  priceToValue: offers?.priceToValue,
  monthlyRent: offers?.monthlyRent === undefined ? undefined : { amount: offers.monthlyRent },
  hold: offers?.rent && { capRatePct: offers.rent.capRatePct, grossYieldPct: offers.rent.grossYieldPct },
  flip: offers?.flip && { profitUsd: offers.flip.profitUsd, maximumOffer: offers.flip.maximumOffer },
})
