// The working behind a property's numbers: what the assessment stored, and the rule traces, made again from the parcel.
import { districtOf } from '../contract/zoning-tables.ts'
import { buildingEnvelope } from '../intelligence/envelope.ts'
import { parcelLeads } from '../intelligence/parcel-leads.ts'
import { latestHeat } from '../store/assessments/models.ts'
import type { Db } from '../store/engine/database.ts'
import type { AssessmentRow, ListingRow, PropertyRow } from '../store/properties/properties.ts'
import { factsNow } from './property-facts.ts'

export const explainProperty = async (
  db: Db,
  property: PropertyRow,
  listing: ListingRow | undefined,
  assessment: AssessmentRow | undefined,
) => {
  if (!assessment) return undefined
  const facts = factsNow(property, listing)
  // As of the day of the assessment, so that the traces are those the stored answer rests on.
  const leads = parcelLeads(facts, assessment.assessedAt.toISOString().slice(0, 10))
  const heat = await latestHeat(db, property.market, property.citySlug, facts.propertyType ?? 'all')
  const { modelVersion } = assessment
  const stored = Object.entries(assessment.explanation ?? {}).map(([name, finding]) => [
    name,
    { ...(finding as object), modelVersion },
  ])
  return {
    ...Object.fromEntries(stored),
    ...(heat ? { marketHeat: { ...heat, parts: heat.parts, modelVersion } } : {}),
    envelope: { ...buildingEnvelope(facts, districtOf(facts.city, facts.zoning)), modelVersion },
    sb9: assessment.sb9 && { ...assessment.sb9, trace: leads?.sb9.trace, modelVersion },
    adu: assessment.adu && { ...assessment.adu, trace: leads?.adu.trace, modelVersion },
    redevelopment: assessment.redevelopment && { ...assessment.redevelopment, modelVersion },
    modelVersion,
    assessedAt: assessment.assessedAt.toISOString(),
  }
}
