// Which scores changed between two assessments of a property, and why, as the sentence of the part that changed most.
import type { ScorePart } from '../contract/findings.ts'
import type { Assessment, ScoreChange, StoredScores } from '../store/assessments/assessments.ts'

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

/** `parts` are those of the teardown score before. `refitted`: another model computed the scores before. */
export const scoreChange = (
  before: StoredScores,
  parts: readonly ScorePart[],
  after: Assessment,
  refitted: boolean,
): ScoreChange => {
  const was = { teardownScore: whole(before.teardownScore), flippabilityScore: whole(before.flippabilityScore) }
  const is = { teardownScore: whole(after.teardownScore), flippabilityScore: whole(after.flippabilityScore) }
  return {
    market: after.market,
    propertyId: after.propertyId,
    ...is,
    previous: was,
    reason: refitted
      ? `The model changed to ${after.modelVersion}.`
      : was.teardownScore === is.teardownScore
        ? flipMoved(was.flippabilityScore, is.flippabilityScore)
        : movedMost(parts, after),
    modelVersion: after.modelVersion,
  }
}

const whole = (score: number | null | undefined): number | undefined =>
  score === null || score === undefined ? undefined : Math.round(score)

const flipMoved = (was: number | undefined, is: number | undefined): string =>
  is === undefined
    ? 'The property is no longer for sale, so it has no flip score.'
    : was === undefined
      ? 'The property came on the market and has its first flip score.'
      : `The flip score changed from ${was} to ${is} because the asking price, the after-repair value or the market heat changed.`

/** The part of the teardown score that moved most. */
const movedMost = (before: readonly ScorePart[], after: Assessment): string => {
  const now = after.explanation?.teardown?.parts ?? []
  const then = new Map(before.map((part) => [part.name, part]))
  const moves = now
    .filter((part) => part.name !== 'base')
    .map((part) => ({ part, by: part.points - (then.get(part.name)?.points ?? 0) }))
    .sort((a, b) => Math.abs(b.by) - Math.abs(a.by))
  const first = moves[0]
  if (!first || Math.abs(first.by) < 0.05) return 'Small changes in several inputs together changed the score.'
  const sign = first.by > 0 ? '+' : '−'
  return `${first.part.because} (${sign}${Math.abs(first.by).toFixed(1)} points).`
}
