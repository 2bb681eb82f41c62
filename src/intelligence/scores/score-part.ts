// Parts of scores.
import type { ScorePart } from '../../domain/findings/findings.ts'
import { clamp } from '../statistics/clamp.ts'

/** Of the points of a part: 0 to 1. */
export const share = (value: number): number => clamp(value, 0, 1)

export const scorePart = (name: string, points: number, because: string): ScorePart => ({ name, points, because })

/** Rounded to tenths of points. Adding zero turns −0 into 0. */
export const part = (name: string, points: number, because: string): ScorePart =>
  scorePart(name, Math.round(points * 10) / 10 + 0, because)
