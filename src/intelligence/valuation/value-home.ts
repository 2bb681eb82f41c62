// Values one home on a day with the fitted model of its market, and shows the comparable sales behind the value.

import type { GridSale } from '../../contract/comps.ts'
import type { Confidence } from '../../contract/facts.ts'
import { predictBoosted } from './boosted-trees.ts'
import { expectedError } from './calibration.ts'
import { chooseComps } from './comparables.ts'
import { errorFeatureCount, expectedErrorOf, writeErrorFeatures } from './error-size.ts'
import { featureCount, firstGuessAt, writeFeatures } from './home-features.ts'
import { areaAt } from './market-areas.ts'
import { type MarketModel, modelFor } from './market-model.ts'
import { makeNearest, type Nearest } from './nearest-sales.ts'
import { weightedMedian } from './quantiles.ts'
import { cityKey, homeKey, isPoint, pointOf, typeCode } from './sale-columns.ts'
import { logLevel } from './time-index.ts'
import {
  attributeAt,
  attributeCount,
  dateOf,
  dayOf,
  type LocatedHome,
  type ValuationHome,
  writeAttributes,
} from './valuation-facts.ts'
import { rangeAt } from './value-range.ts'

export interface Valuation {
  /** The weighted median of the grid's adjusted prices. */
  valueUsd: number
  lowUsd: number
  highUsd: number
  confidence: Confidence
  comps: readonly GridSale[]
  compsCityMatched: boolean
  compsTypeMatched: boolean
  /** Unknown facts that would make the value more precise. */
  missing: readonly string[]
}

/** Undefined if the living area or the location is unknown. */
export function valueHome(market: MarketModel, subject: ValuationHome, asOf: string): Valuation | undefined {
  const model = modelFor(market, subject)
  const predicted = predictHome(model, subject, asOf)
  if (!predicted) return undefined
  const { sales, calibration } = model
  const chosen = chooseComps(
    model,
    { attributes: predicted.attributes, offset: 0, type: predicted.type, city: predicted.city, day: predicted.day },
    predicted.near,
    model.settings.compsShown,
  )
  if (chosen.ids.length === 0) return undefined
  const logSize = predicted.attributes[attributeAt.logLivingSqft]!
  const modelLogPrice = predicted.logPpsf + logSize
  const left = chosen.ids.map((id) => model.unexplained[id]!)
  const adjusted = left.map((u) => Math.exp(applyCalibration(model, modelLogPrice + model.settings.carryOver * u)))
  const comps = chosen.ids.map((id, k): GridSale => {
    const timeFactor = Math.exp(
      logLevel(model.index, predicted.day, model.area[id]) - logLevel(model.index, sales.day[id]!, model.area[id]),
    )
    const timeAdjustedUsd = sales.priceUsd[id]! * timeFactor
    // The unexplained part is removed first; the remaining adjustment is for location and attributes.
    const unexplainedAdjustmentUsd = timeAdjustedUsd * (Math.exp(-(1 - model.settings.carryOver) * left[k]!) - 1)
    return {
      saleId: sales.saleId[id]!,
      soldOn: dateOf(sales.day[id]!),
      priceUsd: sales.priceUsd[id]!,
      distanceKm: chosen.distanceKm[k]!,
      timeAdjustedUsd,
      attributeAdjustmentUsd: adjusted[k]! - timeAdjustedUsd - unexplainedAdjustmentUsd,
      unexplainedAdjustmentUsd,
      adjustedUsd: adjusted[k]!,
      weight: chosen.weights[k]!,
    }
  })
  const valueUsd = weightedMedian(adjusted, chosen.weights)
  const monthsAhead = Math.max(0, predicted.day - model.sales.asOfDay) / 30.4375
  // Past the last known sale the price level itself is uncertain, independently of the home's own error.
  const error = ownError(model, predicted, Math.log(valueUsd), left, chosen.weights)
  const drift = rangeDeviations * model.settings.priorSlopeSdPerMonth * Math.sqrt(monthsAhead)
  const reach = rangeAt(calibration.range, Math.log(valueUsd))
  const below = Math.hypot(reach.below * error, drift)
  const above = Math.hypot(reach.above * error, drift)
  return {
    valueUsd,
    lowUsd: valueUsd * Math.exp(-below),
    highUsd: valueUsd * Math.exp(above),
    confidence: confidenceOf((below + above) / 2, chosen.ids.length, predicted.placed),
    comps,
    compsCityMatched: chosen.cityMatched,
    compsTypeMatched: chosen.typeMatched,
    missing: predicted.missing,
  }
}

/** 80% of a normal distribution is within this many standard deviations. */
const rangeDeviations = 1.28

/** The expected error of this home's value, in log terms. */
function ownError(
  { calibration }: MarketModel,
  predicted: HomePrediction,
  logValue: number,
  unexplained: readonly number[],
  weights: readonly number[],
): number {
  const scatter = expectedError(unexplained, weights, calibration.usualError)
  if (!calibration.errorModel) return scatter
  const row = new Float32Array(errorFeatureCount)
  writeErrorFeatures(row, 0, predicted.features, 0, logValue, scatter)
  return expectedErrorOf(calibration.errorModel, row, calibration.medianError)
}

interface HomePrediction {
  /** The inputs of the trees. */
  features: Float32Array
  attributes: Float32Array
  type: number
  city: number
  day: number
  area: number
  near: Nearest
  /** Predicted by the trees at the price level of the day, before calibration. */
  logPpsf: number
  /** True if its own coordinates are known, not only its city. */
  placed: boolean
  missing: readonly string[]
}

/** Optional facts; without them the range is wider. */
const sharpening = ['lotSqft', 'beds', 'baths', 'yearBuilt', 'propertyType'] as const

export function predictHome(model: MarketModel, subject: ValuationHome, asOf: string): HomePrediction | undefined {
  const { sales } = model
  const day = dayOf(asOf)
  if (Number.isNaN(day)) throw new RangeError(`asOf is not a date: ${asOf}`)
  const place = pointOf(subject, sales.cityCenter)
  if (!place || !(subject.livingSqft && subject.livingSqft > 0)) return undefined
  const home: LocatedHome = isPoint(subject) ? subject : { ...subject, ...place }
  const attributes = new Float32Array(attributeCount)
  writeAttributes(attributes, 0, home, sales.projection, day)
  const type = typeCode(home)
  const near = makeNearest(model.settings.neighbors)
  const features = new Float32Array(featureCount)
  writeFeatures(features, 0, model, { attributes, type, home: sales.homes.get(homeKey(home)), day }, near)
  let sum = 0
  for (const trees of model.ensemble) sum += predictBoosted(trees, features, 0)
  const area = areaAt(model.areas, attributes[attributeAt.eastKm]!, attributes[attributeAt.northKm]!)
  return {
    features,
    attributes,
    type,
    city: subject.city ? sales.cities.indexOf(cityKey(subject.city)) : -1,
    day,
    area,
    near,
    logPpsf:
      features[firstGuessAt]! + sum / model.ensemble.length + logLevel(model.index, day, area) - model.treeLevel[area]!,
    placed: isPoint(subject),
    missing: sharpening.filter((name) => home[name] === undefined),
  }
}

/** Applies the calibration to a log price. */
export function applyCalibration({ calibration }: MarketModel, logPrice: number): number {
  return logPrice + calibration.stretch * (logPrice - calibration.center) + calibration.shift
}

function confidenceOf(half: number, comps: number, placed: boolean): Confidence {
  if (!placed || comps < 5 || half > 0.4) return 'low'
  return half <= 0.2 ? 'high' : 'medium'
}
