// How a lot could be split in two under Gov. Code 66411.7: each part has at least 40% of the lot and 1,200 sq ft, and both
// can be reached from the street.

import type { ParcelFacts } from '../../domain/facts.ts'
import type { SplitLot } from '../../domain/findings/lot-split.ts'
import { decimal } from '../../intelligence/scores/number-format.ts'
import type { RuleFacts } from '../law.ts'

export type Sb9Facts = RuleFacts & { plan?: LotSplitPlan }

export interface LotSplitPlan {
  lots: readonly SplitLot[]
  how: 'side_by_side' | 'across_corner' | 'flag' | 'easement' | 'by_area_only'
  /** True when width or depth is unknown, so that only areas are given. */
  estimated: boolean
}

export const splitLimits = {
  minLotSqft: 1200,
  minSharePct: 40,
  /** Below this a 60/40 split would leave the smaller lot under the minimum. */
  unevenLotSqft: 3000,
  /** Mountain View's minimum width of a flag lot's access strip; other cities require about the same. */
  flagStripFt: 12,
  /** Narrowest street frontage worth building on; an assumption, not law. */
  usableFrontFt: 25,
} as const

type SplitFacts = Pick<ParcelFacts, 'lotSqft' | 'lotWidthFt' | 'lotDepthFt' | 'cornerLot'>

/** Undefined when the lot size is unknown or too small for two lots. Splits in halves, which satisfies every ratio. */
export function planLotSplit({ lotSqft, lotWidthFt, lotDepthFt, cornerLot }: SplitFacts): LotSplitPlan | undefined {
  if (lotSqft === undefined || lotSqft < 2 * splitLimits.minLotSqft) return undefined
  const whole = Math.round(lotSqft)
  const halves = [Math.ceil(whole / 2), Math.floor(whole / 2)] as const
  const lot = (index: 0 | 1, rest: Omit<SplitLot, 'sqft' | 'sharePct'>): SplitLot => ({
    sqft: halves[index],
    sharePct: Math.round((1000 * halves[index]) / whole) / 10,
    ...rest,
  })
  if (lotWidthFt === undefined) {
    const note = 'Area only: the width and depth of the lot are unknown.'
    const lots = [lot(0, { access: 'unknown', note }), lot(1, { access: 'unknown', note })]
    return { lots, how: 'by_area_only', estimated: true }
  }
  const { flagStripFt, usableFrontFt } = splitLimits
  if (cornerLot && lotDepthFt !== undefined)
    return {
      lots: [
        lot(0, { frontageFt: lotWidthFt, access: 'street', note: 'Front half, on the front street.' }),
        lot(1, { frontageFt: tenth(lotDepthFt / 2), access: 'street', note: 'Rear half, on the side street.' }),
      ],
      how: 'across_corner',
      estimated: false,
    }
  if (lotWidthFt >= 4 * usableFrontFt) {
    const half = { frontageFt: tenth(lotWidthFt / 2), access: 'street', note: 'Half of the street frontage.' } as const
    return { lots: [lot(0, half), lot(1, half)], how: 'side_by_side', estimated: false }
  }
  if (lotWidthFt >= flagStripFt + usableFrontFt) {
    const front = lotWidthFt - flagStripFt
    const deep = tenth(halves[0] / front)
    return {
      lots: [
        lot(0, { frontageFt: tenth(front), access: 'street', note: `Front lot, about ${decimal(deep)} ft deep.` }),
        lot(1, {
          frontageFt: flagStripFt,
          access: 'flag_strip',
          note: `Rear lot, reached by a strip ${flagStripFt} ft wide.`,
        }),
      ],
      how: 'flag',
      estimated: lotDepthFt === undefined,
    }
  }
  return {
    lots: [
      lot(0, {
        frontageFt: lotWidthFt,
        access: 'street',
        note: 'Front lot; the rear lot needs an easement across it.',
      }),
      lot(1, {
        access: 'easement',
        note: 'Rear lot, reached by easement: the street frontage is too narrow for a separate strip.',
      }),
    ],
    how: 'easement',
    estimated: lotDepthFt === undefined,
  }
}

const tenth = (value: number): number => Math.round(value * 10) / 10
