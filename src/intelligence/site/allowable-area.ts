// How much may be built on a parcel: the one source for redevelopment, the pro forma and the resale value.

import type { Assumptions } from '../../domain/assumptions/assumptions.ts'
import type { Envelope } from '../../domain/findings/building-envelope.ts'
import type { NewHouseLimit } from '../../domain/findings/redevelopment.ts'
import { sqft } from '../scores/number-format.ts'

/** Undefined when the district or the lot cannot be modeled, or nothing livable fits. */
export const allowableArea = (envelope: Envelope) => {
  const { maxSqft, livableSqft, limitedBy, review, likelyApprovableSqft } = envelope
  if (maxSqft === undefined || !livableSqft) return undefined
  const garage = maxSqft - livableSqft
  const inside = garage > 0 ? `, minus ${sqft(garage)} for a garage` : ''
  const zoned = `zoning limit of ${sqft(maxSqft)} (${limitedBy?.replace('_', ' ')})${inside}`
  if (!review || review.sqft >= livableSqft) return { allowableSqft: maxSqft, buildableSqft: livableSqft, basis: zoned }
  const counted = (likelyApprovableSqft ?? review.sqft) - review.sqft
  const garageIn = counted > 0 ? ` (${sqft(review.sqft + counted)}, minus ${sqft(counted)} for a garage)` : ''
  return {
    /** The zoning limit, including a garage that counts as floor area. */
    allowableSqft: maxSqft,
    /** Living area that can realistically be built: without a garage that the binding limit counts, and no more than needs no hearing. */
    buildableSqft: review.sqft,
    /** Where both come from, and why they differ when they do. */
    basis: `${sqft(review.sqft)} without a decision of the ${review.body}${garageIn}, within the ${zoned}`,
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
  if (newHouses) limits.push({ sqft: newHouseMost(newHouses), basis: newHouseText(newHouses), capped: false })
  if (existing) {
    const cap = Math.round(multiple * existing)
    limits.push({ sqft: cap, basis: `${multiple} × the existing ${sqft(existing)} is ${sqft(cap)}`, capped: true })
  }
  const [binding, ...others] = limits.toSorted((a, b) => a.sqft - b.sqft)
  return { ...binding!, basis: [binding!, ...others].map(({ basis }) => basis).join('; ') }
}

/** What is a tenth larger than the largest comparable still sells like it. */
const beyondComparable = 1.1

/** The largest new house that sales support. `mostSqft` in src/store/search/deal-terms.ts is the same in SQL. */
const newHouseMost = ({ sqft: size, largestCompSqft = 0 }: NewHouseLimit): number =>
  Math.max(size, Math.round(beyondComparable * largestCompSqft))

const areaText = {
  nearby: 'within 3 miles',
  city: 'in the city',
  similarCities: 'in cities with similar prices',
} as const

const newHouseText = (limit: NewHouseLimit): string => {
  const sold = `nine in ten of the ${limit.count} new houses sold ${areaText[limit.area]} have at most ${sqft(limit.sqft)}`
  const most = newHouseMost(limit)
  return most > limit.sqft
    ? `${beyondComparable} × the largest comparable of ${sqft(limit.largestCompSqft!)} is ${sqft(most)} (${sold})`
    : sold
}
