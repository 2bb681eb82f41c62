import { keysOf, pick, tableOf } from '../common/typed.ts'
import { ownIn } from '../criteria/own-assumptions.ts'
import { describeDefaults } from '../domain/assumptions/assumptions.ts'
import { dayOf } from '../domain/day.ts'
import type { Overlays } from '../domain/facts.ts'
import { type ComparableSale, recentSales, type StoredResaleSale } from '../domain/findings/comps.ts'
import { comparablesValue } from '../intelligence/valuation/comparables.ts'
import { type HeatRow, latestHeat } from '../store/assessments/models.ts'
import { marketRanks } from '../store/assessments/score-distributions.ts'
import { sourcesWithout } from '../store/exports/exports.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { outlineOf } from '../store/map/places.ts'
import { type PermitRow, permitsOfProperty } from '../store/permits/permits.ts'
import { soldHomes } from '../store/properties/comparable-sales.ts'
import {
  type AssessmentRow,
  assessmentHistory,
  assessmentOf,
  type HistoryRow,
  type PropertyRow,
} from '../store/properties/properties.ts'
import { storedTimeline } from '../store/properties/timeline.ts'
import { withinWindow } from '../wire/events/visible.ts'
import { getPropertyIntelligence } from '../wire/operations/properties.ts'
import type { TimelinePermit } from '../wire/permit.ts'
import { windowStart } from '../wire/plans.ts'
import type { PropertyDetail, PropertyFacts, ScoreChange } from '../wire/property.ts'
import { askComparables, askValue, type FoundComparable } from './ask-value.ts'
import { type Context, implement } from './context.ts'
import { bestUseOf, decisionAbout, ownFlip, rankedFlip } from './decisions.ts'
import { earningsOf } from './earnings.ts'
import { explainProperty, withoutOldRecords, withoutRemarks } from './explain-property.ts'
import { listingMedia } from './listing-media.ts'
import { type OwnSet, ownAssumptionsOf, withOwnReturns } from './own-assumptions.ts'
import { ownInputsUsed, withOwnFacts } from './own-facts.ts'
import { provenanceOf } from './provenance.ts'
import { ranksOf } from './ranks.ts'
import { usesAt } from './schemes.ts'
import { assessedFields, scoreOf, valueConfidence, valueRange } from './served-values.ts'
import { timelineOf, valueMovesSince } from './timeline.ts'
import { type VisibleProperty, visibleProperty } from './visible-property.ts'

