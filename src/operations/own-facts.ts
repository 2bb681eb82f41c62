// A home computed again with the facts that the owner of a deal has corrected, for one answer. Nothing of it is stored or shared.
// Scores, ranks and the expected price stay those of the recorded facts.

import { assumptionsWith, type OwnNumbers, ownIn } from '../criteria/own-assumptions.ts'
import { dayOf } from '../domain/day.ts'
import type { StoredAduFinding } from '../domain/findings/adu.ts'
import type { ConditionFinding } from '../domain/findings/findings.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { priceTension } from '../intelligence/bidding-war/expected-price.ts'
import { hasEvidence, nearestLevel } from '../intelligence/condition/condition.ts'
import { flipOffer, rentOffer } from '../intelligence/decision/offers.ts'
import { holdOf } from '../intelligence/proforma/hold.ts'
import { hearingFor, proforma } from '../intelligence/proforma/proforma.ts'
import { proformaInputOf } from '../intelligence/proforma/proforma-input.ts'
import type { PermitTimes } from '../intelligence/proforma/project-duration.ts'
import { flipDeal, flippability, needsRenovation } from '../intelligence/scores/flippability.ts'
import { newHouseApproval } from '../intelligence/site/demolition-approval.ts'
import { isVacantLot } from '../intelligence/site/vacant-lot.ts'
import { storedResale } from '../intelligence/valuation/after-repair.ts'
import { type ConditionValueModel, conditionPrior } from '../intelligence/valuation/condition-value.ts'
import {
  inPresentCondition,
  noValueFinding,
  type PresentValue,
  renovationValues,
  valueFields,
  valueFinding,
  withNote,
} from '../intelligence/valuation/present-value.ts'
import { valueOrReason } from '../intelligence/valuation/value-home.ts'
import { parcelLeads } from '../laws/parcel-leads.ts'
import { latestHeat, latestModel } from '../store/assessments/models.ts'
import { valueModel } from '../store/assessments/valuations.ts'
import type { AssessmentRow } from '../store/properties/properties.ts'
import { type OwnFactUsed, ownFactNames } from '../wire/deals.ts'
import type { Context } from './context.ts'
import { rentOf } from './earnings.ts'
import type { VisibleProperty } from './visible-property.ts'

