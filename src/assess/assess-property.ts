// Assesses one property: value, pro forma, scores and leads, each with its explanation. Pure: no database, no clock.
import { hash } from 'node:crypto'
import { type Assumptions, assumptionsFor, isDefault } from '../domain/assumptions/assumptions.ts'
import { type Confidence, isOnMarket } from '../domain/facts.ts'
import type { AduUnit, StoredAduFinding } from '../domain/findings/adu.ts'
import type { Envelope } from '../domain/findings/building-envelope.ts'
import type { StoredOffers } from '../domain/findings/decision.ts'
import type { BiddingFinding, ConditionFinding, FlipFinding, ScorePart } from '../domain/findings/findings.ts'
import { isAllowed, isUseKind, mostHomes } from '../domain/findings/laws.ts'
import type { ExpectedPrice, Proforma } from '../domain/findings/proforma.ts'
import type { ValueUnavailable } from '../domain/findings/value.ts'
import { expectedPrice, priceTension } from '../intelligence/bidding-war/expected-price.ts'
import { conditionScore, hasEvidence } from '../intelligence/condition/condition.ts'
import { historicCharm } from '../intelligence/condition/historic-charm.ts'
import { flipOffer, rentOffer } from '../intelligence/decision/offers.ts'
import { type AduPlace, aduUnits } from '../intelligence/proforma/adu-economics.ts'
import { holdOf } from '../intelligence/proforma/hold.ts'
import { hearingFor, type ProformaResult, proforma } from '../intelligence/proforma/proforma.ts'
import { proformaInputOf } from '../intelligence/proforma/proforma-input.ts'
import { rentFor } from '../intelligence/proforma/rent.ts'
import { flippability, needsRenovation } from '../intelligence/scores/flippability.ts'
import { sqft, usd } from '../intelligence/scores/number-format.ts'
import { newHouseApproval } from '../intelligence/site/demolition-approval.ts'
import { houseReplacement } from '../intelligence/site/house-replacement.ts'
import { isVacantLot } from '../intelligence/site/vacant-lot.ts'
import { rankScore } from '../intelligence/statistics/rank-score.ts'
import { teardownScore } from '../intelligence/teardown/teardown.ts'
import type { TeardownFacts } from '../intelligence/teardown/teardown-facts.ts'
import { type RenovatedComparable, storedResale } from '../intelligence/valuation/after-repair.ts'
import {
  inPresentCondition,
  noValueFinding,
  type PresentValue,
  renovationValues,
  valueFields,
  valueFinding,
  withNote,
} from '../intelligence/valuation/present-value.ts'
import { recentComparables } from '../intelligence/valuation/recent-comparables.ts'
import { type Valuation, valueOrReason } from '../intelligence/valuation/value-home.ts'
import type { LawLead } from '../laws/law.ts'
import { bestLead } from '../laws/list.ts'
import { type ParcelLeads, parcelLeads } from '../laws/parcel-leads.ts'
import {
  type Assessment,
  type AssessmentContent,
  contentJson,
  contentText,
  type StoredLead,
} from '../store/assessments/assessments.ts'
import type { SubjectPermit } from '../store/assessments/market-facts.ts'
import type { Subject } from '../store/assessments/subjects.ts'
import type { StoredExplanation } from '../wire/explanation.ts'
import { biddingWarOf } from './bidding-war-of.ts'
import type { CityHeat } from './city-heat.ts'
import type { MarketView } from './market-view.ts'
import { permitSpendingUsd } from './permit-spending.ts'
import { factsOf, type SubjectFacts } from './subject-facts.ts'
import { teardownHome } from './teardown-home.ts'
import { rentIn, unitPlace, usesOf } from './uses-of.ts'

