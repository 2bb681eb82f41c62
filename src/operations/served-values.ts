// Converts stored values to served ones: rounded scores, percents with one decimal.
import { pick } from '../common/typed.ts'
import type { Condition } from '../criteria/conditions.ts'
import { distanceMi } from '../domain/distance.ts'
import type { Confidence, Overlays } from '../domain/facts.ts'
import type { Proforma } from '../domain/findings/proforma.ts'
import type { LatLng } from '../domain/packs/markets.ts'
import type { SignalRow } from '../store/properties/signals.ts'

export const scoreOf = (score: number | undefined): number | undefined =>
  score === undefined ? undefined : Math.round(Math.min(100, Math.max(0, score)))

export const oneDecimal = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.round(value * 10) / 10

export const twoDecimals = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.round(value * 100) / 100

/** The value of a home with its range and what else is said about it. */
export const valueRange = <About extends object>(
  home: Partial<Record<'valueUsd' | 'valueLowUsd' | 'valueHighUsd', number | undefined>>,
  about: About,
) => {
  const { valueUsd: value, valueLowUsd, valueHighUsd } = home
  return value === undefined ? undefined : { value, low: valueLowUsd ?? value, high: valueHighUsd ?? value, ...about }
}

/** Undefined without a point to measure from or coordinates of the row. */
export const milesFrom = (point: LatLng | undefined, { lat, lng }: Partial<LatLng>): number | undefined =>
  point && lat !== undefined && lng !== undefined ? twoDecimals(distanceMi(point, { lat, lng })) : undefined

/** The overlays that the search asked about and that are not known for this parcel; undefined if there are none. */
export const unknownOverlays = (conditions: readonly Condition[], overlays: Overlays | undefined) => {
  const unknown = conditions.flatMap((condition) =>
    condition.type === 'overlay' && (overlays?.[condition.overlay] ?? 'unknown') === 'unknown'
      ? [condition.overlay]
      : [],
  )
  return unknown.length > 0 ? unknown : undefined
}

/** The scores and returns of an assessment, as a list and a single home serve them. */
export const assessedFields = (row: Partial<AssessedRow>) => ({
  teardownScore: scoreOf(row.teardownScore),
  flippabilityScore: scoreOf(row.flippabilityScore),
  conditionScore: scoreOf(row.conditionScore),
  historicCharm: scoreOf(row.historicCharm),
  // With the day it holds for.
  expectedPrice: row.proforma?.expectedPrice && { ...row.proforma.expectedPrice, asOf: row.assessedOn },
  ...pick(row.proforma, 'priceTension', 'returnPct', 'returnAtExpectedPct'),
  developerROI: oneDecimal(row.developerRoi),
  proformaROI: row.proforma?.roiPct,
})

type AssessedRow = Pick<SignalRow, 'proforma' | 'assessedOn' | 'developerRoi' | 'conditionScore' | 'historicCharm'> &
  Pick<SignalRow, 'teardownScore' | 'flippabilityScore'>

/** Where the expected price leaves the range of the value, one of the two is wrong, and neither is high. */
export const valueConfidence = (
  valuation: Confidence | undefined,
  proforma: Proforma | undefined,
): Confidence | undefined => (valuation === 'high' && proforma?.priceTension ? 'medium' : valuation)
