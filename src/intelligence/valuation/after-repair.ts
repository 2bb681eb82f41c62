import type { Confidence } from '../../domain/facts.ts'
import type { StoredResaleSale } from '../../domain/findings/comps.ts'
import { cappedWeights } from './comparables.ts'
import { type MarketModel, modelFor } from './market-model.ts'
import { findNearest, makeNearest, type Nearest, type PointIndex } from './nearest-sales.ts'
import { weightedMedian } from './quantiles.ts'
import { type RenovatedSource, renovatedKey, renovatedSources } from './renovated-sales.ts'
import { cityKey, isPoint, typeCode, unknownType } from './sale-columns.ts'
import { logLevel } from './time-index.ts'
import {
  attributeAt,
  attributeCount,
  dateOf,
  dayOf,
  type ValuationHome,
  writeAttributes,
  yearOfDay,
} from './valuation-facts.ts'
import { applyCalibration, predictHome } from './value-home.ts'

/** A new house is compared with new construction first, a renovated one with whatever was built or renovated recently. */
type AfterRepairWork = 'rebuild' | 'renovate'

const minRenovatedComps = 3

/** Adjustments are clamped to this: a larger one means that the sale is not comparable. */
const maxAdjustment = Math.log(1.6)

/** A lot is asked about at several sizes one after another; the sales near it are the same. */
const lastFound = new WeakMap<MarketModel, { key: string; found: ReturnType<typeof firstRung<Nearest>> }>()

/**
 * The expected sale price per square foot once rebuilt or renovated to `buildSqft`, from sales of new and renovated homes
 * or, if there are too few, of the top quarter by price. Undefined with fewer than three sales or an unknown location.
 */
export function afterRepairPerSqft(
  market: MarketModel,
  subject: ValuationHome,
  buildSqft: number,
  asOf: string,
  work: AfterRepairWork = 'rebuild',
) {
  const model = modelFor(market, subject)
  const { sales } = model
  const type = typeCode(subject)
  if (!isPoint(subject) || type === unknownType || !(buildSqft > 0)) return undefined
  const day = dayOf(asOf)
  const city = subject.city ? sales.cities.indexOf(cityKey(subject.city)) : -1
  const renovatedYear = Math.floor(yearOfDay(day))
  const { yearRenovated: _, beds: _b, baths: _c, stories: _s, ...lasting } = subject
  const renovated = { ...lasting, livingSqft: buildSqft, yearBuilt: renovatedYear }
  const attributes = new Float32Array(attributeCount)
  writeAttributes(attributes, 0, renovated, sales.projection, day)
  const [east, north] = [attributes[attributeAt.eastKm]!, attributes[attributeAt.northKm]!]
  const key = `${city} ${type} ${day} ${east} ${north}`
  const last = lastFound.get(model)
  const rung =
    last?.key === key
      ? last.found
      : firstRung(model, city, type, (index) => {
          const near = makeNearest(4 * model.settings.compsShown)
          return findNearest(index, east, north, near, (id) => sales.day[id]! >= day)
        })
  lastFound.set(model, { key, found: rung })
  if (!rung) return undefined

  const { near, compSource } = rung
  const widthKm = Math.max(near.distanceKm[Math.min(11, near.count - 1)]!, 0.5)
  const closest = Array.from({ length: near.count }, (_, k) => ({
    id: near.ids[k]!,
    distanceKm: near.distanceKm[k]!,
    weight: weightOf(model, attributes, { day, id: near.ids[k]!, distanceKm: near.distanceKm[k]!, widthKm, work }),
  }))
    .sort((a, b) => b.weight - a.weight || a.id - b.id)
    .slice(0, model.settings.compsShown)
  const weights = cappedWeights(closest.map(({ weight }) => weight))
  const weighed = closest.map((sale, k) => ({ ...sale, weight: weights[k]! }))

  const attributeOf = (id: number, name: keyof typeof attributeAt) =>
    sales.attributes[id * attributeCount + attributeAt[name]]!
  // The rooms of the house to be built are unknown, so those of the nearby renovated homes are used.
  const typical = (name: 'beds' | 'baths' | 'stories' | 'quality' | 'condition') => {
    const known = weighed.filter(({ id }) => !Number.isNaN(attributeOf(id, name)))
    return known.length === 0 ? undefined : weightedMedian(known, ({ id }) => attributeOf(id, name))
  }
  const built = {
    ...renovated,
    beds: typical('beds'),
    baths: typical('baths'),
    stories: typical('stories'),
    quality: typical('quality') ?? subject.quality,
    condition: typical('condition'),
  }
  const predicted = predictHome(model, built, asOf)
  if (!predicted) return undefined
  const comps = weighed.map((sale) => adjustedComparable(model, sale, { predicted: predicted.logPpsf, buildSqft, day }))
  return {
    arvPerSqft: weightedMedian(comps, (comp) => comp.adjustedPerSqft),
    compCount: comps.length,
    compsCityMatched: compSource.startsWith('city'),
    compsTypeMatched: weighed.every(({ id }) => sales.type[id] === type),
    compSource,
    comps,
    largestCompSqft: Math.round(Math.exp(Math.max(...weighed.map(({ id }) => attributeOf(id, 'logLivingSqft'))))),
    confidence: confidenceOf(compSource, comps),
  }
}

