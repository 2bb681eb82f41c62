// Features of a home's nearest sales for the trees: kernel-weighted means of their time-adjusted log price per square
// foot, weighted by distance alone or also by similar size, age and lot, and their spread.

import type { ValuationSettings } from './assumptions.ts'
import type { Nearest } from './nearest-sales.ts'
import { attributeAt, attributeCount } from './valuation-facts.ts'

export const neighborNames = [
  'near',
  'nearLikeAll',
  'nearTight',
  'spread',
  'locationPremium',
  'locationPremiumLikeAll',
  'km6th',
  'sizeAgainstNear',
  'lotAgainstNear',
  'ageAgainstNear',
  'priorLogPpsf',
  'priorYears',
] as const
export const neighborCount = neighborNames.length

/** Columns of the sales, at the price level of the model's date. */
export interface NeighborColumns {
  attributes: Float32Array
  /** Log price per square foot, time-adjusted, with outliers clamped. */
  logPpsf: Float64Array
  /** `logPpsf` minus the part explained by attributes: the effect of the location. */
  locationPremium: Float64Array
}

export interface PriorSale {
  logPpsf: number
  years: number
}

const sizeAt = attributeAt.logLivingSqft
const lotAt = attributeAt.logLotSqft
const yearAt = attributeAt.effectiveYear

export const priorAt = neighborNames.indexOf('priorLogPpsf')
const meanCount = 8
const accumulator = new Float64Array(meanCount * 2)

export function writeNeighborFeatures(
  out: Float32Array,
  offset: number,
  subject: Float32Array,
  subjectOffset: number,
  near: Nearest,
  columns: NeighborColumns,
  kernels: ValuationSettings,
  prior: PriorSale | undefined,
): void {
  out.fill(Number.NaN, offset, offset + neighborCount)
  out[offset + priorAt] = prior?.logPpsf ?? Number.NaN
  out[offset + priorAt + 1] = prior?.years ?? Number.NaN
  if (near.count === 0) return
  const size = subject[subjectOffset + sizeAt]!
  const lot = subject[subjectOffset + lotAt]!
  const year = subject[subjectOffset + yearAt]!
  const kmAt = (rank: number) => near.distanceKm[Math.min(rank, near.count - 1)]!
  const wide = Math.max(kmAt(20), kernels.minBandwidthKm) / 1.5
  const tight = Math.max(kmAt(6), kernels.minBandwidthKm / 2) / 1.5
  accumulator.fill(0)
  let squares = 0
  for (let k = 0; k < near.count; k++) {
    const id = near.ids[k]!
    const row = id * attributeCount
    const otherSize = columns.attributes[row + sizeAt]!
    const otherLot = columns.attributes[row + lotAt]!
    const otherYear = columns.attributes[row + yearAt]!
    const price = columns.logPpsf[id]!
    const place = columns.locationPremium[id]!
    // Wider kernels than for a single attribute, or almost no sale would have weight.
    const likeAll =
      closeness(otherSize - size, kernels.sizeKernel * 1.5) *
      closeness(otherYear - year, kernels.ageKernel * 2) *
      closeness(otherLot - lot, kernels.lotKernel * 1.6)
    const byWide = Math.exp(-0.5 * (near.distanceKm[k]! / wide) ** 2) + 1e-9
    const byTight = Math.exp(-0.5 * (near.distanceKm[k]! / tight) ** 2) + 1e-9
    add(0, byWide, price)
    add(1, byWide * likeAll, price)
    add(2, byTight, price)
    add(3, byWide, place)
    add(4, byWide * likeAll, place)
    add(5, byWide, otherSize)
    add(6, byWide, otherLot)
    add(7, byWide, otherYear)
    squares += byWide * price * price
  }
  const near0 = mean(0)
  const values = [
    near0,
    mean(1),
    mean(2),
    Math.sqrt(Math.max(0, squares / accumulator[0]! - near0 * near0)),
    mean(3),
    mean(4),
    kmAt(5),
    mean(5) - size,
    mean(6) - lot,
    mean(7) - year,
  ]
  for (let i = 0; i < values.length; i++) out[offset + i] = values[i]!
}

function add(at: number, weight: number, value: number): void {
  if (Number.isNaN(value)) return
  accumulator[2 * at]! += weight
  accumulator[2 * at + 1]! += weight * value
}

const mean = (at: number): number =>
  accumulator[2 * at]! > 0 ? accumulator[2 * at + 1]! / accumulator[2 * at]! : Number.NaN

/** 1 for equal values, decreasing with the difference; 0.6 if either value is unknown. */
function closeness(difference: number, scale: number): number {
  if (Number.isNaN(difference)) return 0.6
  const u = difference / scale
  return Math.exp(-0.5 * u * u) + 1e-9
}
