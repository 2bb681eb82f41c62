// Assesses one property: value, pro forma, scores and leads, each with its explanation. Pure: no database, no clock.
import { hash } from 'node:crypto'
import { assumptionsFor, isDefault } from '../domain/assumptions/assumptions.ts'
import { type Confidence, isOnMarket } from '../domain/facts.ts'
import type { AduUnit, StoredAduFinding } from '../domain/findings/adu.ts'
import type { Envelope } from '../domain/findings/building-envelope.ts'
import type { BiddingFinding, ConditionFinding } from '../domain/findings/findings.ts'
import { isAllowed, isUseKind, mostHomes } from '../domain/findings/laws.ts'
import type { ExpectedPrice } from '../domain/findings/proforma.ts'
import type { ValueUnavailable } from '../domain/findings/value.ts'
import { expectedPrice, priceTension } from '../intelligence/bidding-war/expected-price.ts'
import { conditionScore, hasEvidence } from '../intelligence/condition/condition.ts'
import { historicCharm } from '../intelligence/condition/historic-charm.ts'
import { flipFactsOf, listedOffers, proformaFinding } from '../intelligence/decision/listed-home.ts'
import { type AduPlace, aduUnits } from '../intelligence/proforma/adu-economics.ts'
import { proforma } from '../intelligence/proforma/proforma.ts'
import { proformaInputOf } from '../intelligence/proforma/proforma-input.ts'
import { flippability } from '../intelligence/scores/flippability.ts'
import { houseReplacement } from '../intelligence/site/house-replacement.ts'
import { isVacantLot } from '../intelligence/site/vacant-lot.ts'
import { rankScore } from '../intelligence/statistics/rank-score.ts'
import { teardownScore } from '../intelligence/teardown/teardown.ts'
import type { TeardownFacts } from '../intelligence/teardown/teardown-facts.ts'
import {
  inPresentCondition,
  noLandValue,
  noValueFinding,
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
import { biddingWarOf } from './bidding-war-of.ts'
import type { MarketView } from './market-view.ts'
import { permitSpendingUsd } from './permit-spending.ts'
import { factsOf, type SubjectFacts } from './subject-facts.ts'
import { teardownHome } from './teardown-home.ts'
import { rentUsdOf, unitPlace, usesOf } from './uses-of.ts'

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
  const valueAnswer = view.value ? valueOrReason(view.value, facts, view.on) : { unavailable: noModel }
  // Of a home in the condition usual for its age, as other models were fitted on it.
  const { value } = valueAnswer
  const recent = view.value && recentComparables(view.value, facts, view.on)
  const heat = view.heat.of(facts.citySlug, facts.propertyType)
  const condition = conditionOf(facts, view.on)
  const bidding = listed ? biddingWarOf(facts, subject.listing!, { value, heat, condition }, view) : undefined
  const valued = value ?? (isVacantLot(facts) ? view.landSales.value(facts) : undefined)
  const inCondition = valued && inPresentCondition(facts, view, withNote(valued, replaced), condition)
  const priced = expectedPriceOf(subject, view, bidding, value)
  const unavailable = valued ? undefined : isVacantLot(facts) ? noLandValue(facts) : valueAnswer.unavailable
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
  const costs = assumptionsFor(view.pack, facts.city)
  const flip = listed
    ? flippability(
        flipFactsOf(facts, view, present, {
          ...{ replaced, priceUsd: facts.listPriceUsd, expectedPriceUsd: expected?.p50, costs },
          ...{ conditionScore: condition.score, heat: heat.score, daysToPending: heat.daysToPending },
        }),
      )
    : undefined
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
      ? listedOffers(facts, {
          ...{ assumptions: costs, review: market?.demolitionReview, priceUsd: facts.listPriceUsd },
          rentUsd: rentUsdOf(facts, view),
          ...{ built: built.proforma, envelope, flip, value: present },
          noValue: unavailable?.text,
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
      value: inCondition ? valueFinding(facts, inCondition) : noValueFinding(unavailable!),
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
  figures: { envelope: Envelope; condition: ConditionFinding; returnPct?: number; value: Valuation | undefined },
): TeardownFacts => ({
  ...teardownHome(facts, view),
  priceUsd: facts.listPriceUsd ?? figures.value?.valueUsd,
  valueUsd: figures.value?.valueUsd,
  envelopeSqft: figures.envelope.maxSqft,
  assessedLandUsd: facts.assessedLandUsd,
  assessedImprovementUsd: facts.assessedImprovementUsd,
  rebuildsNearby: view.rebuilds.near(facts.lat, facts.lng, facts.id),
  cityPace: view.demolitionRates.of(facts.citySlug),
  conditionScore: figures.condition.score,
  landPhrases: facts.remarks === undefined ? undefined : figures.condition.landPhrases.length,
  recentPermitsUsd: permitSpendingUsd(facts, view.on, view.permitCities.has(facts.citySlug)),
  redevelopmentReturn: figures.returnPct === undefined ? undefined : figures.returnPct / 100,
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

const whole = (score: number | undefined) => (score === undefined ? undefined : Math.round(score))
