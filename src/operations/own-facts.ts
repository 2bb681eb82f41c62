// A home computed again with the facts that the owner of a deal has corrected, for one answer. Nothing of it is stored or shared.
// Scores, ranks and the expected price stay those of the recorded facts.

import { pick } from '../common/typed.ts'
import { assumptionsWith, type OwnNumbers, ownIn } from '../criteria/own-assumptions.ts'
import { dayOf } from '../domain/day.ts'
import type { StoredAduFinding } from '../domain/findings/adu.ts'
import type { ConditionFinding } from '../domain/findings/findings.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { priceTension } from '../intelligence/bidding-war/expected-price.ts'
import { hasEvidence, nearestLevel } from '../intelligence/condition/condition.ts'
import { flipFactsOf, listedOffers, proformaFinding } from '../intelligence/decision/listed-home.ts'
import { proforma } from '../intelligence/proforma/proforma.ts'
import { proformaInputOf } from '../intelligence/proforma/proforma-input.ts'
import type { PermitTimes } from '../intelligence/proforma/project-duration.ts'
import { flipDeal, flippability } from '../intelligence/scores/flippability.ts'
import { isVacantLot } from '../intelligence/site/vacant-lot.ts'
import { type ConditionValueModel, conditionPrior } from '../intelligence/valuation/condition-value.ts'
import {
  inPresentCondition,
  noValueFinding,
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
import type { OwnSet } from './own-assumptions.ts'
import type { VisibleProperty } from './visible-property.ts'

/** `stored` is what the caller may see of its assessment; `numbers` are the caller's own assumptions. */
export const withOwnFacts = async (
  context: Pick<Context, 'db' | 'now'>,
  visible: VisibleProperty,
  stored: AssessmentRow,
  numbers: OwnNumbers = {},
): Promise<AssessmentRow> => {
  const { property, ownFacts, listing } = visible
  if (!ownFacts) return stored
  const { citySlug } = property
  const { view, heat, rent } = await readView(context, visible, stored)
  const { pack } = view
  // The value model knows the recorded condition; what the owner says about it is evidence beside it.
  const facts = { ...visible.facts, propertyId: property.id, citySlug, listPriceUsd: listing?.price }
  const asRecorded = { ...facts, condition: ownFacts.recorded.condition }
  const ownScore = ownFacts.facts.condition
  const condition = ownScore === undefined ? stored.explanation?.condition : ownCondition(ownScore)
  const replaced = stored.explanation?.value?.note
  const said = view.value && valueOrReason(view.value, asRecorded, view.on)
  const value =
    said?.value && inPresentCondition(asRecorded, view, withNote(said.value, replaced), condition ?? noCondition)
  const { envelope, input, resaleComps, offMarketComps } = proformaInputOf(facts, view, numbers)
  const expectedPrice = stored.proforma?.expectedPrice
  const built = proforma({ ...input, expectedPrice, changed: ownIn(numbers, citySlug) })
  // A lot is valued at the assessment, from sales of land that are not read here. The stored reason, if any, stays.
  const unavailable = isVacantLot(facts) ? undefined : said?.unavailable
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
    dayOf(stored.assessedAt),
    pack,
    envelope,
    input.newHouses,
  )
  const assumptions = assumptionsWith(numbers, pack, facts.city)
  const flipFacts = flipFactsOf(facts, view, present, {
    ...{ replaced: present?.note, priceUsd: listing?.price, expectedPriceUsd: expectedPrice?.p50, costs: assumptions },
    ...{ conditionScore: condition?.score, heat: heat?.heatIndex },
    daysToPending: stored.explanation?.flippability?.deal?.daysToPending,
  })
  const { confidence, excluded } = flippability(flipFacts)
  const flip = { deal: excluded ? undefined : flipDeal(flipFacts, ownIn(numbers, citySlug)), confidence, excluded }
  const offers =
    stored.offers &&
    listedOffers(facts, {
      ...{ assumptions, review: pack?.market.demolitionReview, priceUsd: listing?.price },
      rentUsd: 'amount' in rent ? rent.amount : undefined,
      ...{ built: built.proforma, envelope, flip, value: present },
      noValue: value ? undefined : (unavailable?.text ?? stored.offers.noValue),
    })
  return {
    ...stored,
    // That of a vacant lot follows from sales of land, which the value model does not know.
    ...(isVacantLot(facts) ? {} : { valueUsd: undefined, valueLowUsd: undefined, valueHighUsd: undefined }),
    ...valueFields(value),
    conditionScore: condition?.score,
    developerRoi: stored.proforma && built.developerROI,
    proforma: stored.proforma && { ...built.proforma, ...(tension ? { priceTension: tension } : {}) },
    offers,
    uses: stored.uses && {
      ...{ ...stored.uses, comps: offMarketComps ?? stored.uses.comps },
      renovation: offers?.flip ?? (listing ? undefined : stored.uses.renovation),
    },
    redevelopment: { ...redevelopment, redevelopmentScore: stored.redevelopment?.redevelopmentScore },
    leads: stored.leads.map((lead) => withFinding(lead, byLaw.find(({ law }) => law.id === lead.law)?.finding)),
    explanation: {
      ...stored.explanation,
      ...(condition ? { condition } : {}),
      ...(offers ? { flippability: { ...stored.explanation?.flippability, ...flip } } : {}),
      ...(stored.explanation?.proforma
        ? {
            proforma: {
              ...{ ...stored.explanation.proforma, resaleComps: undefined },
              ...proformaFinding(built, input.comps.confidence, resaleComps),
              parts: [],
            },
          }
        : {}),
      ...(value && { value: valueFinding(asRecorded, value) }),
      ...(said && !value && !isVacantLot(facts) && { value: noValueFinding(said.unavailable!) }),
    } as AssessmentRow['explanation'],
  }
}