/** `found` is what the caller may see of it; `numbers` are the caller's own assumptions. */
export const withOwnFacts = async (
  context: Pick<Context, 'db' | 'now'>,
  visible: VisibleProperty,
  found: AssessmentRow,
  numbers: OwnNumbers = {},
): Promise<AssessmentRow> => {
  const { db } = context
  const { property, own, listing } = visible
  if (!own) return found
  const { market, citySlug } = property
  const pack = packOf(market)
  const [asked, curve, times, heat, rent] = await Promise.all([
    valueModel(db, market),
    latestModel<ConditionValueModel>(db, 'condition-value', market),
    latestModel<PermitTimes>(db, 'permit-times', market),
    latestHeat(db, market, citySlug, visible.facts.propertyType ?? 'all'),
    rentOf(context, visible),
  ])
  const on = asked?.on ?? dayOf(found.assessedAt)
  const sold = found.redevelopment?.newHouses
  const view = {
    ...{ pack, on, value: asked?.model, permitTimes: times?.body },
    conditionValue: curve && 'curve' in curve.body ? curve.body : conditionPrior(pack),
    newHouseLimits: { of: () => sold },
    meanRoiPct: found.proforma?.assumptions.marketMeanRoiPct,
  }
  // The value model knows the recorded condition; what the owner says about it is evidence beside it.
  const facts = { ...visible.facts, propertyId: property.id, citySlug, listPriceUsd: listing?.price }
  const asRecorded = { ...facts, condition: own.recorded.condition }
  const condition = own.facts.condition === undefined ? found.explanation?.condition : ownCondition(own.facts.condition)
  const replaced = found.explanation?.value?.note
  const said = asked && valueOrReason(asked.model, asRecorded, on)
  const value =
    said?.value && inPresentCondition(asRecorded, view, withNote(said.value, replaced), condition ?? noCondition)
  const { envelope, input, resaleComps, offMarketComps } = proformaInputOf(facts, view, numbers)
  const expectedPrice = found.proforma?.expectedPrice
  const built = proforma({ ...input, expectedPrice, changed: ownIn(numbers, citySlug) })
  const tension = priceTension(expectedPrice, value, listing?.price)
  // Where the asking price contradicts the value, what follows from it is not certain.
  const present = value && tension && value.confidence === 'high' ? { ...value, confidence: 'medium' as const } : value
  const { byLaw, redevelopment } = parcelLeads(
    {
      ...facts,
      ...(condition && (facts.condition !== undefined || hasEvidence(condition))
        ? { conditionScore: condition.score }
        : {}),
    },
    dayOf(found.assessedAt),
    pack,
    envelope,
    input.newHouses,
  )
  const rentUsd = 'amount' in rent ? rent.amount : undefined
  const offers =
    found.offers &&
    offersWith(visible, found, {
      view,
      value: present,
      built,
      envelope,
      numbers,
      condition,
      rentUsd,
      heat: heat?.heatIndex,
    })
  return {
    ...found,
    // That of a vacant lot follows from sales of land, which the value model does not know.
    ...(isVacantLot(facts) ? {} : { valueUsd: undefined, valueLowUsd: undefined, valueHighUsd: undefined }),
    ...valueFields(value),
    conditionScore: condition?.score,
    developerRoi: found.proforma && built.developerROI,
    proforma: found.proforma && { ...built.proforma, ...(tension ? { priceTension: tension } : {}) },
    offers: offers && { ...offers.stored, ...(said?.unavailable ? { noValue: said.unavailable.text } : {}) },
    uses: found.uses && {
      ...{ ...found.uses, comps: offMarketComps ?? found.uses.comps },
      renovation: offers?.stored.flip ?? (listing ? undefined : found.uses.renovation),
    },
    redevelopment: { ...redevelopment, redevelopmentScore: found.redevelopment?.redevelopmentScore },
    leads: found.leads.map((lead) => {
      const again = byLaw.find(({ law }) => law.id === lead.law)?.finding
      if (!again) return lead
      const { trace: _, ...finding } = again
      // Rents and prices around it are stored with the unit.
      const known = 'aduScore' in finding && finding.units.length > 0 ? rentsOf(lead.finding as StoredAduFinding) : {}
      return { ...lead, finding: { ...finding, ...known } as typeof lead.finding }
    }),
    explanation: {
      ...found.explanation,
      ...(condition ? { condition } : {}),
      ...(offers?.flip ? { flippability: { ...found.explanation?.flippability, ...offers.flip } } : {}),
      ...(found.explanation?.proforma
        ? {
            proforma: {
              ...found.explanation.proforma,
              parts: [],
              ...{ used: built.used, missing: built.missing, warnings: built.warnings, because: built.because },
              confidence: built.proforma.confidence,
              compConfidence: input.comps.confidence,
              resaleComps: built.proforma.unmodellableReason === null ? resaleComps.map(storedResale) : undefined,
            },
          }
        : {}),
      ...(value && { value: valueFinding(asRecorded, value) }),
      ...(said && !value && { value: noValueFinding(said.unavailable!) }),
    } as AssessmentRow['explanation'],
  }
}

const rentsOf = ({ economics, rents, cityPerSqft }: StoredAduFinding): Partial<StoredAduFinding> => ({
  ...(economics ? { economics } : {}),
  ...(rents ? { rents } : {}),
  ...(cityPerSqft === undefined ? {} : { cityPerSqft }),
})

