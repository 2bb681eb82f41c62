// Converts real-valued columns to bin numbers, so that trees can be grown on histograms. Bin 0 means missing; a split
// sends it to either side.

/** `edges`: per feature the upper edges of bins 1, 2, …; a value v lies in the first bin whose edge is >= v. */
type FeatureBins = ReturnType<typeof chooseBins>

export interface BinnedRows {
  bins: FeatureBins
  /** Feature-major: the bin of row r in feature f is `columns[f][r]`. */
  columns: readonly Uint8Array[]
}

/** Edges at quantiles of the rows; a column with few distinct values gets one bin per value. */
export function chooseBins(rows: Float32Array, featureCount: number, rowIds: Int32Array, maxBins: number) {
  const edges: Float32Array[] = []
  // 20,000 rows are enough to place the quantiles; more would only take longer to sort.
  const step = Math.max(1, Math.floor(rowIds.length / 20_000))
  for (let f = 0; f < featureCount; f++) {
    const values = new Float32Array(Math.ceil(rowIds.length / step))
    let count = 0
    for (let i = 0; i < rowIds.length; i += step) {
      const value = rows[rowIds[i]! * featureCount + f]!
      if (!Number.isNaN(value)) values[count++] = value
    }
    edges.push(quantileEdges(values.subarray(0, count).sort(), maxBins))
  }
  return { featureCount, edges }
}

export function binRows(rows: Float32Array, bins: FeatureBins, rowIds: Int32Array): BinnedRows {
  const columns: Uint8Array[] = []
  for (let f = 0; f < bins.featureCount; f++) {
    const edges = bins.edges[f]!
    const column = new Uint8Array(rowIds.length)
    for (let i = 0; i < rowIds.length; i++) column[i] = binOf(edges, rows[rowIds[i]! * bins.featureCount + f]!)
    columns.push(column)
  }
  return { bins, columns }
}

function quantileEdges(sorted: Float32Array, maxBins: number): Float32Array {
  if (sorted.length === 0) return new Float32Array(0)
  const distinct: number[] = []
  for (let i = 0; i < sorted.length && distinct.length <= maxBins; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) distinct.push(sorted[i]!)
  }
  const edges: number[] = []
  if (distinct.length <= maxBins) {
    for (let i = 0; i + 1 < distinct.length; i++) edges.push(Math.fround((distinct[i]! + distinct[i + 1]!) / 2))
  } else {
    for (let b = 1; b < maxBins; b++) {
      const edge = sorted[Math.floor((b * sorted.length) / maxBins)]!
      if (edges.length === 0 || edge > edges[edges.length - 1]!) edges.push(edge)
    }
  }
  edges.push(Number.POSITIVE_INFINITY)
  return Float32Array.from(edges)
}

function binOf(edges: Float32Array, value: number): number {
  if (Number.isNaN(value) || edges.length === 0) return 0
  let low = 0
  let high = edges.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (edges[middle]! >= value) high = middle
    else low = middle + 1
  }
  return low + 1
}
