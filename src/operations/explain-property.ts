// The explanation of a property's numbers: what the assessment stored, and the rule traces, computed again from the parcel.

import { pick } from '../common/typed.ts'
import { dayOf } from '../domain/day.ts'
import { isShown } from '../domain/facts.ts'
import type { AduFinding } from '../domain/findings/adu.ts'
import type { ProformaFinding, ScorePart } from '../domain/findings/findings.ts'
import { isUseKind, type LeadKind, type UseFinding } from '../domain/findings/laws.ts'
import type { LotSplitFinding } from '../domain/findings/lot-split.ts'
import { packOf } from '../domain/packs/use-packs.ts'
import { districtOf } from '../domain/packs/zoning-tables.ts'
import { storedHeat } from '../intelligence/market/heat.ts'
import { topFactors } from '../intelligence/scores/top-factors.ts'
import { buildingEnvelope } from '../intelligence/site/envelope.ts'
import type { Valuation, ValueOrReason } from '../intelligence/valuation/value-home.ts'
import { lawById, lawReference } from '../laws/list.ts'
import { parcelLeads } from '../laws/parcel-leads.ts'
import type { HeatRow } from '../store/assessments/models.ts'
import type { AssessmentRow } from '../store/properties/properties.ts'
import type { Explanation, MarketHeat, StoredExplanation } from '../wire/explanation.ts'
import { valueConfidence } from './served-values.ts'
import type { VisibleProperty } from './visible-property.ts'

export const explainProperty = (
  { facts, listing }: VisibleProperty,
  assessment: AssessmentRow | undefined,
  heat: HeatRow | undefined,
  answer: ValueOrReason | undefined,
): Explanation | undefined => {
  if (!assessment) return undefined
  const { modelVersion, explanation = {}, redevelopment, leads } = assessment
  const pack = packOf(facts.market)
  // As of the day of the assessment, so that the traces match the stored results.
  const { byLaw } = parcelLeads(facts, assessment.assessedOn ?? dayOf(assessment.assessedAt), pack)
  const leadOf = <Finding>(kind: LeadKind): Finding | undefined => {
    const lead = leads.find((each) => each.kind === kind)
    if (!lead) return undefined
    const law = lawById(lead.law)
    const { trace, uses } = byLaw.find((each) => each.law.id === lead.law)?.finding ?? {}
    const again = { ...(trace ? { trace } : {}), ...(uses ? { uses } : {}) }
    return { ...lead.finding, ...(law ? { law: lawReference(law) } : {}), ...again } as Finding
  }
  const marketHeat = heat && marketHeatOf(heat)
  const versioned = <T extends object>(finding: T | undefined) => finding && { ...finding, modelVersion }
  const scored = <T extends { parts: readonly ScorePart[] }>(finding: T | undefined) =>
    finding && { ...finding, ...topFactors(finding.parts), modelVersion }
  return {
    teardown: scored(explanation.teardown),
    condition: scored(explanation.condition),
    flippability: scored(explanation.flippability),
    historicCharm: scored(explanation.historicCharm),
    biddingWar: scored(explanation.biddingWar),
    proforma: versioned(withoutSales(explanation.proforma)),
    value: versioned(withContributions(servedValue(assessment), assessment.valueUsd, answer?.value)),
    heat: heat && listing && isShown(listing.status) ? scored(storedHeat(heat)) : undefined,
    marketHeat: scored(marketHeat),
    envelope: versioned(buildingEnvelope(facts, districtOf(pack, facts.city, facts.zoning))),
    sb9: versioned(leadOf<LotSplitFinding>('lot_split')),
    adu: scored(leadOf<AduFinding>('accessory_unit')),
    laws: byLaw.flatMap(({ kind, law, finding }) =>
      isUseKind(kind) ? [{ ...(finding as UseFinding), law: lawReference(law), modelVersion }] : [],
    ),
    redevelopment: scored(redevelopment),
    modelVersion,
    assessedAt: assessment.assessedAt.toISOString(),
  }
}

/** With the confidence that the value is served with. */
const servedValue = ({ explanation, proforma }: AssessmentRow): StoredExplanation['value'] => {
  const value = explanation?.value
  return value && { ...value, confidence: valueConfidence(value.confidence, proforma) ?? 'low' }
}

/** The parts of the value. None where the stored model no longer gives the assessed value: the next assessment follows. */
const withContributions = (
  stored: StoredExplanation['value'],
  valueUsd: number | undefined,
  asked: Valuation | undefined,
): StoredExplanation['value'] => {
  if (!stored || !asked) return stored
  const points = stored.parts.reduce((sum, part) => sum + part.points, 0)
  return {
    ...stored,
    parts: Math.round(asked.valueUsd) + points === valueUsd ? [...asked.parts(), ...stored.parts] : [],
  }
}

/** The sales are served as `resaleComps`, where a windowed key does not see those before its window. */
const withoutSales = (finding: StoredExplanation['proforma']): ProformaFinding | undefined => {
  if (!finding) return undefined
  const { resaleComps: _, ...rest } = finding
  return rest
}

const marketHeatOf = (row: HeatRow): MarketHeat => ({
  ...storedHeat(row),
  ...pick(row, 'heatIndex', 'citySlug', 'propertyType', 'asOf'),
})

// Text from outside the history window is removed from explanations: sentences about older permits and sales, and the remarks of a
// hidden listing.
const withheld = 'Based on records before this key’s history window.'

/** Scores use all data; the sentences that quote a record by its year or amount, or sum records, are replaced. */
export const withoutOldRecords = (explanation: StoredExplanation): StoredExplanation =>
  replaced(explanation, (text) => (quotesRecord(text) ? withheld : text))

/** Of a hidden listing, every sentence and phrase about condition and character quotes its remarks. */
export const withoutRemarks = ({ condition, historicCharm, ...rest }: StoredExplanation): StoredExplanation => ({
  ...rest,
  ...(condition ? { condition: { ...replaced(condition, bare), landPhrases: [], setAside: [] } } : {}),
  ...(historicCharm ? { historicCharm: replaced(historicCharm, bare) } : {}),
})

const bare = (text: string, key: string) => (key === 'because' ? withheld : text)

/** A lead's “A permit for a remodel was issued in recent years” names no year and no amount. */
const quotesRecord = (text: string): boolean =>
  (/permit/i.test(text) && /\b(19|20)\d{2}\b|\$|last ten years/.test(text)) || /at its last sale/.test(text)

const replaced = <T>(value: T, replace: (text: string, key: string) => string, key = ''): T => {
  if (typeof value === 'string') return replace(value, key) as T
  if (Array.isArray(value)) return value.map((each: unknown) => replaced(each, replace, key)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, replaced(each as unknown, replace, name)]),
  ) as T
}