const noCondition: ConditionFinding = {
  parts: [],
  used: [],
  missing: [],
  confidence: 'low',
  landPhrases: [],
  setAside: [],
}

/** Two parts, because one alone is the age and no evidence. */
const ownCondition = (score: number): ConditionFinding => ({
  ...noCondition,
  score,
  level: nearestLevel(score),
  used: ['condition'],
  confidence: 'medium',
  parts: [
    { name: 'condition', points: score, because: 'Your own rating' },
    { name: 'remarks', points: 0, because: 'Not used beside your own rating' },
  ],
})

interface Recomputed {
  view: Parameters<typeof renovationValues>[1] & { pack: ReturnType<typeof packOf> }
  value: PresentValue | undefined
  built: ReturnType<typeof proforma>
  envelope: Parameters<typeof hearingFor>[0]
  numbers: OwnNumbers
  condition: ConditionFinding | undefined
  rentUsd: number | undefined
  heat: number | undefined
}

/** What each use of a listed home could bear, and its renovation. */
const offersWith = (
  { facts, listing, property }: VisibleProperty,
  found: AssessmentRow,
  { view, value, built, envelope, numbers, condition, rentUsd, heat }: Recomputed,
) => {
  const { pack } = view
  const assumptions = assumptionsWith(numbers, pack, facts.city)
  const { livingSqft, propertyType } = facts
  const home = { ...facts, propertyId: property.id }
  const values = value && renovationValues(home, view, value, condition?.score)
  const { daysToPending } = found.explanation?.flippability?.deal ?? {}
  const price = listing?.price
  const flipFacts = {
    ...{
      pack,
      propertyType,
      replaced: value?.note,
      priceUsd: price,
      livingSqft,
      heat,
      daysToPending,
      costs: assumptions,
    },
    expectedPriceUsd: found.proforma?.expectedPrice?.p50,
    valueNowUsd: values?.valueNowUsd,
    afterRepairValueUsd: values?.afterRepairValueUsd,
    conditionScore: condition?.score,
    valueConfidence: value?.confidence,
  }
  const { confidence, excluded } = flippability(flipFacts)
  const deal = excluded ? undefined : flipDeal(flipFacts, ownIn(numbers, property.citySlug))
  const { buildSqft } = built.proforma
  const hearing = buildSqft === undefined ? undefined : hearingFor(envelope, buildSqft)
  const stored = {
    ...found.offers,
    livingSqft,
    valueConfidence: value?.confidence,
    priceToValue: value && price && Math.round((1000 * price) / value.valueUsd) / 1000,
    newHouse: newHouseApproval(facts, pack?.market.demolitionReview, hearing),
    flip:
      deal && needsRenovation(deal.conditionNow)
        ? {
            ...{ valueNowUsd: deal.valueNowUsd, afterRepairValueUsd: deal.afterRepairValueUsd },
            ...{ conditionNow: deal.conditionNow, daysToPending, confidence },
            ...flipOffer(deal, { assumptions, targetPct: assumptions.targetRenovatePct, confidence }),
          }
        : undefined,
    monthlyRent: rentUsd,
    rent:
      rentUsd === undefined || livingSqft === undefined || price === undefined
        ? undefined
        : rentOffer(
            holdOf({ priceUsd: price, rentUsd, livingSqft }, assumptions, () => false),
            assumptions.targetHoldYieldPct,
          ),
  } as NonNullable<AssessmentRow['offers']>
  return { stored, flip: { deal, confidence, excluded } }
}

/** For the answer: each corrected fact, and what it replaces. */
export const ownFactsUsed = ({ own }: VisibleProperty): { ownFacts?: OwnFactUsed[] } =>
  own
    ? {
        ownFacts: ownFactNames.flatMap((fact) => {
          const [value, recorded] = [own.facts[fact], own.recorded[fact]]
          return value === undefined ? [] : [{ fact, value, ...(recorded === undefined ? {} : { recorded }) }]
        }),
      }
    : {}
