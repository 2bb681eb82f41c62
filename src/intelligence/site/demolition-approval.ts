// The approval that a new house needs: whether the demolition of the existing house, or the size of the new one, may be refused.
import type { ParcelFacts } from '../../domain/facts.ts'
import type { Envelope } from '../../domain/findings/building-envelope.ts'
import type { Approval, DecisionCondition } from '../../domain/findings/decision.ts'
import type { Market } from '../../domain/packs/markets.ts'
import { sqft } from '../scores/number-format.ts'
import { isVacantLot, type VacantLotFacts } from './vacant-lot.ts'

export interface NeededApproval {
  approval: Approval
  condition?: DecisionCondition
}

type Facts = Pick<ParcelFacts, 'overlays'> & VacantLotFacts

/** `hearing`: the review that a house of the built size needs. */
export const newHouseApproval = (
  facts: Facts,
  review: Market['demolitionReview'],
  hearing: Envelope['review'],
): NeededApproval => {
  const demolition = demolitionOf(facts, review)
  if (demolition) return demolition
  if (hearing)
    return {
      approval: hearing.approval,
      condition: { text: `Only if the ${hearing.body} approves a house above ${sqft(hearing.sqft)}.` },
    }
  return { approval: review ? 'design_review' : 'ministerial' }
}

/** Undefined where nothing is demolished, or nobody may refuse it. */
const demolitionOf = (facts: Facts, review: Market['demolitionReview']): NeededApproval | undefined => {
  if (isVacantLot(facts)) return undefined
  const { yearBuilt, overlays } = facts
  const inDistrict = review !== undefined || overlays.historicDistrict === 'yes'
  const isProtected = overlays.historicListed === 'yes' || overlays.historicContributing === 'yes'
  const isOld = yearBuilt !== undefined && yearBuilt < (review?.doubtfulBefore ?? 0)
  // Without a commission of its own in the pack, it is not known which houses of a district are kept.
  const isOpen = !review && inDistrict && overlays.historicContributing !== 'no'
  if (!isProtected && !isOld && !(inDistrict && yearBuilt === undefined) && !isOpen) return undefined
  const body = review?.body ?? 'city'
  return {
    approval: isOpen && !isProtected && yearBuilt !== undefined ? 'unknown' : 'discretionary',
    condition: {
      text: `Only if the ${body} allows demolition.`,
      ...(review?.source ? { citation: review.source } : {}),
    },
  }
}

/** Of a change to the look of a house. */
export const renovationApproval = (review: Market['demolitionReview']): Approval => (review ? 'design_review' : 'none')