/** `past`: the day of the assessment if it is in the past. Results of another day are another result, also if they are equal. */
export const assessProperty = (
  subject: Subject,
  permits: readonly SubjectPermit[],
  view: MarketView,
  past?: string,
): Assessment => {
  const facts = { ...factsOf(subject), permits }
  const replaced = houseReplacement(facts, view.today)
  const listed = facts.listPriceUsd !== undefined
  const { envelope, input, resaleComps, offMarketComps } = proformaInputOf(facts, view)
  const found = view.value ? valueOrReason(view.value, facts, view.on) : { unavailable: noModel }
  // Of a home in the condition usual for its age, as other models were fitted on it.
  const { value } = found
  const recent = view.value && recentComparables(view.value, facts, view.on)
  const heat = view.heat.of(facts.citySlug, facts.propertyType)
  const condition = conditionOf(facts, view.on)
  const bidding = listed ? biddingWarOf(facts, subject.listing!, { value, heat, condition }, view) : undefined
  const valued = value ?? (isVacantLot(facts) ? view.landSales.value(facts) : undefined)
  const inCondition = valued && inPresentCondition(facts, view, withNote(valued, replaced), condition)
  const priced = expectedPriceOf(subject, view, bidding, value)
  const tension = priceTension(priced, inCondition, subject.listing?.priceUsd)
  const expected = priced && tension ? notHigh(priced) : priced
  // The stored confidence does not follow from the asking price, which some keys may not see; what is computed here does.
  const present = inCondition && tension ? notHigh(inCondition) : inCondition
  // Without a price it would only say that the price is missing.
  const built = listed ? proforma({ ...input, expectedPrice: expected }) : undefined
  const teardown = teardownScore(
    view.teardown,
    { ...teardownFactsOf(facts, view, { envelope, condition, returnPct: built?.returnPct, value: present }), replaced },
    view.on,
  )
  const flip = listed ? flipOf(facts, view, { value: present, condition, heat, expected, replaced }) : undefined
  const market = view.pack?.market
  const charm = market?.charm ? historicCharm({ ...facts, ...facts.overlays }, market.charm) : undefined
  const seen = facts.condition !== undefined || hasEvidence(condition) ? { conditionScore: condition.score } : {}
  const leads = parcelLeads({ ...facts, ...seen }, view.today, view.pack, envelope, input.newHouses)

  const scores = { teardownScore: teardown.score, flippabilityScore: flip?.score, historicCharm: charm?.score }
  const { redevelopmentScore } = leads.redevelopment
  const content: AssessmentContent = {
    ...scores,
    conditionScore: condition.score,
    rankScore: market && rankScore(market.ranking, { ...scores, redevelopmentScore }),
    biddingWar: bidding?.score,
    developerRoi: built?.developerROI,
    proforma: built ? { ...built.proforma, ...(tension ? { priceTension: tension } : {}) } : undefined,
    offers: built
      ? offersOf(facts, view, {
          built: built.proforma,
          envelope,
          flip,
          value: present,
          noValue: valued ? undefined : found.unavailable,
        })
      : undefined,
    ...valueFields(present),
    recentSalesCount: recent?.recentSalesCount,
    avgPricePerSqft: recent?.avgPricePerSqft === undefined ? undefined : Math.round(recent.avgPricePerSqft),
    explanation: {
      teardown,
      condition,
      ...(flip ? { flippability: flip } : {}),
      ...(charm ? { historicCharm: charm } : {}),
      ...(bidding ? { biddingWar: bidding } : {}),
      ...(built ? { proforma: proformaFinding(built, input.comps.confidence, resaleComps) } : {}),
      value: inCondition ? valueFinding(facts, inCondition) : noValueFinding(found.unavailable!),
    },
    uses: usesOf(facts, view, {
      ...{ input, envelope, leads, offMarketComps, condition, heat, flip, value: present },
      status: subject.listing?.status,
    }),
    ...leadFields(leads, (units) => unitEconomics(facts, units, view)),
  }
  const json = contentJson(content)
  return {
    propertyId: facts.id,
    market: facts.market,
    citySlug: facts.citySlug,
    modelVersion: view.version,
    assessedOn: view.today,
    ...content,
    json,
    // The model version is not part of the hash, so a refit that does not change the results does not rewrite the row.
    contentHash: hash('sha1', contentText(json) + (past ?? ''), 'base64url'),
  }
}

const teardownFactsOf = (
  facts: SubjectFacts & { permits: readonly SubjectPermit[] },
  view: MarketView,
  found: { envelope: Envelope; condition: ConditionFinding; returnPct?: number; value: Valuation | undefined },
): TeardownFacts => ({
  ...teardownHome(facts, view),
  priceUsd: facts.listPriceUsd ?? found.value?.valueUsd,
  valueUsd: found.value?.valueUsd,
  envelopeSqft: found.envelope.maxSqft,
  assessedLandUsd: facts.assessedLandUsd,
  assessedImprovementUsd: facts.assessedImprovementUsd,
  rebuildsNearby: view.rebuilds.near(facts.lat, facts.lng, facts.id),
  cityPace: view.demolitionRates.of(facts.citySlug),
  conditionScore: found.condition.score,
  landPhrases: facts.remarks === undefined ? undefined : found.condition.landPhrases.length,
  recentPermitsUsd: permitSpendingUsd(facts, view.on, view.permitCities.has(facts.citySlug)),
  redevelopmentReturn: found.returnPct === undefined ? undefined : found.returnPct / 100,
})

