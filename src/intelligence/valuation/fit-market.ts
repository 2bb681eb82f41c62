// Fits the value model of a market in four steps: price index at constant quality, neighbor features, boosted trees,
// calibration on held-out values.
import { type ValuationSettings, valuationSettings } from './assumptions.ts'
import { predictBoosted, startBoosting, sumOfTrees, type TrainingRows } from './boosted-trees.ts'
import { calibrate } from './calibration.ts'
import { clampedAround, splitConstantQuality } from './constant-quality.ts'
import { featureCount, type Neighborhood, writeFeatures } from './home-features.ts'
import type { MarketModel } from './market-model.ts'
import { makeNearest } from './nearest-sales.ts'
import { shrinkForest } from './regression-tree.ts'
import { indexRenovatedSales } from './renovated-sales.ts'
import { indexByType, readSales, type SaleColumns } from './sale-columns.ts'
import { seededRandom, shuffle } from './seeded-random.ts'
import { fitSupport } from './support.ts'
import { fitTimeIndex, logLevel, type TimeIndex } from './time-index.ts'
import { attributeAt, attributeCount, type ValuationSale } from './valuation-facts.ts'

export interface FitOptions {
  assumptions?: Partial<ValuationSettings>
  seed?: number
  /** Called during the fit with the share done, 0 to 1. */
  onProgress?: (share: number, step: string) => void
}

/** With fewer sales no model is fitted. */
export const minSalesToFit = 30

/** With fewer condominium sales they are fitted together with the houses. */
const minCondoSales = 300

/** Fits a market on its sales before `asOf`. Undefined with too few sales. */
export function fitMarket(
  sales: readonly ValuationSale[],
  asOf: string,
  options: FitOptions = {},
): MarketModel | undefined {
  const condos = sales.filter((sale) => sale.propertyType === 'condo')
  const others = sales.length - condos.length
  if (condos.length < minCondoSales || others < minSalesToFit) return fitPooled(sales, asOf, options)
  const share = condos.length / sales.length
  const report = options.onProgress ?? (() => {})
  const main = fitPooled(
    sales.filter((sale) => sale.propertyType !== 'condo'),
    asOf,
    { ...options, onProgress: (done, step) => report(done * (1 - share), step) },
  )
  const ofCondos = fitPooled(condos, asOf, {
    ...options,
    onProgress: (done, step) => report(1 - share + done * share, `${step} (condominiums)`),
  })
  return main && { ...main, condos: ofCondos }
}

function fitPooled(sales: readonly ValuationSale[], asOf: string, options: FitOptions): MarketModel | undefined {
  const settings = valuationSettings(options.assumptions)
  const report = options.onProgress ?? (() => {})
  const columns = readSales(sales, asOf)
  if (columns.count < minSalesToFit) return undefined
  report(0.02, 'price index')
  const weight = recencyWeights(columns, settings.recencyHalfLifeYears)
  const split = splitConstantQuality(columns, weight, settings)
  const level = logLevel(split.index, columns.asOfDay)
  const adjust = (y: Float64Array) => y.map((v, i) => v - logLevel(split.index, columns.day[i]!) + level)
  const winsorized = adjust(split.winsorized)
  const model = {
    asOf,
    settings,
    sales: columns,
    index: split.index,
    hedonic: split.hedonic,
    places: indexByType(columns, Number.NEGATIVE_INFINITY, minSalesOfType),
    neighbors: {
      attributes: columns.attributes,
      logPpsf: winsorized,
      locationPremium: winsorized.map((y, i) => y - split.explained[i]!),
    },
    renovatedSales: indexRenovatedSales(columns, winsorized),
    recent: indexByType(columns, columns.asOfDay - yearDays, 1),
  }
  report(0.1, 'neighbors')
  const features = featuresOfSales(model)
  const rows = withoutSomeFacts(model, features, incompleteShare.training)
  const { ensemble, fold } = fitFolds(
    { rows, featureCount, target: adjust(columns.logPpsf), weight, home: columns.home },
    settings,
    options.seed ?? 1,
    (share) => report(0.2 + 0.7 * share, 'trees'),
  )
  const heldOutOf = (rows: Float32Array) =>
    Float64Array.from(fold, (f, i) => predictBoosted(ensemble[f]!, rows, i * featureCount))
  const heldOut = heldOutOf(features)
  report(0.92, 'calibration')
  const residual = columns.logPpsf.map((y, i) => y - heldOut[i]!)
  const first: TimeIndex = { ...split.index, market: split.index.market.map((each) => each - level) }
  const index = robustIndex(columns, residual, weight, first, settings)
  const unexplained = residual.map((r, i) => r - logLevel(index, columns.day[i]!))
  const support = fitSupport(model, features, featureCount)
  const fitted = { ...model, index, ensemble, heldOut, unexplained, support }
  const partly = withoutSomeFacts(model, features, incompleteShare.calibration)
  const calibration = calibrate(fitted, partly, heldOutOf(partly))
  report(1, 'done')
  return { ...fitted, calibration }
}

/** Huber's usual limit: beyond it a few deeds of one month would move the index by a percent. */
const indexDeviations = 1.5
const indexRounds = 3

