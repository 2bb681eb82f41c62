// Values one home on a day with the fitted model of its market, or says why there is no value.

import type { Confidence } from '../../domain/facts.ts'
import type { GridSale } from '../../domain/findings/comps.ts'
import type { ScorePart } from '../../domain/findings/findings.ts'
import type { DoubtfulFact, ValueBasis, ValueUnavailable } from '../../domain/findings/value.ts'
import { miles, plural } from '../scores/number-format.ts'
import { predictBoosted } from './boosted-trees.ts'
import { comparablesIn } from './comparables.ts'
import { contributionsOf, typicalAttributes, valueParts } from './contributions.ts'
import { doubtfulFacts } from './doubtful-facts.ts'
import { errorFeatureCount, expectedErrorOf, writeErrorFeatures } from './error-size.ts'
import { featureCount, priorAt, writeFeatures } from './home-features.ts'
import { type MarketModel, modelFor } from './market-model.ts'
import { findNearest, makeNearest, type Nearest } from './nearest-sales.ts'
import { writeNeighborFeatures } from './neighbor-features.ts'
import { type ComparableEvidence, evidenceOf, reconciled, weightOfComps } from './reconcile.ts'
import { cityKey, homeKey, isPoint, typeCode, unknownType } from './sale-columns.ts'
import { supportedError, unlikeness } from './support.ts'
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

export interface Valuation {
  valueUsd: number
  lowUsd: number
  highUsd: number
  confidence: Confidence
  /** Miles to the nearest sale, rounded up to 0.1. */
  nearestSaleMi: number
  salesWithinMile12m: number
  /** Unknown facts that would make the value more precise. */
  missing: readonly string[]
  /** Facts that are probably wrong. */
  doubtful: readonly DoubtfulFact[]
  basis: ValueBasis
  /** What the value consists of, in dollars. Computed when asked for, because it asks the model up to eight times. */
  parts: () => ScorePart[]
}

/** Undefined without support: see `valueOrReason`. */
export const valueHome = (market: MarketModel, subject: ValuationHome, asOf: string): Valuation | undefined =>
  valueOrReason(market, subject, asOf).value

export type ValueOrReason =
  | { value: Valuation; unavailable?: undefined }
  | { value?: undefined; unavailable: ValueUnavailable }

/** After this many days without a sale, no price level of the market is known. */
const longestWithoutSales = 730
/** Homes of a type are valued from sales of that type; so many are needed among the nearest. */
const minOfType = 3
const mostUnlike = 2

