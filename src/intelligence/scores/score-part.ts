// Parts of scores that are rounded to tenths of points.
import type { ScorePart } from '../../domain/findings/findings.ts'
import { clamp } from '../statistics/clamp.ts'

/** Of the points of a part: 0 to 1. */
export const share = (value: number): number => clamp(value, 0, 1)

/** Adding zero turns −0 into 0. */
export const part = (name: string, points: number, because: string): ScorePart => ({
  name,
  points: Math.round(points * 10) / 10 + 0,
  because,
})
