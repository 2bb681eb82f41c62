import { notFound } from '../contract/errors.ts'
import { getPropertyIntelligence } from '../contract/operations/properties.ts'
import { windowStart } from '../contract/plans.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { type PermitRow, permitsOfProperty } from '../store/permits/permits.ts'
import { soldHomes } from '../store/properties/comparable-sales.ts'
import type { AssessmentRow, ListingRow, PropertyRow } from '../store/properties/properties.ts'
import { assessmentHistory, assessmentOf, currentListing, propertyById } from '../store/properties/properties.ts'
import { type Context, implement } from './context.ts'
import { explainProperty } from './explain-property.ts'
import { provenanceOf } from './provenance.ts'
import { oneDecimal, scoreOf } from './serving.ts'

export const getPropertyRun = implement(getPropertyIntelligence, async (context, { id, include = [] }) => {
  const { db, caller, now } = context
  const { property, listing, hidden } = await visibleProperty(context, id)
  const wants = (part: (typeof include)[number]) => include.includes(part)
  const [found, current, history, permits] = await Promise.all([
    assessmentOf(db, id),
    asOf(db, ['parcels', 'listings', 'sales'], property.market),
    wants('history') ? assessmentHistory(db, id) : undefined,
    wants('permits') ? permitsOfProperty(db, id, windowStart(caller.limits, now)) : undefined,
  ])
  const assessment = hidden ? withoutPrice(found) : found
  return {
    success: true as const,
    data: {
      id: property.id,
      address: property.address,
      city: property.city,
      market: property.market,
      price: listing?.price,
      status: listing?.status,
      soldDate: listing?.status === 'sold' ? listing.soldOn : undefined,
      soldPrice: listing?.status === 'sold' ? listing.soldPrice : undefined,
      intelligence: {
        teardownScore: scoreOf(assessment?.teardownScore),
        flippabilityScore: scoreOf(assessment?.flippabilityScore),
        marketHeatIndex: scoreOf(assessment?.marketHeatIndex),
        biddingWarPredictor: scoreOf(assessment?.biddingWar),
        conditionScore: scoreOf(assessment?.conditionScore),
        historicCharm: scoreOf(assessment?.historicCharm),
        developerROI: oneDecimal(assessment?.developerRoi),
        proformaROI: assessment?.proforma?.roiPct as number | undefined,
        valueEstimate:
          assessment?.valueUsd === undefined
            ? undefined
            : {
                value: assessment.valueUsd,
                low: assessment.valueLowUsd ?? assessment.valueUsd,
                high: assessment.valueHighUsd ?? assessment.valueUsd,
              },
        modelVersion: assessment?.modelVersion,
      },
      comparables: {
        recentSalesCount: assessment?.recentSalesCount,
        avgPricePerSqft: assessment?.avgPricePerSqft,
      },
      facts: { ...parcelFacts(property), ...defined(listingFacts(listing)) },
      goneAt: property.goneAt?.toISOString(),
      source: provenanceOf(listing ?? property),
      explanation: wants('explanation') ? await explainProperty(db, property, listing, assessment) : undefined,
      proforma: wants('proforma') ? (assessment?.proforma as never) : undefined,
      comps: wants('comps') ? await compGrid(context, property.market, assessment?.comps ?? []) : undefined,
      history: history?.map(({ changedAt, ...change }) => ({ changedAt: changedAt.toISOString(), ...change })),
      permits: permits?.map(timelineEntry),
    },
    asOf: current,
  }
})

/**
 * The property as this caller may see it. To a windowed key a sale older than the window is hidden: the property
 * shows as a parcel, and is unknown if that listing is all that is known of it.
 */
export const visibleProperty = async ({ db, caller, now }: Context, id: string) => {
  const [property, listing] = await Promise.all([propertyById(db, id), currentListing(db, id)])
  if (!property)
    throw notFound(`There is no property "${id}". Identifiers come from /v1/market-signals and the lead lists.`)
  const since = windowStart(caller.limits, now)
  const hidden = listing?.status === 'sold' && since !== undefined && (listing.soldOn ?? '') < since
  if (hidden && property.knownFrom === 'listing')
    throw notFound(`There is no property "${id}" within this key's ${caller.limits.historyDays}-day history window.`)
  return { property, listing: hidden || listing?.status === 'withdrawn' ? undefined : listing, hidden }
}

/** Everything that starts from the hidden price and would give it away, its explanations too. */
const withoutPrice = (assessment: AssessmentRow | undefined): AssessmentRow | undefined => {
  if (!assessment) return undefined
  const { teardown: _t, flippability: _f, biddingWar: _b, proforma: _p, ...explanation } = assessment.explanation ?? {}
  return {
    ...assessment,
    flippabilityScore: undefined,
    biddingWar: undefined,
    proforma: undefined,
    developerRoi: undefined,
    explanation,
  }
}

/** The parcel's own facts: everything held but where it came from, which `source` says. */
const parcelFacts = (property: PropertyRow) =>
  Object.fromEntries(Object.entries(property).filter(([name]) => !provenanceFields.has(name)))

const provenanceFields = new Set([
  'knownFrom',
  'sourceId',
  'sourceTitle',
  'sourceUrl',
  'licence',
  'sample',
  'collectedAt',
  'goneAt',
])

/**
 * Each sale of the stored grid with the home that was sold. A sale older than a windowed key may read keeps its
 * arithmetic, so that the value can still be redone, and loses what says which sale it was.
 */
const compGrid = async (
  { db, caller, now }: Context,
  market: PropertyRow['market'],
  comps: Record<string, unknown>[],
) => {
  const since = windowStart(caller.limits, now)
  const sales = comps.filter((comp): comp is { saleId: string; soldOn: string } => typeof comp.saleId === 'string')
  const homes = await soldHomes(db, market, sales)
  return comps.map((comp) => {
    if (since === undefined || String(comp.soldOn) >= since) return { ...homes.get(String(comp.saleId)), ...comp }
    const { saleId: _s, soldOn: _d, ...arithmetic } = comp
    return arithmetic
  })
}

const listingFacts = (listing: ListingRow | undefined) =>
  listing && {
    livingSqft: listing.livingSqft,
    lotSqft: listing.lotSqft,
    beds: listing.beds,
    baths: listing.baths,
    yearBuilt: listing.yearBuilt,
    storeys: listing.storeys,
    listedOn: listing.listedOn,
    originalPrice: listing.originalPrice,
    remarks: listing.remarks,
    visionAnalysis: listing.visionAnalysis,
  }

const timelineEntry = (row: PermitRow) => ({
  permitId: row.permitId,
  city: row.city,
  citySlug: row.citySlug,
  status: row.status,
  projectType: row.projectType,
  description: row.description,
  valuation: row.valuation ?? null,
  permitClass: row.permitClass,
  appliedDate: row.appliedOn,
  issuedDate: row.issuedOn,
  finaledDate: row.finaledOn,
  goneAt: row.goneAt?.toISOString(),
})

const defined = <T extends object>(values: T | undefined): Partial<T> =>
  values ? (Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>) : {}
