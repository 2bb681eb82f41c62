// Evidence of a house's condition from its age, listing remarks, renovation year, permits and photos: each item is a level
// on the UAD scale (the appraisal industry's C1 to C6) with a weight.

import type { PermitFacts } from '../../domain/facts.ts'
import { plural, usd } from '../scores/number-format.ts'
import { builtSentence, houseAgeYears } from '../site/house-age.ts'
import { clamp } from '../statistics/clamp.ts'
import { interpolated } from '../statistics/interpolate.ts'
import { type ConditionLevel, type ConditionPhrase, conditionLevels, conditionPhrases } from './condition-phrases.ts'
import { type PhraseHit, scanPhrases } from './phrase-scan.ts'

export type ConditionPermit = Pick<PermitFacts, 'permitClass' | 'status' | 'issuedOn' | 'finaledOn' | 'valuationUsd'>

export interface ConditionFacts {
  /** As the assessor or the listing service rates it, 0 to 100. */
  readonly condition?: number
  readonly yearBuilt?: number
  readonly yearRenovated?: number
  readonly remarks?: string
  readonly permits?: readonly ConditionPermit[]
  /** Result of a photo analysis: text from the feed or from the configured vision model. */
  readonly visionAnalysis?: string
  readonly visionCondition?: ConditionLevel
}

export interface Evidence {
  readonly name: string
  readonly level: number
  readonly weight: number
  readonly because: string
}

const evidence = (name: string, level: number, weight: number, because: string): Evidence => ({
  ...{ name, level, weight, because },
})

export const conditionAssumptions = {
  /** Points, 55 to 70: between C3 and C4, where most appraisals fall. UAD: most appraisals are C3 or C4. */
  unknownAgeLevel: 62,
  /** Years, 15 to 30: kitchens and baths are replaced about every 25 years. Assumption. */
  renovationFadeYears: 25,
  /**
   * $100,000 to $250,000: a declared valuation from which a remodel touches most of the house. Declared
   * valuations run at 35-60% of true cost.
   */
  remodelFullUsd: 150_000,
  /** Weight, 2 to 8: photos show the house, while remarks are written to sell it. Assumption. */
  photoWeight: 6,
} as const

/** The UAD grade an analysis states. "C4 to C5" counts as the middle of the two; grades further apart contradict each other. */
const statedGrade = (analysis: string): { level: number; words: string } | undefined => {
  const found =
    analysis
      .slice(0, 20_000)
      .toUpperCase()
      .match(/\bC[1-6]\b/g) ?? []
  const [first, second = first, ...more] = [...new Set(found as ConditionLevel[])].sort()
  if (!first || !second || more.length > 0 || Number(second[1]) - Number(first[1]) > 1) return undefined
  const words = first === second ? first : `${first} to ${second}`
  return { level: (conditionLevels[first] + conditionLevels[second]) / 2, words }
}

/** Expected condition by age alone, interpolated between these points. */
const ageCurve: readonly (readonly [age: number, level: number])[] = [
  [0, 95],
  [3, 88],
  [15, 76],
  [30, 68],
  [60, 60],
  [100, 55],
]

/** What is expected before other evidence: the source's own rating, or else the age. */
export const baseEvidence = (facts: ConditionFacts, year: number): Evidence =>
  facts.condition === undefined
    ? ageEvidence(facts, year)
    : evidence('rating', facts.condition, 1, `The source rates its condition ${Math.round(facts.condition)} of 100`)

const ageEvidence = (facts: ConditionFacts, year: number): Evidence => {
  const rebuilt = newHouseYear(facts.permits ?? [], year) ?? 0
  const built = Math.max(facts.yearBuilt ?? 0, rebuilt)
  if (built === 0 || built > year + 2) {
    const because = 'Year built is unknown; a house of average condition is assumed'
    return evidence('age', conditionAssumptions.unknownAgeLevel, 1, because)
  }
  const age = houseAgeYears(built, year)
  const because =
    rebuilt > (facts.yearBuilt ?? 0)
      ? `A permit shows a new house completed in ${built}, ${plural(age, 'year')} old`
      : builtSentence(built, year)
  return { name: 'age', level: interpolated(ageCurve, age), weight: 1, because }
}

/**
 * The permits of the house that stands, without those of a house it replaced: all from before the year it was built, and
 * the demolition permits of that year, which cleared its lot. A demolition permit issued later is about this house.
 */
export const permitsOfHouse = (
  { yearBuilt = 0, permits = [] }: Pick<ConditionFacts, 'yearBuilt' | 'permits'>,
  year: number,
): readonly ConditionPermit[] => {
  const built = Math.max(yearBuilt > year + 2 ? 0 : yearBuilt, newHouseYear(permits, year) ?? 0)
  return permits.filter((permit) => {
    // A demolition permit is often closed only when the next house is finished, so the day it was issued counts.
    if (permit.permitClass === 'whole_house_demolition') return yearOf(permit.issuedOn ?? permit.finaledOn) > built
    return yearOf(permit.finaledOn ?? permit.issuedOn) >= built
  })
}

const yearOf = (date: string | undefined): number => Number((date ?? '').slice(0, 4))

