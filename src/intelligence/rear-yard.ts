// The yard behind a house and how much of it can be built on. No record gives the depth of a house, so it is estimated from
// the footprint and the width of the lot.

import type { ParcelFacts } from '../contract/facts.ts'
import type { District } from '../contract/zoning.ts'
import { decimal, sqft } from './number-format.ts'
import { sideYardFt } from './setback-box.ts'

export interface RearYard {
  footprintSqft: number
  coveragePct: number
  /** The full width of the lot behind the house. */
  rearYardSqft: number
  /** The rear yard without the four-foot setbacks and the distance to the house. */
  buildableSqft: number
  /** Sentences that say what was estimated. */
  estimates: readonly string[]
  /** True when the shape of the lot was assumed as well. */
  shapeAssumed: boolean
}

export const rearYardAssumptions = {
  /** Distance between the house and a detached unit. */
  separationFt: 6,
  setbackFt: 4,
  /** Used where the district's own setbacks are unknown. */
  frontFt: 20,
  sideFt: 5,
  /** Depth divided by width for a lot of unknown shape: a typical tract lot is 50 × 100 ft. */
  depthPerWidth: 2,
} as const

export type RearYardFacts = Pick<
  ParcelFacts,
  'lotSqft' | 'lotWidthFt' | 'lotDepthFt' | 'livingSqft' | 'storeys' | 'garageSqft' | 'propertyType'
>

/** Undefined when the lot or house size is unknown. On vacant land everything behind the front setback counts. */
export function rearYard(parcel: RearYardFacts, district?: Pick<District, 'setbacksFt'>): RearYard | undefined {
  const { lotSqft } = parcel
  const living = parcel.propertyType === 'land' ? 0 : parcel.livingSqft
  if (!lotSqft || living === undefined) return undefined
  const using = rearYardAssumptions
  const estimates: string[] = []

  const shapeKnown = Boolean(parcel.lotWidthFt && parcel.lotDepthFt)
  const width = shapeKnown ? parcel.lotWidthFt! : Math.sqrt(lotSqft / using.depthPerWidth)
  const depth = shapeKnown ? parcel.lotDepthFt! : width * using.depthPerWidth
  if (!shapeKnown)
    estimates.push(
      `Lot dimensions are unknown; the lot is assumed to be ${using.depthPerWidth} times as deep as it is wide.`,
    )
  else if (Math.abs(width * depth - lotSqft) > 0.2 * lotSqft)
    estimates.push(`The lot is irregular: ${decimal(width)} × ${decimal(depth)} ft does not equal ${sqft(lotSqft)}.`)

  const stories = parcel.storeys ?? 1
  if (living > 0 && parcel.storeys === undefined)
    estimates.push('The number of stories is unknown; one story is assumed, which gives the largest footprint.')
  const footprint = living / Math.max(1, stories) + (living > 0 ? (parcel.garageSqft ?? 0) : 0)
  const front = district?.setbacksFt?.front ?? using.frontFt
  const side = district?.setbacksFt ? sideYardFt(district.setbacksFt.side, width) : using.sideFt
  const houseDepth = footprint / Math.max(0.5 * width, width - 2 * side)
  if (living > 0)
    estimates.push(`The depth of the house is estimated at ${decimal(Math.round(houseDepth))} ft from its footprint.`)

  const yardDepth = Math.max(0, depth - front - houseDepth)
  const inner = Math.max(0, yardDepth - using.separationFt) * Math.max(0, width - 2 * using.setbackFt)
  return {
    footprintSqft: Math.round(footprint),
    coveragePct: Math.round((1000 * footprint) / lotSqft) / 10,
    rearYardSqft: Math.round(yardDepth * width),
    buildableSqft: Math.max(0, Math.round(inner - using.setbackFt * width)),
    estimates,
    shapeAssumed: !shapeKnown,
  }
}
