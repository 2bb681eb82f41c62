// The inputs of the boosted trees for one home: its own attributes, then features of its nearest sales.

import type { MarketModel } from './market-model.ts'
import { findNearest, type Nearest } from './nearest-sales.ts'
import {
  neighborCount,
  priorAt as neighborPriorAt,
  type PriorSale,
  writeNeighborFeatures,
} from './neighbor-features.ts'
import { attributeAt, attributeCount } from './valuation-facts.ts'

export const featureCount = attributeCount + neighborCount
/** Where the features of the home's own earlier sale begin. */
export const priorAt = attributeCount + neighborPriorAt

/** What the features of a home are read from. */
export type Neighborhood = Pick<MarketModel, 'sales' | 'places' | 'neighbors' | 'settings'>

/** A sale of the market, whose own price is excluded, or any other home. */
type FeatureSubject =
  | { sale: number /** Its attributes, if some are left out. */; attributes?: Float32Array }
  | { attributes: Float32Array; type: number; home: number | undefined; day: number }

/** Writes the features and leaves the nearest sales in `near`. Sales of the same home are never neighbors. */
export function writeFeatures(
  out: Float32Array,
  offset: number,
  model: Neighborhood,
  subject: FeatureSubject,
  near: Nearest,
): void {
  const { sales } = model
  const isSale = 'sale' in subject
  const attributes = subject.attributes ?? sales.attributes
  const from = subject.attributes ? 0 : (subject as { sale: number }).sale * attributeCount
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
  writeNeighborFeatures(out, offset + attributeCount, attributes, from, near, model.neighbors, model.settings, prior)
}