export function valueOrReason(market: MarketModel, subject: ValuationHome, asOf: string): ValueOrReason {
  const model = modelFor(market, subject)
  const predicted = predictHome(model, subject, asOf)
  if (!predicted)
    return none('TOO_FEW_FACTS', `No value without ${subject.livingSqft ? 'a location' : 'the living area'}.`)
  const { sales, calibration, support } = model
  const { near, day, features } = predicted
  const km = near.distanceKm[Math.min(2, near.count - 1)]!
  const nearestSaleMi = Math.ceil((10 * near.distanceKm[0]!) / kmPerMile - 1e-9) / 10
  const sinceSale = day - sales.day[sales.count - 1]!
  if (sinceSale > longestWithoutSales)
    return none(
      'TOO_FEW_SALES',
      `The newest known sale is ${plural(Math.floor(sinceSale / 365), 'year')} old.`,
      nearestSaleMi,
    )
  if (km > support.maxKm)
    return none(
      'NO_SALES_NEARBY',
      `Fewer than three known sales are within ${miles(support.maxKm / kmPerMile)}, as a value needs in this market; the nearest is ${miles(nearestSaleMi)} away.`,
      nearestSaleMi,
    )
  if (predicted.type !== unknownType && ofTypeNear(model, predicted) < minOfType)
    return none(
      'UNLIKE_ITS_NEIGHBORS',
      'No home of this type sold nearby, and values of other types do not apply to it.',
      nearestSaleMi,
    )
  const unlike = unlikeness(support, features)
  if (unlike > mostUnlike)
    return none(
      'UNLIKE_ITS_NEIGHBORS',
      'Its size, lot or age is far outside of what sold nearby, or does not fit its rooms. Check the facts.',
      nearestSaleMi,
    )
  const comps = evidenceOf(comparablesIn(model, { ...predicted, at: 0 }, day))
  const byModel = predicted.logPpsf + predicted.attributes[attributeAt.logLivingSqft]!
  const { compsWeights } = calibration
  const logValue = applyCalibration(model, reconciled(compsWeights, byModel, comps))
  const valueUsd = Math.exp(logValue)
  // Each part is an error of its own: of the home, of the location's price level at this distance, and of the market's level since
  // the newest sale.
  const error = supportedError(support, features, ownError(model, features, logValue, comps))
  const drift = rangeDeviations * model.settings.driftPerMonth * Math.max(0, sinceSale / 30.4375)
  const below = Math.hypot(calibration.below * error, drift)
  const above = Math.hypot(calibration.above * error, drift)
  const half = (below + above) / 2
  const contributions = () => {
    const typical = typicalAttributes(predicted.attributes, sales.attributes, near)
    const price = (attributes: Float32Array) => logPriceWith(model, predicted, attributes)
    return { typical, added: contributionsOf(predicted.attributes, typical, price) }
  }
  const last = predicted.home === undefined ? -1 : sales.lastOfHome[predicted.home]!
  const doubtful = doubtfulFacts({
    attributes: predicted.attributes,
    sales: sales.attributes,
    near,
    before: last < 0 ? undefined : sales.attributes.subarray(last * attributeCount, (last + 1) * attributeCount),
    year: Math.floor(yearOfDay(day)),
    effects: () => contributions().added.groups,
    half,
  })
  return {
    value: {
      valueUsd,
      lowUsd: valueUsd * Math.exp(-below),
      highUsd: valueUsd * Math.exp(above),
      confidence: confidenceOf(half, unlike, predicted, doubtful.length),
      nearestSaleMi,
      salesWithinMile12m: salesWithinMile(model, predicted),
      missing: predicted.missing,
      doubtful,
      basis: {
        model: Math.exp(applyCalibration(model, byModel)),
        comps: comps && Math.exp(comps.logValue),
        weightOfComps: weightOfComps(compsWeights, comps),
      },
      parts: () => {
        const { typical, added } = contributions()
        const finish = (log: number) => applyCalibration(model, log)
        return valueParts(added, { typical, attributes: predicted.attributes, comps, logValue, finish })
      },
    },
  }
}

/** The log price of the home with other attributes at its place, on its day. */
function logPriceWith(model: MarketModel, { near, day, features }: HomePrediction, attributes: Float32Array): number {
  const row = features.slice()
  row.set(attributes)
  writeNeighborFeatures(row, attributeCount, attributes, 0, near, model.neighbors, model.settings, undefined)
  // Its own earlier sale says what the home is worth, not what a fact is worth.
  row.set(features.subarray(priorAt), priorAt)
  return predictTrees(model, row) + logLevel(model.index, day) + attributes[attributeAt.logLivingSqft]!
}

const predictTrees = ({ ensemble }: MarketModel, features: Float32Array): number =>
  ensemble.reduce((sum, trees) => sum + predictBoosted(trees, features, 0), 0) / ensemble.length

const none = (reason: ValueUnavailable['reason'], text: string, nearestSaleMi?: number): ValueOrReason => ({
  unavailable: { reason, text, nearestSaleMi },
})

const kmPerMile = 1.609344
/** 80% of a normal distribution is within this many standard deviations. */
const rangeDeviations = 1.28

/** Among the nearest sales. Those of a type with enough sales are all of it. */
function ofTypeNear(model: MarketModel, { near, type }: HomePrediction): number {
  if (model.places.byType.has(type)) return near.count
  let count = 0
  for (let k = 0; k < near.count; k++) if (model.sales.type[near.ids[k]!] === type) count++
  return count
}

