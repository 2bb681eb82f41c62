// What changed between two assessments of a property, and why, in the words of the score's own parts.
import type { Assessment, ScoreChange, StoredScores } from '../store/assessments.ts'

export const scoreChange = (before: StoredScores, after: Assessment): ScoreChange | undefined => {
  const was = { teardownScore: whole(before.teardownScore), flippabilityScore: whole(before.flippabilityScore) }
  const is = { teardownScore: whole(after.teardownScore), flippabilityScore: whole(after.flippabilityScore) }
  if (was.teardownScore === is.teardownScore && was.flippabilityScore === is.flippabilityScore) return undefined
  return {
    propertyId: after.propertyId,
    ...is,
    previous: was,
    reason:
      before.modelVersion === after.modelVersion
        ? was.teardownScore === is.teardownScore
          ? flipMoved(was.flippabilityScore, is.flippabilityScore)
          : movedMost(before, after)
        : `The model changed to ${after.modelVersion}.`,
    modelVersion: after.modelVersion,
  }
}

const whole = (score: number | null | undefined): number | undefined =>
  score === null || score === undefined ? undefined : Math.round(score)

interface Part {
  name: string
  points: number
  because: string
}

const flipMoved = (was: number | undefined, is: number | undefined): string =>
  is === undefined
    ? 'It is no longer offered, so there is nothing to flip.'
    : was === undefined
      ? 'It came on the market: the flip score starts.'
      : `The asking price, the after-repair value or the market’s speed moved the flip score from ${was} to ${is}.`

/** The part of the teardown score that moved most. */
const movedMost = (before: StoredScores, after: Assessment): string => {
  const now = ((after.explanation as { teardown?: { parts?: Part[] } } | undefined)?.teardown?.parts ?? []) as Part[]
  const then = new Map((before.teardownParts ?? []).map((part) => [part.name, part]))
  const moves = now
    .filter((part) => part.name !== 'base')
    .map((part) => ({ part, by: part.points - (then.get(part.name)?.points ?? 0) }))
    .sort((a, b) => Math.abs(b.by) - Math.abs(a.by))
  const first = moves[0]
  if (!first || Math.abs(first.by) < 0.05) return 'The price, after-repair value or market moved.'
  const sign = first.by > 0 ? '+' : '−'
  return `${first.part.because} (${sign}${Math.abs(first.by).toFixed(1)} points).`
}
