// The decision about a home, made when it is read: from what is stored, at the market's assumptions or the caller's own, and only from
// what the caller may see.
import { pick } from '../common/typed.ts'
import { assumptionsWith, type OwnNumbers, ownIn } from '../criteria/own-assumptions.ts'
import type { MarketId, PropertyType } from '../domain/facts.ts'
import type { BestUse } from '../domain/findings/best-use.ts'
import type { Decision, FlipTerms, SchemeOffer, StoredOffers, StoredUses } from '../domain/findings/decision.ts'
import type { ExpectedPrice, Proforma } from '../domain/findings/proforma.ts'
import type { RankedScore } from '../domain/findings/score-rank.ts'
import { cityIn } from '../domain/packs/pack.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { decisionOf, priceToBeat } from '../intelligence/decision/decision.ts'
import { flipOffer, rentOfferAt, schemeOffers } from '../intelligence/decision/offers.ts'
import { flipDeal } from '../intelligence/scores/flippability.ts'
import { roomOf } from '../schemes/compute.ts'
import { valueConfidence, valueRange } from './served-values.ts'

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
  valueLowUsd?: number | undefined
  valueHighUsd?: number | undefined
  uses?: StoredUses | undefined
  /** Every scheme at the caller's own numbers and facts. */
  allOffers?: readonly SchemeOffer[] | undefined
  /** Of a home without offers. */
  propertyType?: PropertyType | undefined
  noValue?: string | undefined
}

/** `numbers`: the caller's own assumptions, at which the pro forma and the offers of the home are. */
export const decisionAbout = (home: DecidedHome, numbers: OwnNumbers | undefined): Decision => {
  const { market, city, offers, proforma, valueUsd } = home
  const pack = packOf(market)
  return decisionOf({
    assessedOn: home.assessedOn,
    status: home.status,
    soldOn: home.soldOn,
    propertyType: offers?.propertyType ?? home.propertyType,
    askingUsd: home.price,
    expected: proforma?.expectedPrice,
    value: valueUsd === undefined ? undefined : { value: valueUsd, high: home.valueHighUsd ?? valueUsd },
    noValue: offers?.noValue ?? home.noValue,
    isUnzoned: proforma ? proforma.unmodellableReason === 'NO_ZONING' : home.uses?.isUnzoned === true,
    offers: offersAbout(home, numbers),
    premiumPct: assumptionsWith(numbers ?? {}, pack, city).offMarketPremiumPct,
    isOwn: numbers !== undefined,
    isPartial: home.uses !== undefined && home.allOffers === undefined,
  })
}

/** Every scheme at the market's assumptions. With own ones, those that a row can compute again. */
const offersAbout = ({ market, offers, proforma, uses, allOffers }: DecidedHome, numbers: OwnNumbers | undefined) => {
  const listed = offers ? schemeOffers(proforma, offers, packOf(market)?.market.demolitionReview) : []
  if ((numbers && !allOffers) || !uses) return listed
  const isSame = (one: SchemeOffer | undefined, other: SchemeOffer) =>
    one?.kind === other.kind && one.variant === other.variant
  return (allOffers ?? uses.offers).map((offer) => {
    const named = [uses.best, uses.ifApproved].find((each) => isSame(each, offer))
    const { returnPct, returnAtExpectedPct } = listed.find((each) => isSame(each, offer)) ?? {}
    return { ...offer, condition: offer.condition ?? named?.condition, returnPct, returnAtExpectedPct }
  })
}

/** The best use of a row. `beat` is the price to beat of a home that is not for sale. */
export const bestUseOf = (
  row: Pick<StoredUses, 'best' | 'ifApproved' | 'beat'> &
    Pick<DecidedHome, 'status' | 'price'> & { expected?: ExpectedPrice | undefined },
): BestUse | undefined => {
  const { best, ifApproved, beat } = row
  const value = beat && { value: beat.usd, high: beat.high }
  const against = priceToBeat({ ...row, askingUsd: row.price, value, premiumPct: 0 })
  const namedUse = (use: SchemeOffer) => ({
    scheme: use.kind,
    ...(use.homes === undefined ? {} : { homes: use.homes }),
    maximumOffer: use.maximumOffer,
    ...(against ? { room: roomOf(use, against) } : {}),
  })
  if (!best && !ifApproved) return undefined
  return {
    ...(best ? { ...namedUse(best), confidence: best.confidence } : {}),
    ...(ifApproved ? { ifApproved: namedUse(ifApproved) } : {}),
  }
}

/** Renovation and rent at the caller's own assumptions. The condition it reaches and the rent stay. */
export const ownOffers = (
  stored: StoredOffers,
  { market, city, price, proforma }: DecidedHome,
  numbers: OwnNumbers,
) => {
  if (price === undefined) return stored
  const pack = packOf(market)
  const assumptions = assumptionsWith(numbers, pack, city)
  const { flip, livingSqft } = stored
  const deal = flip && ownFlip(flip, { market, city, price, proforma, livingSqft }, numbers)
  return {
    ...stored,
    flip: flip && deal && { ...flip, ...flipOffer(deal, assumptions, flip.confidence) },
    rent: rentOfferAt(price, stored, assumptions),
  }
}

/** A renovation at the caller's own assumptions, from the present value to the condition that was assessed. */
export const ownFlip = (
  flip: Pick<FlipTerms, 'valueNowUsd' | 'afterRepairValueUsd' | 'conditionNow' | 'daysToPending'>,
  { market, city, price, proforma, livingSqft }: DecidedHome & { livingSqft?: number | undefined },
  numbers: OwnNumbers,
) => {
  const pack = packOf(market)
  const facts = {
    ...pick(flip, 'valueNowUsd', 'afterRepairValueUsd', 'daysToPending'),
    ...{ pack, livingSqft, priceUsd: price, expectedPriceUsd: proforma?.expectedPrice?.p50 },
    ...{ conditionScore: flip.conditionNow, costs: assumptionsWith(numbers, pack, city) },
  }
  return flipDeal(facts, ownIn(numbers, cityIn(pack, city)?.slug ?? ''))
}

/** A renovation that loses has no rank, however many lose more. */
export const rankedFlip = (
  score: number | undefined,
  offers: StoredOffers | undefined,
): Partial<Record<RankedScore, number | undefined>> => ({
  flippabilityScore: offers?.flip && offers.flip.profitUsd >= 0 ? score : undefined,
})

/** The values of a listing row besides its pro forma. */
export const offerFields = ({ offers, proforma, assessedOn, ...row }: DecidedHome) => ({
  valueEstimate: valueRange(row, { confidence: valueConfidence(offers?.valueConfidence, proforma), asOf: assessedOn }),
  priceToValue: offers?.priceToValue,
  monthlyRent: offers?.monthlyRent === undefined ? undefined : { amount: offers.monthlyRent },
  hold: offers?.rent && { capRatePct: offers.rent.capRatePct, grossYieldPct: offers.rent.grossYieldPct },
  flip: offers?.flip && { profitUsd: offers.flip.profitUsd, maximumOffer: offers.flip.maximumOffer },
})
