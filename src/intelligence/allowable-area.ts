// How much may be built on a parcel: the one source for redevelopment, the pro forma and the resale value.

import type { Assumptions } from '../contract/assumptions.ts'
import type { Envelope } from '../contract/building-envelope.ts'
import { sqft } from './number-format.ts'

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
  if (maxSqft === undefined || livableSqft === undefined || livableSqft <= 0) return undefined
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

/** The size of the house a pro forma builds: the buildable area, capped at a multiple of the existing house. */
export const buildSize = (
  envelope: Envelope,
  existing: number | undefined,
  { buildSizeMultiple: multiple }: Pick<Assumptions, 'buildSizeMultiple'>,
): BuildSize => {
  const area = allowableArea(envelope)
  if (!area) return {}
  const { buildableSqft, basis } = area
  if (!existing) return { sqft: buildableSqft, basis: `${basis}; not capped, because there is no existing house` }
  const cap = Math.round(multiple * existing)
  if (cap < buildableSqft)
    return { sqft: cap, capped: true, basis: `${basis}, capped at ${multiple} × the existing ${sqft(existing)}` }
  return { sqft: buildableSqft, basis: `${basis}, within the cap of ${multiple} × the existing ${sqft(existing)}` }
}
