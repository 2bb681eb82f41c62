import { pick } from '../common/typed.ts'
import { oneTarget, ownIn } from '../criteria/own-assumptions.ts'
import { describeDefaults } from '../domain/assumptions/assumptions.ts'
import type { ProformaAnswer } from '../domain/findings/proforma.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { districtOf } from '../domain/packs/zoning-tables.ts'
import type { ProformaInput } from '../intelligence/proforma/proforma.ts'
import { proformaDetail } from '../intelligence/proforma/proforma-detail.ts'
import { type PermitTimes, projectAssumptions } from '../intelligence/proforma/project-duration.ts'
import { plural, sqft } from '../intelligence/scores/number-format.ts'
import { buildingEnvelope } from '../intelligence/site/envelope.ts'
import { latestModel } from '../store/assessments/models.ts'
import type { Db } from '../store/engine/database.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { nearbyResale } from '../store/properties/comparable-sales.ts'
import { type AssessmentRow, assessmentOf, type PropertyRow } from '../store/properties/properties.ts'
import { runProforma } from '../wire/operations/properties.ts'
import { implement } from './context.ts'
import { earningsOf } from './earnings.ts'
import { ownAssumptionsOf } from './own-assumptions.ts'
import { ownInputsUsed, withOwnFacts } from './own-facts.ts'
import { provenanceOf } from './provenance.ts'
import { visibleProperty } from './visible-property.ts'

export const runProformaRun = implement(runProforma, async (context, { id, assumptionSet, assumptions, ...terms }) => {
  const { db, surface } = context
  const overrides = oneTarget(terms)
  const visible = await visibleProperty(context, id)
  const { property, facts, listing } = visible
  const [stored, times, current] = await Promise.all([
    assessmentOf(db, id),
    latestModel<PermitTimes>(db, 'permit-times', property.market),
    asOf(db, ['parcels', 'listings', 'sales'], property.market),
  ])
  const ownSet = await ownAssumptionsOf(context, { assumptionSet, assumptions }, property.market)
  const assessment = stored && visible.ownFacts ? await withOwnFacts(context, visible, stored, ownSet?.values) : stored
  const pack = packOf(facts.market)
  const envelope = buildingEnvelope(facts, districtOf(pack, facts.city, facts.zoning))
  const { comps, marketMeanRoiPct, basis, isNearby } = await resaleOf(db, property, assessment)
  const detail = proformaDetail({
    pack,
    facts,
    priceUsd: listing?.price,
    expectedPrice: listing && assessment?.proforma?.expectedPrice,
    envelope,
    newHouses: assessment?.redevelopment?.newHouses,
    comps,
    marketMeanRoiPct,
    ...projectAssumptions(pack, facts.city, times, ownSet?.values),
    changed: ownSet && ownIn(ownSet.values, property.citySlug),
    overrides,
  })
  const { monthlyRent, hold, holdUnavailable } = await earningsOf(
    context,
    visible,
    { priceUsd: overrides.price ?? listing?.price },
    {
      ...ownIn(ownSet?.values ?? {}, property.citySlug),
      ...(overrides.costPerSqft === undefined ? {} : { costPerSqft: overrides.costPerSqft }),
    },
  )
  const storedSqft = assessment?.proforma?.buildSqft
  const resized =
    overrides.buildSqft !== undefined && overrides.arvPerSqft === undefined && storedSqft !== undefined
      ? [`The resale value per square foot is for a house of ${sqft(storedSqft)}.`]
      : []
  const isOwnResale = overrides.arvPerSqft !== undefined
  const data: ProformaAnswer = {
    ...pick(property, 'id', 'address', 'city'),
    ...pick(detail, 'proforma', 'developerROI', 'proformaROI'),
    returnPct: detail.proforma.returnPct,
    returnAtExpectedPct: detail.proforma.returnAtExpectedPct,
    returnAfterCarryPct: detail.returnPct,
    used: detail.used,
    missing: detail.missing,
    warnings: [...detail.warnings, ...(isNearby && !isOwnResale ? [basis] : []), ...resized],
    because: detail.because,
    resaleBasis:
      detail.proforma.arvPerSqft === undefined
        ? undefined
        : isOwnResale
          ? 'The resale value per square foot was entered by the user.'
          : basis,
    defaultAssumptions: detail.proforma.defaults && describeDefaults(detail.proforma.defaults),
    ...pick(detail, 'lines', 'totalCost', 'profit', 'returnOnEquityPct', 'cases', 'stress', 'residualLandValue'),
    maximumOffer: detail.maximumOffer,
    monthlyRent,
    hold,
    holdUnavailable,
    envelope,
    overrides,
    asOf: assessment?.assessedOn,
    source: provenanceOf(listing ?? property, surface),
  }
  return { success: true, data, asOf: current, ...ownInputsUsed(visible, ownSet) }
})

interface Resale {
  comps: ProformaInput['comps']
  marketMeanRoiPct?: number
  /** What the resale value is based on, in words. */
  basis: string
  /** Whether it is of homes nearby, not of this one. */
  isNearby: boolean
}

/** The assessed resale value, or that of new houses nearby for a parcel without a listing. */
export const resaleOf = async (
  db: Db,
  property: PropertyRow,
  assessment: AssessmentRow | undefined,
): Promise<Resale> => {
  const stored = assessment?.proforma
  const basis = (count: number) =>
    `The resale value is based on ${plural(count, 'sale')} of new, renovated or top-priced homes.`
  if (stored?.arvPerSqft !== undefined) {
    const { compCount, confidence, assumptions } = stored
    const comps = {
      ...pick(stored, 'arvPerSqft', 'compCount', 'compsCityMatched', 'compsTypeMatched', 'largestCompSqft'),
      confidence: assessment?.explanation?.proforma?.compConfidence ?? confidence,
    }
    return { comps, marketMeanRoiPct: assumptions.marketMeanRoiPct, basis: basis(compCount), isNearby: false }
  }
  const near = await nearbyResale(db, property)
  const comps = assessment?.uses?.comps
  if (comps) return { comps, marketMeanRoiPct: near?.marketMeanRoiPct, basis: basis(comps.compCount), isNearby: false }
  if (!near) return { comps: { compCount: stored?.compCount ?? 0, confidence: 'low' }, basis: '', isNearby: false }
  const { arvPerSqft, compCount, marketMeanRoiPct } = near
  return {
    comps: { arvPerSqft, compCount, compsCityMatched: true, compsTypeMatched: false, confidence: 'low' },
    marketMeanRoiPct,
    basis: `This parcel has no listing, so the resale value is the median of the ${compCount} nearest assessed listings.`,
    isNearby: true,
  }
}