/** The price per square foot of a sale on the day, as if it were the house to be built. `predicted`: the log of that of the house. */
const adjustedComparable = (
  model: MarketModel,
  { id, distanceKm, weight }: { id: number; distanceKm: number; weight: number },
  { predicted, buildSqft, day }: { predicted: number; buildSqft: number; day: number },
): StoredResaleSale => {
  const { sales, index } = model
  const logBuild = Math.log(buildSqft)
  const moved = sales.logPpsf[id]! + logLevel(index, day) - logLevel(index, sales.day[id]!)
  // The whole unexplained part carries over here, because it reflects the finish that a renovation buys.
  const full = applyCalibration(model, predicted + logBuild + model.unexplained[id]!) - logBuild
  const adjustment = Math.max(-maxAdjustment, Math.min(maxAdjustment, full - moved))
  return {
    saleId: sales.saleId[id]!,
    soldOn: dateOf(sales.day[id]!),
    priceUsd: sales.priceUsd[id]!,
    distanceKm,
    pricePerSqft: Math.exp(sales.logPpsf[id]!),
    timeAdjustedPerSqft: Math.exp(moved),
    adjustedPerSqft: Math.exp(moved + adjustment),
    weight,
  }
}

/** A sale of six months ago counts half as much as one of today, a sale of a year ago a quarter. */
const recencyHalfLifeDays = 182

/** For a new house, a renovated old one counts for at least e^-2, a seventh, of new construction: few markets have enough of that. */
const oldHouse = 4

/** Decreases with distance and difference. Never zero, so that a remote home still has comparables. */
function weightOf(
  model: MarketModel,
  homeAttributes: Float32Array,
  sale: { day: number; id: number; distanceKm: number; widthKm: number; work: AfterRepairWork },
): number {
  const { day, id, distanceKm, widthKm, work } = sale
  const { settings, sales } = model
  const { attributes } = sales
  const off = (name: 'logLivingSqft' | 'yearBuilt' | 'effectiveYear' | 'logLotSqft', width: number): number => {
    const u = (attributes[id * attributeCount + attributeAt[name]]! - homeAttributes[attributeAt[name]]!) / width
    // An unknown difference counts as one kernel width.
    return Number.isNaN(u) ? 1 : u * u
  }
  const difference =
    off('logLivingSqft', settings.sizeKernel * 1.5) +
    (work === 'rebuild'
      ? Math.min(oldHouse, off('yearBuilt', settings.ageKernel * 2))
      : off('effectiveYear', settings.ageKernel * 2)) +
    off('logLotSqft', settings.lotKernel * 1.6) +
    ((distanceKm * 1.5) / widthKm) ** 2
  const recency = 0.5 ** (Math.max(0, day - sales.day[id]!) / recencyHalfLifeDays)
  return recency * (Math.exp(-0.5 * difference) + 1e-6 / (1 + distanceKm))
}

function firstRung<T extends { count: number }>(
  { renovatedSales }: MarketModel,
  city: number,
  type: number,
  find: (index: PointIndex) => T,
): { near: T; compSource: RenovatedSource } | undefined {
  for (const compSource of renovatedSources) {
    const index = renovatedSales.get(renovatedKey(compSource, city, type))
    const near = index && find(index)
    if (near && near.count >= minRenovatedComps) return { near, compSource }
  }
  return undefined
}

/** High only for renovated homes of the same city whose prices agree. */
function confidenceOf(compSource: RenovatedSource, comps: readonly StoredResaleSale[]): Confidence {
  if (compSource === 'market_top_quarter' || comps.length < 5) return 'low'
  const middle = weightedMedian(comps, (comp) => Math.log(comp.adjustedPerSqft))
  const spread = comps.reduce((sum, comp) => sum + comp.weight * Math.abs(Math.log(comp.adjustedPerSqft) - middle), 0)
  if (spread > 0.25) return 'low'
  return compSource === 'city_renovated' && spread <= 0.15 ? 'high' : 'medium'
}

/** As it is stored and served. */
export const storedResale = (sale: StoredResaleSale): StoredResaleSale => ({
  ...sale,
  distanceKm: Math.round(sale.distanceKm * 100) / 100,
  pricePerSqft: Math.round(sale.pricePerSqft),
  timeAdjustedPerSqft: Math.round(sale.timeAdjustedPerSqft),
  adjustedPerSqft: Math.round(sale.adjustedPerSqft),
  weight: Math.round(sale.weight * 1000) / 1000,
})
