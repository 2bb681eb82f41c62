// The inputs of the boosted trees for one home: its own attributes, then features of its nearest sales.

import { predictHedonic } from './hedonic.ts'
import type { MarketModel } from './market-model.ts'
import { findNearest, type Nearest } from './nearest-sales.ts'
import {
  type NeighborKernels,
  neighborCount,
  neighborNames,
  type PriorSale,
  writeNeighborFeatures,
} from './neighbor-features.ts'
import { attributeAt, attributeCount, attributeNames } from './valuation-facts.ts'

export const featureNames: readonly string[] = [...attributeNames, ...neighborNames]
export const featureCount = attributeCount + neighborCount

const hedonicAt = neighborNames.indexOf('hedonicHere')
const placeAt = neighborNames.indexOf('locationPremium')
const placeLikeAt = neighborNames.indexOf('locationPremiumLikeAll')
const placeTightAt = neighborNames.indexOf('locationPremiumTight')
/** Position of the linear model's estimate, which the trees correct. */
export const firstGuessAt = attributeCount + hedonicAt

/** A sale of the market, whose own price is excluded, or any other home. */
type FeatureSubject =
  | { sale: number }
  | { attributes: Float32Array; type: number; home: number | undefined; day: number }

/** Writes the features and leaves the nearest sales in `near`. Sales of the same home are never neighbors. */
export function writeFeatures(
  out: Float32Array,
  offset: number,
  model: MarketModel,
  subject: FeatureSubject,
  near: Nearest,
): void {
  const { sales } = model
  const isSale = 'sale' in subject
  const attributes = isSale ? sales.attributes : subject.attributes
  const from = isSale ? subject.sale * attributeCount : 0
  for (let i = 0; i < attributeCount; i++) out[offset + i] = attributes[from + i]!
  const home = isSale ? sales.home[subject.sale]! : subject.home
  const type = isSale ? sales.type[subject.sale]! : subject.type
  findNearest(
    model.places.byType.get(type) ?? model.places.all,
    attributes[from + attributeAt.eastKm]!,
    attributes[from + attributeAt.northKm]!,
    near,
    home === undefined ? undefined : (id) => sales.home[id] === home,
  )
  const day = isSale ? sales.day[subject.sale]! : subject.day
  const before = isSale ? sales.previous[subject.sale]! : home === undefined ? -1 : sales.lastOfHome[home]!
  const prior: PriorSale | undefined =
    before < 0 ? undefined : { logPpsf: model.neighbors.logPpsf[before]!, years: (day - sales.day[before]!) / 365.2425 }
  const explained = isSale ? model.explained[subject.sale]! : predictHedonic(model.hedonic, attributes, from)
  writeNeighborFeatures(out, offset + attributeCount, attributes, from, near, model.neighbors, kernelsOf(model), prior)
  // The estimate of the linear model. The trees learn only its errors, which helps most with few sales.
  const at = offset + attributeCount
  const place = (out[at + placeAt]! + out[at + placeLikeAt]! + out[at + placeTightAt]!) / 3
  out[at + hedonicAt] = explained + (Number.isNaN(place) ? 0 : place)
}

export function kernelsOf({ settings }: MarketModel): NeighborKernels {
  return {
    sizeLog: settings.sizeKernel,
    ageYears: settings.ageKernel,
    lotLog: settings.lotKernel,
    minBandwidthKm: settings.minBandwidthKm,
  }
}
