import type { Confidence } from '../../domain/facts.ts'

/** A result is as reliable as its least reliable input; undefined confidences are ignored. */
export function lowestConfidence(...confidences: readonly (Confidence | undefined)[]): Confidence {
  if (confidences.includes('low')) return 'low'
  return confidences.includes('medium') ? 'medium' : 'high'
}

export function oneLevelLower(confidence: Confidence): Confidence {
  return confidence === 'high' ? 'medium' : 'low'
}
