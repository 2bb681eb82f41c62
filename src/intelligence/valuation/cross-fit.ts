// Fits one boosted model per fold, each without a fifth of the homes, so that every sale gets a value from a model
// that never saw it. The count of trees is the one with the least held-out error.

import type { ValuationSettings } from './assumptions.ts'
import { type BoostedTrees, fitBoostedTrees, predictBoosted, sumOfTrees } from './boosted-trees.ts'
import { shrinkForest } from './regression-tree.ts'
import { seededRandom, shuffle } from './seeded-random.ts'

export interface CrossFitData {
  rows: Float32Array
  featureCount: number
  target: Float64Array
  weight: Float64Array
  /** Sales of one home stay in one fold. */
  home: Int32Array
}

export interface CrossFit {
  ensemble: BoostedTrees[]
  heldOut: Float64Array
  treeCount: number
}

const checkpointTrees = 25
/** So many held-out sales tell the best count of trees well enough. */
const checkedPerFold = 4_000

export function fitFolds(
  data: CrossFitData,
  settings: ValuationSettings,
  seed: number,
  onProgress: (share: number) => void,
): CrossFit {
  const n = data.target.length
  const random = seededRandom(seed)
  const homeCount = data.home.reduce((most, home) => Math.max(most, home + 1), 0)
  const foldOfHome = Int32Array.from({ length: homeCount }, () => Math.floor(random() * settings.folds))
  const fold = data.home.map((home) => foldOfHome[home]!)
  const everyone = Int32Array.from({ length: n }, (_, i) => i)
  const checkpoints = Math.ceil(settings.maxTrees / checkpointTrees)
  const error = new Float64Array(checkpoints)
  const models: BoostedTrees[] = []
  for (let f = 0; f < settings.folds; f++) {
    const training = shuffle(
      everyone.filter((i) => fold[i] !== f),
      random,
    )
      .slice(0, settings.maxFitRows)
      .sort()
    const model = fitBoostedTrees(
      { rows: data.rows, featureCount: data.featureCount, target: data.target, weight: data.weight, ids: training },
      { ...settings, trees: settings.maxTrees, maxBins: 64, seed: seed * 7919 + f },
    )
    models.push(model)
    const held = shuffle(
      everyone.filter((i) => fold[i] === f),
      random,
    ).slice(0, checkedPerFold)
    for (const i of held) {
      let predicted = model.base
      for (let c = 0; c < checkpoints; c++) {
        const from = Math.min(c * checkpointTrees, model.forest.treeCount)
        const to = Math.min(from + checkpointTrees, model.forest.treeCount)
        predicted += sumOfTrees(model.forest, data.rows, i * data.featureCount, from, to)
        error[c]! += data.weight[i]! * Math.abs(data.target[i]! - predicted)
      }
    }
    onProgress((f + 1) / settings.folds)
  }
  let best = 0
  for (let c = 1; c < checkpoints; c++) if (error[c]! < error[best]!) best = c
  const treeCount = (best + 1) * checkpointTrees
  const ensemble = models.map((model) => ({
    ...model,
    forest: shrinkForest(model.forest, Math.min(treeCount, model.forest.treeCount)),
  }))
  const heldOut = new Float64Array(n)
  for (let i = 0; i < n; i++) heldOut[i] = predictBoosted(ensemble[fold[i]!]!, data.rows, i * data.featureCount)
  return { ensemble, heldOut, treeCount }
}
