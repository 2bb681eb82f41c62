import type { Confidence } from './facts.ts'

/** A chosen number with its unit, plausible range, reason and source. */
export interface Assumption {
  value: number
  unit: string
  range: readonly [number, number]
  reason: string
  source: string
  confidence: Confidence
}