/** Of a home on the market. */
const expectedPriceOf = (
  { listing }: Subject,
  { biddingWar }: MarketView,
  bidding: BiddingFinding | undefined,
  value: Valuation | undefined,
): ExpectedPrice | undefined =>
  listing?.priceUsd && bidding?.probability !== undefined && biddingWar.saleToList && isOnMarket(listing.status)
    ? expectedPrice(biddingWar.saleToList, listing.priceUsd, bidding.probability, value?.valueUsd)
    : undefined

const notHigh = <T extends { confidence?: Confidence }>(figure: T): T =>
  figure.confidence === 'high' ? { ...figure, confidence: 'medium' } : figure

const flipOf = (
  facts: SubjectFacts,
  view: MarketView,
  found: {
    value: PresentValue | undefined
    condition: ConditionFinding
    heat: CityHeat
    expected: ExpectedPrice | undefined
    replaced: string | undefined
  },
) => {
  const { value, condition, heat, expected, replaced } = found
  const resale = value && renovationValues(facts, view, value, condition.score)
  return flippability({
    pack: view.pack,
    propertyType: facts.propertyType,
    replaced,
    priceUsd: facts.listPriceUsd,
    expectedPriceUsd: expected?.p50,
    valueNowUsd: resale?.valueNowUsd,
    afterRepairValueUsd: resale?.afterRepairValueUsd,
    livingSqft: facts.livingSqft,
    conditionScore: condition.score,
    heat: heat.score,
    daysToPending: heat.daysToPending,
    valueConfidence: value?.confidence,
    costs: assumptionsFor(view.pack, facts.city),
  })
}

/** What each use could bear, and whether what it needs may be refused. */
const offersOf = (
  facts: SubjectFacts,
  view: MarketView,
  found: {
    built: Proforma
    envelope: Envelope
    flip: FlipFinding | undefined
    value: PresentValue | undefined
    noValue: ValueUnavailable | undefined
  },
): StoredOffers => {
  const { built, envelope, flip, value, noValue } = found
  const assumptions = assumptionsFor(view.pack, facts.city)
  const priceUsd = facts.listPriceUsd!
  const rent = rentFor(facts, (bedrooms) => rentIn(facts, view, bedrooms))
  const rentUsd = 'amount' in rent ? rent.amount : undefined
  const { propertyType, livingSqft } = facts
  const review = view.pack?.market.demolitionReview
  const hearing = built.buildSqft === undefined ? undefined : hearingFor(envelope, built.buildSqft)
  return {
    propertyType,
    livingSqft,
    valueConfidence: value?.confidence,
    noValue: noValue?.text,
    priceToValue: value && Math.round((1000 * priceUsd) / value.valueUsd) / 1000,
    newHouse: newHouseApproval(facts, review, hearing),
    flip: storedFlip(flip, assumptions),
    monthlyRent: rentUsd,
    rent:
      rentUsd === undefined || livingSqft === undefined
        ? undefined
        : rentOffer(
            holdOf({ priceUsd, rentUsd, livingSqft }, assumptions, (name) => isDefault(view.pack, name)),
            assumptions.targetHoldYieldPct,
          ),
  }
}

const storedFlip = (flip: FlipFinding | undefined, assumptions: Assumptions): StoredOffers['flip'] => {
  // Without work there is nothing to renovate.
  if (!flip?.deal || !needsRenovation(flip.deal.conditionNow)) return undefined
  const { valueNowUsd, afterRepairValueUsd, conditionNow, daysToPending } = flip.deal
  const { confidence } = flip
  const targetPct = assumptions.targetRenovatePct
  return {
    ...{ valueNowUsd, afterRepairValueUsd, conditionNow, daysToPending, confidence },
    ...flipOffer(flip.deal, { assumptions, targetPct, confidence }),
  }
}

