import { assumptionsFor } from '../contract/assumptions.ts'
import type { Confidence } from '../contract/facts.ts'
import { runProforma } from '../contract/operations/properties.ts'
import { districtOf } from '../contract/zoning-tables.ts'
import { buildingEnvelope } from '../intelligence/envelope.ts'
import type { ProformaInput } from '../intelligence/proforma.ts'
import { proformaDetail } from '../intelligence/proforma-detail.ts'
import type { Db } from '../store/engine/database.ts'
import { asOf } from '../store/ingest/freshness.ts'
import { nearbyResale } from '../store/properties/nearby-resale.ts'
import { type AssessmentRow, assessmentOf, type PropertyRow } from '../store/properties/properties.ts'
import { implement } from './context.ts'
import { visibleProperty } from './get-property.ts'
import { factsNow } from './property-facts.ts'

export const runProformaRun = implement(runProforma, async (context, { id, ...overrides }) => {
  const { db } = context
  const { property, listing } = await visibleProperty(context, id)
  const [assessment, current] = await Promise.all([
    assessmentOf(db, id),
    asOf(db, ['parcels', 'listings', 'sales'], property.market),
  ])
  const facts = factsNow(property, listing)
  const envelope = buildingEnvelope(facts, districtOf(facts.city, facts.zoning))
  const { comps, marketMeanRoiPct, warnings } = await resaleOf(db, property, assessment)
  const {
    terms: _,
    sums: _sums,
    proforma,
    confidence,
    ...detail
  } = proformaDetail({
    facts,
    priceUsd: listing?.price,
    envelope,
    comps,
    marketMeanRoiPct,
    assumptions: assumptionsFor(facts.city),
    overrides,
  })
  const storedSqft = assessment?.proforma?.buildSqft as number | undefined
  const resized =
    overrides.buildSqft !== undefined && overrides.arvPerSqft === undefined && storedSqft !== undefined
      ? [`The resale value per square foot is that of a house of ${storedSqft} sqft.`]
      : []
  return {
    success: true as const,
    data: {
      id: property.id,
      address: property.address,
      city: property.city,
      proforma: { ...proforma, confidence },
      ...detail,
      warnings: [...detail.warnings, ...warnings, ...resized],
      envelope,
      overrides,
    },
    asOf: current,
  }
})

interface Resale {
  comps: ProformaInput['comps']
  marketMeanRoiPct?: number
  warnings: string[]
}

/** As assessed; for a parcel that was never offered, what new houses around it are expected to fetch. */
const resaleOf = async (db: Db, property: PropertyRow, assessment: AssessmentRow | undefined): Promise<Resale> => {
  const stored = assessment?.proforma as StoredProforma | undefined
  const explained = assessment?.explanation?.proforma as { compConfidence?: Confidence } | undefined
  if (stored?.arvPerSqft !== undefined)
    return {
      comps: {
        arvPerSqft: stored.arvPerSqft,
        compCount: stored.compCount,
        cityMatched: stored.compsCityMatched,
        typeMatched: stored.compsTypeMatched,
        confidence: explained?.compConfidence ?? stored.confidence ?? 'low',
      },
      marketMeanRoiPct: stored.assumptions?.marketMeanRoiPct,
      warnings: [],
    }
  const near = await nearbyResale(db, property)
  if (!near) return { comps: { compCount: stored?.compCount ?? 0, confidence: 'low' }, warnings: [] }
  const { arvPerSqft, compCount, marketMeanRoiPct } = near
  return {
    comps: { arvPerSqft, compCount, cityMatched: true, typeMatched: false, confidence: 'low' },
    marketMeanRoiPct,
    warnings: [`Never offered, so not assessed for resale: the middle of the ${compCount} nearest assessed listings.`],
  }
}

interface StoredProforma {
  arvPerSqft?: number
  compCount: number
  compsCityMatched?: boolean
  compsTypeMatched?: boolean
  confidence?: Confidence
  assumptions?: { marketMeanRoiPct?: number }
}
