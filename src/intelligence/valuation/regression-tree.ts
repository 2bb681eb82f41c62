// Regression trees on binned columns, stored together in one forest. The leaf with the best split is split next. A child's
// histogram is its parent's minus its sibling's, so only the smaller child is counted.

import type { BoostingOptions } from './boosted-trees.ts'
import type { BinnedRows } from './feature-bins.ts'

export type Forest = ReturnType<typeof makeForest>

type TreeOptions = Pick<BoostingOptions, 'leaves' | 'minLeafWeight' | 'leafShrinkage' | 'learningRate'>

type Split = NonNullable<ReturnType<typeof bestSplit>>

interface Leaf {
  node: number
  begin: number
  end: number
  gradientSum: number
  weightSum: number
  histogram: Float64Array | undefined
  split: Split | undefined
}

/** Buffers reused for every tree. */
type Workspace = ReturnType<typeof makeWorkspace>

/** All nodes of all trees in flat columns, which keeps predictions in the CPU cache. */
export function makeForest(trees: number, leaves: number) {
  const capacity = trees * (2 * leaves - 1)
  return {
    treeCount: 0,
    nodeCount: 0,
    /** First node of each tree; the last entry is where the next tree would start. */
    roots: new Int32Array(trees + 1),
    feature: new Int16Array(capacity),
    /** Inner node: values up to this go left. Leaf: its value. */
    threshold: new Float32Array(capacity),
    splitBin: new Uint8Array(capacity),
    missingLeft: new Uint8Array(capacity),
    /** Index of the left child; the right child is the next node. -1 marks a leaf. */
    left: new Int32Array(capacity).fill(-1),
  }
}

/** A copy with only the first trees, without unused capacity. */
export function shrinkForest(forest: Forest, treeCount: number): Forest {
  const nodeCount = forest.roots[treeCount]!
  return {
    treeCount,
    nodeCount,
    roots: forest.roots.slice(0, treeCount + 1),
    feature: forest.feature.slice(0, nodeCount),
    threshold: forest.threshold.slice(0, nodeCount),
    splitBin: forest.splitBin.slice(0, nodeCount),
    missingLeft: forest.missingLeft.slice(0, nodeCount),
    left: forest.left.slice(0, nodeCount),
  }
}

/** The trees that ask about a feature. */
export function treesAbout(forest: Forest, feature: number): Forest {
  const { roots, left } = forest
  const asks = (_: number, t: number) => {
    for (let node = roots[t]!; node < roots[t + 1]!; node++)
      if (left[node]! >= 0 && forest.feature[node] === feature) return true
    return false
  }
  const asking = roots.subarray(0, forest.treeCount).filter(asks)
  return { ...forest, treeCount: asking.length, roots: asking }
}

export function makeWorkspace(binned: BinnedRows, featuresPerTree: number, rowCount: number) {
  const binsPerFeature = binned.bins.edges.reduce((most, edges) => Math.max(most, edges.length), 0) + 1
  return {
    binsPerFeature,
    histogramSize: featuresPerTree * binsPerFeature * 2,
    order: new Int32Array(rowCount),
    spare: new Int32Array(rowCount),
    leafGradient: new Float64Array(rowCount),
    leafWeight: new Float64Array(rowCount),
    pool: [] as Float64Array[],
  }
}

/** Grows the next tree of the forest on `rows` and adds its values to their predictions. */
export function growTree(
  forest: Forest,
  workspace: Workspace,
  binned: BinnedRows,
  gradient: Float64Array,
  weight: Float64Array,
  rows: Int32Array,
  features: Int32Array,
  options: TreeOptions,
  predicted: Float64Array,
): void {
  const { order, pool, histogramSize } = workspace
  order.set(rows)
  const takeHistogram = () => pool.pop() ?? new Float64Array(histogramSize)
  const makeLeaf = (begin: number, end: number): Leaf => {
    let gradientSum = 0
    let weightSum = 0
    for (let i = begin; i < end; i++) {
      gradientSum += gradient[order[i]!]!
      weightSum += weight[order[i]!]!
    }
    const node = forest.nodeCount++
    forest.threshold[node] = (options.learningRate * gradientSum) / (weightSum + options.leafShrinkage)
    return { node, begin, end, gradientSum, weightSum, histogram: undefined, split: undefined }
  }
  const canSplit = (leaf: Leaf) => leaf.weightSum >= 2 * options.minLeafWeight
  const consider = (leaf: Leaf, histogram: Float64Array) => {
    leaf.histogram = histogram
    if (canSplit(leaf)) leaf.split = bestSplit(leaf, histogram, workspace.binsPerFeature, binned, features, options)
    if (!leaf.split) release(leaf)
  }
  const release = (leaf: Leaf) => {
    if (leaf.histogram) pool.push(leaf.histogram)
    leaf.histogram = undefined
  }

  const root = makeLeaf(0, rows.length)
  const rootHistogram = takeHistogram()
  countHistogram(rootHistogram, workspace, binned, features, gradient, weight, root)
  consider(root, rootHistogram)
  const open: Leaf[] = [root]
  for (let leafCount = 1; leafCount < options.leaves; leafCount++) {
    const at = mostGain(open)
    if (at < 0) break
    const parent = open[at]!
    const split = parent.split!
    const middle = partition(workspace, parent.begin, parent.end, binned.columns[split.feature]!, split)
    const left = makeLeaf(parent.begin, middle)
    const right = makeLeaf(middle, parent.end)
    forest.feature[parent.node] = split.feature
    forest.splitBin[parent.node] = split.bin
    forest.threshold[parent.node] = binned.bins.edges[split.feature]![split.bin - 1]!
    // If no training row lacked the value, a missing value goes to the larger side.
    const missingLeft = split.missingSeen ? split.missingLeft : left.weightSum >= right.weightSum
    forest.missingLeft[parent.node] = missingLeft ? 1 : 0
    forest.left[parent.node] = left.node
    open[at] = left
    open.push(right)
    const [small, large] = middle - parent.begin < parent.end - middle ? [left, right] : [right, left]
    const largeHistogram = parent.histogram!
    parent.histogram = undefined
    if (!canSplit(small) && !canSplit(large)) {
      pool.push(largeHistogram)
      continue
    }
    const smallHistogram = takeHistogram()
    countHistogram(smallHistogram, workspace, binned, features, gradient, weight, small)
    for (let i = 0; i < histogramSize; i++) largeHistogram[i] = largeHistogram[i]! - smallHistogram[i]!
    consider(small, smallHistogram)
    consider(large, largeHistogram)
  }
  for (const leaf of open) {
    release(leaf)
    const value = forest.threshold[leaf.node]!
    for (let i = leaf.begin; i < leaf.end; i++) predicted[order[i]!] = predicted[order[i]!]! + value
  }
  forest.roots[++forest.treeCount] = forest.nodeCount
}

