import type { Confidence } from '../contract/facts.ts'

/** A number built on several is as good as its weakest; what is not stated does not count. */
export function weakest(...confidences: readonly (Confidence | undefined)[]): Confidence {
  if (confidences.includes('low')) return 'low'
  return confidences.includes('medium') ? 'medium' : 'high'
}

export function oneStepDown(confidence: Confidence): Confidence {
  return confidence === 'high' ? 'medium' : 'low'
}
