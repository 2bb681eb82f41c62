// Selects the comparable sales of a home and weights them.

import { kernelsOf } from './home-features.ts'
import type { MarketModel } from './market-model.ts'
import type { Nearest } from './nearest-sales.ts'
import type { NeighborKernels } from './neighbor-features.ts'
import { unknownType } from './sale-columns.ts'
import { attributeAt, attributeCount } from './valuation-facts.ts'

interface ChosenComps {
  ids: number[]
  weights: number[]
  distanceKm: number[]
  /** All are in the subject's city; false if its city is unknown. */
  cityMatched: boolean
  typeMatched: boolean
}

/** A sale of six months ago counts half as much as one of today, a sale of a year ago a quarter. */
const recencyHalfLifeDays = 182
const enoughMatched = 5

const sizeAt = attributeAt.logLivingSqft
const yearAt = attributeAt.effectiveYear
const lotAt = attributeAt.logLotSqft

interface CompSubject {
  attributes: Float32Array
  offset: number
  type: number
  /** -1 if unknown. */
  city: number
  day: number
}

/**
 * Uses sales of the same city and type, otherwise of the same type, otherwise any: the first group with at least five
 * sales. Within the group it keeps those with the highest weight by distance, recency, and similar size, age and lot.
 */
export function chooseComps(model: MarketModel, subject: CompSubject, near: Nearest, keep: number): ChosenComps {
  const { sales } = model
  const kernels = kernelsOf(model)
  let ofType = 0
  let ofBoth = 0
  for (let k = 0; k < near.count; k++) {
    if (subject.type === unknownType || sales.type[near.ids[k]!] !== subject.type) continue
    ofType++
    if (subject.city >= 0 && sales.city[near.ids[k]!] === subject.city) ofBoth++
  }
  const byCity = ofBoth >= enoughMatched
  const byType = byCity || ofType >= enoughMatched
  const widthKm = Math.max(near.distanceKm[Math.min(20, near.count - 1)] ?? 1, model.settings.minBandwidthKm)
  // A running top list, highest weight first: this runs for every home of a market, and sorting all sales would be slow.
  const weighed: { k: number; weight: number }[] = []
  for (let k = 0; k < near.count; k++) {
    const id = near.ids[k]!
    if ((byType && sales.type[id] !== subject.type) || (byCity && sales.city[id] !== subject.city)) continue
    const weight = weightOf(model, kernels, subject, id, near.distanceKm[k]!, widthKm)
    let at = weighed.length
    while (at > 0 && outweighs(weight, id, weighed[at - 1]!.weight, near.ids[weighed[at - 1]!.k]!)) at--
    if (at >= keep) continue
    weighed.splice(at, 0, { k, weight })
    if (weighed.length > keep) weighed.pop()
  }
  const ids = weighed.map(({ k }) => near.ids[k]!)
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
  return {
    ids,
    weights: weighed.map(({ weight }) => weight / total),
    distanceKm: weighed.map(({ k }) => near.distanceKm[k]!),
    cityMatched: ids.length > 0 && subject.city >= 0 && ids.every((id) => sales.city[id] === subject.city),
    typeMatched: ids.length > 0 && subject.type !== unknownType && ids.every((id) => sales.type[id] === subject.type),
  }
}

const outweighs = (weight: number, id: number, otherWeight: number, otherId: number): boolean =>
  weight > otherWeight || (weight === otherWeight && id < otherId)

/** Decreases with distance and difference. Never zero, so that a remote home still has comparables. */
export function compWeight(
  model: MarketModel,
  subject: CompSubject,
  id: number,
  distanceKm: number,
  widthKm: number,
): number {
  return weightOf(model, kernelsOf(model), subject, id, distanceKm, widthKm)
}

function weightOf(
  model: MarketModel,
  kernels: NeighborKernels,
  subject: CompSubject,
  id: number,
  distanceKm: number,
  widthKm: number,
): number {
  const { attributes } = model.sales
  const own = subject.attributes
  const at = id * attributeCount
  const from = subject.offset
  const difference =
    squared((attributes[at + sizeAt]! - own[from + sizeAt]!) / (kernels.sizeLog * 1.5)) +
    squared((attributes[at + yearAt]! - own[from + yearAt]!) / (kernels.ageYears * 2)) +
    squared((attributes[at + lotAt]! - own[from + lotAt]!) / (kernels.lotLog * 1.6)) +
    squared((distanceKm * 1.5) / widthKm)
  const recency = 0.5 ** (Math.max(0, subject.day - model.sales.day[id]!) / recencyHalfLifeDays)
  return recency * (Math.exp(-0.5 * difference) + 1e-6 / (1 + distanceKm))
}

/** An unknown difference counts as one kernel width. */
function squared(value: number): number {
  return Number.isNaN(value) ? 1 : value * value
}