export const getPropertyRun = implement(
  getPropertyIntelligence,
  async (context, { id, include = [], assumptionSet, assumptions }) => {
    const { db, caller, now, surface } = context
    const visible = await visibleProperty(context, id)
    const { property, listing, hidden } = visible
    const media = listing && listingMedia(listing, surface)
    const wants = (part: (typeof include)[number]) => include.includes(part)
    const [stored, current, market, heat, history, timeline, permits, outline] = await Promise.all([
      assessmentOf(db, id),
      asOf(db, ['parcels', 'listings', 'sales'], property.market),
      marketRanks(db, property.market),
      latestHeat(db, property.market, property.citySlug, visible.facts.propertyType ?? 'all'),
      wants('history') ? assessmentHistory(db, id) : undefined,
      wants('timeline') ? sourcesWithout(db, surface).then((hidden) => storedTimeline(db, id, hidden)) : undefined,
      wants('permits') ? permitsOfProperty(db, id, windowStart(caller.limits, now)) : undefined,
      wants('shape') ? outlineOf(db, id) : undefined,
    ])
    const since = windowStart(caller.limits, now)
    const ownSet = await ownAssumptionsOf(context, { assumptionSet, assumptions }, property.market)
    const priced = stored && (await callersAssessment(context, visible, stored, ownSet))
    const valued = priced?.valueUsd !== undefined
    // What the owner says about the condition is evidence beside the value model.
    const home = visible.ownFacts ? { ...visible.facts, condition: visible.ownFacts.recorded.condition } : visible.facts
    const valueAnswer = valued && wants('explanation') ? await askValue(db, home) : undefined
    const assessment =
      since !== undefined && priced?.explanation
        ? { ...priced, explanation: withoutOldRecords(priced.explanation) }
        : priced
    const earnings = await earningsOf(
      context,
      visible,
      { priceUsd: listing?.price, leads: priced?.leads },
      ownIn(ownSet?.values ?? {}, property.citySlug),
    )
    // Ranks do not follow own assumptions, only facts of the home.
    const ranked = visible.ownFacts ? assessment : stored
    const isOwn = ownSet !== undefined || visible.ownFacts !== undefined
    const { uses, allOffers } =
      assessment && isOwn
        ? await usesAt(context, visible, assessment, ownSet?.values)
        : { uses: assessment?.uses, allOffers: undefined }
    const decision = decisionAbout(
      {
        ...pick(property, 'market', 'city'),
        ...pick(listing, 'status', 'soldOn', 'price'),
        ...pick(assessment, 'proforma', 'offers', 'assessedOn', 'valueUsd', 'valueHighUsd'),
        ...{ uses, allOffers, propertyType: visible.facts.propertyType },
        noValue: assessment?.explanation?.value?.unavailable?.text,
      },
      ownSet?.values,
    )
    const data: PropertyDetail = {
      ...pick(property, 'id', 'address', 'city', 'zip', 'market'),
      price: listing?.price,
      status: listing?.status,
      soldDate: listing?.status === 'sold' ? listing.soldOn : undefined,
      soldPrice: listing?.status === 'sold' ? listing.soldPrice : undefined,
      listingUrl: media?.listingUrl,
      photos: media?.photos,
      verdict: decision.text,
      decision,
      bestUse:
        uses &&
        bestUseOf({
          ...{ ...uses, status: listing?.status, price: listing?.price },
          expected: listing && assessment?.proforma?.expectedPrice,
        }),
      intelligence: {
        ...intelligenceOf(assessment, heat),
        ranks: ranksOf(market, rankedScores(assessment, ranked?.offers)),
      },
      ...earnings,
      comparables: comparablesOf(assessment),
      facts: factsOf(visible),
      notAssessed: stored
        ? undefined
        : 'Loaded, not yet assessed: the value and the scores of this property are not computed yet.',
      goneAt: property.removedAt?.toISOString(),
      source: provenanceOf(listing ? { ...listing, uses: media?.uses } : property, surface),
      explanation: wants('explanation') ? explainProperty(visible, assessment, heat, valueAnswer) : undefined,
      proforma: wants('proforma') ? assessment?.proforma : undefined,
      defaultAssumptions: defaultsBehind(assessment, wants),
      ...(wants('comps') ? await compsOf(context, home, assessment, since) : {}),
      history: history
        ?.filter(({ changedAt }) => since === undefined || dayOf(changedAt) >= since)
        .map((row) => scoreChange(since === undefined ? row : withinWindow('property.score_updated', row), hidden)),
      timeline: timeline && timelineOf(timeline, since, hidden),
      last30Days: timeline && valueMovesSince(timeline, dayOf(new Date(now.getTime() - 30 * 86_400_000)), hidden),
      permits: permits?.map(timelinePermit),
      shape: outline && { type: 'MultiPolygon', coordinates: outline },
    }
    return { success: true, data, asOf: current, ...ownInputsUsed(visible, ownSet) }
  },
)

/** At the caller's own facts and assumptions, and without what follows from a price that the caller may not see. */
const callersAssessment = async (
  context: Context,
  visible: VisibleProperty,
  stored: AssessmentRow,
  ownSet: OwnSet | undefined,
): Promise<AssessmentRow> => {
  const shown = visible.hidden ? withoutPrice(stored) : stored
  if (visible.ownFacts) return withOwnFacts(context, visible, shown, ownSet?.values)
  return visible.hidden ? shown : withOwnNumbers(context.db, visible, shown, ownSet)
}

/** The comparables behind the value and the resale, without those that the history window hides. */
const compsOf = async (
  context: Context,
  home: VisibleProperty['facts'],
  assessment: AssessmentRow | undefined,
  since: string | undefined,
): Promise<Pick<PropertyDetail, 'comps' | 'compsValue' | 'resaleComps' | 'compsWithheld'>> => {
  const all = assessment?.valueUsd === undefined ? [] : await askComparables(context.db, home)
  const value = comparablesValue(all)
  const isShown = ({ soldOn }: StoredSale) => since === undefined || soldOn >= since
  const shown = all.filter(isShown)
  const resale = assessment?.explanation?.proforma?.resaleComps?.filter(isShown).map(resaleSale)
  return {
    comps: shown.map((sale) => gridSale(sale, assessment?.valueUsd)),
    compsValue: value && Math.round(value),
    resaleComps: resale && (await withHomes(context, home.market, resale)),
    compsWithheld: all.length - shown.length || undefined,
  }
}

