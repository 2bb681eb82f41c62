// The rear yard of a house and how much of it can be built on. Records do not contain the depth of a house, so it is
// estimated from the footprint laid across the lot.

import type { ParcelFacts } from '../../domain/facts.ts'
import type { District } from '../../domain/packs/zoning.ts'
import { decimal, sqft } from '../scores/number-format.ts'
import { sideYardFt } from './setback-box.ts'
import { isVacantLot, type VacantLotFacts } from './vacant-lot.ts'

export interface RearYard {
  /** Absent when the size of the house is unknown. */
  coveragePct?: number
  /** Behind the house, across the full width. */
  rearYardSqft: number
  /** The part of it that remains after the unit's setbacks and the separation from the house. */
  buildableSqft: number
  shapeAssumed: boolean
  houseAssumed: boolean
}

interface RearYardEstimate {
  /** Absent when the lot size is unknown or the sizes on record cannot all be right. */
  yard?: RearYard
  /** What was assumed, or why there is no yard, in words. */
  notes: readonly string[]
}

const rearYardAssumptions = {
  /** Between the house and a detached unit. */
  separationFt: 6,
  /** Used where the district's own setbacks are unknown. */
  frontFt: 20,
  sideFt: 5,
  /** Depth over width of a lot of unknown shape: a typical tract lot is 50 × 100 ft. */
  depthPerWidth: 2,
  /** Footprint of a house of unknown size: 30% of the lot, the middle of the Peninsula's houses, up to 3,000 sq ft. */
  unknownHousePct: 30,
  unknownHouseSqft: 3000,
  /**
   * No district in the zoning tables lets buildings cover more than half of a lot. A footprint far above that means
   * that the living area, the number of stories or the lot size on record is wrong.
   */
  plausibleCoveragePct: 60,
} as const

type RearYardFacts = Pick<
  ParcelFacts,
  'lotSqft' | 'lotWidthFt' | 'lotDepthFt' | 'stories' | 'garageSqft' | 'buildings'
> &
  VacantLotFacts

/** `unitSetbackFt` is what a detached unit keeps from the side and rear lines. */
export function rearYard(
  parcel: RearYardFacts,
  district?: Pick<District, 'setbacksFt'>,
  unitSetbackFt: { side: number; rear: number } = { side: 4, rear: 4 },
): RearYardEstimate {
  const { lotSqft } = parcel
  if (!lotSqft) return { notes: [] }
  const using = rearYardAssumptions
  const notes: string[] = []

  const measured = measuredYard(parcel, lotSqft, unitSetbackFt)
  if (measured) return measured

  const footprint = footprintOf(parcel, lotSqft, notes)
  const coveragePct = footprint.assumed ? undefined : Math.round((1000 * footprint.sqft) / lotSqft) / 10
  if (coveragePct !== undefined && coveragePct > using.plausibleCoveragePct)
    return {
      notes: [
        `A house of ${sqft(parcel.livingSqft ?? 0)} would cover ${Math.round(coveragePct)}% of the lot: its size, its stories or the lot size on record must be wrong, so the yard is unknown.`,
      ],
    }

  const shapeKnown = Boolean(parcel.lotWidthFt && parcel.lotDepthFt)
  const width = shapeKnown ? parcel.lotWidthFt! : Math.sqrt(lotSqft / using.depthPerWidth)
  const depth = shapeKnown ? parcel.lotDepthFt! : width * using.depthPerWidth
  if (!shapeKnown)
    notes.push(
      `Lot dimensions are unknown; the lot is assumed to be ${using.depthPerWidth} times as deep as it is wide.`,
    )
  else if (Math.abs(width * depth - lotSqft) > 0.2 * lotSqft)
    notes.push(`The lot is irregular: ${decimal(width)} × ${decimal(depth)} ft does not equal ${sqft(lotSqft)}.`)

  const front = district?.setbacksFt?.front ?? using.frontFt
  const side = district?.setbacksFt ? sideYardFt(district.setbacksFt.side, width) : using.sideFt
  const houseDepth = footprint.sqft / Math.max(0.5 * width, width - 2 * side)
  if (footprint.sqft > 0)
    notes.push(`The depth of the house is estimated at ${decimal(Math.round(houseDepth))} ft from its footprint.`)

  const yardDepth = Math.max(0, depth - front - houseDepth)
  const inner = Math.max(0, yardDepth - using.separationFt) * Math.max(0, width - 2 * unitSetbackFt.side)
  return {
    yard: {
      coveragePct,
      rearYardSqft: Math.round(yardDepth * width),
      buildableSqft: Math.max(0, Math.round(inner - unitSetbackFt.rear * width)),
      shapeAssumed: !shapeKnown,
      houseAssumed: footprint.assumed,
    },
    notes,
  }
}

/**
 * From footprints: behind the largest building, on the side of the lot with more room; smaller buildings there take their part of
 * it. Undefined without a map, or where its shapes and the lot on record do not fit.
 */
function measuredYard(
  { buildings, lotWidthFt: width, lotDepthFt: depth }: RearYardFacts,
  lotSqft: number,
  setback: { side: number; rear: number },
): RearYardEstimate | undefined {
  const [house, ...others] = buildings ?? []
  if (!house || !width || !depth) return undefined
  const covered = house.sqft + others.reduce((sum, { sqft: size }) => sum + size, 0)
  const coveragePct = Math.round((1000 * covered) / lotSqft) / 10
  if (coveragePct > 100) return undefined
  const [before, behind] = [house.alongFt[0], Math.max(0, depth - house.alongFt[1])]
  const yardDepth = Math.max(before, behind)
  const inYard = others
    .filter(({ alongFt: [from, to] }) => (behind >= before ? to > house.alongFt[1] : from < house.alongFt[0]))
    .reduce((sum, { sqft: size }) => sum + size, 0)
  // A lot that is not a rectangle has less than depth times width.
  const shape = Math.min(1, lotSqft / (width * depth))
  const deep = Math.max(0, yardDepth - rearYardAssumptions.separationFt - setback.rear)
  const inner = deep * Math.max(0, width - 2 * setback.side) * shape - inYard
  return {
    yard: {
      coveragePct,
      rearYardSqft: Math.max(0, Math.round(yardDepth * width * shape - inYard)),
      buildableSqft: Math.max(0, Math.round(inner)),
      shapeAssumed: false,
      houseAssumed: false,
    },
    notes: [
      `Buildings are measured from footprints; the rear is taken to be the deeper side, ${decimal(Math.round(yardDepth))} ft.`,
    ],
  }
}

function footprintOf(parcel: RearYardFacts, lotSqft: number, notes: string[]): { sqft: number; assumed: boolean } {
  if (isVacantLot(parcel)) return { sqft: 0, assumed: false }
  const { livingSqft, stories, garageSqft = 0 } = parcel
  if (!livingSqft) {
    const { unknownHousePct, unknownHouseSqft } = rearYardAssumptions
    const assumed = Math.round(Math.min((unknownHousePct / 100) * lotSqft, unknownHouseSqft))
    notes.push(`The size of the house is unknown; a footprint of ${sqft(assumed)} is assumed.`)
    return { sqft: assumed, assumed: true }
  }
  if (stories === undefined)
    notes.push('The number of stories is unknown; one story is assumed, which gives the largest footprint.')
  return { sqft: livingSqft / Math.max(1, stories ?? 1) + garageSqft, assumed: false }
}
