import type { Confidence } from '../../domain/facts.ts'

/** A result is as reliable as its least reliable input; undefined confidences are ignored. */
export function lowestConfidence(...confidences: readonly (Confidence | undefined)[]): Confidence {
  if (confidences.includes('low')) return 'low'
  return confidences.includes('medium') ? 'medium' : 'high'
}

export const oneLevelLower = (confidence: Confidence): Confidence => (confidence === 'high' ? 'medium' : 'low')
