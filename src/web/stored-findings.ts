// Findings are stored as the models wrote them. Pages read them with care: a part that is not there is not shown.
import type { ScorePart } from '../contract/findings.ts'

export type Loose = Record<string, unknown>

export const looseOf = (value: unknown): Loose | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined

export const listOf = (value: unknown): Loose[] =>
  Array.isArray(value) ? value.map(looseOf).filter((each) => each !== undefined) : []

export const textAt = (from: Loose | undefined, name: string): string | undefined => {
  const value = from?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const numberAt = (from: Loose | undefined, name: string): number | undefined => {
  const value = from?.[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export const textsAt = (from: Loose | undefined, name: string): string[] => {
  const value = from?.[name]
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

export interface ShownFinding {
  name: string
  score?: number
  parts: ScorePart[]
  missing: string[]
  confidence?: string
}

/** Every finding in an explanation that has parts to show, in the order it was written. */
export const findingsOf = (explanation: Loose | undefined): ShownFinding[] =>
  Object.entries(explanation ?? {}).flatMap(([name, value]) => {
    const finding = looseOf(value)
    const parts = listOf(finding?.parts).flatMap((part) => {
      const [title, points, because] = [textAt(part, 'name'), numberAt(part, 'points'), textAt(part, 'because')]
      return title !== undefined && points !== undefined ? [{ name: title, points, because: because ?? '' }] : []
    })
    if (!finding || parts.length === 0) return []
    return [
      {
        name,
        score: numberAt(finding, 'score') ?? numberAt(finding, `${name}Score`),
        parts,
        missing: textsAt(finding, 'missing'),
        confidence: textAt(finding, 'confidence'),
      },
    ]
  })

export interface ShownComp {
  address?: string
  propertyId?: string
  soldOn?: string
  priceUsd?: number
  livingSqft?: number
  lotSqft?: number
  distanceKm?: number
  timeUsd?: number
  attributesUsd?: number
  unexplainedUsd?: number
  adjustedUsd?: number
  weight?: number
  lat?: number
  lng?: number
}

export const compsOf = (comps: unknown): ShownComp[] =>
  listOf(comps).map((comp) => {
    const priceUsd = numberAt(comp, 'priceUsd') ?? numberAt(comp, 'price')
    const timed = numberAt(comp, 'timeAdjustedUsd')
    return {
      address: textAt(comp, 'address'),
      propertyId: textAt(comp, 'propertyId'),
      soldOn: textAt(comp, 'soldOn') ?? textAt(comp, 'soldDate'),
      priceUsd,
      livingSqft: numberAt(comp, 'livingSqft') ?? numberAt(comp, 'sqft'),
      lotSqft: numberAt(comp, 'lotSqft'),
      distanceKm: numberAt(comp, 'distanceKm'),
      timeUsd: timed !== undefined && priceUsd !== undefined ? timed - priceUsd : undefined,
      attributesUsd: numberAt(comp, 'attributeAdjustmentUsd'),
      unexplainedUsd: numberAt(comp, 'unexplainedAdjustmentUsd'),
      adjustedUsd: numberAt(comp, 'adjustedUsd'),
      weight: numberAt(comp, 'weight'),
      lat: numberAt(comp, 'lat'),
      lng: numberAt(comp, 'lng'),
    }
  })
