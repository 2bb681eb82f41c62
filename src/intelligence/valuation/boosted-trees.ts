// Gradient boosting on histograms, grown leaf by leaf (Ke et al. 2017, "LightGBM"). The Huber gradient limits the effect
// of a single unusual sale (Friedman 2001, "Greedy function approximation"). Deterministic for a seed.

import type { ValuationSettings } from './assumptions.ts'
import { type BinnedRows, binRows, chooseBins } from './feature-bins.ts'
import { type Forest, growTree, makeForest, makeWorkspace, shrinkForest } from './regression-tree.ts'
import { seededRandom, shuffle } from './seeded-random.ts'

type Tried = 'learningRate' | 'leaves' | 'minLeafWeight' | 'leafShrinkage' | 'rowShare' | 'featureShare' | 'huberDelta'

export interface BoostingOptions extends Pick<ValuationSettings, Tried> {
  trees: number
  /** At most 255. */
  maxBins: number
  seed: number
}

export type BoostedTrees = ReturnType<typeof fitBoostedTrees>

export interface TrainingRows {
  /** Row-major features; NaN is missing. */
  rows: Float32Array
  featureCount: number
  target: Float64Array
  weight: Float64Array
  ids: Int32Array
}

export function fitBoostedTrees(data: TrainingRows, options: BoostingOptions) {
  const { model, grow } = startBoosting(data, options)
  grow(options.trees)
  return { ...model, forest: shrinkForest(model.forest, model.forest.treeCount) }
}

export function startBoosting(data: TrainingRows, options: BoostingOptions) {
  const random = seededRandom(options.seed)
  const { ids, featureCount } = data
  const n = ids.length
  const binned = binRows(data.rows, chooseBins(data.rows, featureCount, ids, options.maxBins), ids)
  const usable = usableFeatures(binned)
  const target = Float64Array.from(ids, (id) => data.target[id]!)
  const weight = Float64Array.from(ids, (id) => data.weight[id]!)
  const base = weightedMean(target, weight)
  const predicted = new Float64Array(n).fill(base)
  const gradient = new Float64Array(n)
  const bag = new Int32Array(n)
  const inBag = new Uint8Array(n)
  const featuresPerTree = Math.max(1, Math.round(usable.length * options.featureShare))
  const forest = makeForest(options.trees, options.leaves)
  const workspace = makeWorkspace(binned, featuresPerTree, n)
  const growOne = (t: number) => {
    for (let i = 0; i < n; i++) {
      const residual = target[i]! - predicted[i]!
      gradient[i] = weight[i]! * Math.max(-options.huberDelta, Math.min(options.huberDelta, residual))
    }
    let bagged = 0
    for (let i = 0; i < n; i++) {
      inBag[i] = random() < options.rowShare ? 1 : 0
      if (inBag[i] === 1) bag[bagged++] = i
    }
    const features = shuffle(usable, random).slice(0, featuresPerTree).sort()
    const root = forest.roots[t]!
    growTree(forest, workspace, binned, gradient, weight, bag.subarray(0, bagged), features, options, predicted)
    for (let i = 0; i < n; i++) if (inBag[i] === 0) predicted[i]! += valueOfBinned(forest, root, binned, i)
  }
  return {
    /** Contains the trees grown so far; its forest has room for `options.trees`. */
    model: { featureCount, base, forest },
    /** Grows more trees, up to `toTree` in total. */
    grow: (toTree: number) => {
      if (usable.length === 0) return
      while (forest.treeCount < Math.min(toTree, options.trees)) growOne(forest.treeCount)
    },
  }
}

/** The sum of trees `fromTree` (inclusive) to `toTree` (exclusive) for the row at `offset`. */
export function sumOfTrees(
  forest: Forest,
  rows: Float32Array,
  offset: number,
  fromTree: number,
  toTree: number,
): number {
  const { feature, threshold, left, missingLeft, roots } = forest
  let sum = 0
  for (let t = fromTree; t < toTree; t++) {
    let node = roots[t]!
    let next = left[node]!
    while (next >= 0) {
      const x = rows[offset + feature[node]!]!
      const cut = threshold[node]!
      // NaN fails both comparisons, so a missing value goes to the side the tree learned for it.
      node = x <= cut ? next : x > cut ? next + 1 : missingLeft[node] === 1 ? next : next + 1
      next = left[node]!
    }
    sum += threshold[node]!
  }
  return sum
}

export const predictBoosted = (model: BoostedTrees, rows: Float32Array, offset: number): number =>
  model.base + sumOfTrees(model.forest, rows, offset, 0, model.forest.treeCount)

function valueOfBinned(forest: Forest, root: number, binned: BinnedRows, row: number): number {
  let node = root
  let next = forest.left[node]!
  while (next >= 0) {
    const bin = binned.columns[forest.feature[node]!]![row]!
    const goesLeft = bin === 0 ? forest.missingLeft[node] === 1 : bin <= forest.splitBin[node]!
    node = goesLeft ? next : next + 1
    next = forest.left[node]!
  }
  return forest.threshold[node]!
}

/** Features with more than one value; a constant column cannot split. */
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
