// Which scores changed between two assessments of a property, and why: the inputs that changed.

import type { ScorePart } from '../domain/findings/findings.ts'
import type { Assessment, ScoreChange, StoredPartsOf, StoredScores } from '../store/assessments/assessments.ts'
import type { EventData } from '../wire/events.ts'

type Scores = Pick<StoredScores, 'teardownScore' | 'flippabilityScore'> | Assessment

/** Whether a served score, which is a whole number, has changed. */
export const scoreMoved = (before: Scores, after: Scores): boolean =>
  whole(before.teardownScore) !== whole(after.teardownScore) ||
  whole(before.flippabilityScore) !== whole(after.flippabilityScore)

/** Whether a score that was served before has another value or is missing now. A new score does not count. */
export const hasChangedScore = ({ previous, ...now }: Pick<ScoreChange, ScoreName | 'previous'>): boolean =>
  scoreNames.some((name) => previous[name] !== undefined && previous[name] !== now[name])

const scoreNames = ['teardownScore', 'flippabilityScore'] as const
type ScoreName = (typeof scoreNames)[number]

export type ChangedInput = NonNullable<EventData<'property.score_updated'>['changed']>[number]

/** `refitted`: another model computed the scores before. */
export const scoreChange = (
  before: StoredScores,
  parts: StoredPartsOf,
  after: Assessment,
  refitted: boolean,
): ScoreChange & { changed: ChangedInput[] } => {
  const was = { teardownScore: whole(before.teardownScore), flippabilityScore: whole(before.flippabilityScore) }
  const is = { teardownScore: whole(after.teardownScore), flippabilityScore: whole(after.flippabilityScore) }
  const changed = [
    ...(was.teardownScore === is.teardownScore ? [] : changedParts(parts.teardown, after.explanation?.teardown?.parts)),
    ...(was.flippabilityScore === is.flippabilityScore
      ? []
      : changedParts(parts.flippability, after.explanation?.flippability?.parts)),
  ].sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
  return {
    market: after.market,
    propertyId: after.propertyId,
    ...is,
    previous: was,
    reason: refitted
      ? `The model changed to ${after.modelVersion}.`
      : reasonOf(was.flippabilityScore, is.flippabilityScore, changed),
    changed,
    modelVersion: after.modelVersion,
  }
}

const whole = (score: number | null | undefined): number | undefined =>
  score === null || score === undefined ? undefined : Math.round(score)

/** A part whose sentence is the same is not a reason: its points moved because of the others. */
const changedParts = (before: readonly ScorePart[], after: readonly ScorePart[] = []): ChangedInput[] => {
  const then = new Map(before.map((part) => [part.name, part]))
  const now = new Map(after.map((part) => [part.name, part]))
  return [...new Set([...then.keys(), ...now.keys()])].flatMap((name) => {
    const [from, to] = [then.get(name), now.get(name)]
    const points = Math.round(10 * ((to?.points ?? 0) - (from?.points ?? 0))) / 10
    if (from?.because === to?.because || points === 0) return []
    return [{ input: name, ...(from ? { from: from.because } : {}), ...(to ? { to: to.because } : {}), points }]
  })
}

const reasonOf = (
  wasFlip: number | undefined,
  isFlip: number | undefined,
  changed: readonly ChangedInput[],
): string => {
  if (wasFlip !== undefined && isFlip === undefined)
    return 'The property is no longer for sale, so it has no flip score.'
  if (wasFlip === undefined && isFlip !== undefined)
    return 'The property came on the market and has its first flip score.'
  const first = changed[0]
  if (!first) return 'Small changes in several inputs together changed the score.'
  const points = `${first.points > 0 ? '+' : '−'}${Math.abs(first.points).toFixed(1)} points`
  if (first.to === undefined) return `No longer counted: ${first.from} (${points}).`
  return first.from === undefined ? `${first.to} (${points}).` : `${first.to}; before: ${first.from} (${points}).`
}