/** The index on the residuals of the trees, which are far less noisy than those of the linear model. Outliers are clamped about the index itself. */
function robustIndex(
  { day, asOfDay }: SaleColumns,
  residual: Float64Array,
  weight: Float64Array,
  first: TimeIndex,
  settings: ValuationSettings,
): TimeIndex {
  let index = first
  for (let round = 0; round < indexRounds; round++) {
    const time = day.map((each) => logLevel(index, each))
    const clamped = clampedAround(time, residual, indexDeviations)
    index = fitTimeIndex({ day, residual: clamped, weight }, asOfDay, settings)
  }
  return index
}

/** In this share of the rows each optional fact is left out with probability 1/2: trees that saw complete rows only would be as sure without the facts. The fewer in training, the better the values of complete homes. */
const incompleteShare = { training: 0.1, calibration: 0.2 }
const optionalAt = [
  ['logLotSqft', 'logLotPerLiving'],
  ['beds', 'logSizePerRoom'],
  ['baths', 'logSizePerRoom'],
  ['yearBuilt', 'effectiveYear', 'ageYears'],
  ['condo', 'townhouse', 'multiFamily'],
  ['stories'],
  ['quality'],
  ['condition'],
  ['view'],
  ['waterfront'],
  ['garageSqft'],
  ['basementSqft'],
].map((names) => names.map((name) => attributeAt[name as keyof typeof attributeAt]))

function withoutSomeFacts(model: Neighborhood, features: Float32Array, share: number): Float32Array {
  const partly = features.slice()
  const random = seededRandom(11)
  const near = makeNearest(model.settings.neighbors)
  for (let i = 0; i < model.sales.count; i++) {
    if (random() >= share) continue
    const attributes = model.sales.attributes.slice(i * attributeCount, (i + 1) * attributeCount)
    for (const group of optionalAt) if (random() < 0.5) for (const at of group) attributes[at] = Number.NaN
    writeFeatures(partly, i * featureCount, model, { sale: i, attributes }, near)
  }
  return partly
}

const recencyWeights = (sales: SaleColumns, halfLifeYears: number): Float64Array =>
  sales.day.map((day) => 0.5 ** ((sales.asOfDay - day) / 365.2425 / halfLifeYears))

/** With fewer, homes of a type are valued from all sales. */
const minSalesOfType = 300
/** `salesWithinMile12m` counts a year, `recentSalesCount` a part of it. */
const yearDays = 365

function featuresOfSales(model: Neighborhood): Float32Array {
  const { sales } = model
  const features = new Float32Array(sales.count * featureCount)
  const near = makeNearest(model.settings.neighbors)
  for (let i = 0; i < sales.count; i++) writeFeatures(features, i * featureCount, model, { sale: i }, near)
  return features
}

// Fits one boosted model per fold, each without a fifth of the homes, so that every sale has a value from a model fitted
// without it. Uses the number of trees with the lowest held-out error and stops early when it no longer falls.
interface CrossFitData extends Omit<TrainingRows, 'ids'> {
  /** Sales of one home stay in one fold. */
  home: Int32Array
}

const checkpointTrees = 25
/** Early stopping after this many checkpoints (100 trees) without a lower error. */
const patience = 4
/** Enough held-out sales to choose the number of trees. */
const checkedPerFold = 4_000

function fitFolds(data: CrossFitData, settings: ValuationSettings, seed: number, onProgress: (share: number) => void) {
  const n = data.target.length
  const random = seededRandom(seed)
  const homeCount = data.home.reduce((most, home) => Math.max(most, home + 1), 0)
  const foldOfHome = Int32Array.from({ length: homeCount }, () => Math.floor(random() * settings.folds))
  /** The fold of each row: its model was fitted without it. */
  const fold = data.home.map((home) => foldOfHome[home]!)
  const allRows = Int32Array.from({ length: n }, (_, i) => i)
  const checkpoints = Math.ceil(settings.maxTrees / checkpointTrees)
  const folds = Array.from({ length: settings.folds }, (_, f) => {
    const others = allRows.filter((i) => fold[i] !== f)
    const training = shuffle(others, random).slice(0, settings.maxFitRows).sort()
    const boosting = startBoosting(
      { rows: data.rows, featureCount: data.featureCount, target: data.target, weight: data.weight, ids: training },
      { ...settings, trees: settings.maxTrees, maxBins: 64, seed: seed * 7919 + f },
    )
    const foldRows = allRows.filter((i) => fold[i] === f)
    const checked = shuffle(foldRows, random).slice(0, checkedPerFold)
    return { boosting, held: checked, predicted: new Float64Array(checked.length).fill(boosting.model.base) }
  })
  // All folds grow together, because the error that stops them is measured over all folds.
  let best = 0
  let leastError = Number.POSITIVE_INFINITY
  for (let c = 0; c < checkpoints && c - best <= patience; c++) {
    let error = 0
    for (const { boosting, held: checked, predicted } of folds) {
      const { forest } = boosting.model
      const from = forest.treeCount
      boosting.grow((c + 1) * checkpointTrees)
      for (let k = 0; k < checked.length; k++) {
        const i = checked[k]!
        predicted[k]! += sumOfTrees(forest, data.rows, i * data.featureCount, from, forest.treeCount)
        error += data.weight[i]! * Math.abs(data.target[i]! - predicted[k]!)
      }
    }
    if (error < leastError) {
      leastError = error
      best = c
    }
    onProgress((c + 1) / checkpoints)
  }
  onProgress(1)
  const treeCount = (best + 1) * checkpointTrees
  const ensemble = folds.map(({ boosting: { model } }) => ({
    ...model,
    forest: shrinkForest(model.forest, Math.min(treeCount, model.forest.treeCount)),
  }))
  return { ensemble, fold }
}
