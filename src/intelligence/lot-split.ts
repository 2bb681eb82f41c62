// How a lot could be cut in two under Gov. Code 66411.7: neither part under 40 % nor under 1,200 sqft, both reached
// from the street.

import type { ParcelFacts } from '../contract/facts.ts'
import type { SplitLot } from '../contract/sb9.ts'
import { decimal } from './number-format.ts'

export interface LotSplitPlan {
  lots: readonly SplitLot[]
  how: 'side_by_side' | 'across_corner' | 'flag' | 'easement' | 'by_area_only'
  /** True when width or depth is not known, so that only areas are given. */
  estimated: boolean
}

export const splitLimits = {
  minLotSqft: 1200,
  minSharePct: 40,
  /** Below this an uneven cut would leave the smaller lot too small. */
  unevenLotSqft: 3000,
  /** Mountain View's minimum for a flag lot's strip; other cities ask about as much. */
  flagStripFt: 12,
  /** Narrowest front worth building on; an assumption, not law. */
  usableFrontFt: 25,
} as const

export type SplitFacts = Pick<ParcelFacts, 'lotSqft' | 'lotWidthFt' | 'lotDepthFt' | 'cornerLot'>

/** Undefined when the lot's size is not known or too small for two. Cut in halves, which satisfies every ratio. */
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
    const note = 'Area only: width and depth of the lot are not known.'
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
    const half = { frontageFt: tenth(lotWidthFt / 2), access: 'street', note: 'Half of the street front.' } as const
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
          note: `Rear lot, reached by a ${flagStripFt}-ft strip.`,
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
        note: 'Front lot, over which the rear lot needs an easement.',
      }),
      lot(1, { access: 'easement', note: 'Rear lot: the front is too narrow for a strip of its own.' }),
    ],
    how: 'easement',
    estimated: lotDepthFt === undefined,
  }
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10
}
