import type { Confidence } from './facts.ts'

/** A number somebody chose. It says what it is, how far it may reasonably move, why, and on whose word. */
export interface Assumption {
  value: number
  unit: string
  range: readonly [number, number]
  reason: string
  source: string
  confidence: Confidence
}