const rankedScores = (
  assessment: AssessmentRow | undefined,
  offers: AssessmentRow['offers'] | undefined,
): Parameters<typeof ranksOf>[1] => ({
  teardownScore: assessment?.teardownScore,
  ...rankedFlip(assessment?.flippabilityScore, offers),
  conditionScore: assessment?.conditionScore,
  historicCharm: assessment?.historicCharm,
  biddingWarPredictor: assessment?.biddingWar,
  aduScore: assessment?.leads.flatMap(({ finding }) => ('aduScore' in finding ? [finding.aduScore] : []))[0],
  redevelopmentScore: assessment?.redevelopment?.redevelopmentScore,
})

/** The pro forma and the flip at the caller's own assumptions. */
const withOwnNumbers = async (
  db: Context['db'],
  { property, facts, listing }: VisibleProperty,
  assessment: AssessmentRow,
  ownSet: OwnSet | undefined,
): Promise<AssessmentRow> => {
  if (!ownSet) return assessment
  const query = { markets: [property.market], today: '' }
  const [row] = await withOwnReturns(
    db,
    query,
    [{ ...assessment, id: property.id, market: property.market, city: property.city, price: listing?.price }],
    ownSet,
  )
  const flip = assessment.explanation?.flippability
  const home = { ...pick(facts, 'market', 'city', 'livingSqft'), price: listing?.price, proforma: assessment.proforma }
  const deal = flip?.deal && ownFlip(flip.deal, home, ownSet.values)
  return {
    ...assessment,
    proforma: row!.proforma,
    offers: row!.offers,
    developerRoi: row!.developerRoi,
    ...(deal ? { explanation: { ...assessment.explanation, flippability: { ...flip, deal } } } : {}),
  }
}

/** Removes everything that is computed from the hidden price and would reveal it, including explanations. */
const withoutPrice = (assessment: AssessmentRow): AssessmentRow => {
  const { teardown: _t, flippability: _f, biddingWar: _b, proforma: _p, ...explanation } = assessment.explanation ?? {}
  return {
    ...assessment,
    flippabilityScore: undefined,
    biddingWar: undefined,
    proforma: undefined,
    offers: undefined,
    developerRoi: undefined,
    explanation: withoutRemarks(explanation),
  }
}

/** The defaults behind the parts of the answer that were asked for; undefined if there are none. */
const defaultsBehind = (
  assessment: AssessmentRow | undefined,
  wants: (part: 'proforma' | 'explanation') => boolean,
): PropertyDetail['defaultAssumptions'] => {
  const names = [
    ...((wants('proforma') && assessment?.proforma?.defaults) || []),
    ...((wants('explanation') && assessment?.explanation?.flippability?.deal?.defaults) || []),
    ...((wants('explanation') && assessment?.redevelopment?.defaults) || []),
  ]
  return names.length === 0 ? undefined : describeDefaults(names)
}

const intelligenceOf = (
  assessment: AssessmentRow | undefined,
  heat: HeatRow | undefined,
): PropertyDetail['intelligence'] => ({
  ...assessedFields(assessment ?? {}),
  marketHeatIndex: assessment && scoreOf(heat?.heatIndex),
  biddingWarPredictor: scoreOf(assessment?.biddingWar),
  valueEstimate: valueRange(assessment ?? {}, {
    confidence: valueConfidence(assessment?.explanation?.value?.confidence, assessment?.proforma),
    ...pick(assessment?.explanation?.value, 'basis', 'support', 'note'),
    asOf: assessment?.assessedOn,
  }),
  valueUnavailable: assessment?.explanation?.value?.unavailable,
  modelVersion: assessment?.modelVersion,
})