const mostCounted = 50

/** In the last 12 months; at most 50 are counted. */
function salesWithinMile({ sales, recent }: MarketModel, { attributes, day }: HomePrediction): number {
  const [east, north] = [attributes[attributeAt.eastKm]!, attributes[attributeAt.northKm]!]
  const isOld = (id: number) => sales.day[id]! < day - 365
  const near = findNearest(recent.all, east, north, makeNearest(mostCounted), isOld, kmPerMile)
  let count = 0
  while (count < near.count && near.distanceKm[count]! <= kmPerMile) count++
  return count
}

/** The expected error of this home's value, in log terms. */
function ownError(
  { calibration }: MarketModel,
  features: Float32Array,
  logValue: number,
  comps: ComparableEvidence | undefined,
): number {
  if (!calibration.errorModel) return calibration.medianError
  const row = new Float32Array(errorFeatureCount)
  writeErrorFeatures(row, 0, features, 0, logValue, comps)
  return expectedErrorOf(calibration.errorModel, row, calibration.medianError)
}

interface HomePrediction extends NonNullable<ReturnType<typeof describeHome>> {
  features: Float32Array
  near: Nearest
  /** Log price per square foot at the price level of the day, before calibration. */
  logPpsf: number
  missing: readonly string[]
}

/** Optional facts; without them the range is wider. */
const sharpening = ['lotSqft', 'beds', 'baths', 'yearBuilt', 'propertyType'] as const

export function predictHome(model: MarketModel, subject: ValuationHome, asOf: string): HomePrediction | undefined {
  const home = describeHome(model, subject, asOf)
  if (!home) return undefined
  const near = makeNearest(model.settings.neighbors)
  const features = new Float32Array(featureCount)
  writeFeatures(features, 0, model, home, near)
  if (near.count === 0) return undefined
  return {
    ...home,
    features,
    near,
    logPpsf: predictTrees(model, features) + logLevel(model.index, home.day),
    missing: sharpening.filter((name) => subject[name] === undefined),
  }
}

/** `home` is its number among the homes that were sold. Undefined without a location or a size. */
function describeHome({ sales }: MarketModel, subject: ValuationHome, asOf: string) {
  const day = dayOf(asOf)
  if (Number.isNaN(day)) throw new RangeError(`asOf is not a date: ${asOf}`)
  if (!isPoint(subject) || !(subject.livingSqft && subject.livingSqft > 0)) return undefined
  const attributes = new Float32Array(attributeCount)
  writeAttributes(attributes, 0, subject, sales.projection, day)
  const city = subject.city ? sales.cities.indexOf(cityKey(subject.city)) : -1
  return { attributes, type: typeCode(subject), city, home: sales.homes.get(homeKey(subject)), day }
}

/** The comparable sales that a value is reconciled with. */
export function comparablesOf(market: MarketModel, subject: ValuationHome, asOf: string): GridSale[] {
  const model = modelFor(market, subject)
  const home = describeHome(model, subject, asOf)
  if (!home) return []
  return comparablesIn(model, { ...home, at: 0 }, home.day).map((sale) => ({
    ...sale,
    soldOn: dateOf(home.day - sale.days),
  }))
}

export const applyCalibration = ({ calibration }: MarketModel, logPrice: number): number =>
  logPrice + calibration.stretch * (logPrice - calibration.center) + calibration.shift

/** Half of the range that high allows; each missing fact takes a tenth of it, so that leaving facts out never earns it. */
const highHalf = 0.2

function confidenceOf(half: number, unlike: number, { near, missing }: HomePrediction, doubts: number): Confidence {
  if (near.count < 5 || half > 0.4 || unlike > 1.5 || doubts > 1) return 'low'
  return half <= highHalf * (1 - missing.length / 10) && unlike <= 1 && doubts === 0 ? 'high' : 'medium'
}
