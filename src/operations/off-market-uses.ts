// What a home that is not for sale could bear, if it could be bought at its value and what its owner wants above it.
import { assumptionsWith, type OwnNumbers, ownIn } from '../criteria/own-assumptions.ts'
import type { StoredOffers } from '../domain/findings/decision.ts'
import type { Proforma } from '../domain/findings/proforma.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { districtOf } from '../domain/packs/zoning-tables.ts'
import { rentOffer } from '../intelligence/decision/offers.ts'
import { holdOf } from '../intelligence/proforma/hold.ts'
import { hearingFor, proforma } from '../intelligence/proforma/proforma.ts'
import { type PermitTimes, projectAssumptions } from '../intelligence/proforma/project-duration.ts'
import { newHouseApproval } from '../intelligence/site/demolition-approval.ts'
import { buildingEnvelope } from '../intelligence/site/envelope.ts'
import { latestModel } from '../store/assessments/models.ts'
import type { AssessmentRow } from '../store/properties/properties.ts'
import type { Context } from './context.ts'
import { resaleOf } from './run-proforma.ts'
import type { VisibleProperty } from './visible-property.ts'

/** `assessment` is what the caller may see of it, without a pro forma of a listing. */
export const offMarketUses = async (
  { db }: Pick<Context, 'db'>,
  { property, facts }: VisibleProperty,
  assessment: AssessmentRow,
  rentUsd: number | undefined,
  own: OwnNumbers | undefined,
): Promise<{ offers: StoredOffers; proforma?: Proforma }> => {
  const pack = packOf(facts.market)
  const review = pack?.market.demolitionReview
  const { propertyType, livingSqft } = facts
  const { valueUsd, explanation, redevelopment } = assessment
  const known = { propertyType, livingSqft, noValue: explanation?.value?.unavailable?.text }
  if (valueUsd === undefined) return { offers: { ...known, newHouse: newHouseApproval(facts, review, undefined) } }
  const assumptions = assumptionsWith(own ?? {}, pack, facts.city)
  const priceUsd = Math.round(valueUsd * (1 + assumptions.offMarketPremiumPct / 100))
  const envelope = buildingEnvelope(facts, districtOf(pack, facts.city, facts.zoning))
  const [times, { comps, marketMeanRoiPct }] = await Promise.all([
    latestModel<PermitTimes>(db, 'permit-times', property.market),
    resaleOf(db, property, assessment),
  ])
  const { proforma: built } = proforma({
    pack,
    facts,
    priceUsd,
    envelope,
    newHouses: redevelopment?.newHouses,
    comps,
    marketMeanRoiPct,
    ...projectAssumptions(pack, facts.city, times?.body, own),
    changed: own && ownIn(own, property.citySlug),
  })
  const hearing = built.buildSqft === undefined ? undefined : hearingFor(envelope, built.buildSqft)
  return {
    proforma: built,
    offers: {
      ...known,
      newHouse: newHouseApproval(facts, review, hearing),
      rent:
        rentUsd === undefined || livingSqft === undefined
          ? undefined
          : rentOffer(
              holdOf({ priceUsd, rentUsd, livingSqft }, assumptions, () => false),
              assumptions.targetHoldYieldPct,
            ),
    },
  }
}
