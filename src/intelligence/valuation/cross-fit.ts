// Fits one boosted model per fold, each without a fifth of the homes, so that every sale has a value from a model fitted
// without it. Uses the number of trees with the lowest held-out error and stops early when it no longer falls.

import type { ValuationSettings } from './assumptions.ts'
import { startBoosting, sumOfTrees, type TrainingRows } from './boosted-trees.ts'
import { shrinkForest } from './regression-tree.ts'
import { seededRandom, shuffle } from './seeded-random.ts'

interface CrossFitData extends Omit<TrainingRows, 'ids'> {
  /** Sales of one home stay in one fold. */
  home: Int32Array
}

const checkpointTrees = 25
/** Early stopping after this many checkpoints (100 trees) without a lower error. */
const patience = 4
/** Enough held-out sales to choose the number of trees. */
const checkedPerFold = 4_000

export function fitFolds(
  data: CrossFitData,
  settings: ValuationSettings,
  seed: number,
  onProgress: (share: number) => void,
) {
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
