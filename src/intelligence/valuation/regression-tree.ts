// One regression tree on binned columns. The leaf whose best split explains most is split next; a child's histogram
// is its parent's less its sibling's, so only the smaller child is ever counted.

import type { BinnedRows } from './feature-bins.ts'

export interface TreeShape {
  feature: Int16Array
  threshold: Float32Array
  splitBin: Uint8Array
  missingLeft: Uint8Array
  /** -1 marks a leaf. */
  left: Int16Array
  right: Int16Array
  value: Float32Array
}

export interface TreeOptions {
  leaves: number
  minLeafWeight: number
  leafShrinkage: number
  learningRate: number
}

interface Split {
  gain: number
  feature: number
  bin: number
  missingLeft: boolean
}

interface Leaf {
  node: number
  begin: number
  end: number
  gradientSum: number
  weightSum: number
  histogram: Float64Array
  split: Split | undefined
}

const binsPerFeature = 256

export function growTree(
  binned: BinnedRows,
  gradient: Float64Array,
  weight: Float64Array,
  rows: Int32Array,
  features: Int32Array,
  options: TreeOptions,
): TreeShape {
  const nodeCount = 2 * options.leaves - 1
  const tree: TreeShape = {
    feature: new Int16Array(nodeCount),
    threshold: new Float32Array(nodeCount),
    splitBin: new Uint8Array(nodeCount),
    missingLeft: new Uint8Array(nodeCount),
    left: new Int16Array(nodeCount).fill(-1),
    right: new Int16Array(nodeCount).fill(-1),
    value: new Float32Array(nodeCount),
  }
  const order = rows.slice()
  const spare = new Int32Array(rows.length)
  const pool: Float64Array[] = []
  const takeHistogram = () => pool.pop() ?? new Float64Array(features.length * binsPerFeature * 2)

  const openLeaf = (node: number, begin: number, end: number, histogram: Float64Array): Leaf => {
    let gradientSum = 0
    let weightSum = 0
    for (let i = begin; i < end; i++) {
      gradientSum += gradient[order[i]!]!
      weightSum += weight[order[i]!]!
    }
    tree.value[node] = (options.learningRate * gradientSum) / (weightSum + options.leafShrinkage)
    const leaf: Leaf = { node, begin, end, gradientSum, weightSum, histogram, split: undefined }
    leaf.split = bestSplit(leaf, binned, features, options)
    return leaf
  }

  const rootHistogram = takeHistogram()
  countHistogram(rootHistogram, binned, features, gradient, weight, order, 0, order.length)
  const open: Leaf[] = [openLeaf(0, 0, order.length, rootHistogram)]
  let nextNode = 1
  for (let leafCount = 1; leafCount < options.leaves; leafCount++) {
    const at = mostGain(open)
    if (at < 0) break
    const parent = open[at]!
    const split = parent.split!
    const column = binned.columns[split.feature]!
    const middle = partition(order, spare, parent.begin, parent.end, column, split)
    const left = nextNode++
    const right = nextNode++
    tree.feature[parent.node] = split.feature
    tree.splitBin[parent.node] = split.bin
    tree.threshold[parent.node] = binned.bins.edges[split.feature]![split.bin - 1]!
    tree.missingLeft[parent.node] = split.missingLeft ? 1 : 0
    tree.left[parent.node] = left
    tree.right[parent.node] = right

    const leftIsSmaller = middle - parent.begin < parent.end - middle
    const smallHistogram = takeHistogram()
    const [begin, end] = leftIsSmaller ? [parent.begin, middle] : [middle, parent.end]
    countHistogram(smallHistogram, binned, features, gradient, weight, order, begin, end)
    const largeHistogram = parent.histogram
    for (let i = 0; i < largeHistogram.length; i++) largeHistogram[i]! -= smallHistogram[i]
    open[at] = openLeaf(left, parent.begin, middle, leftIsSmaller ? smallHistogram : largeHistogram)
    open.push(openLeaf(right, middle, parent.end, leftIsSmaller ? largeHistogram : smallHistogram))
  }
  return tree
}

function countHistogram(
  histogram: Float64Array,
  binned: BinnedRows,
  features: Int32Array,
  gradient: Float64Array,
  weight: Float64Array,
  order: Int32Array,
  begin: number,
  end: number,
): void {
  histogram.fill(0)
  for (let k = 0; k < features.length; k++) {
    const column = binned.columns[features[k]!]!
    const base = k * binsPerFeature * 2
    for (let i = begin; i < end; i++) {
      const row = order[i]!
      const at = base + column[row]! * 2
      histogram[at]! += gradient[row]
      histogram[at + 1]! += weight[row]
    }
  }
}

function bestSplit(leaf: Leaf, binned: BinnedRows, features: Int32Array, options: TreeOptions): Split | undefined {
  const { gradientSum, weightSum, histogram } = leaf
  const { leafShrinkage, minLeafWeight } = options
  if (weightSum < 2 * minLeafWeight) return undefined
  const parentScore = (gradientSum * gradientSum) / (weightSum + leafShrinkage)
  let best: Split | undefined
  let bestGain = 1e-9
  for (let k = 0; k < features.length; k++) {
    const feature = features[k]!
    const binCount = binned.bins.edges[feature]!.length
    const base = k * binsPerFeature * 2
    const missingGradient = histogram[base]!
    const missingWeight = histogram[base + 1]!
    // Where nothing is missing both directions are the same split.
    const directions = missingWeight > 1e-9 ? 2 : 1
    for (let direction = 0; direction < directions; direction++) {
      let leftGradient = direction === 1 ? missingGradient : 0
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
          best = { gain, feature, bin, missingLeft: direction === 1 }
        }
      }
    }
  }
  return best
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

/** Moves the rows that go left to the front, keeping both sides in row order (memory is then read forwards). */
function partition(
  order: Int32Array,
  spare: Int32Array,
  begin: number,
  end: number,
  column: Uint8Array,
  split: Split,
): number {
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