/** What an assessment reads of the market: its models as stored now, and new houses and returns as the stored assessment has them. */
const readView = async (context: Pick<Context, 'db' | 'now'>, visible: VisibleProperty, stored: AssessmentRow) => {
  const { db } = context
  const { market, citySlug } = visible.property
  const pack = packOf(market)
  const [dated, curve, times, heat, rent] = await Promise.all([
    valueModel(db, market),
    latestModel<ConditionValueModel>(db, 'condition-value', market),
    latestModel<PermitTimes>(db, 'permit-times', market),
    latestHeat(db, market, citySlug, visible.facts.propertyType ?? 'all'),
    rentOf(context, visible),
  ])
  const sold = stored.redevelopment?.newHouses
  const view = {
    ...{ pack, on: dated?.on ?? dayOf(stored.assessedAt), value: dated?.model, permitTimes: times },
    conditionValue: curve && 'curve' in curve ? curve : conditionPrior(pack),
    newHouseLimits: { of: () => sold },
    meanRoiPct: stored.proforma?.assumptions.marketMeanRoiPct,
  }
  return { view, heat, rent }
}

/** The lead with the finding of the corrected facts. Rents and prices around it are stored with the unit. */
const withFinding = (
  lead: AssessmentRow['leads'][number],
  again: ReturnType<typeof parcelLeads>['byLaw'][number]['finding'] | undefined,
): typeof lead => {
  if (!again) return lead
  const { trace: _, ...finding } = again
  const hasUnits = 'aduScore' in finding && finding.units.length > 0
  const known = hasUnits ? pick(lead.finding as StoredAduFinding, 'economics', 'rents', 'cityPerSqft') : {}
  return { ...lead, finding: { ...finding, ...known } as typeof lead.finding }
}

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

/** For the answer: the assumptions of the caller, each fact that the caller corrected, and what it replaces. */
export const ownInputsUsed = (
  { ownFacts }: VisibleProperty,
  ownSet: OwnSet | undefined,
): { assumptions?: OwnSet['used']; ownFacts?: OwnFactUsed[] } => ({
  ...(ownSet ? { assumptions: ownSet.used } : {}),
  ...(ownFacts
    ? {
        ownFacts: ownFactNames.flatMap((fact) => {
          const [value, recorded] = [ownFacts.facts[fact], ownFacts.recorded[fact]]
          return value === undefined ? [] : [{ fact, value, ...(recorded === undefined ? {} : { recorded }) }]
        }),
      }
    : {}),
})
