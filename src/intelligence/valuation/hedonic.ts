// A linear hedonic model: ridge regression of log price per square foot on attributes. Its residuals feed the price index,
// and they separate the location part of a neighbor's price for the trees.

import { solveCholesky } from '../statistics/cholesky.ts'
import { attributeAt, attributeCount } from './valuation-facts.ts'

export type Hedonic = ReturnType<typeof fitHedonic>

const linear = [
  'logLivingSqft',
  'logLotSqft',
  'beds',
  'baths',
  'ageYears',
  'effectiveYear',
  'stories',
  'quality',
  'condition',
  'view',
  'waterfront',
  'condo',
  'townhouse',
  'multiFamily',
] as const
const squared = ['logLivingSqft', 'ageYears', 'logLotSqft', 'quality'] as const
const linearAt = Int32Array.from(linear, (name) => attributeAt[name])
const squaredAt = Int32Array.from(squared, (name) => attributeAt[name])
const columnCount = linear.length * 2 + squared.length

/** More sales would not improve the estimates of about thirty coefficients. */
const enoughSales = 50_000

export function fitHedonic(attributes: Float32Array, allTarget: Float64Array, allWeight: Float64Array) {
  const step = Math.max(1, Math.ceil(allTarget.length / enoughSales))
  const n = Math.ceil(allTarget.length / step)
  const target = Float64Array.from({ length: n }, (_, i) => allTarget[i * step]!)
  const weight = Float64Array.from({ length: n }, (_, i) => allWeight[i * step]!)
  const columns = new Float64Array(n * columnCount)
  for (let i = 0; i < n; i++) writeColumns(columns, i * columnCount, attributes, i * step * attributeCount)
  const mean = new Float64Array(columnCount)
  const scale = new Float64Array(columnCount)
  let total = 0
  let targetMean = 0
  for (let i = 0; i < n; i++) {
    total += weight[i]!
    targetMean += weight[i]! * target[i]!
  }
  targetMean /= total || 1
  for (let c = 0; c < columnCount; c++) {
    let sum = 0
    let known = 0
    for (let i = 0; i < n; i++) {
      const v = columns[i * columnCount + c]!
      if (Number.isNaN(v)) continue
      sum += weight[i]! * v
      known += weight[i]!
    }
    mean[c] = known > 0 ? sum / known : 0
    let squares = 0
    for (let i = 0; i < n; i++) {
      const at = i * columnCount + c
      const centered = Number.isNaN(columns[at]!) ? 0 : columns[at]! - mean[c]!
      columns[at] = centered
      squares += weight[i]! * centered * centered
    }
    scale[c] = Math.sqrt(squares / (total || 1))
    const factor = scale[c]! > 1e-9 ? 1 / scale[c]! : 0
    for (let i = 0; i < n; i++) columns[i * columnCount + c]! *= factor
  }
  const coefficient = solveRidge(columns, target, weight, targetMean, n)
  return { mean, scale, coefficient, intercept: targetMean }
}

const oneHome = new Float64Array(columnCount)

export function predictHedonic(model: Hedonic, attributes: Float32Array, offset: number): number {
  const columns = oneHome
  writeColumns(columns, 0, attributes, offset)
  let sum = model.intercept
  for (let c = 0; c < columnCount; c++) {
    const v = columns[c]!
    if (!Number.isNaN(v) && model.scale[c]! > 1e-9)
      sum += (model.coefficient[c]! * (v - model.mean[c]!)) / model.scale[c]!
  }
  return sum
}

/** Each value, an indicator that it is missing (a missing value counts as average plus an effect), and nonlinear terms. */
function writeColumns(out: Float64Array, at: number, attributes: Float32Array, offset: number): void {
  let c = at
  for (let k = 0; k < linearAt.length; k++) {
    const v = attributes[offset + linearAt[k]!]!
    out[c++] = v
    out[c++] = Number.isNaN(v) ? 1 : 0
  }
  for (let k = 0; k < squaredAt.length; k++) {
    const v = attributes[offset + squaredAt[k]!]!
    out[c++] = squaredAt[k] === attributeAt.ageYears ? Math.log1p(Math.max(0, v)) : v * v
  }
}

function solveRidge(
  columns: Float64Array,
  target: Float64Array,
  weight: Float64Array,
  targetMean: number,
  n: number,
): Float64Array {
  const k = columnCount
  const gram = new Float64Array(k * k)
  const moment = new Float64Array(k)
  for (let i = 0; i < n; i++) {
    const w = weight[i]!
    const r = target[i]! - targetMean
    const row = i * k
    for (let a = 0; a < k; a++) {
      const va = w * columns[row + a]!
      if (va === 0) continue
      moment[a]! += va * r
      for (let b = 0; b <= a; b++) gram[a * k + b]! += va * columns[row + b]!
    }
  }
  // Ridge penalty with the weight of 20 sales: enough to stabilize collinear columns, with little shrinkage.
  for (let a = 0; a < k; a++) gram[a * k + a]! += 20
  return solveCholesky(gram, moment, k)
}
