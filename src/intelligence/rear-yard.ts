// The yard behind a house and what of it can be built on. No record says how deep a house is, so its depth is
// estimated from its footprint laid across the lot; every figure here says so.

import type { ParcelFacts } from '../contract/facts.ts'
import type { District } from '../contract/zoning.ts'
import { decimal, sqft } from './number-format.ts'
import { sideYardFt } from './setback-box.ts'

export interface RearYard {
  footprintSqft: number
  coveragePct: number
  /** Behind the house, full width. */
  rearYardSqft: number
  /** Of it, after the four-foot yards and the distance to the house. */
  buildableSqft: number
  /** What was assumed, in words. */
  estimates: readonly string[]
  /** True when the lot's shape had to be assumed too. */
  shapeAssumed: boolean
}

export const rearYardAssumptions = {
  /** Between house and detached unit. */
  separationFt: 6,
  setbackFt: 4,
  /** Where the district's own yards are not known. */
  frontFt: 20,
  sideFt: 5,
  /** Depth over width of a lot of unknown shape: 50 × 100 is the usual tract lot. */
  depthPerWidth: 2,
} as const

export type RearYardFacts = Pick<
  ParcelFacts,
  'lotSqft' | 'lotWidthFt' | 'lotDepthFt' | 'livingSqft' | 'storeys' | 'garageSqft' | 'propertyType'
>

/** Undefined when lot or house size is not known. Vacant land has the whole lot behind its front yard. */
export function rearYard(parcel: RearYardFacts, district?: Pick<District, 'setbacksFt'>): RearYard | undefined {
  const { lotSqft } = parcel
  const living = parcel.propertyType === 'land' ? 0 : parcel.livingSqft
  if (!lotSqft || living === undefined) return undefined
  const using = rearYardAssumptions
  const estimates: string[] = []

  const shapeKnown = Boolean(parcel.lotWidthFt && parcel.lotDepthFt)
  const width = shapeKnown ? parcel.lotWidthFt! : Math.sqrt(lotSqft / using.depthPerWidth)
  const depth = shapeKnown ? parcel.lotDepthFt! : width * using.depthPerWidth
  if (!shapeKnown) estimates.push(`Shape estimated: a lot ${using.depthPerWidth} times as deep as wide.`)
  else if (Math.abs(width * depth - lotSqft) > 0.2 * lotSqft)
    estimates.push(`Irregular lot: ${decimal(width)} × ${decimal(depth)} ft is not ${sqft(lotSqft)}.`)

  const storeys = parcel.storeys ?? 1
  if (living > 0 && parcel.storeys === undefined)
    estimates.push('Storeys not known: taken as one, the largest footprint.')
  const footprint = living / Math.max(1, storeys) + (living > 0 ? (parcel.garageSqft ?? 0) : 0)
  const front = district?.setbacksFt?.front ?? using.frontFt
  const side = district?.setbacksFt ? sideYardFt(district.setbacksFt.side, width) : using.sideFt
  const houseDepth = footprint / Math.max(0.5 * width, width - 2 * side)
  if (living > 0) estimates.push(`House depth estimated at ${decimal(Math.round(houseDepth))} ft from its footprint.`)

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
