// Which use of a home is best: the one that could bear most for it, among those that nobody may refuse.
import type { SchemeOffer } from '../../domain/findings/decision.ts'

/** Keeping and renting change nothing, so that they are never the best use. */
export const isSpoken = ({ kind, allowed = 'yes' }: SchemeOffer): boolean =>
  kind !== 'rent' && kind !== 'keep' && (allowed === 'yes' || allowed === 'likely' || allowed === 'conditional')

/** Nobody may refuse it. What is not known counts as refused, except for changes of a house that stays. */
export const isFree = (offer: SchemeOffer): boolean => {
  const { kind, approval, allowed } = offer
  const isOpen = approval !== 'unknown' || kind === 'renovate' || kind === 'add_unit'
  return isSpoken(offer) && allowed !== 'conditional' && approval !== 'discretionary' && isOpen
}

/** The largest offer; one of low confidence only if its low case beats the others. */
export const bestOf = <Offer extends SchemeOffer>(offers: readonly Offer[]): Offer | undefined =>
  largest(
    offers.filter(({ confidence, maximumOfferLow }) => confidence !== 'low' || maximumOfferLow !== undefined),
    ({ maximumOffer, maximumOfferLow = 0, confidence }) => (confidence === 'low' ? maximumOfferLow : maximumOffer),
  )

export const largest = <T>(values: readonly T[], by: (value: T) => number): T | undefined =>
  values.reduce<T | undefined>((best, each) => (best === undefined || by(each) > by(best) ? each : best), undefined)

/** The best use, and the best of all that may be approved where it could bear more. Without an offer above zero there is none. */
export const bestUses = <Offer extends SchemeOffer>(
  offers: readonly Offer[],
): { best?: Offer | undefined; ifApproved?: Offer | undefined } => {
  const bearing = offers.filter(({ maximumOffer }) => maximumOffer > 0)
  const best = bestOf(bearing.filter(isFree))
  const any = bestOf(bearing.filter(isSpoken))
  return { best, ifApproved: any && (!best || any.maximumOffer > best.maximumOffer) && any !== best ? any : undefined }
}
