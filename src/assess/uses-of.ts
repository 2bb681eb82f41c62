// What every lawful use of a lot could bear, with the prices that it follows from.
import { isOnMarket } from '../domain/facts.ts'
import type { Envelope } from '../domain/findings/building-envelope.ts'
import type { ResaleComps, SchemePlace, SchemeRenovation, StoredUses } from '../domain/findings/decision.ts'
import type { ConditionFinding, FlipFinding } from '../domain/findings/findings.ts'
import { countyIn } from '../domain/packs/pack.ts'
import { hasEvidence } from '../intelligence/condition/condition.ts'
import type { AduPlace } from '../intelligence/proforma/adu-economics.ts'
import type { ProformaInput } from '../intelligence/proforma/proforma.ts'
import { newHouseOn } from '../intelligence/proforma/proforma-input.ts'
import { monthlyRent, rentFor } from '../intelligence/proforma/rent.ts'
import { lowestConfidence } from '../intelligence/scores/confidence.ts'
import { needsRenovation } from '../intelligence/scores/flippability.ts'
import { afterRepairPerSqft } from '../intelligence/valuation/after-repair.ts'
import { type PresentValue, renovationValues } from '../intelligence/valuation/present-value.ts'
import { bestLead } from '../laws/list.ts'
import type { ParcelLeads } from '../laws/parcel-leads.ts'
import { computeSchemes, offersOf } from '../schemes/compute.ts'
import { makeSite, usesToStore } from '../schemes/make-site.ts'
import { smallLotShare } from '../schemes/prices.ts'
import type { CityHeat } from './city-heat.ts'
import type { MarketView } from './market-view.ts'
import type { SubjectFacts } from './subject-facts.ts'

/** Without the sales themselves. */
const stripped = (comps: ResaleComps): ResaleComps => {
  const { arvPerSqft: perSqft, compCount, compsCityMatched, compsTypeMatched, largestCompSqft, confidence } = comps
  const arvPerSqft = perSqft === undefined ? undefined : Math.round(perSqft)
  return { arvPerSqft, compCount, compsCityMatched, compsTypeMatched, largestCompSqft, confidence }
}

/** What every lawful use of the lot could bear. */
export const usesOf = (
  facts: SubjectFacts,
  view: MarketView,
  figures: {
    input: ProformaInput
    envelope: Envelope
    leads: ParcelLeads
    offMarketComps: ResaleComps | undefined
    value: PresentValue | undefined
    condition: ConditionFinding
    heat: CityHeat
    flip: FlipFinding | undefined
    status: string | undefined
  },
): StoredUses => {
  const { input, leads, value, envelope, offMarketComps } = figures
  const { pack } = view
  const accessory = bestLead(leads.byLaw, 'accessory_unit')?.finding
  const { medianPerSqft: perSqft, medianSqft: sqft, medianLotSqft: lotSqft } = view.levels.of(facts.citySlug)
  const site = makeSite({
    facts,
    pack,
    byLaw: leads.byLaw,
    envelope,
    assumptions: input.assumptions,
    permit: input.permit!,
    newHouses: input.newHouses,
    comps: offMarketComps ?? input.comps,
    accessory: accessory && { units: accessory.units, maxUnits: accessory.maxUnits, ...unitPlace(facts, view) },
    rentUsd: rentUsdOf(facts, view),
    value: value && {
      value: Math.round(value.valueUsd),
      low: Math.round(value.lowUsd),
      high: Math.round(value.highUsd),
      confidence: value.confidence,
    },
    renovation: renovationOf(facts, view, figures),
    place: {
      ...{ perSqft, sqft, lotSqft, land: view.landSales.near(facts), sold: view.productSales(facts) },
      halfLot: halfLotOf(facts, view, leads),
    },
  })
  // A home on the market has them in its pro forma, which no history window hides.
  const comps = isOnMarket(figures.status) || site.comps.compCount === 0 ? undefined : stripped(site.comps)
  return usesToStore(site, offersOf(computeSchemes(site)), comps)
}

/** Of a listed home from its flip. Of another only where evidence shows its condition. */
const renovationOf = (
  facts: SubjectFacts,
  view: MarketView,
  { value, condition, heat, flip }: Parameters<typeof usesOf>[2],
): SchemeRenovation | undefined => {
  if (flip?.deal) {
    const { afterRepairValueUsd, conditionNow, daysToPending } = flip.deal
    return { afterRepairValueUsd, conditionNow, daysToPending, confidence: flip.confidence }
  }
  const { score } = condition
  if (facts.listPriceUsd !== undefined || !value || score === undefined || !hasEvidence(condition)) return undefined
  if (facts.propertyType !== 'single_family' || !needsRenovation(score)) return undefined
  const { afterRepairValueUsd } = renovationValues(facts, view, value, score)
  return { afterRepairValueUsd, conditionNow: score, daysToPending: heat.daysToPending, confidence: value.confidence }
}

/** New houses on half of the lot, where a split is possible and such lots are not unusual in the city. */
const halfLotOf = (facts: SubjectFacts, view: MarketView, leads: ParcelLeads): SchemePlace['halfLot'] => {
  const { medianLotSqft } = view.levels.of(facts.citySlug)
  const { lotSqft } = facts
  const splits = leads.byLaw.some(({ finding }) =>
    finding.uses?.some(
      ({ scheme, variant, allowed }) => scheme === 'split' && variant !== 'house_stays' && allowed !== 'no',
    ),
  )
  if (!view.value || !splits || !lotSqft || !medianLotSqft || lotSqft / 2 < smallLotShare * medianLotSqft)
    return undefined
  const half = { ...newHouseOn(facts), lotSqft: Math.floor(lotSqft / 2) }
  const levels = [1_500, 3_000].map((sqft) => afterRepairPerSqft(view.value!, half, sqft, view.on))
  const [small, large] = levels
  if (!small || !large) return undefined
  return {
    at: [
      [1_500, Math.round(small.arvPerSqft)],
      [3_000, Math.round(large.arvPerSqft)],
    ],
    count: small.compCount,
    confidence: lowestConfidence(small.confidence, large.confidence),
  }
}

const rentIn = (facts: SubjectFacts, view: MarketView, bedrooms: number) =>
  monthlyRent(view.rents, { zip: facts.zip, county: countyIn(view.pack, facts) }, bedrooms, view.on)

/** Undefined where no rent is known. */
export const rentUsdOf = (facts: SubjectFacts, view: MarketView): number | undefined => {
  const rent = rentFor(facts, (bedrooms) => rentIn(facts, view, bedrooms))
  return 'amount' in rent ? rent.amount : undefined
}

export const unitPlace = (facts: SubjectFacts, view: MarketView): AduPlace => ({
  rents: Object.fromEntries([0, 1, 2].map((bedrooms) => [bedrooms, rentIn(facts, view, bedrooms)])),
  cityPerSqft: view.levels.of(facts.citySlug).medianPerSqft,
})
