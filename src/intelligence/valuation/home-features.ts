import type { MarketModel } from './market-model.ts'
import { findNearest, type Nearest } from './nearest-sales.ts'
import {
  type NeighbourKernels,
  neighbourCount,
  neighbourNames,
  type PriorSale,
  writeNeighbourFeatures,
} from './neighbour-features.ts'
import { attributeAt, attributeCount, attributeNames } from './valuation-facts.ts'

/** What the trees see: a home's own attributes, then what its nearest sales say. */
export const featureNames: readonly string[] = [...attributeNames, ...neighbourNames]
export const featureCount = attributeCount + neighbourCount

/** A sale the market knows (its own price is then kept out), or any other home. */
export type FeatureSubject =
  | { sale: number }
  | { attributes: Float32Array; type: number; home: number | undefined; day: number }

/** Writes the features and leaves the nearest sales in `near`. Sales of the very same home never count as neighbours. */
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
    before < 0
      ? undefined
      : { logPpsf: model.neighbours.logPpsf[before]!, years: (day - sales.day[before]!) / 365.2425 }
  writeNeighbourFeatures(
    out,
    offset + attributeCount,
    attributes,
    from,
    near,
    model.neighbours,
    kernelsOf(model),
    prior,
  )
}

export function kernelsOf({ settings }: MarketModel): NeighbourKernels {
  return {
    sizeLog: settings.sizeKernel,
    ageYears: settings.ageKernel,
    lotLog: settings.lotKernel,
    minBandwidthKm: settings.minBandwidthKm,
  }
}
