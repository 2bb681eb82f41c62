// A home computed again with the facts that the owner of a deal has corrected, for one answer. Nothing of it is stored or shared.
// Scores, ranks and the expected price stay those of the recorded facts.

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
    dayOf(found.assessedAt),
    pack,
    envelope,
    input.newHouses,
  )
  const assumptions = assumptionsWith(numbers, pack, facts.city)
  const flipFacts = flipFactsOf(facts, view, present, {
    ...{ replaced: present?.note, priceUsd: listing?.price, expectedPriceUsd: expectedPrice?.p50, costs: assumptions },
    ...{ conditionScore: condition?.score, heat: heat?.heatIndex },
    daysToPending: found.explanation?.flippability?.deal?.daysToPending,
  })
  const { confidence, excluded } = flippability(flipFacts)
  const flip = { deal: excluded ? undefined : flipDeal(flipFacts, ownIn(numbers, citySlug)), confidence, excluded }
  const offers =
    found.offers &&
    listedOffers(facts, {
      ...{ assumptions, review: pack?.market.demolitionReview, priceUsd: listing?.price },
      rentUsd: 'amount' in rent ? rent.amount : undefined,
      ...{ built: built.proforma, envelope, flip, value: present },
      noValue: value ? undefined : (unavailable?.text ?? found.offers.noValue),
    })
  return {
    ...found,
    // That of a vacant lot follows from sales of land, which the value model does not know.
    ...(isVacantLot(facts) ? {} : { valueUsd: undefined, valueLowUsd: undefined, valueHighUsd: undefined }),
    ...valueFields(value),
    conditionScore: condition?.score,
    developerRoi: found.proforma && built.developerROI,
    proforma: found.proforma && { ...built.proforma, ...(tension ? { priceTension: tension } : {}) },
    offers,
    uses: found.uses && {
      ...{ ...found.uses, comps: offMarketComps ?? found.uses.comps },
      renovation: offers?.flip ?? (listing ? undefined : found.uses.renovation),
    },
    redevelopment: { ...redevelopment, redevelopmentScore: found.redevelopment?.redevelopmentScore },
    leads: found.leads.map((lead) => withFinding(lead, byLaw.find(({ law }) => law.id === lead.law)?.finding)),
    explanation: {
      ...found.explanation,
      ...(condition ? { condition } : {}),
      ...(offers ? { flippability: { ...found.explanation?.flippability, ...flip } } : {}),
      ...(found.explanation?.proforma
        ? {
            proforma: {
              ...{ ...found.explanation.proforma, resaleComps: undefined },
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

/** The lead with the finding of the corrected facts. Rents and prices around it are stored with the unit. */
const withFinding = (
  lead: AssessmentRow['leads'][number],
  again: ReturnType<typeof parcelLeads>['byLaw'][number]['finding'] | undefined,
): typeof lead => {
  if (!again) return lead
  const { trace: _, ...finding } = again
  const known = 'aduScore' in finding && finding.units.length > 0 ? rentsOf(lead.finding as StoredAduFinding) : {}
  return { ...lead, finding: { ...finding, ...known } as typeof lead.finding }
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