/** States the count together with its time window. */
const comparablesOf = (assessment: AssessmentRow | undefined): PropertyDetail['comparables'] =>
  assessment?.recentSalesCount === undefined
    ? {}
    : {
        recentSalesCount: assessment.recentSalesCount,
        avgPricePerSqft: assessment.avgPricePerSqft,
        windowMonths: recentSales.months,
        radiusMiles: recentSales.radiusMiles,
      }

const factsOf = ({ property, facts, listing }: VisibleProperty): PropertyFacts => ({
  ...facts,
  overlaySources: overlaySourcesOf(property, facts.overlays),
  storeys: facts.stories,
  citySlug: property.citySlug,
  zip: property.zip,
  ...pick(listing, 'listedOn', 'originalPrice', 'remarks', 'visionAnalysis'),
})

/** What no layer says is from the feed of the parcel. */
const overlaySourcesOf = (
  { overlaySources = {}, sourceId: source, sourceTitle: title, collectedAt }: PropertyRow,
  overlays: Overlays,
): PropertyFacts['overlaySources'] => {
  const known = keysOf(overlays).filter((name) => overlays[name] !== 'unknown')
  const propertySource = source && title && collectedAt ? { source, title, asOf: dayOf(collectedAt) } : undefined
  const named = { ...(propertySource ? tableOf(known, () => propertySource) : {}), ...overlaySources }
  return Object.keys(named).length > 0 ? named : undefined
}

type StoredSale = { saleId: string; soldOn: string }

/** Stored sales with the homes that were sold. */
const withHomes = async <Sale extends StoredSale>(
  { db }: Context,
  market: PropertyRow['market'],
  sales: readonly Sale[],
) => {
  const homes = await soldHomes(db, market, sales)
  return sales.map((sale) => ({ ...soldHome(homes.get(sale.saleId) ?? {}), ...sale }))
}

/** What a grid of sales shows of a home. */
const soldHome = (home: Partial<FoundComparable['home']>) =>
  pick(home, 'propertyId', 'address', 'city', 'lat', 'lng', 'livingSqft', 'lotSqft', 'beds', 'baths', 'yearBuilt')

const gridSale = ({ home, ...sale }: FoundComparable, valueUsd: number | undefined): ComparableSale => ({
  ...soldHome(home),
  ...pick(sale, 'saleId', 'soldOn', 'priceUsd'),
  distanceKm: Math.round(100 * sale.distanceKm) / 100,
  similarity: Math.round(sale.similarity),
  timeAdjustedUsd: Math.round(sale.timeAdjustedUsd),
  adjustments: tableOf(keysOf(sale.adjustments), (name) => Math.round(sale.adjustments[name])),
  attributeAdjustmentUsd: Math.round(sale.attributeAdjustmentUsd),
  unexplainedAdjustmentUsd: 0,
  unexplainedUsd: valueUsd === undefined ? undefined : Math.round(sale.adjustedUsd - valueUsd),
  adjustedUsd: Math.round(sale.adjustedUsd),
  weight: Math.round(1000 * sale.weight) / 1000,
})

const resaleSale = (sale: StoredResaleSale): StoredResaleSale => ({
  ...pick(sale, 'saleId', 'soldOn', 'priceUsd', 'distanceKm', 'pricePerSqft', 'timeAdjustedPerSqft'),
  ...pick(sale, 'adjustedPerSqft', 'weight'),
})

/** `hidden`: the price is hidden, and with it the flip score, which is computed from it. */
const scoreChange = (row: HistoryRow, hidden: boolean): ScoreChange => ({
  changedAt: row.changedAt.toISOString(),
  teardownScore: row.teardownScore,
  flippabilityScore: hidden ? undefined : row.flippabilityScore,
  previous: hidden ? { teardownScore: row.previous?.teardownScore } : row.previous,
  reason: row.reason,
  modelVersion: row.modelVersion,
})

const timelinePermit = (row: PermitRow): TimelinePermit => ({
  ...pick(row, 'permitId', 'city', 'citySlug'),
  addresses: row.otherAddresses && [...(row.address ? [row.address] : []), ...row.otherAddresses],
  ...pick(row, 'status', 'projectType', 'description'),
  valuation: row.valuation ?? null,
  units: row.units,
  permitClass: row.permitClass,
  appliedDate: row.appliedOn,
  issuedDate: row.issuedOn,
  finaledDate: row.finaledOn,
  goneAt: row.removedAt?.toISOString(),
})
