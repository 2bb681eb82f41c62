// The condition score of a house: the weighted mean of the evidence from remarks, age, renovation, permits and photos,
// on the UAD scale. It describes evidence and is not an inspection.

import { keysOf } from '../../common/typed.ts'
import type { Confidence } from '../../domain/facts.ts'
import type { ConditionFinding, ScorePart } from '../../domain/findings/findings.ts'
import { scorePart } from '../scores/score-part.ts'
import {
  baseEvidence,
  type ConditionFacts,
  conditionAssumptions,
  type Evidence,
  isNegatedUpdate,
  permitEvidence,
  permitsOfHouse,
  photoEvidence,
  phraseEvidence,
  renovationEvidence,
} from './condition-evidence.ts'
import { type ConditionLevel, conditionLevels, conditionPhrases, isLandPhrase } from './condition-phrases.ts'
import { scanPhrases } from './phrase-scan.ts'

export const conditionInputs = [
  'remarks',
  'yearBuilt',
  'yearRenovated',
  'condition',
  'permits',
  'visionAnalysis',
  'visionCondition',
] as const

/** `on` is the date (YYYY-MM-DD) as of which ages are counted. */
export const conditionScore = (facts: ConditionFacts, on: string): ConditionFinding => {
  const year = Number(on.slice(0, 4))
  const hits = facts.remarks ? scanPhrases(facts.remarks, conditionPhrases) : []
  const base = baseEvidence(facts, year)
  const evidence = [
    ...phraseEvidence(hits, year, base.level),
    ...renovationEvidence(facts, year, base.level),
    ...permitEvidence(permitsOfHouse(facts, year), year, base.level),
    ...photoEvidence(facts, year),
  ]
  const used: string[] = []
  const missing: string[] = []
  const note = (name: (typeof conditionInputs)[number], known: boolean) => (known ? used : missing).push(name)
  note('remarks', Boolean(facts.remarks?.trim()))
  note('yearBuilt', facts.yearBuilt !== undefined)
  note('yearRenovated', facts.yearRenovated !== undefined)
  note('condition', facts.condition !== undefined)
  note('permits', facts.permits !== undefined)
  note('visionAnalysis', Boolean(facts.visionAnalysis ?? facts.visionCondition))

  const setAside = hits
    .filter((hit) => hit.scope !== 'applies' && !isNegatedUpdate(hit))
    .map((hit) => ({ phrase: hit.phrase.text, scope: hit.scope.replace('_', ' ') }))
  const landPhrases = hits
    .filter((hit) => hit.scope === 'applies' && isLandPhrase(hit.phrase))
    .map((hit) => hit.phrase.text)
  if (evidence.length === 0 && facts.yearBuilt === undefined && facts.condition === undefined)
    return { parts: [], used, missing, confidence: 'low', landPhrases, setAside }

  const total = evidence.reduce((sum, item) => sum + item.weight, base.weight)
  const parts: ScorePart[] = [
    { name: base.name, points: base.level, because: base.because },
    ...evidence.map((item) => scorePart(item.name, (item.weight * (item.level - base.level)) / total, item.because)),
  ]
  const score = parts.reduce((sum, part) => sum + part.points, 0)
  return {
    score,
    level: nearestLevel(score),
    parts,
    used,
    missing,
    confidence: confidenceOf(evidence, facts),
    landPhrases,
    setAside,
  }
}

/** The condition that the value model knows of: the source's rating, or what age and last renovation suggest. */
export const usualCondition = (
  { yearBuilt, yearRenovated, condition }: Pick<ConditionFacts, 'yearBuilt' | 'yearRenovated' | 'condition'>,
  on: string,
): number => conditionScore({ yearBuilt, yearRenovated, condition }, on).score ?? conditionAssumptions.unknownAgeLevel

/** Beside the age or the source's rating, which is the first part. */
export const hasEvidence = ({ parts }: ConditionFinding): boolean => parts.length > 1

export const nearestLevel = (score: number): ConditionLevel => {
  let best: ConditionLevel = 'C3'
  for (const level of keysOf(conditionLevels)) {
    if (Math.abs(conditionLevels[level] - score) < Math.abs(conditionLevels[best] - score)) best = level
  }
  return best
}

const confidenceOf = (evidence: readonly Evidence[], facts: ConditionFacts): Confidence => {
  const strong = new Set(evidence.filter((item) => item.weight >= 1).map((item) => item.name))
  if (strong.has('photos') || strong.size >= 2) return 'high'
  return strong.size === 1 || (evidence.length > 0 && facts.yearBuilt !== undefined) ? 'medium' : 'low'
}