/** A vacant lot has no condition; its remarks may still name the land. */
const conditionOf = (facts: SubjectFacts, on: string): ConditionFinding => {
  const found = conditionScore(facts, on)
  return isVacantLot(facts) ? { ...found, score: undefined, level: undefined, parts: [], confidence: 'low' } : found
}

const noModel: ValueUnavailable = {
  reason: 'TOO_FEW_SALES',
  text: 'The market has too few known sales to value homes.',
}

/** Leaves out the rule traces: they are long and depend only on the parcel, so they are computed when requested. */
const leadFields = (
  leads: ParcelLeads,
  economicsOf: (units: readonly AduUnit[]) => StoredEconomics | undefined,
): Partial<AssessmentContent> => {
  const { redevelopmentScore, ...rebuild } = leads.redevelopment
  const uses = leads.byLaw.flatMap(({ finding }) => finding.uses ?? [])
  const stored = leads.byLaw.filter(({ kind, finding }) => !isUseKind(kind) || finding.uses?.some(({ homes }) => homes))
  return {
    leads: stored.map((lead) => storedLead(lead, bestLead(stored, lead.kind) === lead, economicsOf)),
    homes: mostHomes(uses),
    allowedUses: [...new Set(uses.filter(isAllowed).map(({ scheme }) => scheme))].join(' '),
    redevelopmentScore,
    redevelopmentClass: rebuild.class,
    redevelopmentBlocked: rebuild.blockers.length > 0,
    redevelopment: { redevelopmentScore: whole(redevelopmentScore), ...rebuild },
  }
}

type StoredEconomics = Pick<StoredAduFinding, 'economics'> & AduPlace

/** What the best of the units that fit would cost and earn, at the market's assumptions. */
const unitEconomics = (
  facts: SubjectFacts,
  units: readonly AduUnit[],
  view: MarketView,
): StoredEconomics | undefined => {
  if (units.length === 0) return undefined
  const known = unitPlace(facts, view)
  const [economics] = aduUnits(units, known, assumptionsFor(view.pack, facts.city), (name) =>
    isDefault(view.pack, name),
  )
  return economics && { economics, ...known }
}

const storedLead = (
  { law, kind, finding: traced }: LawLead,
  best: boolean,
  economicsOf: (units: readonly AduUnit[]) => StoredEconomics | undefined,
): StoredLead => {
  const { trace: _trace, uses, ...rest } = traced
  // The uses of a split or of accessory units follow from the parcel alone, like the rules; those of other kinds are the finding.
  const finding = 'parts' in rest || 'sb9Status' in rest ? rest : { ...rest, uses: uses ?? [] }
  const economics = 'aduScore' in finding ? economicsOf(finding.units) : undefined
  const blockers = 'blockReasons' in finding ? finding.blockReasons : finding.blockers
  return {
    law: law.id,
    kind,
    best,
    blocked: blockers.length > 0,
    maxUnits: 'maxUnits' in finding ? finding.maxUnits : mostHomes(uses ?? []),
    ...('aduScore' in finding ? { score: finding.aduScore } : {}),
    ...('sb9Status' in finding ? { status: finding.sb9Status } : {}),
    finding: economics ? { ...finding, ...economics } : finding,
  }
}

const proformaFinding = (
  built: ProformaResult,
  compConfidence: Confidence,
  resaleComps: readonly RenovatedComparable[],
): NonNullable<StoredExplanation['proforma']> => ({
  parts: proformaParts(built),
  used: built.used,
  missing: built.missing,
  confidence: built.proforma.confidence,
  compConfidence,
  warnings: built.warnings,
  because: built.because,
  ...(built.proforma.unmodellableReason === null ? { resaleComps: resaleComps.map(storedResale) } : {}),
})

const resaleSentence = (buildSqft: number, arvPerSqft: number): string =>
  `${sqft(buildSqft)} at ${usd(arvPerSqft)} per sq ft, minus selling costs`

/** Dollars instead of points: resale and capital. */
const proformaParts = ({ proforma: { resaleNet, capital, buildSqft, arvPerSqft } }: ProformaResult): ScorePart[] =>
  resaleNet === undefined || capital === undefined
    ? []
    : [
        { name: 'resaleNet', points: resaleNet, because: resaleSentence(buildSqft!, arvPerSqft!) },
        { name: 'capital', points: -capital, because: 'Price, construction, soft costs and demolition' },
      ]

const whole = (score: number | undefined) => (score === undefined ? undefined : Math.round(score))
