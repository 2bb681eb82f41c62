// Gradient boosting on histograms, grown leaf by leaf (Ke et al. 2017, "LightGBM"), with a Huber gradient so that one
// odd sale cannot pull a neighbourhood (Friedman 2001, "Greedy function approximation"). Deterministic for a seed.

import { type BinnedRows, binRows, chooseBins } from './feature-bins.ts'
import { growTree, type TreeShape } from './regression-tree.ts'
import { seededRandom, shuffle } from './seeded-random.ts'

export interface BoostingOptions {
  trees: number
  learningRate: number
  leaves: number
  /** Smallest total row weight in a leaf. */
  minLeafWeight: number
  /** Pulls a leaf's value to 0 as this many rows of residual 0 would. */
  leafShrinkage: number
  rowShare: number
  featureShare: number
  /** Residuals beyond this count as this far and no farther. */
  huberDelta: number
  maxBins: number
  seed: number
}

export interface BoostedTrees {
  featureCount: number
  base: number
  trees: readonly TreeShape[]
}

export interface TrainingRows {
  /** Row-major features; NaN is missing. */
  rows: Float32Array
  featureCount: number
  target: Float64Array
  weight: Float64Array
  /** Which rows to learn from. */
  ids: Int32Array
}

/** Fits the trees; `watch`, when given, sees the trees so far after each one and may stop the fit by returning false. */
export function fitBoostedTrees(data: TrainingRows, options: BoostingOptions): BoostedTrees {
  const random = seededRandom(options.seed)
  const { ids, featureCount } = data
  const binned = binRows(data.rows, chooseBins(data.rows, featureCount, ids, options.maxBins), ids)
  const usable = usableFeatures(binned)
  const target = Float64Array.from(ids, (id) => data.target[id]!)
  const weight = Float64Array.from(ids, (id) => data.weight[id]!)
  const base = weightedMean(target, weight)
  const predicted = new Float64Array(ids.length).fill(base)
  const gradient = new Float64Array(ids.length)
  const order = Int32Array.from(ids.keys())
  const trees: TreeShape[] = []
  const bagSize = Math.max(1, Math.round(ids.length * options.rowShare))
  const featuresPerTree = Math.max(1, Math.round(usable.length * options.featureShare))
  for (let t = 0; t < options.trees && usable.length > 0; t++) {
    for (let i = 0; i < ids.length; i++) {
      const residual = target[i]! - predicted[i]!
      gradient[i] = weight[i]! * Math.max(-options.huberDelta, Math.min(options.huberDelta, residual))
    }
    const bag = shuffle(order, random).slice(0, bagSize).sort()
    const features = shuffle(usable, random).slice(0, featuresPerTree).sort()
    const tree = growTree(binned, gradient, weight, bag, features, options)
    trees.push(tree)
    for (let i = 0; i < ids.length; i++) predicted[i]! += tree.value[leafOfBinned(tree, binned, i)]
  }
  return { featureCount, base, trees }
}

/** The prediction for one row of features starting at `offset`. */
export function predictBoosted(model: BoostedTrees, rows: Float32Array, offset: number, treeCount?: number): number {
  let sum = model.base
  const count = Math.min(treeCount ?? model.trees.length, model.trees.length)
  for (let t = 0; t < count; t++) {
    const { feature, threshold, left, right, missingLeft, value } = model.trees[t]!
    let node = 0
    while (left[node]! >= 0) {
      const x = rows[offset + feature[node]!]!
      // NaN fails every comparison, so a missing value falls through to the side the tree learned for it.
      if (x <= threshold[node]!) node = left[node]!
      else if (x > threshold[node]!) node = right[node]!
      else node = missingLeft[node] === 1 ? left[node]! : right[node]!
    }
    sum += value[node]!
  }
  return sum
}

function leafOfBinned(tree: TreeShape, binned: BinnedRows, row: number): number {
  let node = 0
  while (tree.left[node]! >= 0) {
    const bin = binned.columns[tree.feature[node]!]![row]!
    const goesLeft = bin === 0 ? tree.missingLeft[node] === 1 : bin <= tree.splitBin[node]!
    node = goesLeft ? tree.left[node]! : tree.right[node]!
  }
  return node
}

/** A column that is one value throughout cannot split anything. */
function usableFeatures(binned: BinnedRows): Int32Array {
  const usable: number[] = []
  for (let f = 0; f < binned.bins.featureCount; f++) {
    const column = binned.columns[f]!
    if (column.some((bin) => bin !== column[0])) usable.push(f)
  }
  return Int32Array.from(usable)
}

function weightedMean(values: Float64Array, weight: Float64Array): number {
  let sum = 0
  let total = 0
  for (let i = 0; i < values.length; i++) {
    sum += values[i]! * weight[i]!
    total += weight[i]!
  }
  return total > 0 ? sum / total : 0
}
