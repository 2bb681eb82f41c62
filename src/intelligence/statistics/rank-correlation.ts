import { mean } from './average.ts'
// Spearman's rank correlation, ties sharing their mean rank.

export const spearman = (a: readonly number[], b: readonly number[]): number =>
  pearson([...ranksOf(a)], [...ranksOf(b)])

/** From 1. */
export const ranksOf = (values: ArrayLike<number>): Float64Array => {
  const order = Int32Array.from({ length: values.length }, (_, i) => i).sort((i, j) => values[i]! - values[j]!)
  const rank = new Float64Array(order.length)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++
    for (let k = from; k < to; k++) rank[order[k]!] = (from + 1 + to) / 2
    from = to
  }
  return rank
}

const pearson = (a: readonly number[], b: readonly number[]): number => {
  const [ma, mb] = [mean(a), mean(b)]
  let both = 0
  let aa = 0
  let bb = 0
  for (let i = 0; i < a.length; i++) {
    both += (a[i]! - ma) * (b[i]! - mb)
    aa += (a[i]! - ma) ** 2
    bb += (b[i]! - mb) ** 2
  }
  return both / Math.sqrt(aa * bb)
}
