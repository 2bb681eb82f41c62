// How much may be built on a parcel: the one source for redevelopment, the pro forma and the resale value.

import type { Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { Envelope } from '../../domain/findings/building-envelope.ts'
import type { NewHouseLimit } from '../../domain/findings/redevelopment.ts'
import { sqft } from '../scores/number-format.ts'

interface AllowableArea {
  /** The zoning limit, including a garage that counts as floor area. */
  allowableSqft: number
  /** Living area that can realistically be built: without that garage, and no more than is likely to be approved. */
  buildableSqft: number
  /** Where both come from, and why they differ when they do. */
  basis: string
}

/** Undefined when the district or the lot cannot be modeled, or nothing livable fits. */
export const allowableArea = (envelope: Envelope): AllowableArea | undefined => {
  const { maxSqft, livableSqft, limitedBy, likelyApprovableSqft } = envelope
  if (maxSqft === undefined || !livableSqft) return undefined
  const garage = maxSqft - livableSqft
  const inside = garage > 0 ? `, minus ${sqft(garage)} for a garage` : ''
  const zoned = `zoning limit of ${sqft(maxSqft)} (${limitedBy?.replace('_', ' ')})${inside}`
  const reviewed = likelyApprovableSqft !== undefined && likelyApprovableSqft < livableSqft
  return {
    allowableSqft: maxSqft,
    buildableSqft: reviewed ? likelyApprovableSqft : livableSqft,
    basis: reviewed ? `${sqft(likelyApprovableSqft)} likely to be approved, within the ${zoned}` : zoned,
  }
}

interface BuildSize {
  sqft?: number
  /** Whether the multiple of the existing house determines the size. */
  capped?: boolean
  basis?: string
}

/**
 * The size of the house a pro forma builds: the smallest of the buildable area, the largest new house the market has seen, and
 * a multiple of the existing house.
 */
export const buildSize = (
  envelope: Envelope,
  existing: number | undefined,
  { buildSizeMultiple: multiple }: Pick<Assumptions, 'buildSizeMultiple'>,
  newHouses?: NewHouseLimit,
): BuildSize => {
  const area = allowableArea(envelope)
  if (!area) return {}
  const limits = [{ sqft: area.buildableSqft, basis: area.basis, capped: false }]
  if (newHouses) limits.push({ sqft: newHouses.sqft, basis: newHouseText(newHouses), capped: false })
  if (existing) {
    const cap = Math.round(multiple * existing)
    limits.push({ sqft: cap, basis: `${multiple} × the existing ${sqft(existing)} is ${sqft(cap)}`, capped: true })
  }
  const [binding, ...others] = limits.toSorted((a, b) => a.sqft - b.sqft)
  return { ...binding!, basis: [binding!, ...others].map(({ basis }) => basis).join('; ') }
}

const areaText = { nearby: 'within 1 mile', city: 'in the city', market: 'in the market' } as const

const newHouseText = ({ sqft: size, count, area }: NewHouseLimit): string =>
  `nine in ten of the ${count} new houses sold ${areaText[area]} have at most ${sqft(size)}`