const newHouseYear = (permits: readonly ConditionPermit[], year: number): number | undefined => {
  const years = permits
    .filter((permit) => permit.permitClass === 'new_house' && permit.status === 'finaled')
    .map((permit) => yearOf(permit.finaledOn ?? permit.issuedOn))
    .filter((built) => built > 1900 && built <= year)
  return years.length > 0 ? Math.max(...years) : undefined
}

/** Finished work never counts below the base level, and wear never above it. The base is the rating of the source, or the age. */
const raised = (base: number, level: number, fade: number): number => base + Math.max(0, level - base) * fade
const isWear = { land: true, fixer: true, dated: true, kept: false, updated: false, new: false }

/** The strongest phrase of a kind has full weight, and each further one half the weight of the one before. */
export const phraseEvidence = (hits: readonly PhraseHit<ConditionPhrase>[], year: number, base: number): Evidence[] => {
  const counted = new Map<string, Evidence & { kind: string }>()
  for (const hit of hits) {
    const { phrase } = hit
    if (isNegatedUpdate(hit)) {
      counted.set(`not ${phrase.text}`, {
        kind: 'dated',
        name: 'remarks',
        level: Math.min(base, 45),
        weight: 1,
        because: `The listing says the house is not “${phrase.text}”`,
      })
      continue
    }
    if (hit.scope !== 'applies') continue
    const improving = phrase.kind === 'updated' || phrase.kind === 'new'
    const fade = improving && hit.year !== undefined ? freshness(year - hit.year) : 1
    if (fade <= 0 && improving) continue
    const weight = phrase.weight * (hit.partial ? 0.5 : 1)
    const dated = hit.year !== undefined && improving ? ` in ${hit.year}` : ''
    const level = isWear[phrase.kind] ? Math.min(base, phrase.level) : raised(base, phrase.level, fade)
    const known = counted.get(phrase.text)
    if (known && known.weight >= weight) continue
    counted.set(phrase.text, {
      kind: phrase.kind,
      name: 'remarks',
      level,
      weight,
      because: `The listing mentions “${phrase.text}”${dated}`,
    })
  }
  const seen = new Map<string, number>()
  return [...counted.values()]
    .sort((a, b) => b.weight - a.weight || (a.because < b.because ? -1 : 1))
    .map(({ kind, ...item }) => {
      const before = seen.get(kind) ?? 0
      seen.set(kind, before + 1)
      return { ...item, weight: item.weight * 0.5 ** before }
    })
}

export const isNegatedUpdate = (hit: PhraseHit<ConditionPhrase>): boolean =>
  hit.scope === 'negated' && hit.phrase.kind === 'updated' && hit.phrase.weight >= 1

export const renovationEvidence = (facts: ConditionFacts, year: number, base: number): Evidence[] => {
  const renovated = facts.yearRenovated
  if (renovated === undefined || renovated <= (facts.yearBuilt ?? 0) || renovated > year) return []
  const fresh = freshness(year - renovated)
  if (fresh <= 0) return []
  return [evidence('renovation', raised(base, conditionLevels.C2, fresh), 2, `Renovated in ${renovated}`)]
}

export const permitEvidence = (permits: readonly ConditionPermit[], year: number, base: number): Evidence[] =>
  permits.flatMap((permit): Evidence[] => {
    const done = yearOf(permit.finaledOn ?? permit.issuedOn)
    if (!done || done > year || permit.status === 'cancelled' || permit.status === 'expired') return []
    const fresh = freshness(year - done)
    if (permit.permitClass === 'whole_house_demolition' && year - done <= 3) {
      const because = `A ${done} permit allows the house to be demolished`
      return [evidence('permits', Math.min(base, conditionLevels.C6), 2, because)]
    }
    if (fresh <= 0) return []
    if (permit.permitClass === 'remodel' || permit.permitClass === 'addition') {
      const full = conditionAssumptions.remodelFullUsd
      const size = permit.valuationUsd === undefined ? 0.4 : Math.min(1, permit.valuationUsd / full)
      const valued = permit.valuationUsd === undefined ? '' : ` valued at ${usd(permit.valuationUsd)}`
      const because = `${permit.permitClass === 'remodel' ? 'Remodel' : 'Addition'} permit in ${done}${valued}`
      return [evidence('permits', raised(base, conditionLevels.C2, fresh), 2 * size, because)]
    }
    if (permit.permitClass === 'roof')
      return [evidence('permits', raised(base, 76, fresh), 0.4, `Roof permit in ${done}`)]
    return []
  })

export const photoEvidence = (facts: ConditionFacts, year: number): Evidence[] => {
  const { visionCondition: rated, visionAnalysis: analysis = '' } = facts
  const grade = rated ? { level: conditionLevels[rated], words: rated } : statedGrade(analysis)
  if (grade) {
    const because = `Photo analysis: condition grade ${grade.words}`
    return [evidence('photos', grade.level, conditionAssumptions.photoWeight, because)]
  }
  const hits = scanPhrases(analysis, conditionPhrases)
  return phraseEvidence(hits, year, conditionAssumptions.unknownAgeLevel).map((item) => ({
    ...item,
    name: 'photos',
    because: item.because.replace('The listing', 'The photo analysis'),
  }))
}

/** How much recent work still counts: 1 up to two years after it, falling to 0; a date in the future counts 0. */
const freshness = (years: number): number =>
  years < 0 ? 0 : clamp(1 - (years - 2) / (conditionAssumptions.renovationFadeYears - 2), 0, 1)