function countHistogram(
  histogram: Float64Array,
  workspace: Workspace,
  binned: BinnedRows,
  features: Int32Array,
  gradient: Float64Array,
  weight: Float64Array,
  leaf: Leaf,
): void {
  const { order, binsPerFeature, leafGradient, leafWeight } = workspace
  const { begin, end } = leaf
  histogram.fill(0)
  // Gathered once, then read sequentially for every feature.
  for (let i = begin; i < end; i++) {
    leafGradient[i] = gradient[order[i]!]!
    leafWeight[i] = weight[order[i]!]!
  }
  for (let k = 0; k < features.length; k++) {
    const column = binned.columns[features[k]!]!
    const base = k * binsPerFeature * 2
    for (let i = begin; i < end; i++) {
      const at = base + column[order[i]!]! * 2
      histogram[at] = histogram[at]! + leafGradient[i]!
      histogram[at + 1] = histogram[at + 1]! + leafWeight[i]!
    }
  }
}

function bestSplit(
  leaf: Leaf,
  histogram: Float64Array,
  binsPerFeature: number,
  binned: BinnedRows,
  features: Int32Array,
  options: TreeOptions,
) {
  const { gradientSum, weightSum } = leaf
  const { leafShrinkage, minLeafWeight } = options
  const parentScore = (gradientSum * gradientSum) / (weightSum + leafShrinkage)
  let bestGain = 1e-9
  let bestFeature = -1
  let bestBin = 0
  let bestDirection = 0
  let bestSeen = false
  for (let k = 0; k < features.length; k++) {
    const binCount = binned.bins.edges[features[k]!]!.length
    const base = k * binsPerFeature * 2
    const missingWeight = histogram[base + 1]!
    // Without missing values both directions are the same split.
    const directions = missingWeight > 1e-9 ? 2 : 1
    for (let direction = 0; direction < directions; direction++) {
      let leftGradient = direction === 1 ? histogram[base]! : 0
      let leftWeight = direction === 1 ? missingWeight : 0
      for (let bin = 1; bin < binCount; bin++) {
        leftGradient += histogram[base + bin * 2]!
        leftWeight += histogram[base + bin * 2 + 1]!
        if (leftWeight < minLeafWeight) continue
        const rightWeight = weightSum - leftWeight
        if (rightWeight < minLeafWeight) break
        const rightGradient = gradientSum - leftGradient
        const gain =
          (leftGradient * leftGradient) / (leftWeight + leafShrinkage) +
          (rightGradient * rightGradient) / (rightWeight + leafShrinkage) -
          parentScore
        if (gain > bestGain) {
          bestGain = gain
          bestFeature = features[k]!
          bestBin = bin
          bestDirection = direction
          bestSeen = directions === 2
        }
      }
    }
  }
  if (bestFeature < 0) return undefined
  return { gain: bestGain, feature: bestFeature, bin: bestBin, missingLeft: bestDirection === 1, missingSeen: bestSeen }
}

function mostGain(open: readonly Leaf[]): number {
  let at = -1
  let gain = 0
  for (let i = 0; i < open.length; i++) {
    const split = open[i]!.split
    if (split && split.gain > gain) {
      gain = split.gain
      at = i
    }
  }
  return at
}

/** Moves the rows that go left to the front and keeps both sides in row order, so that memory is read sequentially. */
function partition(workspace: Workspace, begin: number, end: number, column: Uint8Array, split: Split): number {
  const { order, spare } = workspace
  let left = begin
  let right = 0
  for (let i = begin; i < end; i++) {
    const row = order[i]!
    const bin = column[row]!
    if (bin === 0 ? split.missingLeft : bin <= split.bin) order[left++] = row
    else spare[right++] = row
  }
  order.set(spare.subarray(0, right), left)
  return left
}
